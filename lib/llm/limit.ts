/**
 * How much may go to one endpoint at a time, and per minute.
 *
 * @module
 */

import type { Clock } from "../platform.ts";

/** Limits of one endpoint, shared by all its models and episodes. */
export interface LimitOptions {
  /** Requests under way at once, ≥ 1. @default {8} */
  readonly concurrency?: number;
  /** Requests started within any 60 seconds, ≥ 1; unlimited unless told. */
  readonly perMinute?: number;
}

/** Lets work through as the limits allow, first come first served. */
export interface Limiter {
  /** Waits for a place, works, and gives the place back. Rejects with the signal's reason if that fires while waiting. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/**
 * A limiter. Places are given in the order of asking; a work that fails gives its place back like any other.
 *
 * @throws {RangeError} if a limit is below 1.
 *
 * @example Two at once
 * ```ts
 * import { systemClock } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const limiter = createLimiter({ concurrency: 2 }, systemClock);
 * let now = 0, most = 0;
 * const work = async () => {
 *   most = Math.max(most, ++now);
 *   await Promise.resolve();
 *   now--;
 * };
 * await Promise.all([work, work, work, work].map((work) => limiter.run(work)));
 * assert.equal(most, 2);
 * ```
 */
export function createLimiter(options: LimitOptions, clock: Clock): Limiter {
  const { concurrency = 8, perMinute = Infinity } = options;
  if (!(concurrency >= 1) || !(perMinute >= 1)) {
    throw new RangeError(`limits must be at least 1, but concurrency is ${concurrency} and requests per minute ${perMinute}`);
  }
  const starts: number[] = [];
  const waiting: (() => void)[] = [];
  let free = Math.floor(concurrency);
  let gate: Promise<unknown> = Promise.resolve();

  async function place(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
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

  function release(): void {
    const next = waiting.shift();
    if (next) next(); // the place goes over without becoming free
    else free++;
  }

  async function pace(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const now = clock.now();
      while (starts[0] !== undefined && starts[0] <= now - 60_000) starts.shift();
      if (starts.length < perMinute) {
        starts.push(now);
        return;
      }
      await clock.sleep((starts[0] ?? now) + 60_000 - now, signal);
    }
  }

  return {
    run: async (work, signal) => {
      await place(signal);
      try {
        if (perMinute < Infinity) {
          const turn = gate.then(() => pace(signal));
          gate = turn.catch(() => {}); // one that gave up lets the next one through
          await turn;
        }
        return await work();
      } finally {
        release();
      }
    },
  };
}
