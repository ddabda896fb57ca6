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

/** A semaphore whose number of permits changes. */
export interface Semaphore extends Limiter {
  /** Sets the number of permits, ≥ 1; tasks that run are left to end. */
  resize(permits: number): void;
}

/** Creates a semaphore: at most `permits` (≥ 1) tasks run at once, the others wait in order. A failing task releases its permit. */
export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = [];
  let [all, free] = [permits, permits];

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
        const next = free < 0 ? undefined : waiting.shift();
        if (next) next(); // the permit passes to the next task without becoming free
        else free++;
      }
    },
    resize: (wanted) => {
      free += wanted - all;
      all = wanted;
      for (let next; free > 0 && (next = waiting.shift()); free--) next();
    },
  };
}

/** The limiter of an endpoint, whose concurrency follows what the endpoint takes. */
export interface AdaptiveLimiter extends Limiter {
  /** Takes note of an attempt: whether it was answered, or refused for its rate. */
  heard(how: "answered" | "rate-limited"): void;
}

/** Milliseconds within which refusals of requests in flight are one: they were sent at the same concurrency. */
const ONE_REFUSAL_MS = 1000;

/**
 * Creates the limiter of an endpoint. Requests start in the order of the calls; a failing one releases its permit. A refusal for the rate halves
 * the number of requests in flight, and as many answers as are in flight raise it by one, up to `concurrency`.
 *
 * @throws {RangeError} if a limit is below 1.
 */
export function createLimiter(options: LimitOptions, clock: Clock): AdaptiveLimiter {
  const { concurrency = 8, perMinute = Infinity } = options;
  if (!(concurrency >= 1) || !(perMinute >= 1)) {
    throw new RangeError(`limits must be at least 1, but concurrency is ${concurrency} and requests per minute ${perMinute}`);
  }
  const most = Math.floor(concurrency);
  const semaphore = createSemaphore(most);
  let [limit, refusedAt] = [most, -Infinity];

  function heard(how: "answered" | "rate-limited"): void {
    if (how === "answered") limit = Math.min(most, limit + 1 / limit);
    else if (clock.now() - refusedAt >= ONE_REFUSAL_MS) {
      limit = Math.max(1, limit / 2);
      refusedAt = clock.now();
    }
    semaphore.resize(Math.floor(limit));
  }

  if (perMinute === Infinity) return { run: semaphore.run, heard };
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
    heard,
    run: (work, signal) =>
      semaphore.run(async () => {
        const turn = gate.then(() => pace(signal));
        gate = turn.catch(() => {}); // an aborted request lets the next one through
        await turn;
        return await work();
      }, signal),
  };
}
