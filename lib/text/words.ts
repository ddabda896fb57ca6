/**
 * Words of a text.
 *
 * @module
 */

/** The words of a text, in order: lower-case runs of letters, marks and digits, after Unicode normalisation (NFKC). */
export function wordsOf(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
