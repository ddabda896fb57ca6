/**
 * The circuit breaker of an endpoint: where it only fails, its calls end at once, instead of each
 * trying for itself.
 */

import { ModelError } from "../errors.ts";
import type { Clock } from "../platform.ts";

/** The circuit breaker of one endpoint, shared by all models and episodes that use it. */
export interface Breaker {
  /** Aborts waiting for a next attempt once the endpoint is given up. */
  readonly signal: AbortSignal;
  /** Lets an attempt pass. @throws {ModelError} `no-endpoint` while the endpoint is given up. */
  check(): void;
  /** Takes note of an answer. */
  answered(): void;
  /**
   * Notes a failed attempt, the wait that follows (ms) and the question, so that one unanswerable
   * question does not count as a dead endpoint.
   * @throws {ModelError} `no-endpoint` if the endpoint is given up; its own error if only this
   * question is.
   */
  failed(
    attempt: { readonly error: ModelError; readonly waitMs: number; readonly question: string },
  ): void;
}

const FAILURES = 5;
/**
 * It is given up where the next attempt would come so many milliseconds after the first failure.
 */
const PATIENCE_MS = 50_000;
/** Milliseconds after which an endpoint that was given up is tried again. */
const REST_MS = 60_000;

/**
 * Creates the breaker of an endpoint. It opens after five failures in a row (`server` or `timeout`)
 * if the next attempt would come more than 50 s after the first. Rate limits, Retry-After and
 * nonsense are signs of life. If all failures are of one question, only that is given up, and the
 * endpoint with the next failure.
 */
export function createBreaker(host: string, clock: Clock): Breaker {
  let failures = 0;
  let since = 0;
  let questions = new Set<string>();
  let opened: { readonly at: number; readonly error: ModelError } | undefined;
  let waiting = new AbortController();

  function answered(): void {
    failures = 0;
    questions = new Set();
  }

  function open(last: ModelError): never {
    const seconds = Math.round((clock.now() - since) / 1000);
    const error = new ModelError(
      "no-endpoint",
      `${host} is given up after ${failures} failures in a row within ${seconds} s (${last.message}): ` +
        "repair the endpoint and run the same command again; answered calls are kept",
      { cause: last },
    );
    opened = { at: clock.now(), error };
    waiting.abort(error);
    throw error;
  }

  return {
    get signal() {
      return waiting.signal;
    },
    check: () => {
      if (!opened) return;
      if (clock.now() - opened.at < REST_MS) throw opened.error;
      opened = undefined; // the next failure gives it up again, an answer makes it whole
      waiting = new AbortController();
    },
    answered,
    failed: ({ error, waitMs, question }) => {
      if (!FAILING.has(error.kind) || error.retryAfterMs !== undefined) return answered();
      if (failures++ === 0) since = clock.now();
      questions.add(question);
      if (opened || failures < FAILURES || clock.now() + waitMs - since <= PATIENCE_MS) return;
      if (questions.size > 1) open(error);
      throw new ModelError(
        error.kind,
        `${error.message}; gave up this call after ${failures} attempts`,
        { cause: error },
      );
    },
  };
}

const FAILING: ReadonlySet<string> = new Set(["server", "timeout"]);
