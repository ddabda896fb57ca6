/** Long words in pieces, between which a line may end. */

/** Characters of a piece. */
const LONGEST = 500;

/** Cuts words of more than 500 characters: a browser takes seconds to break a very long word. */
export function pieces(text: string): string[] {
  return text.split(new RegExp(`(\\S{${LONGEST}})(?=\\S)`, "u")).filter((piece) => piece !== "");
}
