/** What the status and the words of a failed answer mean. */

import type { ModelErrorKind } from "../errors.ts";

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

export function verdictOn(
  status: number,
  text: string,
): Omit<(typeof BY_RESPONSE)[number], "when"> {
  return BY_RESPONSE.find(({ when }) => when(status, text)) ?? { kind: "bad-request" };
}

/** The kinds that another attempt may not meet. */
export const PASSING: ReadonlySet<ModelErrorKind> = new Set(["rate-limit", "server", "timeout"]);

/**
 * Statuses of an accepted, unfinished request: behind a gateway that gave up, the answer may have
 * been made and charged.
 */
export const UNFINISHED: ReadonlySet<number> = new Set([
  408,
  500,
  502,
  504,
  520,
  521,
  522,
  523,
  524,
]);
