/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The data of the pages: from the server, or from the files of an exported page. */

import { useEffect, useState } from "preact/hooks";
import { chunkOf, EXPORTED, fileName, HAND_OVER, STEP_KINDS } from "../files.ts";
import { ask } from "./news.ts";

/** Data that was loaded, by address; the oldest is dropped above `KEPT` entries. */
const kept = new Map<
  string,
  { readonly revision: number; readonly text?: string; readonly data: unknown }
>();
const KEPT = 200;

/** Whether and how this page was exported: as a `page` in a folder, or as a `view` by itself. */
export const exported: string | undefined = globalThis.document?.querySelector<HTMLMetaElement>(
  `meta[name="${EXPORTED}"]`,
)?.content;

/** Loads data by its address, e.g. `["step", "0123456789abcdef", "0.3"]`. */
export async function load(
  path: readonly string[],
  query?: Readonly<Record<string, string>>,
): Promise<unknown> {
  return exported === undefined ? JSON.parse(await loadText(path, query)) : await loadFile(path);
}

async function loadText(
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const search = new URLSearchParams(query).toString();
  const response = await ask(
    `data/${path.map(encodeURIComponent).join("/")}${search && `?${search}`}`,
  );
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim());
  return text;
}

/** What scripts of an exported page handed over, by name, as deflated JSON in base64. */
const hall = globalThis as unknown as Record<
  string,
  { readonly given?: Map<string, string> } | undefined
>;
const handedOver = hall[HAND_OVER]?.given ?? new Map<string, string>();
const FILES = 20;
hall[HAND_OVER] =
  ((name: string, value: string): void => void handedOver.set(name, value)) as object;

async function loadFile([kind = "", id = "", place = ""]: readonly string[]): Promise<unknown> {
  const [pass = 0, step = 0] = place.split(".").map(Number);
  const stepKind = STEP_KINDS.find((each) => each === kind);
  const name = fileName(
    stepKind ? chunkOf(stepKind, id, { pass, step }) : [kind, id].filter(Boolean),
  );
  if (!handedOver.has(name)) {
    const missing = new Error("this is not in the exported page");
    if (exported === "view") throw missing;
    const script = document.createElement("script");
    script.src = `data/${name}.js`;
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => reject(missing);
      document.head.append(script);
    });
    script.remove();
  }
  const value = await inflated(handedOver.get(name) ?? "");
  if (exported === "page" && handedOver.size > FILES) {
    handedOver.delete(handedOver.keys().next().value as string);
  }
  return stepKind ? (value as Record<string, unknown>)[place] : value;
}

async function inflated(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return await new Response(
    new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")),
  ).json();
}

export interface Loaded<T> {
  readonly data?: T;
  readonly error?: string;
}

/** Loads data for a component, again with each new `revision`. */
export function useData<T>(path: readonly string[] | undefined, revision = 0): Loaded<T> {
  const key = path?.join("/") ?? "";
  const [state, setState] = useState<Loaded<T> & { readonly key: string }>({ key });
  useEffect(() => {
    if (!path) return;
    let isWanted = true;
    keep(path, revision).then(
      (data) => isWanted && setState({ key, data: data as T }),
      (error: Error) => isWanted && setState({ key, error: error.message }),
    );
    return () => {
      isWanted = false;
    };
  }, [key, revision]);
  if (state.key === key) return state;
  const known = kept.get(key);
  return known?.revision === revision ? { data: known.data as T } : {};
}

/** Loads data unless it is kept; unchanged data is the same value, so that nothing is drawn again. */
export async function keep(path: readonly string[], revision = 0): Promise<unknown> {
  const key = path.join("/");
  const known = kept.get(key);
  if (known?.revision === revision) return known.data;
  const text = exported === undefined ? await loadText(path) : undefined;
  const data = text === undefined
    ? await loadFile(path)
    : text === known?.text
    ? known.data
    : JSON.parse(text);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(key, { revision, text, data });
  return data;
}
