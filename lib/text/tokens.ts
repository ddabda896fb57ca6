/**
 * Counting tokens.
 *
 * @module
 */

/** Number of tokens of a text, ≥ 0; 0 for the empty one. */
export type TokenCounter = (text: string) => number;

let counter: Promise<TokenCounter> | undefined;

/**
 * Loads OpenAI's o200k encoding (that of GPT-4o and its successors); about 0.5 s the first time, then at once.
 *
 * @example
 * ```ts
 * import { loadTokenCounter } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const count = await loadTokenCounter();
 * assert.equal(count("hello world"), 2); // at once from here on: for counting in loops
 * ```
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  return counter ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens }) => (text) =>
    text.split(LONG_RUN).reduce((sum, piece) => sum + (piece === "" ? 0 : countTokens(piece, AS_TEXT)), 0)
  );
}

// What looks like a special token in a world's text is text.
const AS_TEXT = { disallowedSpecial: new Set<string>() };
// Encoding takes quadratic time in a run without a break (a model gone astray, Japanese), so long runs are cut: about one token more a cut.
const LONG_RUN = /(\S{512}|\s{512})/;

/**
 * Tokens of a text in OpenAI's o200k encoding.
 *
 * @example
 * ```ts
 * import { countTokens } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.equal(await countTokens("hello world"), 2);
 * ```
 */
export async function countTokens(text: string): Promise<number> {
  return (await loadTokenCounter())(text);
}
