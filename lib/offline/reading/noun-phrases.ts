/**
 * Names out of English: sentences, lists, noun phrases without their article and passing state.
 *
 * @module
 */

import { STATE_WORDS } from "./lexicon.ts";

/** A name with the passing states that stood before it: "a raw red onion" → onion of two words, state raw. */
export interface Named {
  readonly name: string;
  readonly states: readonly string[];
}

/** The sentences of a text, lower-cased, one space between words, without closing mark. Line breaks end a sentence. */
export function sentences(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\n|(?<=[.!?])\s+/)
    .map((sentence) => sentence.replace(/\s+/g, " ").replace(/[.!?\s]+$/, "").trim())
    .filter((sentence) => sentence !== "");
}

/**
 * The things of a list such as "a plate, a salt and pepper mill and the old key". Every item has its own article, so an "and" inside a
 * name does not part it.
 */
export function listed(list: string): Named[] {
  if (/^(?:nothing|none)\b/.test(list.trim())) return [];
  return list
    .split(/,\s*(?:and\s+)?(?=(?:an?|the|some|your)\s)|\s+and\s+(?=(?:an?|the|some|your)\s)/)
    .map(named)
    .filter((thing) => isName(thing.name));
}

/** A noun phrase as a name: lower case, no article, states apart. */
export function named(phrase: string): Named {
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
  return { name: words.join(" "), states: states.map((state) => (state === "opened" ? "open" : state)) };
}

/** Whether a text can be the name of one thing: one to six words, none of which makes it a clause. */
export function isName(text: string): boolean {
  const words = text.split(" ");
  return text !== "" && words.length <= 6 && /[a-z0-9]/.test(text) && !words.some((word) => NOT_IN_NAMES.has(word));
}

/** The last word, in which an English name has its kind. */
export function headWord(name: string): string {
  return name.replace(/ \d+$/, "").split(" ").at(-1) ?? name;
}

/** Whether a name's kind is a key. */
export function isKey(name: string): boolean {
  return /\bkey\b/.test(name);
}

const NOT_IN_NAMES = new Set(
  "is are was were be it its it's you your they them that which who there here what if or to not one kind anything nothing something everything stuff thing things"
    .split(" "),
);
