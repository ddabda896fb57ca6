/**
 * The only file that names `Deno`. All others use `node:` built-ins, so that the library can move
 * to another runtime.
 *
 * @module
 */

import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { UsageError } from "./errors.ts";

/**
 * The checkout's folder (the one that holds `deno.json`), with a trailing slash: what `useCheckout`
 * was given, else the folder above `lib/`. Call it when a path is needed, never while a module
 * loads.
 */
export function checkoutRoot(): string {
  return checkout ??= fileURLToPath(new URL("../../", import.meta.url));
}

/**
 * Sets the checkout's folder for this process, where examples, reported numbers and worlds are
 * looked for: programs that import the library from elsewhere call it first.
 *
 * @example
 * ```ts
 * import { useCheckout } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(useCheckout("/home/me/labyrinth"), "/home/me/labyrinth/");
 * ```
 */
export function useCheckout(path: string): string {
  return checkout = path.endsWith("/") ? path : `${path}/`;
}

let checkout: string | undefined;

/**
 * Loads a package or a built-in module (`node:…`) at once, for code that needs it seldom and would
 * slow its module's import.
 */
export function loadModule<Module>(name: string): Module {
  return (load ??= process.getBuiltinModule("node:module").createRequire(import.meta.url))(name);
}

let load: NodeJS.Require | undefined;

/**
 * The value of an environment variable; an empty one counts as unset.
 * @throws {UsageError} if it is not text.
 */
export function env(name: string): string | undefined {
  try {
    return process.env[name] || undefined;
  } catch (error) {
    const whence = name === "LAB_CWD"
      ? "the name of the working folder"
      : `the environment variable ${name}`;
    throw new UsageError(`${whence} is not in UTF-8: give it another one`, { cause: error });
  }
}

/** A clock, passed as an argument so that tests never sleep. */
export interface Clock {
  /** Milliseconds since 1970, with fractions; it never decreases. */
  now(): number;
  /**
   * Resolves after the given milliseconds; rejects with the signal's reason if the signal fires
   * first.
   */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await setTimeout(milliseconds, undefined, { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error; // node's own AbortError hides the reason
    }
  },
};

/**
 * Waits for a promise; rejects with the signal's reason if the signal fires first, while the
 * promise itself goes on.
 */
export async function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (!signal) return await promise;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Makes a signal that fires some milliseconds after another, with its reason, unless it was
 * disposed of by then.
 */
export function delayAbort(
  signal: AbortSignal | undefined,
  milliseconds: number,
  clock: Clock,
): Disposable & { readonly signal: AbortSignal | undefined } {
  if (!signal) return { signal, [Symbol.dispose]: () => {} };
  const [late, over] = [new AbortController(), new AbortController()];
  const fire = (): void =>
    void clock.sleep(milliseconds, over.signal).then(() => late.abort(signal.reason), () => {});
  if (signal.aborted) fire();
  signal.addEventListener("abort", fire, { once: true, signal: over.signal });
  return { signal: late.signal, [Symbol.dispose]: () => over.abort(OVER) };
}

/**
 * A reason that is heard by nobody: without one, `abort` makes an error with its stack at each
 * call.
 */
const OVER = "over";

/**
 * A MIME bundle that Jupyter displays: MIME type → data, e.g. `text/markdown` → text. Text types
 * hold text, JSON types JSON and images base64; the front end shows the richest type that it
 * supports.
 */
export type MimeBundle = Record<string, unknown>;

/**
 * Displays a MIME bundle in the running notebook cell; outside a notebook it does nothing. With
 * `update: true` it replaces the earlier bundle of the same `id`.
 */
export async function display(
  bundle: MimeBundle,
  options: { id?: string; update?: boolean } = {},
): Promise<void> {
  const kernel = jupyter();
  if (!kernel) return;
  await kernel.broadcast(options.update ? "update_display_data" : "display_data", {
    data: bundle,
    metadata: {},
    transient: options.id ? { display_id: options.id } : {},
  });
}

export function isNotebook(): boolean {
  return jupyter() !== undefined;
}

/** The key of an object's method that returns its `MimeBundle` to Deno's kernel. */
export const displaySymbol: unique symbol = Symbol.for("Jupyter.display") as never;

export const STOP_SIGNALS = ["SIGINT", "SIGHUP", "SIGTERM"] as const;

export function interruption(
  signal: typeof STOP_SIGNALS[number] = "SIGINT",
): DOMException & { readonly signal: typeof signal } {
  const by = signal === "SIGINT" ? "the user" : signal;
  return Object.assign(new DOMException(`interrupted by ${by}`, "AbortError"), { signal });
}

export function isInterruption(error: unknown): error is Error {
  return error instanceof Error && error.name === "AbortError";
}

/**
 * The signal that fires when the user stops the running cell or presses Ctrl-C; pending calls to
 * worlds and models end with it.
 *
 * Calls return the same signal until it has fired, and a new one afterwards.
 */
export function interruptSignal(): AbortSignal {
  if (!interrupt) {
    interrupt = new AbortController();
    const fire = (): void => {
      interrupt?.abort(interruption());
      interrupt = new AbortController();
    };
    // The lab's kernel sends SIGURG for Stop; by default the signal is ignored, so it is safe
    // without a listener.
    process.on("SIGURG", fire);
  }
  return interrupt.signal;
}

let interrupt: AbortController | undefined;

/**
 * A `fetch` that sends each request once, on a connection of its own. Deno repeats even a POST when
 * a kept connection turns out to be dead (denoland/deno issues 35610 and 36415), which would be
 * paid twice. A redirection is not followed either.
 */
export function fetchOnce(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> {
  once ??= typeof Deno === "undefined"
    ? {}
    : { client: Deno.createHttpClient({ poolMaxIdlePerHost: 0 }) };
  return fetch(input, { ...init, ...once, redirect: "manual" });
}

let once: object | undefined;

/** An address as it may be shown: without user name, password and query. */
export function withoutLogin(address: string): string {
  return address.replace(/^([a-z][\w+.-]*:\/\/|\/\/)?[^/?#]*@/i, "$1").replace(/[?#].*$/s, "");
}

export interface HttpServer {
  readonly hostname: string;
  readonly port: number;
  close(): Promise<void>;
}

export function serveHttp(
  address: { readonly hostname: string; readonly port: number },
  answer: (request: Request) => Promise<Response>,
): HttpServer {
  const server = Deno.serve({ ...address, onListen: () => {} }, answer);
  return { hostname: server.addr.hostname, port: server.addr.port, close: () => server.shutdown() };
}

interface JupyterKernel {
  broadcast(type: string, content: Record<string, unknown>): Promise<void>;
}

function jupyter(): JupyterKernel | undefined {
  try {
    return (Deno as unknown as { jupyter?: JupyterKernel }).jupyter;
  } catch {
    return undefined; // outside a kernel the getter itself may throw
  }
}
