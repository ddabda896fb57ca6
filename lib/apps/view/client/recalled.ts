/** What a memory recalled in a step, as lines. */

/** A line that was recalled, and what it is, e.g. `triplets` or `episodes`. */
export interface RecalledLine {
  readonly group: string;
  readonly text: string;
}

/** Reads the recalled lines from the details of a step; none where its memory reports none. */
export function linesRecalled(details: Readonly<Record<string, unknown>>): RecalledLine[] {
  const { recalled } = details;
  if (typeof recalled !== "object" || recalled === null) return [];
  return Object.entries(recalled).flatMap(([group, lines]) =>
    (Array.isArray(lines) ? lines : [lines]).map(String).filter((text) => text !== "").map((
      text,
    ) => ({ group, text }))
  );
}

/** Letters of scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Whether a text holds a line as whole words: `key 12` does not hold `key 1`. */
export function holds(text: string, line: string): boolean {
  const isWord = (character: string | undefined): boolean =>
    character !== undefined && /[\p{L}\p{N}]/u.test(character) && !UNSPACED.test(character);
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1)) {
    const joinsBefore = isWord(text[at - 1]) && isWord(line[0]);
    if (!joinsBefore && !(isWord(text[at + line.length]) && isWord(line.at(-1)))) return true;
  }
  return false;
}
