/**
 * Splits English into sentences and lists, strips article and state from noun phrases, and reads
 * texts by patterns.
 */

import { memoize } from "../../core/text/memoize.ts";
import { STATE_WORDS } from "./lexicon.ts";

/** A name with its states: "a raw red onion" → red onion, state raw. */
export interface Named {
  readonly name: string;
  readonly states: readonly string[];
}

export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Sentences in lower case, without closing mark; a line break ends a sentence. */
export function sentences(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\n|(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/\s+/g, " ").replace(/[.!?\s]+$/, "").trim())
    .filter((sentence) => sentence !== "");
}

/**
 * The things of a list such as "a plate, a salt and pepper mill and the old key". Each has an
 * article, so an "and" inside a name does not split it.
 */
export function listed(list: string): Named[] {
  if (/^(?:nothing|none)\b/.test(list.trim())) return [];
  return list
    .split(/,\s*(?:and\s+)?(?=(?:an?|the|some|your)\s)|\s+and\s+(?=(?:an?|the|some|your)\s)/)
    .map(named)
    .filter((thing) => isName(thing.name));
}

export const named: (phrase: string) => Named = memoize((phrase) => {
  const words = phrase
    .toLowerCase()
    .replace(/\(.*$/, "")
    .replace(/["“”`,;:]/g, " ")
    .replace(/[.!?\s]+$/, "")
    .trim()
    .split(/\s+/);
  const states: string[] = [];
  for (let first = words[0] ?? ""; words.length > 1; first = words[0] ?? "") {
    if (STATE_WORDS.includes(first)) states.push(first);
    else if (words[1] === "looking") words.shift(); // "an odd looking box" is a box
    else if (!/^(?:an?|the|some|your|this|that|its)$/.test(first)) break;
    words.shift();
  }
  return {
    name: words.join(" "),
    states: states.map((state) => (state === "opened" ? "open" : state)),
  };
});

/** Whether a text can be a name: one to six words, none of which makes it a clause. */
export function isName(text: string): boolean {
  const words = text.split(" ");
  return text !== "" && words.length <= 6 && /[a-z0-9]/.test(text) &&
    !words.some((word) => NOT_IN_NAMES.has(word));
}

export function headWord(name: string): string {
  return withoutNumber(name).split(" ").at(-1) ?? name;
}

/** `drawer 2` → `drawer`. */
export function withoutNumber(name: string): string {
  return name.replace(/ \d+$/, "");
}

export function numbered(names: readonly string[]): string[] {
  const taken = new Map<string, number>();
  return names.map((name) => {
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name} ${count}`;
  });
}

export function isKey(name: string): boolean {
  return /\bkey\b/.test(name);
}

const NOT_IN_NAMES = new Set(
  "is are was were be it its it's you your they them that which who there here what if or to not one kind anything nothing something everything stuff thing things"
    .split(" "),
);

/** A form of text and its meaning: `read` gets the context, then the groups of the match. */
export type Pattern<T, Context extends readonly unknown[] = []> = readonly [
  form: RegExp,
  read: (...args: [...Context, ...string[]]) => T,
];

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

export function groupsOf(match: RegExpMatchArray): string[] {
  return match.slice(1).map((group) => group ?? "");
}
