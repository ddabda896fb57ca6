/**
 * How long a model's reply may be before anything is read in it.
 *
 * @module
 */

/** Characters of the longest reply that is read, where a prompt asks for nothing shorter; a longer one is nonsense. */
export const LONGEST_REPLY = 20_000;

/**
 * What is wrong with a reply that is too long, as a parser gives it; `undefined` for any other. Asked before a pattern is put to the text.
 *
 * @param longest characters, ≥ 0. @default {20_000}
 *
 * @example
 * ```ts
 * import { overlong } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.equal(overlong("north", 5), undefined);
 * assert.deepEqual(overlong("northwards", 5), { kind: "malformed", problem: "it has 10 characters and may have 5" });
 * ```
 */
export function overlong(
  text: string,
  longest: number = LONGEST_REPLY,
): { readonly kind: "malformed"; readonly problem: string } | undefined {
  if (text.length <= longest) return undefined;
  return { kind: "malformed", problem: `it has ${text.length} characters and may have ${longest}` };
}
