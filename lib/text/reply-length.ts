/**
 * The longest reply of a model that is parsed.
 *
 * @module
 */

/** The length limit of a reply in characters, where a prompt sets no lower one. */
export const LONGEST_REPLY = 20_000;

/**
 * The parse failure of a reply that is too long, `undefined` for any other. Parsers check it before they match patterns.
 *
 * @param longest characters, ≥ 0. @default {20_000}
 */
export function overlong(
  text: string,
  longest: number = LONGEST_REPLY,
): { readonly kind: "malformed"; readonly problem: string } | undefined {
  if (text.length <= longest) return undefined;
  return { kind: "malformed", problem: `it has ${text.length} characters and may have ${longest}` };
}
