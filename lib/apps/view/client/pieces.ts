/** Long words in pieces, between which a line may end. */

/** Characters of a piece. */
const LONGEST = 500;

/**
 * A text in pieces that end within its words of more than 500 characters. A browser that is to
 * break such a word anywhere shapes what is left of it anew for each line: 100,000 letters without
 * a space take it many seconds.
 */
export function pieces(text: string): string[] {
  return text.split(new RegExp(`(\\S{${LONGEST}})(?=\\S)`, "u")).filter((piece) => piece !== "");
}
