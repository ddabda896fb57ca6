/** The name that a mistyped one was probably meant to be. */

import damerauLevenshtein from "damerau-levenshtein";
import { UsageError } from "../errors.ts";

/** The most edits for which a name still counts as a typo: a third of its letters, at least one. */
const SHARE = 3;

/**
 * The known name nearest to a given one, by insertions, deletions, substitutions and swaps of neighbours (Damerau and Levenshtein), capitals and
 * separators left out; a name that begins with the given one counts as near, too. `undefined` where none is near.
 *
 * @example
 * ```ts
 * import { nearestName } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.equal(nearestName("arigrahp", ["rag", "arigraph"]), "arigraph");
 * assert.equal(nearestName("wor", ["conditions", "worlds"]), "worlds");
 * assert.equal(nearestName("colour", ["worlds"]), undefined);
 * ```
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");
  const wanted = plain(given);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const isStart = wanted.length > 1 && plain(name).startsWith(wanted);
    const edits = isStart ? 0.5 : damerauLevenshtein(wanted, plain(name)).steps;
    if (edits <= Math.max(1, wanted.length / SHARE) && (!best || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** `; did you mean "arigraph"?`, or nothing where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearestName(given, known);
  return name === undefined || name === given ? "" : `; did you mean ${JSON.stringify(name)}?`;
}

/** Checks a name against those that there are. @throws {UsageError} that names the nearest one, and all of them. */
export function checkName(kind: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  throw new UsageError(`there is no ${kind} ${JSON.stringify(given)}${didYouMean(given, known)}; there are ${known.join(", ")}`);
}

/** Checks the names of options, which no type checker sees in a cell; an undefined one is absent. @throws {UsageError} that names the nearest option. */
export function checkKeys(owner: string, given: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(key)) {
      throw new UsageError(`${owner} has no option ${JSON.stringify(key)}${didYouMean(key, known)}`);
    }
  }
}
