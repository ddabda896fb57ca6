/** Maps the errors of an endpoint to `ModelError` kinds. */

import { inspect } from "node:util";
import { ModelError, type ModelErrorKind, type ModelErrorOptions } from "../errors.ts";
import { knownSecrets } from "../store/secrets.ts";
import { fetchOnce } from "../platform.ts";
import { jsonOf } from "../text/json.ts";
import type { Usage } from "./chat-model.ts";
import { priceOf } from "./prices.ts";
import { parseRetryAfter } from "./retry.ts";
import { usageIn } from "./usage.ts";

/** The usage of a request that the endpoint refused or never got: nothing is charged for it. */
export const NOT_CHARGED = { prompt: 0, cached: 0, completion: 0, reasoning: 0 } as const;

/** The model and endpoint that an error came from. */
export interface ErrorSource {
  readonly model: string;
  readonly host: string;
  /** The API key. */
  readonly key: string;
  /** The key, and what else may let somebody in: they are removed from messages and replies, because an endpoint may echo them. */
  readonly secrets: readonly string[];
  readonly timeoutMs: number;
  /** How the user sets the address, for messages. */
  readonly address: string;
}

/** The error of an endpoint that gave no whole answer in time. */
export function timeoutFailure(error: unknown, source: ErrorSource): ModelError {
  return failure("timeout", `gave no whole answer within ${source.timeoutMs / 1000} s`, error, source);
}

/** The error of an answer that violates the endpoint's protocol; `what` says how, in the past tense, `usage` what it took by its own word. */
export function protocolFailure(what: string, error: unknown, source: ErrorSource, usage?: Usage): ModelError {
  return failure("protocol", `${what} (${messageOf(error, source)})`, error, source, { usage });
}

/** The error of a connection that could not be made, or broke. */
export function connectionFailure(error: Error, source: ErrorSource): ModelError {
  const causes: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    causes.push(cause.message, String((cause as { code?: unknown }).code ?? ""));
  }
  const text = causes.join(" ");
  if (/client error \(Connect\)|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|dns error/i.test(text)) {
    const why = /refused/i.test(text) ? "nothing listens there" : "it cannot be reached";
    return failure("no-endpoint", `${why}: start the server, or set ${source.address} right`, error, source, { usage: NOT_CHARGED });
  }
  return failure("server", "broke the connection", error, source);
}

/** How endpoints word it that they cannot enforce a JSON Schema. */
export const REFUSED_FORM = /response_?(format|schema|mime_?type)|output_(format|config)|structured output|json[_ ]?schema|grammar/i;

/** Error kinds by HTTP status and text; the first match is taken. */
const BY_RESPONSE: readonly {
  readonly kind: ModelErrorKind;
  readonly when: (status: number, text: string) => boolean;
  readonly remedy?: string;
}[] = [
  {
    kind: "quota",
    when: (status, text) => status === 402 || /insufficient_quota|billing_hard_limit|credit balance/.test(text),
    remedy: "fill up the account",
  },
  {
    kind: "authentication",
    when: (status, text) => status === 401 || status === 403 || /API key not valid/.test(text),
    remedy: "check the key and what it may use",
  },
  { kind: "bad-request", when: (status, text) => (status === 500 || status === 501) && REFUSED_FORM.test(text) }, // llama.cpp, gateways
  {
    kind: "bad-request", // llama.cpp answers 500
    when: (_, text) => /image input|not a multimodal model|support(s|ing)? (image|vision)/i.test(text),
    remedy: "take a model that sees pictures, or play without them: --param images=false",
  },
  { kind: "no-endpoint", when: (status) => status >= 300 && status < 400 },
  { kind: "rate-limit", when: (status) => status === 429 },
  { kind: "timeout", when: (status) => status === 408 },
  { kind: "server", when: (status) => status >= 500 || status === 409 },
  { kind: "no-endpoint", when: (status) => status === 404 }, // no such model there, or no such path: the next call would fare no better
  { kind: "refused", when: (_, text) => /content_filter|content_policy|safety/.test(text) },
  {
    kind: "context-length",
    when: (_, text) =>
      /context_length_exceeded|maximum context|context (window|length|size|limit)|too many (input )?tokens|input token count|prompt is too long/i
        .test(text),
    remedy: "take a model with a longer window or a memory that recalls less",
  },
  { kind: "bad-request", when: () => true },
];

/** The kinds that another attempt may not meet. */
const PASSING: ReadonlySet<ModelErrorKind> = new Set<ModelErrorKind>(["rate-limit", "server", "timeout"]);

/** Statuses of a request that was taken and not finished: a gateway that gives up may have had the answer made, and charged, behind it. */
const UNFINISHED: ReadonlySet<number> = new Set([408, 500, 502, 504, 520, 521, 522, 523, 524]);

/** An answer with a status of failure. */
class FailedAnswer extends Error {
  constructor(readonly response: Response, readonly body: string) {
    super("the endpoint answered with a status of failure");
  }
}

/** The `fetch` of all clients: it sends once, and throws an answer with a status of failure, whose words and usage no client hands on whole. */
export async function fetchAnswer(...request: Parameters<typeof fetchOnce>): Promise<Response> {
  const response = await fetchOnce(...request);
  if (response.ok) return response;
  throw new FailedAnswer(response, await response.text().catch(() => ""));
}

/** What bodies of errors say, in the words of whichever API. */
type Told = Readonly<Partial<Record<"message" | "code" | "type" | "status" | "details", unknown>>>;

/**
 * The error of an answer with a status of failure: its kind, one line that explains it, a remedy where the user has one, and the usage that it tells.
 * `undefined` of any other error.
 */
export function httpFailure(thrown: unknown, source: ErrorSource): ModelError | undefined {
  const failed = [thrown, (thrown as Error | undefined)?.cause].find((error) => error instanceof FailedAnswer);
  if (!failed) return undefined;
  const { response: { status, headers }, body } = failed;
  const [whole] = [jsonOf(body)].flat() as (Told & { readonly error?: Told | string } | undefined)[];
  const { message, code, type, status: name, details }: Told = (typeof whole?.error === "object" ? whole.error : whole) ?? {};
  const reason = [message, whole?.error, body].find((said) => typeof said === "string" && said.trim() !== "") ?? "without a word";
  const text = [code, type, name, reason].join(" ");
  const said = messageOf(reason, source);
  const { kind, remedy } = BY_RESPONSE.find(({ when }) => when(status, text)) ?? { kind: "bad-request" as const };
  const moved = status < 400 ? `it points to ${headers.get("location") || "nowhere"}: set ${source.address} right` : "";
  const cures = [remedy ?? "", moved, status === 404 ? notFound(source, text) : ""].filter(Boolean).map((cure) => `; ${cure}`).join("");
  // A date in Retry-After is on the clock of the endpoint.
  const told = millisecondsIn(headers.get("retry-after-ms")) ??
    parseRetryAfter(headers.get("retry-after"), Date.parse(headers.get("date") ?? "")) ?? delayOf(details);
  const wait = PASSING.has(kind) ? told : undefined; // another attempt meets a wrong key or a wrong parameter again
  const usage = usageIn(body) ?? (UNFINISHED.has(status) && kind !== "bad-request" ? undefined : NOT_CHARGED);
  return failure(kind, `answered ${said.startsWith(`${status}`) ? said : `${status} ${said}`}${cures}`, new Error(`${reason}`), source, {
    retryAfterMs: wait,
    usage,
  });
}

/** The wait that Google's `RetryInfo` asks for, in milliseconds: it is in the body, not in a header. */
function delayOf(details: unknown): number | undefined {
  const all: readonly { readonly retryDelay?: unknown }[] = Array.isArray(details) ? details : [];
  const seconds = all.map((detail) => Number.parseFloat(String(detail?.retryDelay))).find((delay) => delay >= 0);
  return seconds === undefined ? undefined : 1000 * seconds;
}

/** The wait in a header of OpenAI's and Azure's, which is finer than `Retry-After`. */
function millisecondsIn(header: string | null): number | undefined {
  const wait = header?.trim() ? Number(header) : NaN;
  return Number.isFinite(wait) && wait >= 0 ? wait : undefined;
}

function notFound({ model }: ErrorSource, text: string): string {
  const retires = priceOf(model)?.retires;
  if (retires !== undefined) return `${model} is turned off by its maker on ${retires}: take another one (--models today)`;
  if (/not a chat model/i.test(text)) return `give its entry in the role map "style": "completion"`;
  return `take a model that this endpoint serves, and check that its address ends as it should (mostly in /v1)`;
}

function failure(kind: ModelErrorKind, what: string, error: unknown, source: ErrorSource, more: ModelErrorOptions = {}): ModelError {
  const message = withoutSecrets(`${source.model} at ${source.host}: ${what}`, source);
  const details = inspect(error, { depth: Infinity, maxStringLength: Infinity });
  const cause = details === withoutSecrets(details, source) ? error : undefined;
  return new ModelError(kind, message, { ...more, cause });
}

/** A text in which no secret of the endpoint, nor of another one that this process calls, is left. */
export function withoutSecrets(text: string, { secrets }: Pick<ErrorSource, "secrets">): string {
  const all = [...secrets, ...knownSecrets].sort((a, b) => b.length - a.length); // one may begin with another
  return all.reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}

/** The message in one line of at most 300 characters; a secret is removed before it could be cut in two. */
function messageOf(error: unknown, source: ErrorSource): string {
  const said = error instanceof Error ? error.message || error.name : String(error ?? "it gave no reason");
  const text = withoutSecrets(said, source).replaceAll(/\s+/g, " ").trim();
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
