/**
 * Limits of concurrency and rate: a semaphore, and a limiter for one endpoint.
 *
 * @module
 */

import type { Clock } from "../platform.ts";

/** Limits of one endpoint, shared by all models and episodes that use it. */
export interface LimitOptions {
  /** Maximum number of requests in flight, ≥ 1. @default {8} */
  readonly concurrency?: number;
  /** Maximum number of requests started within any 60 seconds, ≥ 1. @default {Infinity} */
  readonly perMinute?: number;
}

/** Runs tasks within its limits, in the order of the calls. */
export interface Limiter {
  /** Runs a task once the limits allow it. Rejects with the signal's reason if it is aborted while waiting. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Creates a semaphore: at most `permits` (≥ 1) tasks run at once, the others wait in order. A failing task releases its permit. */
export function createSemaphore(permits: number): Limiter {
  const waiting: (() => void)[] = [];
  let free = permits;

  async function acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) return void free--;
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener("abort", stop);
        resolve();
      };
      const stop = (): void => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      waiting.push(start);
    });
  }

  return {
    run: async (work, signal) => {
      await acquire(signal);
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next(); // the permit passes to the next task without becoming free
        else free++;
      }
    },
  };
}

/**
 * Creates the limiter of an endpoint. Requests start in the order of the calls; a failing one releases its permit.
 *
 * @throws {RangeError} if a limit is below 1.
 */
export function createLimiter(options: LimitOptions, clock: Clock): Limiter {
  const { concurrency = 8, perMinute = Infinity } = options;
  if (!(concurrency >= 1) || !(perMinute >= 1)) {
    throw new RangeError(`limits must be at least 1, but concurrency is ${concurrency} and requests per minute ${perMinute}`);
  }
  const semaphore = createSemaphore(Math.floor(concurrency));
  if (perMinute === Infinity) return semaphore;
  const starts: number[] = [];
  let gate: Promise<unknown> = Promise.resolve();

  async function pace(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const now = clock.now();
      while (starts[0] !== undefined && starts[0] <= now - 60_000) starts.shift();
      if (starts.length < perMinute) return void starts.push(now);
      await clock.sleep((starts[0] ?? now) + 60_000 - now, signal);
    }
  }

  return {
    run: (work, signal) =>
      semaphore.run(async () => {
        const turn = gate.then(() => pace(signal));
        gate = turn.catch(() => {}); // an aborted request lets the next one through
        await turn;
        return await work();
      }, signal),
  };
}
