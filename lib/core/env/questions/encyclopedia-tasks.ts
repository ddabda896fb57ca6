/**
 * Claims and comparisons about our encyclopedia: what FEVER and the second kind of HotpotQA's
 * questions ask, over invented pages.
 */

import { createDraw, type Draw } from "../../random.ts";
import { capitalised } from "../../text/capitalised.ts";
import type { Document } from "../environment.ts";
import { createPages, type Entry, type Pages } from "./encyclopedia.ts";
import { type Relation, type Thing, writeStatement, writeUntold } from "./encyclopedia-text.ts";
import type { Evidence } from "./question.ts";

/** FEVER's labels (Thorne et al. 2018, arXiv 1803.05355). */
export const CLAIM_LABELS = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFO"] as const;

interface EncyclopediaTask {
  readonly id: string;
  readonly text: string;
  readonly answer: string;
  readonly evidence: readonly Evidence[];
}

interface EncyclopediaTasks {
  readonly pages: readonly Document[];
  readonly tasks: readonly EncyclopediaTask[];
}

interface EncyclopediaTasksOptions {
  readonly seed: number;
  /** Number of tasks, ≥ 1. @default {60} */
  readonly tasks?: number;
}

export function createClaims(options: EncyclopediaTasksOptions): EncyclopediaTasks {
  return createTasks("claim", options, claim);
}

export function createComparisons(options: EncyclopediaTasksOptions): EncyclopediaTasks {
  return createTasks(
    "comparison",
    options,
    (index, pages, draw) => index % 2 === 0 ? earlier(pages, draw) : alike(index, pages, draw),
  );
}

type Made = Omit<EncyclopediaTask, "id">;

function createTasks(
  kind: "claim" | "comparison",
  { seed, tasks: count = 60 }: EncyclopediaTasksOptions,
  make: (index: number, pages: Pages, draw: Draw) => Made | undefined,
): EncyclopediaTasks {
  const pages = createPages(createDraw(`encyclopedia ${seed}`));
  const draw = createDraw(`${kind}s ${seed}`);
  const found = new Map<string, EncyclopediaTask>();
  for (let tries = 0; found.size < count; tries++) {
    if (tries > 1000 * count) {
      throw new RangeError(`there are no ${count} such tasks in one encyclopedia; ask for fewer`);
    }
    const made = make(found.size, pages, draw);
    if (made && !found.has(made.text)) {
      found.set(made.text, { id: `${kind}-${seed}-${found.size}`, ...made });
    }
  }
  return { pages: pages.pages, tasks: [...found.values()] };
}

function claim(index: number, { entries, evidence }: Pages, draw: Draw): Made | undefined {
  const all = [...entries.values()];
  const { thing, facts } = draw.pick(all);
  const label = CLAIM_LABELS[index % 3] as typeof CLAIM_LABELS[number];
  if (label === "NOT ENOUGH INFO") {
    return {
      text: writeUntold(thing, draw),
      answer: label,
      evidence: [{ title: thing.name, sentences: [] }],
    };
  }
  const told = Object.entries(facts) as [Relation, string][];
  if (told.length === 0) return undefined;
  const [relation, object] = draw.pick(told);
  const next = index % 2 === 1
    ? Object.entries(entries.get(object)?.facts ?? {}) as [Relation, string][]
    : [];
  const [second, end] = next.length > 0 ? draw.pick(next) : [];
  const [truth, last, subject] = second === undefined || end === undefined
    ? [object, relation, thing.name] as const
    : [end, second, `the ${relation} of ${thing.name}`] as const;
  const said = label === "SUPPORTS" ? truth : draw.pick(othersOf(last, truth, all));
  const text = writeStatement(last, subject, said);
  return {
    text: `${capitalised(text)}.`,
    answer: label,
    evidence: [
      evidence(thing.name, relation),
      ...(second === undefined ? [] : [evidence(object, second)]),
    ],
  };
}

function othersOf(relation: Relation, truth: string, all: readonly Entry[]): string[] {
  return [...new Set(all.flatMap(({ facts }) => facts[relation] ?? []))].filter((object) =>
    object !== truth
  );
}

function earlier({ entries, evidence }: Pages, draw: Draw): Made | undefined {
  const kind = draw.pick(["person", "school", "house"] as const);
  const dated = ({ name, year }: Thing): Evidence => evidence(name, { holds: String(year) });
  const fitting = [...entries.values()].map(({ thing }) => thing).filter((thing) =>
    thing.kind === kind && dated(thing).sentences.length > 0
  );
  if (fitting.length < 2) return undefined;
  const [one, other] = [draw.pick(fitting), draw.pick(fitting)];
  if (one.year === other.year) return undefined;
  const asked = kind === "person" ? "Who was born first" : "Which was founded first";
  return {
    text: `${asked}, ${one.name} or ${other.name}?`,
    answer: one.year < other.year ? one.name : other.name,
    evidence: [dated(one), dated(other)],
  };
}

function alike(index: number, { entries, evidence }: Pages, draw: Draw): Made | undefined {
  const [kind, relation] = draw.pick([["person", "birthplace"], ["town", "country"]] as const);
  const all = [...entries.values()].filter(({ thing }) => thing.kind === kind);
  const [one, other] = [draw.pick(all), draw.pick(all)];
  const same = one.facts[relation] === other.facts[relation];
  if (one === other || same !== (index % 4 === 1)) return undefined;
  return {
    text: kind === "person"
      ? `Were ${one.thing.name} and ${other.thing.name} born in the same town?`
      : `Do ${one.thing.name} and ${other.thing.name} lie in the same country?`,
    answer: same ? "yes" : "no",
    evidence: [one, other].map(({ thing }) => evidence(thing.name, relation)),
  };
}
