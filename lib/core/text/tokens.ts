/** Token counts, and words. */

import { memoize } from "./memoize.ts";

/** Returns the number of tokens of a text; 0 for the empty one. */
export type TokenCounter = (text: string) => number;

let counter: Promise<TokenCounter> | undefined;

/**
 * Loads OpenAI's o200k encoding (that of GPT-4o and its successors); about 0.5 s the first time,
 * then at once.
 *
 * @example
 * ```ts
 * import { loadTokenCounter } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const count = await loadTokenCounter();
 * assert.equal(count("to the kitchen"), 3);
 * ```
 */
export function loadTokenCounter(): Promise<TokenCounter> {
  return counter ??= import("gpt-tokenizer/encoding/o200k_base").then(({ countTokens }) => {
    const count = memoize((text) =>
      text.split(LONG_RUN).reduce(
        (sum, piece) => sum + (piece === "" ? 0 : countTokens(piece, AS_TEXT)),
        0,
      )
    );
    return (text) => {
      let sum = 0;
      for (const line of tokenLines(text)) sum += count(line);
      return sum;
    };
  });
}

/**
 * Yields a text in pieces that no token spans: lines, each with its line break. A token of o200k
 * ends behind a line break, unless white space with another line break, or a slash, follows.
 */
function* tokenLines(text: string): Generator<string> {
  for (let start = 0, end = 0; end < text.length; start = end) {
    do {
      const feed = text.indexOf("\n", end);
      end = feed < 0 ? text.length : feed + 1;
    } while (end < text.length && /[\s/]/.test(text.charAt(end)));
    yield text.slice(start, end);
  }
}

// Special tokens in the text of a world are counted as plain text.
const AS_TEXT = { disallowedSpecial: new Set<string>() };
// Encoding is quadratic in a run without white space (degenerate replies, Japanese), so long runs
// are cut, at about one extra token per cut.
const LONG_RUN = /(\S{512}|\s{512})/;

export async function countTokens(text: string): Promise<number> {
  return (await loadTokenCounter())(text);
}

/**
 * The words of a text, in order: lower-case runs of letters, marks and digits, after Unicode
 * normalisation (NFKC).
 */
export function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
