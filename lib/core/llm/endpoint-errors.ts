/** Maps the errors of an endpoint to `ModelError` kinds. */

import { inspect } from "node:util";
import { ModelError, type ModelErrorKind, type ModelErrorOptions } from "../errors.ts";
import { knownSecrets, SHORTEST_SECRET } from "../text/secrets.ts";
import { fetchOnce } from "../platform.ts";
import { jsonOf } from "../text/json.ts";
import type { Usage } from "./chat-model.ts";
import { answerIn } from "./event-stream.ts";
import { priceOf } from "./prices.ts";
import { parseRetryAfter } from "./retry.ts";
import { usageIn } from "./usage.ts";
import { PASSING, UNFINISHED, verdictOn } from "./endpoint-verdicts.ts";

export const NOT_CHARGED = { prompt: 0, cached: 0, completion: 0, reasoning: 0 } as const;

export interface ErrorSource {
  readonly model: string;
  readonly host: string;
  readonly key: string;
  /**
   * The key, and what else may let somebody in: they are removed from messages and replies, because
   * an endpoint may echo them.
   */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  readonly address: string;
}

export function timeoutFailure(error: unknown, source: ErrorSource): ModelError {
  return failure(
    "timeout",
    `gave no whole answer within ${source.timeoutMs / 1000} s`,
    error,
    source,
  );
}

/**
 * The error of an answer that violates the endpoint's protocol; `what` says how, in the past tense,
 * `usage` what it took by its own word.
 */
export function protocolFailure(
  what: string,
  error: unknown,
  source: ErrorSource,
  usage?: Usage,
): ModelError {
  return failure("protocol", `${what} (${messageOf(error, source)})`, error, source, { usage });
}

export function connectionFailure(error: Error, source: ErrorSource): ModelError {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.message, String((cause as { code?: unknown }).code ?? ""));
  }
  const text = causes.join(" ");
  if (/client error \(Connect\)|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|dns error/i.test(text)) {
    const why = /refused/i.test(text) ? "nothing listens there" : "it cannot be reached";
    return failure(
      "no-endpoint",
      `${why}: start the server, or set ${source.address} right`,
      error,
      source,
      { usage: NOT_CHARGED },
    );
  }
  return failure("server", "broke the connection", error, source);
}

export function isMissedForm({ kind, retryAfterMs }: ModelError): boolean {
  return kind === "protocol" && retryAfterMs === 0;
}

class FailedAnswer extends Error {
  constructor(readonly response: Response, readonly body: string) {
    super("the endpoint answered with a status of failure");
  }
}

/**
 * The `fetch` of all clients: it sends once, and throws a failed answer, whose words and usage
 * clients drop. An answer of another content type, or an event stream, becomes JSON.
 */
export async function fetchJson(...request: Parameters<typeof fetchOnce>): Promise<Response> {
  const response = await fetchOnce(...request);
  if (!response.ok) throw new FailedAnswer(response, await response.text().catch(() => ""));
  const text = await response.clone().text().catch((error) => {
    if (request[1]?.signal?.aborted) throw error;
    return ""; // the client meets the break
  });
  const isJson = jsonOf(text) !== undefined;
  if (isJson && /json/.test(response.headers.get("content-type") ?? "")) return response;
  const answer = isJson ? text : JSON.stringify(answerIn(text));
  return answer === undefined
    ? response
    : new Response(answer, { headers: { "content-type": "application/json" } });
}

type Told =
  & Readonly<Partial<Record<"message" | "code" | "type" | "status" | "details", unknown>>>
  & {
    /** The words of the provider behind a gateway (OpenRouter). */
    readonly metadata?: { readonly raw?: unknown };
  };

/**
 * The error of a failed answer: its kind, a line that explains it, a remedy if the user has one,
 * and the usage. `undefined` for any other error.
 */
export function httpFailure(thrown: unknown, source: ErrorSource): ModelError | undefined {
  const failed = [thrown, (thrown as Error | undefined)?.cause].find((error) =>
    error instanceof FailedAnswer
  );
  if (!failed) return undefined;
  const { response: { status, headers }, body } = failed;
  const [whole] = [jsonOf(body)]
    .flat() as (Told & { readonly error?: Told | string } | undefined)[];
  const { message, code, type, status: name, details, metadata }: Told =
    (typeof whole?.error === "object" ? whole.error : whole) ?? {};
  const isSaid = (words: unknown): boolean => typeof words === "string" && words.trim() !== "";
  const reason = [[message, metadata?.raw].filter(isSaid).join(": "), whole?.error, body]
    .find(isSaid) ?? "without a word";
  const text = [code, type, name, reason].join(" ");
  const said = messageOf(reason, source);
  const { kind, remedy, again = false } = verdictOn(status, text);
  const moved = status < 400
    ? `it points to ${headers.get("location") || "nowhere"}: set ${source.address} right`
    : "";
  const cures = [remedy ?? "", moved, status === 404 ? notFound(source, text) : ""].filter(Boolean)
    .map((cure) => `; ${cure}`).join("");
  // A date in Retry-After is on the clock of the endpoint.
  const told = millisecondsIn(headers.get("retry-after-ms")) ??
    parseRetryAfter(headers.get("retry-after"), Date.parse(headers.get("date") ?? "")) ??
    delayOf(details);
  const wait = again ? 0 : PASSING.has(kind) ? told : undefined; // a wrong key or parameter stays wrong
  const isUnknown = again ||
    (UNFINISHED.has(status) && kind !== "bad-request" && kind !== "context-length");
  const usage = usageIn(body) ?? (isUnknown ? undefined : NOT_CHARGED);
  return failure(
    kind,
    `answered ${said.startsWith(`${status}`) ? said : `${status} ${said}`}${cures}`,
    new Error(`${reason}`),
    source,
    {
      retryAfterMs: wait,
      usage,
    },
  );
}

/**
 * The wait that Google's `RetryInfo` asks for, in milliseconds: it is in the body, not in a header.
 */
function delayOf(details: unknown): number | undefined {
  const all: readonly { readonly retryDelay?: unknown }[] = Array.isArray(details) ? details : [];
  const seconds = all.map((detail) => Number.parseFloat(String(detail?.retryDelay))).find((delay) =>
    delay >= 0
  );
  return seconds === undefined ? undefined : 1000 * seconds;
}

/** The wait in a header of OpenAI's and Azure's, which is finer than `Retry-After`. */
function millisecondsIn(header: string | null): number | undefined {
  const wait = header?.trim() ? Number(header) : NaN;
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}

function notFound({ model }: ErrorSource, text: string): string {
  const retires = priceOf(model)?.retires;
  if (retires !== undefined) {
    return `${model} is turned off by its maker on ${retires}: take another one (--models today)`;
  }
  if (/not a chat model/i.test(text)) return `give its entry in the role map "style": "completion"`;
  return `take a model that this endpoint serves, and check that its address ends as it should (mostly in /v1)`;
}

function failure(
  kind: ModelErrorKind,
  what: string,
  error: unknown,
  source: ErrorSource,
  more: ModelErrorOptions = {},
): ModelError {
  const message = withoutSecrets(`${source.model} at ${source.host}: ${what}`, source);
  const details = inspect(error, { depth: Infinity, maxStringLength: Infinity });
  const cause = details === withoutSecrets(details, source) ? error : undefined;
  return new ModelError(kind, message, { ...more, cause });
}

/**
 * A text in which no secret of the endpoint, nor of another one that this process calls, is left; a
 * short one is a part of many words.
 */
export function withoutSecrets(text: string, { secrets }: Pick<ErrorSource, "secrets">): string {
  const all = [...secrets, ...knownSecrets].sort((a, b) => b.length - a.length); // one may begin with another
  return all.reduce((rest, secret) => {
    const isShort = secret.length < SHORTEST_SECRET;
    return rest.replaceAll(
      isShort ? new RegExp(`(?<![\\w-])${RegExp.escape(secret)}(?![\\w-])`, "g") : secret,
      "…",
    );
  }, text);
}

/**
 * The message in one line of at most 300 characters; a secret is removed before it could be cut in
 * two.
 */
function messageOf(error: unknown, source: ErrorSource): string {
  const said = error instanceof Error
    ? error.message || error.name
    : String(error ?? "it gave no reason");
  const text = withoutSecrets(said, source).replaceAll(/\s+/g, " ").trim();
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
