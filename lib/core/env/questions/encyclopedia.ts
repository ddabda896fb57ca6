/**
 * An encyclopedia of our own: linked pages on invented people, places and works, with questions of
 * 2 to 4 hops. It is generated from a seed, so that no model can have read it.
 *
 * A fact stands only on the page of its subject. A question follows a chain of facts (novel,
 * author, birthplace, country); its supporting pages are the subjects of the chain, and only the
 * last of them names the answer. Distractors are first pages that mention the chain's things, then
 * others.
 */

import { createDraw, type Draw } from "../../random.ts";
import {
  createNamer,
  createThing,
  type Facts,
  type Relation,
  shuffled,
  type Thing,
  writePage,
  writeQuestion,
} from "./encyclopedia-text.ts";
import type { Document } from "../environment.ts";
import type { Evidence, Paragraph, Question } from "./question.ts";

/** Pages, and questions over all of them. */
export interface Encyclopedia {
  /** In no telling order. */
  readonly pages: readonly Document[];
  /** Questions of 2, 3, 4, 2, … hops. */
  readonly questions: readonly EncyclopediaQuestion[];
}

/** A question with how it was made. */
export interface EncyclopediaQuestion extends Question {
  /** Facts to be put together. */
  readonly hops: number;
  /**
   * The things on the way, from the one that the question names to the answer: one more than hops.
   */
  readonly chain: readonly string[];
}

/** How large an encyclopedia is made. */
export interface EncyclopediaOptions {
  /** A whole number; the same seed gives the same encyclopedia. */
  readonly seed: number;
  /** Number of questions, ≥ 1. @default {60} */
  readonly questions?: number;
  /** Paragraphs of each question, 4 … 40. @default {20} */
  readonly paragraphs?: number;
}

const COUNTS = { country: 6, town: 18, school: 8, house: 8, person: 36, work: 36 } as const;

/**
 * Generates an encyclopedia. About 5 ms.
 *
 * @throws {RangeError} if a number is out of its range.
 *
 * @example
 * ```ts
 * import { createEncyclopedia } from "labyrinth/env";
 * import assert from "node:assert/strict";
 *
 * const { questions: [first] } = createEncyclopedia({ seed: 1 });
 * assert.equal(first?.paragraphs.length, 20);
 * assert.equal(first?.paragraphs.filter(({ supporting }) => supporting).length, first?.hops);
 * ```
 */
export function createEncyclopedia(
  { seed, questions = 60, paragraphs = 20 }: EncyclopediaOptions,
): Encyclopedia {
  const ranges = [["questions", questions, 1, 1000], ["paragraphs", paragraphs, 4, 40]] as const;
  for (const [name, value, least, most] of ranges) {
    if (Number.isInteger(value) && value >= least && value <= most) continue;
    throw new RangeError(
      `cannot make an encyclopedia: ${name} must be a whole number in [${least}, ${most}], current value is ${value}`,
    );
  }
  const draw = createDraw(`encyclopedia ${seed}`);
  const made = createPages(draw);
  const asked = new Set<string>();
  return {
    pages: made.pages,
    questions: Array.from({ length: questions }, (_, index) => {
      const chain = unusedChain(made.entries, 2 + index % 3, asked, draw);
      return questionOf(`encyclopedia-${seed}-${index}`, chain, { ...made, paragraphs, draw });
    }),
  };
}

export interface Entry {
  readonly thing: Thing;
  readonly facts: Partial<Record<Relation, string>>;
}

export type Entries = ReadonlyMap<string, Entry>;

export interface Pages {
  readonly entries: Entries;
  readonly pages: readonly Document[];
  readonly evidence: (title: string, what: Relation | { readonly holds: string }) => Evidence;
}

export function createPages(draw: Draw): Pages {
  const entries = createEntries(draw);
  const written = new Map(
    shuffled([...entries.values()], draw).map((
      { thing, facts },
    ) => [thing.name, writePage(thing, facts, draw)]),
  );
  return {
    entries,
    pages: [...written].map(([title, sentences]) => ({
      title,
      text: sentences.map(({ text }) => text).join(" "),
    })),
    evidence: (title, what) => {
      const found = written.get(title)?.find(({ text, tells }) =>
        typeof what === "string" ? tells.includes(what) : text.includes(what.holds)
      );
      return { title, sentences: found ? [found.text] : [] };
    },
  };
}

function createEntries(draw: Draw): Entries {
  const name = createNamer(draw);
  const entries = new Map<string, Entry>();
  const made = (kind: Thing["kind"], index: number): Thing => {
    const thing = createThing(kind, index, name, draw);
    entries.set(thing.name, { thing, facts: {} });
    return thing;
  };
  const things = Object.fromEntries(
    Object.entries(COUNTS).map((
      [kind, count],
    ) => [kind, Array.from({ length: count }, (_, i) => made(kind as Thing["kind"], i))]),
  ) as Record<Thing["kind"], Thing[]>;
  const tell = ({ name }: Thing, facts: Facts): void =>
    void Object.assign((entries.get(name) as Entry).facts, facts);
  const any = (kind: Thing["kind"], but?: Thing): string =>
    draw.pick(things[kind].filter((thing) => thing !== but)).name;

  things.town.forEach((town, i) => {
    // the first towns are the capitals, so that every country has one of its own
    const country = things.country[i] ?? draw.pick(things.country);
    tell(town, { country: country.name, river: name("river") });
    if (i < things.country.length) {
      tell(country, { capital: town.name, currency: name("currency") });
    }
  });
  for (const body of [...things.school, ...things.house]) {
    tell(body, { founder: any("person"), seat: any("town") });
  }
  const [wives, husbands] = (["f", "m"] as const).map((sex) =>
    shuffled(things.person.filter((person) => person.sex === sex), draw)
  );
  wives?.forEach((wife, i) => {
    const husband = husbands?.[i];
    if (!husband) return;
    tell(wife, { spouse: husband.name });
    tell(husband, { spouse: wife.name });
  });
  for (const person of things.person) {
    tell(person, {
      birthplace: any("town"),
      school: any("school"),
      teacher: any("person", person),
    });
  }
  for (const work of things.work) tell(work, { author: any("person"), publisher: any("house") });
  return entries;
}

interface Chain {
  readonly names: readonly string[];
  readonly relations: readonly Relation[];
}

function unusedChain(entries: Entries, hops: number, asked: Set<string>, draw: Draw): Chain {
  const starts = [...entries.keys()];
  for (let tries = 0; tries < 10_000; tries++) {
    const chain = walk(entries, draw.pick(starts), hops, draw);
    const key = JSON.stringify(chain);
    if (!chain || asked.has(key) || hasShortcut(chain, entries)) continue;
    asked.add(key);
    return chain;
  }
  throw new RangeError(`there are no ${hops}-hop questions left; ask for fewer`);
}

/**
 * Whether an earlier page than the last speaks of the answer too, so that it could be guessed from
 * there.
 */
function hasShortcut({ names }: Chain, entries: Entries): boolean {
  const answer = names.at(-1) as string;
  return names.slice(0, -2).some((name) =>
    Object.values(entries.get(name)?.facts ?? {}).includes(answer)
  );
}

function walk(entries: Entries, start: string, hops: number, draw: Draw): Chain | undefined {
  const names = [start];
  const relations: Relation[] = [];
  while (relations.length < hops) {
    const facts = entries.get(names.at(-1) as string)?.facts ?? {};
    const ways = Object.entries(facts).filter(([, object]) => !names.includes(object));
    if (ways.length === 0) return undefined;
    const [relation, object] = draw.pick(ways);
    relations.push(relation as Relation);
    names.push(object);
  }
  return { names, relations };
}

interface Sources extends Pages {
  readonly paragraphs: number;
  readonly draw: Draw;
}

function questionOf(
  id: string,
  { names, relations }: Chain,
  { pages, entries, evidence, paragraphs, draw }: Sources,
): EncyclopediaQuestion {
  const needed = new Set(names.slice(0, -1));
  const speaksOfChain = ({ title }: Document): boolean =>
    names.includes(title) ||
    Object.values(entries.get(title)?.facts ?? {}).some((object) => names.includes(object));
  const others = shuffled(pages.filter(({ title }) => !needed.has(title)), draw);
  const distractors = [
    ...others.filter(speaksOfChain),
    ...others.filter((page) => !speaksOfChain(page)),
  ];
  const shown: Paragraph[] = [
    ...pages.filter(({ title }) => needed.has(title)).map((page) => ({
      ...page,
      supporting: true,
    })),
    ...distractors.slice(0, paragraphs - needed.size).map((page) => ({
      ...page,
      supporting: false,
    })),
  ];
  return {
    id,
    question: writeQuestion(names[0] as string, relations, draw),
    answer: names.at(-1) as string,
    aliases: [],
    hops: relations.length,
    chain: names,
    paragraphs: shuffled(shown, draw),
    evidence: relations.map((relation, at) => evidence(names[at] as string, relation)),
  };
}
