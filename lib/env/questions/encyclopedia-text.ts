/**
 * How the encyclopedia says its facts, in several ways each, and how it asks for them.
 *
 * @module
 */

import type { Draw } from "../../random.ts";

/** What can hold between two things. Each thing has at most one of each. */
export type Relation = keyof typeof PHRASES;

/** What a page is about. */
export interface Thing {
  readonly name: string;
  readonly kind: "work" | "person" | "school" | "house" | "town" | "country";
  /** What it is, in a word or two: `novel`, `painter`, `market town`. */
  readonly noun: string;
  /** Of birth, founding or first showing. */
  readonly year: number;
  readonly sex?: "f" | "m";
}

/** A page's facts: relation → the name of the other side. */
export type Facts = Readonly<Partial<Record<Relation, string>>>;

/** A sentence of a page, and the facts that it tells. */
export interface Statement {
  readonly text: string;
  readonly tells: readonly Relation[];
}

/** The sentences of a thing's page: the first tells what it is, the others come in any order. */
export function writePage(thing: Thing, facts: Facts, draw: Draw): Statement[] {
  const [opening, ...told] = draw.pick(OPENINGS[thing.kind])(words(thing), facts);
  const rest = (Object.entries(facts) as [Relation, string][])
    .filter(([relation]) => !told.includes(relation))
    .map(([relation, object]) => ({ text: draw.pick(SENTENCES[relation])(words(thing), object), tells: [relation] }));
  return [{ text: opening, tells: told }, ...shuffled(rest, draw)];
}

/** A question for what a chain of relations leads to from a thing, e.g. author, birthplace of a novel: where was the author of it born? */
export function writeQuestion(start: string, relations: readonly Relation[], draw: Draw): string {
  const last = relations.at(-1) as Relation;
  const inner = relations.slice(0, -1).reduce((phrase, relation) => draw.pick(PHRASES[relation])(phrase), start);
  return draw.pick(QUESTIONS[last])(inner);
}

/** A copy in another order. */
export function shuffled<T>(items: readonly T[], draw: Draw): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(draw.next() * (i + 1));
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

/** The words that stand for a thing: name, "He", "His", "the novel", … */
interface Words extends Thing {
  readonly He: string;
  readonly His: string;
  readonly a: string;
}

function words(thing: Thing): Words {
  const [He, His] = thing.sex === undefined ? ["It", "Its"] : thing.sex === "f" ? ["She", "Her"] : ["He", "His"];
  return { ...thing, He, His, a: /^[aeiou]/i.test(thing.noun) ? "an" : "a" };
}

/** The first sentence, and the relations that it tells already. */
type Opening = (thing: Words, facts: Facts) => [string, ...Relation[]];

const OPENINGS: Readonly<Record<Thing["kind"], readonly Opening[]>> = {
  work: [
    ({ name, a, noun, year }, { author }) => [`${name} is ${a} ${noun} written by ${author} in ${year}.`, "author"],
    (
      { name, a, noun },
      { author, publisher },
    ) => [`${name} is ${a} ${noun} by ${author}, published by ${publisher}.`, "author", "publisher"],
    ({ name, a, noun, year }) => [`${name} is ${a} ${noun} of ${year}.`],
  ],
  person: [
    ({ name, a, noun, year }, { birthplace }) => [`${name} (born ${year} in ${birthplace}) was ${a} ${noun}.`, "birthplace"],
    ({ name, a, noun, year }, { birthplace }) => [`Born in ${birthplace} in ${year}, ${name} was ${a} ${noun}.`, "birthplace"],
    ({ name, a, noun, year }) => [`${name} (${year}–${year + 61}) was ${a} ${noun}.`],
    ({ name, a, noun, He }, { birthplace, school }) => [
      `${name} was ${a} ${noun}. ${He} was born in ${birthplace} and studied at ${school}.`,
      "birthplace",
      "school",
    ],
  ],
  school: [
    ({ name, a, noun }, { seat }) => [`${name} is ${a} ${noun} in ${seat}.`, "seat"],
    ({ name, a, noun, year }, { founder }) => [`${name} is ${a} ${noun} that ${founder} founded in ${year}.`, "founder"],
  ],
  house: [
    ({ name, a, noun }, { seat }) => [`${name} is ${a} ${noun} based in ${seat}.`, "seat"],
    ({ name, a, noun, year }, { founder }) => [`${name}, ${a} ${noun}, was founded in ${year} by ${founder}.`, "founder"],
  ],
  town: [
    ({ name, a, noun }, { country, river }) => [`${name} is ${a} ${noun} on the river ${river} in ${country}.`, "country", "river"],
    ({ name, a, noun }, { country }) => [`${name} is ${a} ${noun} in ${country}.`, "country"],
  ],
  country: [
    ({ name, a, noun }) => [`${name} is ${a} ${noun}.`],
    ({ name, a, noun }, { capital }) => [`${name} is ${a} ${noun} with its capital at ${capital}.`, "capital"],
  ],
};

const SENTENCES: Readonly<Record<Relation, readonly ((thing: Words, object: string) => string)[]>> = {
  author: [
    ({ He }, who) => `${He} was written by ${who}.`,
    ({ noun }, who) => `The author of the ${noun} is ${who}.`,
    ({ noun }, who) => `${who} wrote the ${noun} in a single winter.`,
  ],
  publisher: [
    ({ He, year }, who) => `${He} was first published by ${who} in ${year + 1}.`,
    ({ noun }, who) => `The publisher of the ${noun} was ${who}.`,
    (_, who) => `${who} published it after long hesitation.`,
  ],
  birthplace: [
    ({ He }, place) => `${He} was born in ${place}.`,
    ({ His }, place) => `${His} birthplace was ${place}.`,
  ],
  spouse: [
    ({ He, year }, who) => `In ${year + 27} ${He.toLowerCase()} married ${who}.`,
    ({ He }, who) => `${He} was married to ${who}.`,
    ({ His, sex }, who) => `${His} ${sex === "f" ? "husband" : "wife"} was ${who}.`,
  ],
  teacher: [
    ({ He }, who) => `${He} was a pupil of ${who}.`,
    ({ He }, who) => `${He} was taught by ${who}.`,
    ({ His }, who) => `${His} teacher was ${who}.`,
  ],
  school: [
    ({ He }, where) => `${He} studied at ${where}.`,
    ({ He }, where) => `${He} was educated at ${where}.`,
    ({ He }, where) => `${He} attended ${where} for three years.`,
  ],
  founder: [
    ({ He, year }, who) => `${He} was founded by ${who} in ${year}.`,
    ({ His }, who) => `${His} founder was ${who}.`,
    ({ noun }, who) => `${who} founded the ${noun}.`,
  ],
  seat: [
    ({ He }, place) => `${He} is based in ${place}.`,
    ({ He }, place) => `${He} has its seat in ${place}.`,
    ({ noun }, place) => `The ${noun} is located in ${place}.`,
  ],
  country: [
    ({ He }, place) => `${He} lies in ${place}.`,
    ({ He }, place) => `${He} belongs to ${place}.`,
  ],
  river: [
    ({ He }, river) => `${He} stands on the river ${river}.`,
    ({ noun }, river) => `The ${noun} lies on the river ${river}.`,
  ],
  capital: [
    ({ His }, town) => `${His} capital is ${town}.`,
    ({ noun }, town) => `The capital of the ${noun} is ${town}.`,
  ],
  currency: [
    ({ His }, coin) => `${His} currency is the ${coin}.`,
    (_, coin) => `The ${coin} is its currency.`,
  ],
};

/** The thing that a relation leads to, as part of a longer question. */
const PHRASES = {
  author: [(of) => `the author of ${of}`, (of) => `the person who wrote ${of}`],
  publisher: [(of) => `the publisher of ${of}`, (of) => `the house that published ${of}`],
  birthplace: [(of) => `the birthplace of ${of}`, (of) => `the town where ${of} was born`],
  spouse: [(of) => `the spouse of ${of}`, (of) => `the person married to ${of}`],
  teacher: [(of) => `the teacher of ${of}`, (of) => `the person who taught ${of}`],
  school: [(of) => `the school attended by ${of}`, (of) => `the school where ${of} studied`],
  founder: [(of) => `the founder of ${of}`, (of) => `the person who founded ${of}`],
  seat: [(of) => `the seat of ${of}`, (of) => `the town where ${of} is based`],
  country: [(of) => `the country in which ${of} lies`, (of) => `the country of ${of}`],
  river: [(of) => `the river on which ${of} stands`],
  capital: [(of) => `the capital of ${of}`],
  currency: [(of) => `the currency of ${of}`],
} satisfies Readonly<Record<string, readonly ((of: string) => string)[]>>;

/** The same as a question of its own. */
const QUESTIONS: Readonly<Record<Relation, readonly ((of: string) => string)[]>> = {
  author: [(of) => `Who wrote ${of}?`, (of) => `Who is the author of ${of}?`],
  publisher: [(of) => `Who published ${of}?`, (of) => `Which house published ${of}?`],
  birthplace: [(of) => `Where was ${of} born?`, (of) => `In which town was ${of} born?`],
  spouse: [(of) => `Who was ${of} married to?`, (of) => `Who is the spouse of ${of}?`],
  teacher: [(of) => `Who taught ${of}?`, (of) => `Who was the teacher of ${of}?`],
  school: [(of) => `Where did ${of} study?`, (of) => `At which school did ${of} study?`],
  founder: [(of) => `Who founded ${of}?`, (of) => `By whom was ${of} founded?`],
  seat: [(of) => `Where is ${of} based?`, (of) => `In which town is ${of} based?`],
  country: [(of) => `In which country is ${of}?`, (of) => `In which country does ${of} lie?`],
  river: [(of) => `On which river does ${of} stand?`],
  capital: [(of) => `What is the capital of ${of}?`],
  currency: [(of) => `What is the currency of ${of}?`],
};
