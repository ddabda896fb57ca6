/** The name that a mistyped one was probably meant to be. */

import damerauLevenshtein from "damerau-levenshtein";
import { UsageError } from "../errors.ts";

/** The most edits for which a name still counts as a typo: a third of its letters, at least one. */
const SHARE = 3;

/**
 * The known name nearest to a given one by Damerau and Levenshtein, ignoring capitals and
 * separators. Equal beginnings, also after the `/`, count as near. `undefined` if none is near.
 */
export function nearestName(given: string, known: Iterable<string>): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");
  const wanted = plain(given);
  const most = Math.max(1, wanted.length / SHARE);
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const name of known) {
    const whole = plain(name);
    // the given name may be the start of a longer one, itself mistyped; a whole name counts as
    // nearer
    const parts = wanted.length < 2
      ? []
      : [-1, 0, 1].map((more) => whole.slice(0, wanted.length + more));
    const edits = Math.min(
      damerauLevenshtein(wanted, whole).steps,
      ...[...parts, whole.slice(whole.indexOf("/") + 1)].map((part) =>
        0.25 + damerauLevenshtein(wanted, part).steps
      ),
    );
    if (edits <= most && (!best || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** `; did you mean "arigraph"?`, or nothing where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const name = nearestName(given, known);
  return name === undefined || name === given ? "" : `; did you mean ${JSON.stringify(name)}?`;
}

/**
 * Checks a name against those that there are.
 * @throws {UsageError} that names the nearest one, and all of them.
 */
export function checkName(kind: string, given: string, known: readonly string[]): void {
  if (known.includes(given)) return;
  throw new UsageError(
    `there is no ${kind} ${JSON.stringify(given)}${didYouMean(given, known)}; there are ${
      known.join(", ")
    }`,
  );
}

/**
 * Checks the names of options, which no type checker sees in a cell; an undefined one is absent.
 * @throws {UsageError} that names the nearest option.
 */
export function checkKeys(owner: string, given: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(key)) {
      throw new UsageError(
        `${owner} has no option ${JSON.stringify(key)}${didYouMean(key, known)}`,
      );
    }
  }
}
