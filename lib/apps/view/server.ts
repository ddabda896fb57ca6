/**
 * The server of the run page: page, data as JSON, news as server-sent events. It writes nothing.
 */

import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../../core/errors.ts";
import { safeValue } from "../../core/foreign-text.ts";
import { getPicture } from "../../lab/store/artefacts.ts";
import { file, HEADERS, missing, refuse, turnAway } from "./http.ts";
import { readData, type Source } from "./routes.ts";

export interface HandlerOptions extends Source {
  readonly page: ReadonlyMap<string, Uint8Array | string>;
  /** The secret that every request needs. Without it only this machine's names are served. */
  readonly token?: string;
  /** Time between two looks for new rows while a page is open, in ms. @default {1000} */
  readonly interval?: number;
  /** Called with an unexpected error, which is answered with status 500. */
  readonly onError?: (error: Error) => void;
}

/** Answers requests; `close` ends the streams of events. */
export interface Handler {
  answer(request: Request): Promise<Response>;
  close(): void;
}

export function createHandler(options: HandlerOptions): Handler {
  const { store, tally, page, token, onError } = options;
  const inode = inodeOf(store.path);
  const changes = watch(options, () => inodeOf(store.path) !== inode);

  async function answer(request: Request): Promise<Response> {
    if (!URL.canParse(request.url)) return refuse(400, "the address cannot be read");
    try {
      return await route(request, new URL(request.url));
    } catch (error) {
      if (error instanceof UsageError) return refuse(400, error.message);
      onError?.(error as Error);
      return refuse(500, "the record could not be read; the terminal of ./lab view says why");
    }
  }

  async function route(request: Request, url: URL): Promise<Response> {
    if (request.method !== "GET" && request.method !== "HEAD") {
      return refuse(405, "this server only reads");
    }
    const away = turnAway(request, url, token);
    if (away) return away;
    let path: string[];
    try {
      path = url.pathname.split("/").slice(1).map(decodeURIComponent);
    } catch {
      return refuse(400, "the address cannot be read");
    }
    const [folder, name = ""] = path;
    if (/^(live|data)$/.test(folder ?? "") && inodeOf(store.path) !== inode) {
      return refuse(503, "the store was moved, deleted or replaced: start ./lab view again");
    }
    if (folder === "live") return changes.stream();
    if (folder === "data") return await data(path.slice(1), url.searchParams);
    if (folder === "pictures") {
      return file("picture.png", getPicture(store, name.replace(/\.png$/, "")));
    }
    return file(folder || "index.html", page.get(folder || "index.html"));
  }

  async function data(path: readonly string[], query: URLSearchParams): Promise<Response> {
    // The calls of a small store are summed before the first page is answered, those of a large one
    // while it is read.
    if (!tally.complete) await Promise.race([tally.catchUp(), pause(150)]);
    const value = readData(options, path, query);
    return value === undefined ? missing() : file("data.json", JSON.stringify(safeValue(value)));
  }

  return { answer, close: changes.close };
}

/** Tells a file from another one of its name; `undefined` for none. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

/** Tells open pages of new rows; looks at the store once for all of them. */
function watch(
  { store, tally, interval = 1000, onError }: HandlerOptions,
  isReplaced: () => boolean,
): { stream(): Response; close(): void } {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let version = "";

  async function look(): Promise<void> {
    if (isReplaced()) return close();
    try {
      const { data_version } = store.prepare("pragma data_version").get() ?? {};
      const now = `data: ${data_version}\n\n`;
      if (now !== version || !tally.complete) {
        version = now;
        await tally.catchUp();
        send(now);
      } else send(": nothing new\n\n"); // a comment, by which a closed page is noticed
    } catch (error) {
      onError?.(error as Error);
      close(); // a page shows that it is not connected, and tries again
    }
    timer = open.size === 0 ? undefined : setTimeout(look, interval);
  }

  function send(text: string): void {
    for (const controller of open) {
      try {
        controller.enqueue(new TextEncoder().encode(text));
      } catch {
        open.delete(controller);
      }
    }
  }

  function stream(): Response {
    let mine: ReadableStreamDefaultController<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        open.add(mine = controller);
        controller.enqueue(new TextEncoder().encode("retry: 2000\n\n"));
        timer ??= setTimeout(look, interval);
      },
      cancel: () => void open.delete(mine),
    });
    return new Response(body, { headers: { ...HEADERS, "content-type": "text/event-stream" } });
  }

  function close(): void {
    clearTimeout(timer);
    timer = undefined; // a store that is put back is looked at again
    for (const controller of open) controller.close();
    open.clear();
  }

  return { stream, close };
}
