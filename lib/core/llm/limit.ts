import { setImmediate } from "node:timers/promises";
import type { Clock } from "../platform.ts";
import { createSemaphore, type Limiter } from "../semaphore.ts";
import { createConcurrencySearch } from "./concurrency-search.ts";

/** Limits of one endpoint, shared by all models and episodes that use it. */
export interface LimitOptions {
  /**
   * Maximum number of requests in flight, ≥ 1; `auto` starts with 8 and grows to 1,024 while more
   * requests bring more answers a second.
   * @default {8}
   */
  readonly concurrency?: number | "auto";
  /** Maximum number of requests started within any 60 seconds, ≥ 1. @default {Infinity} */
  readonly perMinute?: number;
}

export interface AdaptiveLimiter extends Limiter {
  heard(how: "answered" | "rate-limited", latencyMs?: number): void;
  readonly limit: number;
  onGrowth(listener: () => void): () => void;
}

/**
 * Milliseconds within which refusals of requests in flight are one: they were sent at the same
 * concurrency.
 */
const ONE_REFUSAL_MS = 1000;
/** Answers that wait are gone on with in about so many turns of the event loop. */
const TURNS = 16;
/** Limits of a concurrency that finds itself: where it starts, and where it ends. */
const [AUTO_LEAST, AUTO_MOST] = [8, 1024];

/**
 * Creates the limiter of an endpoint. Requests start in the order of the calls. A rate limit halves
 * the requests in flight; as many answers as are in flight raise them by one, up to `concurrency`.
 * `auto` doubles at first, until a refusal comes or answers slow down.
 * @throws {RangeError} if a limit is below 1.
 */
export function createLimiter(options: LimitOptions, clock: Clock): AdaptiveLimiter {
  const { concurrency = 8, perMinute = Infinity } = options;
  const isAuto = concurrency === "auto";
  if (!(isAuto || concurrency >= 1) || !(perMinute >= 1)) {
    throw new RangeError(
      `limits must be at least 1, but concurrency is ${concurrency} and requests per minute ${perMinute}`,
    );
  }
  const most = isAuto ? AUTO_MOST : Math.floor(concurrency);
  const start = isAuto ? AUTO_LEAST : most;
  const semaphore = createSemaphore(start);
  const search = isAuto ? createConcurrencySearch() : undefined;
  const listeners = new Set<() => void>();
  let [limit, refusedAt] = [start, -Infinity];

  function heard(how: "answered" | "rate-limited", latencyMs = 0): void {
    const before = Math.floor(limit);
    if (how === "rate-limited") {
      search?.refused();
      if (clock.now() - refusedAt < ONE_REFUSAL_MS) return;
      limit = Math.max(1, limit / 2);
      refusedAt = clock.now();
    } else {
      const grown = search?.answered(limit, latencyMs, semaphore.waiting > 0) ?? limit + 1 / limit;
      limit = Math.min(most, grown);
    }
    semaphore.resize(Math.floor(limit));
    if (Math.floor(limit) > before) { for (const listener of listeners) listener(); }
  }

  const starts: number[] = [];
  let gate: Promise<unknown> = Promise.resolve();
  const answered: (() => void)[] = [];

  async function pace(signal?: AbortSignal): Promise<void> {
    for (;;) {
      const now = clock.now();
      while (starts[0] !== undefined && starts[0] <= now - 60_000) starts.shift();
      if (starts.length < perMinute) return void starts.push(now);
      await clock.sleep((starts[0] ?? now) + 60_000 - now, signal);
    }
  }

  async function paced<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = gate.then(() => pace(signal));
    gate = turn.catch(() => {}); // an aborted request lets the next one through
    await turn;
    return await work();
  }

  /**
   * Waits for a turn of the event loop, so that answers that come together do not delay the next
   * request.
   */
  function turn(): Promise<void> {
    return new Promise((resolve) => {
      if (answered.push(resolve) === 1) void giveTurns();
    });
  }

  async function giveTurns(): Promise<void> {
    while (answered.length > 0) {
      await setImmediate();
      for (const goOn of answered.splice(0, Math.ceil(answered.length / TURNS))) goOn();
    }
  }

  return {
    run: async (work, signal) => {
      const result = await semaphore.run(
        perMinute === Infinity ? work : () => paced(work, signal),
        signal,
      );
      await turn();
      return result;
    },
    heard,
    get limit() {
      return Math.floor(limit);
    },
    onGrowth: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
