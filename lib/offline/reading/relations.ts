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
  readonly active: readonly string[];
  /** Participles: written by. */
  readonly passive: readonly string[];
  /** Phrases between the thing and the other side: was born in. */
  readonly phrases: readonly string[];
}

/** The relations by the noun that names each best: nouns | active | passive | phrases. */
export const RELATIONSHIPS: Readonly<Record<string, Relationship>> = Object.fromEntries(
  `
author: author, writer, playwright, librettist | wrote, authored | written by, authored by | by
composer: composer | composed | composed by |
painter: painter | painted | painted by |
director: director | directed | directed by |
creator: creator, inventor, designer | created, invented, designed | created by, invented by, designed by |
publisher: publisher | published | published by |
founder: founder | founded, established | founded by, established by |
birthplace: birthplace, place of birth, home town ||| born in, born at
deathplace: place of death ||| died in, died at
spouse: spouse, husband, wife, partner ||| married to, married, husband of, wife of
father: father |||
mother: mother |||
teacher: teacher, tutor | taught | taught by | pupil of, student of
school: school, alma mater || attended by | studied at, educated at, attended, graduated from
seat: seat, headquarters ||| based in, located in, seat in, headquarters in, in
country: country ||| lies in, belongs to, located in, in
river: river ||| on the river
capital: capital ||| capital at
currency: currency |||
language: language |||
employer: employer ||| worked for, worked at
`.trim().split("\n").map((row) => {
    const [, name = "", cells = ""] = row.match(/^(\w+): (.*)$/) ?? [];
    const [nouns = [], active = [], passive = [], phrases = []] = cells.split("|").map((cell) => cell.trim().split(", ").filter(Boolean));
    return [name, { nouns, active, passive, phrases }];
  }),
);

/** The relations that hold in both directions. */
export const MUTUAL: ReadonlySet<string> = new Set(["spouse"]);

/** All words of one sort, longest first, as alternatives of a regular expression. */
export function alternatives(sort: keyof Relationship): string {
  const all = Object.values(RELATIONSHIPS).flatMap((relationship) => relationship[sort]);
  return [...new Set(all)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join("|");
}

/** The names of the relations that a word may mean, in the table's order. */
export function meaning(sort: keyof Relationship, word: string): string[] {
  return Object.entries(RELATIONSHIPS).flatMap(([name, relationship]) => relationship[sort].includes(word) ? [name] : []);
}
