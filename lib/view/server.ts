/**
 * The server of the run page: it serves the page itself, its data as JSON, and news of changes as server-sent events. It writes nothing.
 *
 * @module
 */

import { timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import { getPicture } from "../store/artefacts.ts";
import { FIGURE_FILE } from "./exhibits.ts";
import { readData, type Source } from "./routes.ts";

/** Options of `createHandler`. */
export interface HandlerOptions extends Source {
  /** The files of the page by name, e.g. `page.js`; see `bundlePage`. */
  readonly page: ReadonlyMap<string, Uint8Array | string>;
  /** The secret that a request must bring; without one only requests to this machine's own names are answered. */
  readonly token?: string;
  /** Time between two looks for new rows while a page is open, in ms. @default {1000} */
  readonly interval?: number;
  /** Called with an error that nobody expected, such as a damaged record; the request that met it is answered with status 500. */
  readonly onError?: (error: Error) => void;
}

/** Answers requests; `close` ends the streams of events. */
export interface Handler {
  answer(request: Request): Promise<Response>;
  close(): void;
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
  json: "application/json",
};

/** The headers of every answer: the page loads nothing from elsewhere, runs no inline script, cannot be framed, and is not cached. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};

const COOKIE = "labyrinth";

/** Creates the handler of the server's requests. */
export function createHandler(options: HandlerOptions): Handler {
  const { store, tally, figures, page, token, onError } = options;
  const changes = watch(options);

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
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, "this server only reads");
    if (token === undefined ? !isLoopback(url.hostname) : !knows(request, token)) {
      if (token === undefined) return refuse(403, "this server answers only to this machine's own names, such as localhost");
      if (same(url.searchParams.get("token"), token)) return signIn(token);
      return refuse(403, "open the address that ./lab view printed, with its token");
    }
    let path: string[];
    try {
      path = url.pathname.split("/").slice(1).map(decodeURIComponent);
    } catch {
      return refuse(400, "the address cannot be read");
    }
    const [folder, name = ""] = path;
    if (folder === "live") return changes.stream();
    if (folder === "data") return await data(path.slice(1), url.searchParams);
    if (folder === "figures") {
      return FIGURE_FILE.test(name) && existsSync(join(figures, name)) ? file(name, readFileSync(join(figures, name))) : missing();
    }
    if (folder === "pictures") return file("picture.png", getPicture(store, name.replace(/\.png$/, "")));
    return file(folder || "index.html", page.get(folder || "index.html"));
  }

  async function data(path: readonly string[], query: URLSearchParams): Promise<Response> {
    // The calls of a small store are summed before the first page is answered, those of a large one while it is read.
    if (!tally.complete) await Promise.race([tally.catchUp(), pause(150)]);
    const value = readData(options, path, query);
    return value === undefined ? missing() : file("data.json", JSON.stringify(safeValue(value)));
  }

  return { answer, close: changes.close };
}

/** Tells open pages of new rows. The store is looked at once for all of them, and not at all while no page is open. */
function watch({ store, tally, interval = 1000, onError }: HandlerOptions): { stream(): Response; close(): void } {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let version: unknown;

  async function look(): Promise<void> {
    try {
      const { data_version } = store.prepare("pragma data_version").get() ?? {};
      if (data_version !== version || !tally.complete) {
        version = data_version;
        await tally.catchUp();
        send(`data: ${String(version)}\n\n`);
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
    for (const controller of open) controller.close();
    open.clear();
  }

  return { stream, close };
}

/**
 * Whether a host name is this machine's own. A page from elsewhere may have its own name point to this machine, but its requests carry that
 * name, and so they are refused.
 */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|::1|\[::1\]|127(\.\d+){3})$/.test(hostname);
}

function knows(request: Request, token: string): boolean {
  const cookies = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return cookies.some((cookie) => cookie.startsWith(`${COOKIE}=`) && same(cookie.slice(COOKIE.length + 1), token));
}

/** Whether two texts are equal, in a time that does not depend on where they differ. */
function same(given: string | null, token: string): boolean {
  const [a, b] = [new TextEncoder().encode(given ?? ""), new TextEncoder().encode(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signIn(token: string): Response {
  const cookie = `${COOKIE}=${token}; HttpOnly; SameSite=Strict; Path=/`;
  return new Response(null, { status: 303, headers: { ...HEADERS, location: "/", "set-cookie": cookie } });
}

function file(name: string, body: Uint8Array | string | undefined): Response {
  if (body === undefined) return missing();
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  return new Response(body as BodyInit, { headers: { ...HEADERS, "content-type": type } });
}

function missing(): Response {
  return refuse(404, "there is nothing at this address");
}

function refuse(status: number, why: string): Response {
  return new Response(`${why}\n`, { status, headers: { ...HEADERS, "content-type": "text/plain; charset=utf-8" } });
}
