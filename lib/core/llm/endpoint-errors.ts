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

/** How endpoints word it that they cannot enforce a JSON Schema. */
export const REFUSED_FORM =
  /response_?(format|schema|mime_?type)|output_(format|config)|structured output|json[_ ]?schema|grammar|\b(max|min)(Length|Items)\b/i;

/**
 * How endpoints word it that the model's own answer missed the form, or called a tool wrongly:
 * Groq, Ollama, llama.cpp, Cloudflare.
 */
const MISSED_FORM = new RegExp(
  [
    "json_validate_failed|tool_use_failed|output_parse_failed|failed_generation|failed to call a function|error parsing tool call",
    "fail(ed|ure) to (generate|produce|return)( \\w+){0,2} json|failed to parse (tool call|input at)|tool call validation failed",
    "generated json does not match|json mode couldn'?t be met|model (generated|produced|output) (an? )?(invalid|malformed)",
  ].join("|"),
  "i",
);

/**
 * How endpoints word it that a prompt is too long, or asks for more than their window has left: the
 * makers', their gateways and own servers.
 */
const TOO_LONG = new RegExp(
  [
    "context[ _](window|length|size|limit)|max\\w*[ _](context|prompt|model|input|seq(uence)?)[ _]len|n_ctx|request_too_large",
    "(prompt|inputs?|messages?|request)`?( length)?( \\([^)]*\\))?( (is|are|was))? too (long|large)|entity too large|prompt exceeds",
    "too many (input )?tokens(?!,? please wait)|token (count|limit)[^.]* exceed|tokens exceed|exceeded (model )?token limit",
    "`inputs` (tokens \\+|must have less)|longer than the max|reduce (the length|your (prompt|message))|range of input length",
    "max tokens allowed|expected maxLength: \\d+, actual",
  ].join("|"),
  "i",
);

export const LONGER_WINDOW =
  "start your server with a longer one (llama.cpp: -c, vLLM: --max-model-len, Ollama: OLLAMA_CONTEXT_LENGTH)";

/** Error kinds by HTTP status and text; the first match is taken. */
const BY_RESPONSE: readonly {
  readonly kind: ModelErrorKind;
  readonly when: (status: number, text: string) => boolean;
  readonly remedy?: string;
  readonly again?: boolean;
}[] = [
  {
    kind: "quota",
    when: (status, text) =>
      status === 402 || /insufficient_quota|billing_hard_limit|credit balance/.test(text),
    remedy: "fill up the account",
  },
  {
    kind: "authentication",
    when: (status, text) => status === 401 || status === 403 || /API key not valid/.test(text),
    remedy: "check the key and what it may use",
  },
  { kind: "protocol", when: (_, text) => MISSED_FORM.test(text), again: true },
  {
    kind: "context-length", // llama.cpp answers 500, gateways 502; what exceeds a rate as a whole (Groq, OpenAI) never passes either
    when: (status, text) =>
      status === 413 || (status === 429 ? /request too large/i : TOO_LONG).test(text),
    remedy: `take a model with a longer window, or a memory that recalls less, or ${LONGER_WINDOW}`,
  },
  {
    kind: "bad-request",
    when: (status, text) => (status === 500 || status === 501) && REFUSED_FORM.test(text),
  }, // llama.cpp, gateways
  {
    kind: "bad-request", // llama.cpp answers 500
    when: (_, text) =>
      /image input|not a multimodal model|support(s|ing)? (image|vision)/i.test(text),
    remedy: "take a model that sees pictures, or play without them: --param images=false",
  },
  { kind: "no-endpoint", when: (status) => status >= 300 && status < 400 },
  { kind: "rate-limit", when: (status) => status === 429 },
  { kind: "timeout", when: (status) => status === 408 },
  { kind: "server", when: (status) => status >= 500 || status === 409 },
  { kind: "no-endpoint", when: (status) => status === 404 }, // no such model there, or no such path: the next call would fare no better
  { kind: "refused", when: (_, text) => /content_filter|content_policy|safety/.test(text) },
  { kind: "bad-request", when: () => true },
];

/** What an answer with a status of failure means. */
export function verdictOn(
  status: number,
  text: string,
): Omit<(typeof BY_RESPONSE)[number], "when"> {
  return BY_RESPONSE.find(({ when }) => when(status, text)) ?? { kind: "bad-request" };
}

export function isMissedForm({ kind, retryAfterMs }: ModelError): boolean {
  return kind === "protocol" && retryAfterMs === 0;
}

/** The kinds that another attempt may not meet. */
const PASSING: ReadonlySet<ModelErrorKind> = new Set<ModelErrorKind>([
  "rate-limit",
  "server",
  "timeout",
]);

/**
 * Statuses of a request that was taken and not finished: a gateway that gives up may have had the
 * answer made, and charged, behind it.
 */
const UNFINISHED: ReadonlySet<number> = new Set([408, 500, 502, 504, 520, 521, 522, 523, 524]);

class FailedAnswer extends Error {
  constructor(readonly response: Response, readonly body: string) {
    super("the endpoint answered with a status of failure");
  }
}

/**
 * The `fetch` of all clients: it sends once, and throws an answer with a status of failure, whose
 * words and usage no client hands on whole. An answer of another content type, or as a stream of
 * events that nobody asked for, becomes the JSON that they read.
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

type Told = Readonly<Partial<Record<"message" | "code" | "type" | "status" | "details", unknown>>>;

/**
 * The error of an answer with a status of failure: its kind, one line that explains it, a remedy
 * where the user has one, and the usage that it tells.
 * `undefined` of any other error.
 */
export function httpFailure(thrown: unknown, source: ErrorSource): ModelError | undefined {
  const failed = [thrown, (thrown as Error | undefined)?.cause].find((error) =>
    error instanceof FailedAnswer
  );
  if (!failed) return undefined;
  const { response: { status, headers }, body } = failed;
  const [whole] = [jsonOf(body)]
    .flat() as (Told & { readonly error?: Told | string } | undefined)[];
  const { message, code, type, status: name, details }: Told =
    (typeof whole?.error === "object" ? whole.error : whole) ?? {};
  const reason =
    [message, whole?.error, body].find((said) => typeof said === "string" && said.trim() !== "") ??
      "without a word";
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
  const wait = again ? 0 : PASSING.has(kind) ? told : undefined; // another attempt meets a wrong key or a wrong parameter again
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
