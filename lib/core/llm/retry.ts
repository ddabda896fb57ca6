import { createHash } from "node:crypto";
import { ModelError, type ModelErrorKind } from "../errors.ts";
import type { Clock } from "../platform.ts";
import type { Breaker } from "./breaker.ts";
import type { ChatModel, ChatReply, ChatRequest } from "./chat-model.ts";
import type { Limiter } from "../semaphore.ts";

/** A finished attempt. */
export interface Attempt {
  /** The request of the attempt, with a `ticket` of its own. */
  readonly request: ChatRequest;
  /** Index of the attempt within its call, from 1. */
  readonly number: number;
  /** Time at the endpoint in milliseconds, without waiting. */
  readonly latencyMs: number;
  /** The reply; absent where the attempt failed. */
  readonly reply?: ChatReply;
  /** The error; absent where the attempt succeeded. */
  readonly error?: unknown;
}

/** Options of `withRetries`. */
export interface RetryOptions {
  /** Measures attempts and waits between them. */
  readonly clock: Clock;
  /** Maximum number of attempts of a call, ≥ 1. @default {8} */
  readonly attempts?: number;
  /** Maximum total wait between the attempts of a call, in milliseconds, ≥ 0. @default {900_000} */
  readonly patienceMs?: number;
  /** Seed of the jitter, which spreads the retries of several runs. @default {0} */
  readonly seed?: number;
  /** Limits concurrency and rate of the attempts. @default no limit */
  readonly limiter?: Limiter;
  /**
   * Ends calls at once where their endpoint only fails.
   * @default no breaker
   */
  readonly breaker?: Breaker;
  /** Whether an endpoint has shown that the model reasons. @default it has not */
  readonly reasons?: () => boolean;
  /** Called after each attempt, before any waiting. */
  readonly onAttempt?: (attempt: Attempt) => void;
}

const RETRYABLE: ReadonlySet<ModelErrorKind> = new Set<ModelErrorKind>([
  "rate-limit",
  "server",
  "timeout",
  "protocol",
]);

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 120_000;

/**
 * Adds retries to a model. After a transient error (`rate-limit`, `server`, `timeout`, `protocol`)
 * it waits as `Retry-After` says, else 1 s, doubled up to 2 min, less a random share of up to one
 * half. Replies carry the `latencyMs` of the answering attempt.
 * @throws {ModelError} from `chat`: the last error once attempts or `patienceMs` are used up; any
 * other error at once.
 */
export function withRetries(model: ChatModel, options: RetryOptions): ChatModel {
  const {
    clock,
    attempts = 8,
    patienceMs = 900_000,
    seed = 0,
    limiter,
    breaker,
    reasons,
    onAttempt,
  } = options;

  async function attempt(request: ChatRequest, number: number): Promise<ChatReply> {
    const started = clock.now();
    const latency = (): number => clock.now() - (request.ticket?.sentAt ?? started);
    let reply: ChatReply;
    try {
      reply = await model.chat(request);
    } catch (error) {
      onAttempt?.({ request, number, latencyMs: latency(), error });
      throw error;
    }
    const latencyMs = latency();
    reply = { ...reply, latencyMs };
    onAttempt?.({ request, number, latencyMs, reply });
    return reply;
  }

  return {
    id: model.id,
    chat: async (request) => {
      let waited = 0;
      let ticket: ChatRequest["ticket"];
      for (let number = 1;; number++) {
        ticket = { missedForms: ticket?.missedForms, reasons: reasons?.() };
        const sent = { ...request, ticket };
        try {
          const work = (): Promise<ChatReply> => {
            breaker?.check();
            return attempt(sent, number);
          };
          const reply = await (limiter ? limiter.run(work, request.signal) : work());
          breaker?.answered();
          return reply;
        } catch (error) {
          if (
            !(error instanceof ModelError) ||
            !(RETRYABLE.has(error.kind) || error.retryAfterMs === 0)
          ) throw error;
          const wait = Math.ceil(
            error.retryAfterMs ?? backoff(number, jitter(seed, request, number)),
          );
          breaker?.failed({ error, waitMs: wait, question: JSON.stringify(request.messages) });
          if (number >= attempts || waited + wait > patienceMs) {
            throw gaveUp(error, number, waited, number >= attempts ? undefined : wait);
          }
          await clock.sleep(wait, anyOf(request.signal, breaker?.signal));
          waited += wait;
        }
      }
    },
  };
}

function anyOf(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}

/**
 * Parses a `Retry-After` header, seconds or a date, to a wait in milliseconds; `undefined` if it is
 * absent or malformed. `now` is the time at the endpoint, in milliseconds since 1970.
 */
export function parseRetryAfter(
  header: string | null | undefined,
  now: number,
): number | undefined {
  if (!header?.trim()) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return seconds < 0 ? undefined : seconds * 1000;
  const wait = Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function backoff(attempt: number, share: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (1 - share / 2);
}

/**
 * Draws from [0, 1) by a hash of the attempt, so that the draw does not depend on other calls in
 * flight.
 */
function jitter(seed: number, request: ChatRequest, attempt: number): number {
  const last = request.messages.at(-1)?.content;
  const text = JSON.stringify([
    seed,
    request.role,
    request.sample ?? {},
    typeof last === "string" ? last : last?.length ?? 0,
    attempt,
  ]);
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}

function gaveUp(error: ModelError, attempts: number, waited: number, refused?: number): ModelError {
  const wait = refused === undefined
    ? ""
    : `; the next attempt would have to wait ${seconds(refused)} more`;
  return new ModelError(
    error.kind,
    `${error.message}; gave up after attempt ${attempts} and ${seconds(waited)} of waiting${wait}`,
    {
      cause: error,
    },
  );
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
