/**
 * What a memory recalled in a step, as lines.
 *
 * @module
 */

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
    (Array.isArray(lines) ? lines : [lines]).map(String).filter((text) => text !== "").map((text) => ({ group, text }))
  );
}
