/** Reads the tokens that an endpoint reports, in the form of each API. */

import type { Usage } from "./chat-model.ts";
import { valuesIn } from "./event-stream.ts";

/**
 * Numbers of tokens by the names of the fields that hold them, in OpenAI's spelling
 * (`prompt_tokens`).
 */
type Counts = Readonly<Record<string, number>>;

/**
 * Finds the usage in an answer: a value, or the text of one or of an event stream. `undefined` if
 * there is none, or only zeros, as from gateways that do not count. Numbers may be text.
 */
export function usageIn(answer: unknown): Usage | undefined {
  const told: Counts = Object.assign(
    {},
    ...(typeof answer === "string" ? valuesIn(answer) : [answer].flat()).map((value) =>
      countsOf(value)
    ),
  );
  const first = (...names: readonly string[]): number | undefined =>
    names.map((name) => told[name]).find((count) => count !== undefined);
  const sum = (...names: readonly string[]): number | undefined =>
    first(...names) === undefined
      ? undefined
      : names.reduce((all, name) => all + (told[name] ?? 0), 0);
  const total = first("total_tokens", "total_token_count");
  const isGoogles = first("prompt_token_count") !== undefined;
  const answered = first("completion_tokens", "output_tokens") ??
    (isGoogles ? sum("candidates_token_count", "thoughts_token_count") ?? 0 : undefined);
  // Anthropic counts what its cache holds apart from the other input, OpenAI's Responses within it.
  const prompt = first("prompt_tokens") ??
    sum("prompt_token_count", "tool_use_prompt_token_count") ??
    (first("input_tokens") === undefined
      ? (total ?? NaN) - (answered ?? NaN)
      : sum("input_tokens", ...WRITTEN, APART) ?? 0);
  if (
    !(prompt >= 0) || (answered ?? total) === undefined ||
    prompt + (answered ?? 0) + (total ?? 0) === 0
  ) return undefined;
  const most = (...names: readonly string[]): number =>
    Math.max(...names.map((name) => told[name] ?? 0));
  // DeepSeek and Google have names of their own for the cached ones.
  const cached = Math.min(
    most(APART, "cached_tokens", "prompt_cache_hit_tokens", "cached_content_token_count"),
    prompt,
  );
  const written = Math.min(most("cache_write_tokens", ...WRITTEN), prompt - cached);
  const reasoning = first("reasoning_tokens", "thinking_tokens", "thoughts_token_count") ?? 0;
  // xAI's and Google's compatible APIs count reasoning in the total alone, and charge it like the
  // answer.
  const least = reasoning > (answered ?? 0) ? reasoning + (answered ?? 0) : answered ?? 0;
  const completion = total ? Math.max(answered ?? 0, total - prompt) : least;
  return { prompt, cached, ...(written && { written }), completion, reasoning };
}

/**
 * Input that was read from the cache, and written to it, where it is counted apart from the other
 * input: by Anthropic, and Bedrock's name.
 */
const [APART, WRITTEN] = ["cache_read_input_tokens", [
  "cache_creation_input_tokens",
  "cache_write_input_tokens",
]] as const;

/** What the model itself says: a usage in it is none of the endpoint's. */
const SAID = /^(content|parts|output|text|arguments|input|tool_calls)$/;

/**
 * The counts in the first usage of a value: its own, or that of a message, response, error or
 * choice in it.
 */
function countsOf(value: unknown, depth = 4): Counts | undefined {
  if (typeof value !== "object" || value === null || depth === 0) return undefined;
  const fields = Object.entries(value);
  const own = fields.filter(([name]) =>
    /^(reported|usage|usage_?metadata|token_?usage)$/i.test(name)
  );
  const found = own.map(([, usage]) => countsIn(usage)).find((counts) =>
    Object.keys(counts).length > 0
  );
  return found ??
    fields.map(([name, child]) => SAID.test(name) ? undefined : countsOf(child, depth - 1)).find((
      counts,
    ) => counts);
}

function countsIn(usage: unknown): Counts {
  if (typeof usage !== "object" || usage === null) return {};
  const fields = Object.entries(usage).map(([name, value]): [string, unknown] => [
    name.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase(),
    typeof value === "string" && value.trim() ? Number(value) : value,
  ]);
  const isCount = (value: unknown): value is number =>
    typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
  const own = fields.flatMap(([name, value]) =>
    isCount(value) ? [[name, Math.round(value)] as const] : []
  );
  return Object.assign(
    {},
    ...fields.map(([, value]) => countsIn(value)).reverse(),
    Object.fromEntries(own),
  );
}
