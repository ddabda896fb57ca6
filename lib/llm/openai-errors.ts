/**
 * Maps the errors of an OpenAI-compatible endpoint to `ModelError` kinds.
 *
 * @module
 */

import type { APIError } from "openai";
import { ModelError, type ModelErrorKind } from "../errors.ts";
import { priceOf } from "./prices.ts";
import { parseRetryAfter } from "./retry.ts";

/** The model and endpoint that an error came from. */
export interface ErrorSource {
  readonly model: string;
  readonly host: string;
  /** The API key, which is removed from messages: an endpoint may echo it. */
  readonly key: string;
  readonly timeoutMs: number;
}

/** Maps an error of the client to a `ModelError`: its kind, one line that explains it, and a remedy where the user has one. */
export async function asModelError(error: unknown, source: ErrorSource): Promise<ModelError> {
  const OpenAI = await import("openai"); // loaded already, by the request that failed
  if (error instanceof OpenAI.APIConnectionTimeoutError) {
    return failure("timeout", `gave no whole answer within ${source.timeoutMs / 1000} s`, error, source);
  }
  if (error instanceof OpenAI.APIConnectionError) return connectionFailure(error, source);
  if (error instanceof OpenAI.APIError) return httpFailure(error, source);
  const what = error instanceof SyntaxError ? "answered with malformed JSON" : "cut its answer short";
  return failure("protocol", `${what} (${messageOf(error)})`, error, source);
}

function connectionFailure(error: Error, source: ErrorSource): ModelError {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.message, String((cause as { code?: unknown }).code ?? ""));
  }
  const text = causes.join(" ");
  if (/client error \(Connect\)|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|dns error/i.test(text)) {
    const why = /refused/i.test(text) ? "nothing listens there" : "it cannot be reached";
    return failure("no-endpoint", `${why}: start the server, or set OPENAI_BASE_URL (or "baseUrl" in the role map) right`, error, source);
  }
  return failure("server", "broke the connection", error, source);
}

/** Error kinds by HTTP status and text; the first match is taken. */
const BY_RESPONSE: readonly {
  readonly kind: ModelErrorKind;
  readonly when: (status: number, text: string) => boolean;
  readonly remedy?: string;
}[] = [
  {
    kind: "quota",
    when: (status, text) => status === 402 || /insufficient_quota|billing_hard_limit/.test(text),
    remedy: "fill up the account",
  },
  { kind: "authentication", when: (status) => status === 401 || status === 403, remedy: "check the key and what it may use" },
  { kind: "rate-limit", when: (status) => status === 429 },
  { kind: "timeout", when: (status) => status === 408 },
  { kind: "server", when: (status) => status >= 500 || status === 409 },
  { kind: "no-endpoint", when: (status) => status === 404 }, // no such model there, or no such path: the next call would fare no better
  { kind: "refused", when: (_, text) => /content_filter|content_policy|safety/.test(text) },
  {
    kind: "context-length",
    when: (_, text) =>
      /context_length_exceeded|maximum context|context (window|length|size)|too many (input )?tokens|prompt is too long/i.test(text),
    remedy: "take a model with a longer window or a memory that recalls less",
  },
  { kind: "bad-request", when: () => true },
];

function httpFailure(error: APIError, source: ErrorSource): ModelError {
  const status = error.status ?? 0;
  const text = [error.code, error.type, error.message].join(" ");
  const { kind, remedy } = BY_RESPONSE.find(({ when }) => when(status, text)) ?? { kind: "bad-request" as const };
  const cures = [remedy ?? "", status === 404 ? notFound(source, text) : ""].filter(Boolean).map((cure) => `; ${cure}`).join("");
  // A date in Retry-After is on the clock of the endpoint.
  const retryAfterMs = parseRetryAfter(error.headers?.get("retry-after"), Date.parse(error.headers?.get("date") ?? ""));
  return failure(kind, `answered ${messageOf(error)}${cures}`, error, source, retryAfterMs);
}

function notFound({ model }: ErrorSource, text: string): string {
  const retires = priceOf(model)?.retires;
  if (retires !== undefined) return `${model} is turned off by its maker on ${retires}: take another one (--models today)`;
  if (/not a chat model/i.test(text)) return `give its entry in the role map "style": "completion"`;
  return `take a model that this endpoint serves, and check that its address ends as it should (mostly in /v1)`;
}

function failure(kind: ModelErrorKind, what: string, cause: unknown, source: ErrorSource, retryAfterMs?: number): ModelError {
  const message = `${source.model} at ${source.host}: ${what}`.replaceAll(source.key, "…");
  return new ModelError(kind, message, { cause, retryAfterMs });
}

/** The message in one line of at most 300 characters. */
function messageOf(error: unknown): string {
  const said = error instanceof Error ? error.message || error.name : String(error ?? "it gave no reason");
  const text = said.replaceAll(/\s+/g, " ").trim();
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
