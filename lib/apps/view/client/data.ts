/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** The data of the pages: from the server, or from the notebook's output that holds the page. */

import { useEffect, useState } from "preact/hooks";
import { EMBEDDED, HAND_OVER, handedName } from "../embedded.ts";
import { ask } from "./news.ts";

/** Data that was loaded, by address; the oldest is dropped above `KEPT` entries. */
const kept = new Map<
  string,
  { readonly revision: number; readonly text?: string; readonly data: unknown }
>();
const KEPT = 200;

/** Whether a notebook's output holds this page, so that it has no server. */
export const isEmbedded: boolean = !!globalThis.document?.querySelector(`meta[name="${EMBEDDED}"]`);

/** Asks the server for data by its address, e.g. `["step", "0123456789abcdef", "0.3"]`. */
export async function load(
  path: readonly string[],
  query?: Readonly<Record<string, string>>,
): Promise<unknown> {
  return JSON.parse(await loadText(path, query));
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

/** What the scripts of an output hand over, by name, as deflated JSON in base64. */
const hall = globalThis as unknown as Record<
  string,
  { readonly given?: ReadonlyMap<string, string> } | undefined
>;

async function handedOver(path: readonly string[]): Promise<unknown> {
  const text = hall[HAND_OVER]?.given?.get(handedName(path));
  if (text === undefined) throw new Error("this output does not hold it: ./lab view shows it");
  const value = await inflated(text);
  const [, , place] = path;
  return place === undefined ? value : (value as Record<string, unknown>)[place];
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
  const text = isEmbedded ? undefined : await loadText(path);
  const data = text === undefined
    ? await handedOver(path)
    : text === known?.text
    ? known.data
    : JSON.parse(text);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
  kept.set(key, { revision, text, data });
  return data;
}
