/**
 * Trying again, with patience and an end.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { ModelError, type ModelErrorKind } from "../errors.ts";
import type { Clock } from "../platform.ts";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import type { Limiter } from "./limit.ts";

/** One attempt, as it ended. */
export interface Attempt {
  /** What was asked. */
  readonly request: ChatRequest;
  /** From 1. */
  readonly number: number;
  /** Time at the endpoint, in milliseconds, without waiting for a place. */
  readonly latencyMs: number;
  /** Absent where the attempt failed. */
  readonly reply?: ChatReply;
  /** What was thrown; absent where the attempt succeeded. */
  readonly error?: unknown;
}

/** How often and how long a call is tried. */
export interface RetryOptions {
  /** Measures the attempts and waits between them. */
  readonly clock: Clock;
  /** Most attempts of one call, ≥ 1. @default {8} */
  readonly attempts?: number;
  /** Most that one call waits between its attempts, in all, in milliseconds, ≥ 0. @default {900_000} */
  readonly patienceMs?: number;
  /** Enters the jitter, so that two runs do not knock in step. @default {0} */
  readonly seed?: number;
  /** Every attempt goes through it. */
  readonly limiter?: Limiter;
  /** After each attempt, before any waiting. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

/** Failures that another attempt may cure. */
export const RETRYABLE: ReadonlySet<ModelErrorKind> = new Set<ModelErrorKind>(["rate-limit", "server", "timeout", "protocol"]);

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 120_000;

/**
 * A model that tries a call again after failures that may pass: waits double from 1 s up to 2 min, each shortened by up to half at random;
 * where the endpoint says how long to wait (`Retry-After`), that long. Its replies carry the answering attempt's `latencyMs`.
 *
 * @throws {ModelError} from `chat`: the last failure, once the attempts or the patience are used up, or at once if it cannot pass.
 */
export function withRetries(model: ChatModel, options: RetryOptions): ChatModel {
  const { clock, attempts = 8, patienceMs = 900_000, seed = 0, limiter, onAttempt } = options;

  async function attempt(request: ChatRequest, number: number): Promise<ChatReply> {
    const started = clock.now();
    let reply: ChatReply;
    try {
      reply = await model.chat(request);
    } catch (error) {
      onAttempt?.({ request, number, latencyMs: clock.now() - started, error });
      throw error;
    }
    reply = { ...reply, latencyMs: clock.now() - started };
    onAttempt?.({ request, number, latencyMs: clock.now() - started, reply });
    return reply;
  }

  return {
    id: model.id,
    chat: async (request) => {
      let waited = 0;
      for (let number = 1;; number++) {
        try {
          const work = (): Promise<ChatReply> => attempt(request, number);
          return await (limiter ? limiter.run(work, request.signal) : work());
        } catch (error) {
          if (!(error instanceof ModelError) || !RETRYABLE.has(error.kind)) throw error;
          const wait = Math.ceil(error.retryAfterMs ?? backoff(number, jitter(seed, request, number)));
          if (number >= attempts || waited + wait > patienceMs) throw gaveUp(error, number, waited, number >= attempts ? undefined : wait);
          await clock.sleep(wait, request.signal);
          waited += wait;
        }
      }
    },
  };
}

/**
 * How long `Retry-After` asks to wait, in milliseconds; `undefined` if the header is absent or makes no sense.
 *
 * @example Seconds, or a date
 * ```ts
 * import assert from "node:assert/strict";
 *
 * assert.equal(parseRetryAfter("2.5", 0), 2500);
 * assert.equal(parseRetryAfter("Thu, 01 Jan 1970 00:01:00 GMT", 20_000), 40_000);
 * assert.equal(parseRetryAfter("soon", 0), undefined);
 * ```
 */
export function parseRetryAfter(header: string | null | undefined, now: number): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const wait = Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function backoff(attempt: number, share: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (1 - share / 2);
}

/** In [0, 1); hashed instead of drawn from a stream, so that it does not depend on what else is under way. */
function jitter(seed: number, request: ChatRequest, attempt: number): number {
  const last = request.messages.at(-1)?.content;
  const text = JSON.stringify([seed, request.role, request.sample ?? {}, typeof last === "string" ? last : last?.length ?? 0, attempt]);
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}

function gaveUp(error: ModelError, attempts: number, waited: number, refused?: number): ModelError {
  const wait = refused === undefined ? "" : `; the next attempt would have to wait ${seconds(refused)} more`;
  return new ModelError(error.kind, `${error.message}; gave up after attempt ${attempts} and ${seconds(waited)} of waiting${wait}`, {
    cause: error,
  });
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
