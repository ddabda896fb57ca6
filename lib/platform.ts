/**
 * The one file that names `Deno`; everything else uses `node:` built-ins, so that moving to another runtime stays cheap.
 *
 * @module
 */

import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** Absolute path of the checkout (the folder that holds `deno.json`), with a trailing slash. */
export const projectRoot: string = fileURLToPath(new URL("../", import.meta.url));

/**
 * The checkout's folder (the one that holds `deno.json`), with a trailing slash: what `useCheckout` was given, else the folder above `lib/`.
 * Call it when a path is needed, never while a module loads.
 */
export function checkoutRoot(): string {
  return checkout ??= fileURLToPath(new URL("../", import.meta.url));
}

/** Sets the checkout's folder for this process: entry points that run a copy of the library from elsewhere call it first. */
export function useCheckout(path: string): void {
  checkout = path.endsWith("/") ? path : `${path}/`;
}

let checkout: string | undefined;

/** The value of an environment variable; an empty one counts as unset. */
export function env(name: string): string | undefined {
  return process.env[name] || undefined;
}

/** Time, as an argument: tests hand in a clock of their own, so that nothing in the laboratory waits in earnest. */
export interface Clock {
  /** Milliseconds since 1970, with fractions. Never goes back. */
  now(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason if that fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock: monotonic within the process, to a microsecond or so. */
export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await setTimeout(milliseconds, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error; // node's own AbortError hides the reason
    }
  },
};

/**
 * A MIME bundle as Jupyter displays it: MIME type → data, e.g. `text/markdown` → text. Text types hold text, JSON types JSON, pictures
 * base64; the front end shows the richest type that it knows.
 */
export type MimeBundle = Record<string, unknown>;

/** Whether this process is a Jupyter kernel, so that `display` reaches a notebook. */
export function inNotebook(): boolean {
  return jupyter() !== undefined;
}

/**
 * Shows a MIME bundle in the running notebook cell; outside a notebook it does nothing. With an `id` what was shown can be shown anew:
 * `update: true` replaces the earlier bundle of that id in its place.
 */
export async function display(bundle: MimeBundle, options: { id?: string; update?: boolean } = {}): Promise<void> {
  const kernel = jupyter();
  if (!kernel) return;
  await kernel.broadcast(options.update ? "update_display_data" : "display_data", {
    data: bundle,
    metadata: {},
    transient: options.id ? { display_id: options.id } : {},
  });
}

/** The key under which Deno's kernel looks for an object's own rendering: a function without arguments that gives a `MimeBundle`. */
export const displaySymbol: unique symbol = Symbol.for("Jupyter.display") as never;

/** What ends the work that the user has stopped. */
export function interruption(): DOMException {
  return new DOMException("interrupted by the user", "AbortError");
}

/** Whether an error is the user's interrupt, or another abort. */
export function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}

/**
 * A signal that fires when the user stops the running cell or presses Ctrl-C: pending calls to worlds and models end with it.
 *
 * Each call hands out the present signal; after it has fired the next call hands out a fresh one.
 */
export function interruptSignal(): AbortSignal {
  if (!interrupt) {
    interrupt = new AbortController();
    const fire = (): void => {
      interrupt?.abort(interruption());
      interrupt = new AbortController();
    };
    // SIGURG is what the lab's own kernel sends for Stop; its default effect is none, so that it harms nobody who does not listen.
    process.on("SIGURG", fire);
  }
  return interrupt.signal;
}

let interrupt: AbortController | undefined;

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
