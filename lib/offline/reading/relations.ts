/**
 * Relations between persons, places, organisations and works, in the words of English prose and questions; no names.
 *
 * @module
 */

/** A relation that leads from a thing to another: "the author of". */
export interface Relationship {
  /** Nouns for the other side: the author of, her teacher was. */
  readonly nouns: readonly string[];
  /** Verbs of which the other side is the subject: who wrote. */
  readonly active?: readonly string[];
  /** Participles: written by. */
  readonly passive?: readonly string[];
  /** Phrases between the thing and the other side: was born in. */
  readonly phrases?: readonly string[];
  /** Whether it holds in both directions: married. */
  readonly mutual?: boolean;
}

/** The relations by the noun that names each best. */
export const RELATIONSHIPS: Readonly<Record<string, Relationship>> = {
  author: {
    nouns: ["author", "writer", "playwright", "librettist"],
    active: ["wrote", "authored"],
    passive: ["written by", "authored by"],
    phrases: ["by"],
  },
  composer: { nouns: ["composer"], active: ["composed"], passive: ["composed by"] },
  painter: { nouns: ["painter"], active: ["painted"], passive: ["painted by"] },
  director: { nouns: ["director"], active: ["directed"], passive: ["directed by"] },
  creator: {
    nouns: ["creator", "inventor", "designer"],
    active: ["created", "invented", "designed"],
    passive: ["created by", "invented by", "designed by"],
  },
  publisher: { nouns: ["publisher"], active: ["published"], passive: ["published by"] },
  founder: { nouns: ["founder"], active: ["founded", "established"], passive: ["founded by", "established by"] },
  birthplace: { nouns: ["birthplace", "place of birth", "home town"], phrases: ["born in", "born at"] },
  deathplace: { nouns: ["place of death"], phrases: ["died in", "died at"] },
  spouse: { nouns: ["spouse", "husband", "wife", "partner"], phrases: ["married to", "married", "husband of", "wife of"], mutual: true },
  father: { nouns: ["father"] },
  mother: { nouns: ["mother"] },
  teacher: { nouns: ["teacher", "tutor"], active: ["taught"], passive: ["taught by"], phrases: ["pupil of", "student of"] },
  school: {
    nouns: ["school", "alma mater"],
    passive: ["attended by"],
    phrases: ["studied at", "educated at", "attended", "graduated from"],
  },
  seat: { nouns: ["seat", "headquarters"], phrases: ["based in", "located in", "seat in", "headquarters in", "in"] },
  country: { nouns: ["country"], phrases: ["lies in", "belongs to", "located in", "in"] },
  river: { nouns: ["river"], phrases: ["on the river"] },
  capital: { nouns: ["capital"], phrases: ["capital at"] },
  currency: { nouns: ["currency"] },
  language: { nouns: ["language"] },
  employer: { nouns: ["employer"], phrases: ["worked for", "worked at"] },
};

/** All words of one sort, longest first, as alternatives of a regular expression. */
export function alternatives(sort: "nouns" | "active" | "passive" | "phrases"): string {
  const all = Object.values(RELATIONSHIPS).flatMap((relationship) => relationship[sort] ?? []);
  return [...new Set(all)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join("|");
}

/** The names of the relations that a word may mean, in the table's order. */
export function meaning(sort: "nouns" | "active" | "passive" | "phrases", word: string): string[] {
  return Object.entries(RELATIONSHIPS).flatMap(([name, relationship]) => relationship[sort]?.includes(word) ? [name] : []);
}
