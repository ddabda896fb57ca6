/**
 * Sentence patterns: which form a text has, and what its parts say.
 *
 * @module
 */

/** A form of text, and what it means: `read` gets the context, then the groups of the match, empty where a group took no part. */
export type Pattern<T, Context extends readonly unknown[] = []> = readonly [form: RegExp, read: (...args: [...Context, ...string[]]) => T];

/** The reading of the first pattern that matches; `undefined` where none does. */
export function readFirst<T, Context extends readonly unknown[]>(
  text: string,
  patterns: readonly Pattern<T, Context>[],
  ...context: Context
): T | undefined {
  for (const [form, read] of patterns) {
    const match = text.match(form);
    if (match) return read(...context, ...groupsOf(match));
  }
  return undefined;
}

/** The groups of a match, empty where one took no part. */
export function groupsOf(match: RegExpMatchArray): string[] {
  return match.slice(1).map((group) => group ?? "");
}
