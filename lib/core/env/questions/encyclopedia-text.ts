/**
 * How the encyclopedia names its things, states and asks for facts, with the wordings of
 * `data/library/encyclopedia.json`; all names are invented.
 */

import wordings from "../../../../data/library/encyclopedia.json" with { type: "json" };
import type { Draw } from "../../random.ts";

/** The relations between two things. Each thing has at most one of each. */
export type Relation = keyof typeof wordings.phrases;

export interface Thing {
  readonly name: string;
  readonly kind: keyof typeof wordings.openings;
  readonly noun: string;
  readonly year: number;
  readonly sex?: "f" | "m";
}

export type Facts = Readonly<Partial<Record<Relation, string>>>;

export function createNamer(
  draw: Draw,
): (pattern: "f" | "m" | "town" | "country" | "river" | "currency" | "work") => string {
  const used = new Set<string>();
  return (pattern) => {
    for (let tries = 0; tries < 1000; tries++) {
      const form = wordings.patterns[pattern === "work" && draw.next() >= 0.7 ? "workOf" : pattern];
      const name = form.replaceAll(
        /\{(\w+)\}/g,
        (_, list: keyof typeof wordings.names) => draw.pick(wordings.names[list]),
      );
      if (used.has(name)) continue;
      used.add(name);
      return name;
    }
    throw new RangeError("there are no names left; make a smaller encyclopedia");
  };
}

export function createThing(
  kind: Thing["kind"],
  index: number,
  name: ReturnType<typeof createNamer>,
  draw: Draw,
): Thing {
  const noun = draw.pick(wordings.nouns[kind]);
  const year = 1700 + Math.floor(draw.next() * 230);
  const sex = index % 2 === 0 ? "f" : "m";
  if (kind === "person") return { kind, noun, year, name: name(sex), sex };
  if (kind === "school" || kind === "house") {
    return {
      kind,
      noun,
      year,
      name: `${name("river")} ${draw.pick(wordings.names[`${kind}Ends`])}`,
    };
  }
  return { kind, noun, year, name: name(kind) };
}

export interface Statement {
  readonly text: string;
  readonly tells: readonly Relation[];
}

/**
 * The sentences of a thing's page: the first tells what it is and states some facts, the others
 * come in any order.
 */
export function writePage(thing: Thing, facts: Facts, draw: Draw): Statement[] {
  const words = wordsFor(thing);
  const opening = draw.pick(wordings.openings[thing.kind]);
  const relations = Object.keys(facts) as Relation[];
  const told = relations.filter((relation) => opening.includes(`{${relation}}`));
  const rest = relations.filter((relation) => !told.includes(relation)).map((relation) => ({
    text: fill(draw.pick(wordings.sentences[relation]), {
      ...words,
      object: facts[relation] as string,
    }),
    tells: [relation],
  }));
  return [{ text: fill(opening, { ...words, ...facts }), tells: told }, ...shuffled(rest, draw)];
}

export function writeQuestion(start: string, relations: readonly Relation[], draw: Draw): string {
  const last = relations.at(-1) as Relation;
  const subject = relations.slice(0, -1).reduce(
    (inner, relation) => fill(draw.pick(wordings.phrases[relation]), { subject: inner }),
    start,
  );
  return fill(draw.pick(wordings.questions[last]), { subject });
}

export function writeStatement(relation: Relation, subject: string, object: string): string {
  return fill(wordings.statements[relation], { subject, object });
}

export function writeUntold({ kind, name }: Thing, draw: Draw): string {
  return `${name} ${draw.pick(wordings.untold[kind])}.`;
}

export function shuffled<T>(items: readonly T[], draw: Draw): T[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(draw.next() * (i + 1));
    [order[i], order[j]] = [order[j] as T, order[i] as T];
  }
  return order;
}

function wordsFor({ name, noun, year, sex }: Thing): Record<string, string | number> {
  const [He, he, His] = sex === undefined
    ? ["It", "it", "Its"]
    : sex === "f"
    ? ["She", "she", "Her"]
    : ["He", "he", "His"];
  const years = { year, published: year + 1, married: year + 27, died: year + 61 };
  return {
    name,
    noun,
    He,
    he,
    His,
    ...years,
    a: /^[aeiou]/i.test(noun) ? "an" : "a",
    partner: sex === "f" ? "husband" : "wife",
  };
}

function fill(wording: string, words: Readonly<Record<string, string | number>>): string {
  return wording.replaceAll(/\{(\w+)\}/g, (_, slot: string) => String(words[slot]));
}
