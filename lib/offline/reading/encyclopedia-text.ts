/**
 * Relations between persons, places, organisations and works in English, and encyclopedic prose
 * read as facts about one thing, which "he", "its" and "the novel" refer to.
 */

import { type Fact, FactList } from "./facts.ts";
import { groupsOf, type Pattern } from "./noun-phrases.ts";

export interface Relationship {
  readonly nouns: readonly string[];
  readonly active: readonly string[];
  readonly passive: readonly string[];
  readonly phrases: readonly string[];
}

/** Relation → its wordings. A line is `name: nouns | active | passive | phrases`. */
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
    const [nouns = [], active = [], passive = [], phrases = []] = cells.split("|").map((cell) =>
      cell.trim().split(", ").filter(Boolean)
    );
    return [name, { nouns, active, passive, phrases }];
  }),
);

export const MUTUAL: ReadonlySet<string> = new Set(["spouse"]);

export function alternatives(sort: keyof Relationship): string {
  const all = Object.values(RELATIONSHIPS).flatMap((relationship) => relationship[sort]);
  return [...new Set(all)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).join("|");
}

export function meaning(sort: keyof Relationship, word: string): string[] {
  return Object.entries(RELATIONSHIPS).flatMap(([name, relationship]) =>
    relationship[sort].includes(word) ? [name] : []
  );
}

/** Marks the thing that the text is about; no prose contains this sign. */
const THING = "\u00a7";
const WORD = "[A-Z][\\p{L}\\p{N}'’.-]*";
/** Capitalised words with small words between them ("The Tower of Glass"), or the thing. */
const NAME = `(?:${THING}|${WORD}(?: (?:(?:of|the|de|von|van) )*${WORD})*)`;
const WHEN = "(?: (?:in|on|since) [\\w ]*\\d{3,4})?";

const NOUNS = alternatives("nouns");
const ACTIVE = alternatives("active");
const PASSIVE_VERBS = alternatives("passive").replaceAll(" by", "");
const PHRASES = alternatives("phrases").split("|").filter((phrase) =>
  !["by", "in", "on the river"].includes(phrase)
).join("|");

const FORMS: readonly Pattern<readonly [subject: string, relation: string, object: string]>[] = ([
  // was founded in 1774 by N
  [`\\b(${PASSIVE_VERBS})${WHEN} by (${NAME})`, (verb, who) => [THING, `${verb} by`, who]],
  // an opera by N
  [`\\b(?:an?|the) [a-z][a-z -]* by (${NAME})`, (who) => [THING, "by", who]],
  // N wrote it, that N founded
  [`(${NAME}) (${ACTIVE}) ${THING}`, (who, verb) => [who, verb, THING]],
  [`\\b(?:that|which) (${NAME}) (${ACTIVE})\\b`, (who, verb) => [who, verb, THING]],
  [`${THING} (${ACTIVE}) (${NAME})`, (verb, what) => [THING, verb, what]],
  // was born in 1912 in N, studied at N, a pupil of N
  [`\\b(${PHRASES}) (${NAME})`, (phrase, where) => [THING, phrase, where]],
  [
    `\\b(born|died)${WHEN}(?: \\d{3,4})?,? (?:in|at) (${NAME})`,
    (verb, where) => [THING, `${verb} in`, where],
  ],
  // its capital is N, the publisher of it was N, N is its currency, has its seat in N
  [`${THING}'s (${NOUNS}) (?:is|was) (?:the )?(${NAME}|[a-z]+)`, (noun, who) => [THING, noun, who]],
  [
    `[Tt]he (${NOUNS}) of ${THING} (?:is|was) (?:the )?(${NAME}|[a-z]+)`,
    (noun, who) => [THING, noun, who],
  ],
  [
    `(${NAME}|\\b[Tt]he [a-z]+) (?:is|was) ${THING}'s (${NOUNS})`,
    (who, noun) => [THING, noun, who],
  ],
  [`(${NAME}) (?:is|was) the (${NOUNS}) of ${THING}`, (who, noun) => [THING, noun, who]],
  [
    `\\b(?:has|with) ${THING}'s (${NOUNS}) (?:in|at) (${NAME})`,
    (noun, where) => [THING, noun, where],
  ],
  // on the river N, a town in N
  [`\\bon the (?:river )(${NAME})`, (name) => [THING, "on the river", name]],
  [
    `${THING} (?:is|was) an? [a-z][a-z -]*(?: on the river ${NAME})? in (${NAME})`,
    (where) => [THING, "in", where],
  ],
  [
    `${THING},? (?:is|was)? ?(an? [a-z][a-z -]*?)(?= (?:by|of|in|on|that|who|which|written|published|based|with|born)\\b|[.,;(])`,
    (kind) => [THING, "is", kind.replace(/^an? /, "")],
  ],
] satisfies [string, Pattern<[string, string, string]>[1]][]).map((
  [source, read],
) => [new RegExp(source, "gu"), read]);

export function readProse(text: string): Fact[] {
  const [title = "", ...lines] = text.trim().split("\n");
  const name = /^Paragraph \d+$/.test(title) ? subjectOf(lines.join(" ")) : title.trim();
  const facts = new FactList();
  let kind = "";
  for (const sentence of lines.join(" ").split(/(?<=[.!?])\s+(?=\S)/)) {
    const shown = withThing(sentence, name, kind);
    for (const [form, read] of FORMS) {
      for (const match of shown.matchAll(form)) {
        const [subject, relation, object] = read(...groupsOf(match));
        facts.add(plain(subject, name), relation, plain(object, name));
      }
    }
    kind ||= facts.all.find(({ relation }) => relation === "is")?.object ?? "";
  }
  return facts.all;
}

/** The thing that a text without a title is about: the first name that it defines. */
function subjectOf(text: string): string {
  return text.match(new RegExp(`(${NAME})(?: \\([^)]*\\))?,? (?:is|was|an?)\\b`, "u"))?.[1] ??
    THING;
}

/** The sentence with the sign for the thing's name, pronouns and "the novel". */
function withThing(sentence: string, name: string, kind: string): string {
  const nouns = kind === "" ? [] : [kind, ...kind.split(" ").slice(-1)];
  let shown = ` ${sentence} `.replaceAll(/ \((?:\d{3,4}) ?[–-] ?\d{3,4}\)/g, "").replaceAll(
    /[()]/g,
    " ",
  );
  if (name !== "") shown = shown.replaceAll(name, THING);
  return shown
    .replaceAll(/(?<=[\s(])(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)(?= [a-z])/g, `${THING}'s`)
    .replaceAll(/(?<=[\s(])(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|him)(?=[\s.,;])/g, THING)
    .replaceAll(
      new RegExp(`(?<=\\s)[Tt]he (?:${nouns.join("|") || THING})(?=[\\s.,;])`, "g"),
      THING,
    )
    .trim()
    .replace(/^[A-Z](?=[a-z]+ (?:in|at|by)\b)/, (letter) => letter.toLowerCase()); // "Born in N, …"
}

function plain(text: string, name: string): string {
  return text.replaceAll(THING, name).replace(/[.'’]+$/, "").replaceAll(",", "").toLowerCase()
    .replace(/^the (?=[a-z]+$)/, "").trim();
}
