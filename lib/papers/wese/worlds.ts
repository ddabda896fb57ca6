/**
 * The worlds, tasks and methods of the WESE paper (Huang et al. 2024, arXiv 2404.07456, §4.1 and
 * §4.2).
 */

import { WESE_PAPER } from "../../core/agent/wese.ts";
import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS } from "../../core/env/alfworld.ts";
import { corpusAtHand, FEVER_PAGES } from "../../core/env/questions/wiki-corpus.ts";
import { SCIENCEWORLD_TASKS } from "../../core/env/scienceworld.ts";
import type { Options } from "../../lab/study.ts";
import { pythonShuffle } from "../../core/stats/sampling.ts";

/** A method as a row of the paper's tables. */
export interface WeseMethod {
  /** Label of the study's row. */
  readonly condition: string;
  /** Its name in tables, e.g. `Act-WESE`. */
  readonly name: string;
  /** The method that it is built on. */
  readonly base?: string;
  /** How it is played. */
  readonly variant: WeseVariant;
}

/** How a base method is played: alone, with WESE, with SESE. */
export type WeseVariant = "alone" | "WESE" | "SESE";

/** The methods in the order of rows. */
export const WESE_METHODS: readonly WeseMethod[] = [
  { condition: "cot", name: "CoT", variant: "alone" },
  ...[["act", "Act"], ["react", "ReAct"]].flatMap(([base = "", name = ""]): WeseMethod[] => [
    { condition: base, name, variant: "alone" },
    { condition: `${base}-wese`, name: `${name}-WESE`, base, variant: "WESE" },
    { condition: `${base}-sese`, name: `${name}-SESE`, base, variant: "SESE" },
  ]),
  { condition: "random", name: "Random actions", variant: "alone" },
];

/** The method of a condition. */
export function weseMethod(condition: string): WeseMethod | undefined {
  return WESE_METHODS.find((method) => method.condition === condition);
}

/**
 * Eight types of tasks, which the paper does not name: the examples that it gives (boiling, mixing
 * primary colours, conductivity), and of five other topics the first task that has enough
 * variations.
 */
export const WESE_SCIENCE_TASKS: readonly string[] = [
  "boil",
  "use-thermometer",
  "test-conductivity",
  "find-living-thing",
  "grow-plant",
  "chemistry-mix-paint-secondary-color",
  "lifespan-longest-lived",
  "inclined-plane-determine-angle",
];

/** Numbers of tasks (§4.1, §4.2); of HotpotQA and of FEVER as many. */
const WESE_TASKS = { alfworld: 134, scienceworld: 296, questions: 500 } as const;

/**
 * Pages of Wikipedia that FEVER's claims are judged by (the data folder's `wiki/`): a user's own
 * choice, else what its authors publish.
 */
const OWN_PAGES = "wikipedia.jsonl";

/** One task of a world. */
export interface WeseTask {
  /** Name of its type in tables, `alfworld/clean`. */
  readonly label: string;
  /** Its number or name within its type or world. */
  readonly place: string | number;
  readonly world: string;
  readonly params: Options;
}

/** The choice of a world's tasks. */
interface Choice extends Readonly<Record<"full" | "official", boolean>> {
  readonly science: readonly string[];
}

/** A world of the study, with what is played in it. */
export interface WeseWorldTasks {
  /** Whether it asks questions: these have fewer steps, and CoT answers them. */
  readonly questions?: true;
  /** Whether it is played only where `only` names it. */
  readonly onRequest?: true;
  tasks(choice: Choice): WeseTask[];
}

/** In the paper's order; `fresh` and `musique` are ours. */
export const WESE_WORLD_TASKS: Readonly<Record<string, WeseWorldTasks>> = {
  alfworld: { tasks: ({ full, official }) => official ? unseen(full) : households(full) },
  fresh: { tasks: ({ full }) => freshHouseholds(full ? 5 : 1) },
  scienceworld: { tasks: ({ full, science }) => experiments(science, full) },
  hotpotqa: {
    questions: true,
    tasks: ({ full, official }) =>
      official ? drawn("hotpotqa", 7405, full) : [
        // four of five are questions of several hops, as in HotpotQA
        ...ownPages("questions", "hotpotqa/bridge", full ? 400 : 20),
        ...ownPages("comparisons", "hotpotqa/comparison", full ? 100 : 5),
      ],
  },
  fever: {
    questions: true,
    tasks: ({ full, official }) =>
      official
        ? drawn("fever", 7405, full, { corpus: corpusAtHand(OWN_PAGES, FEVER_PAGES) }) // by HotpotQA's number, as ReAct's code draws them
        : ownPages("claims", "fever/claim", full ? WESE_TASKS.questions : 25),
  },
  musique: { questions: true, onRequest: true, tasks: ({ full }) => drawn("musique", 2417, full) },
};

/** A game of ALFWorld. */
function household(label: string, place: string | number, params: Options): WeseTask {
  return {
    label,
    place,
    world: "alfworld",
    params: { ...params, stepLimit: WESE_PAPER.steps.other },
  };
}

/** All households, or the first two of each type. */
function households(full: boolean): WeseTask[] {
  const first = new Set(
    Object.keys(ALFWORLD_TASKS).flatMap((type) =>
      ALFWORLD_HOUSEHOLDS.filter(({ task }) => task === type).slice(0, 2).map(({ index }) => index)
    ),
  );
  return ALFWORLD_HOUSEHOLDS.filter(({ index }) => full || first.has(index))
    .map(({ index, task }) =>
      household(`alfworld/${task}`, index, { set: "households", game: index })
    );
}

/** Games of which the type is known once they are played: the report reads it from the task. */
function unseen(full: boolean): WeseTask[] {
  const params = { set: "valid_unseen", order: "shuffled" };
  return Array.from(
    { length: full ? WESE_TASKS.alfworld : 6 },
    (_, game) => household("alfworld/unseen", game, { ...params, game }),
  );
}

/** Households that nobody has seen before: `each` of every type. */
function freshHouseholds(each: number): WeseTask[] {
  return Object.keys(ALFWORLD_TASKS).flatMap((type) =>
    Array.from(
      { length: each },
      (_, seed) => household(`fresh/${type}`, `${type}-${seed}`, { set: "fresh", type, seed }),
    )
  );
}

/** Variations of each task, 296 in all, as evenly as their numbers allow; or one of each. */
function experiments(names: readonly string[], full: boolean): WeseTask[] {
  const tasks = SCIENCEWORLD_TASKS.filter(({ name }) => names.includes(name));
  const counts = full
    ? evenly(tasks.map(({ variations }) => variations), WESE_TASKS.scienceworld)
    : tasks.map(() => 1);
  return tasks.flatMap(({ name, splits: { test, dev, train } }, at) =>
    [test, dev, train].flatMap(({ from, to }) =>
      Array.from({ length: to - from }, (_, index) => from + index)
    )
      .slice(0, counts[at]).map((variation) => ({
        label: `scienceworld/${name}`,
        place: `${name}-${variation}`,
        world: "scienceworld",
        params: { task: name, variation, stepLimit: WESE_PAPER.steps.other },
      }))
  );
}

/**
 * Shares of a total, none above its limit, as equal as can be; the first ones take what is left
 * over.
 */
function evenly(limits: readonly number[], total: number): number[] {
  const order = limits.flatMap((limit, at) =>
    Array.from({ length: limit }, (_, round) => ({ at, round }))
  )
    .sort((a, b) => a.round - b.round || a.at - b.at).slice(0, total);
  return limits.map((_, at) => order.filter((share) => share.at === at).length);
}

/** Tasks of one of our encyclopedias. */
const ENCYCLOPEDIA = 60;

/** The first `count` tasks of a kind, encyclopedia after encyclopedia. */
function ownPages(
  ask: "questions" | "comparisons" | "claims",
  label: string,
  count: number,
): WeseTask[] {
  return Array.from({ length: count }, (_, task) => ({
    label,
    place: `${ask}-${task}`,
    world: "wiki/encyclopedia",
    params: { ask, seed: 1 + Math.floor(task / ENCYCLOPEDIA), index: task % ENCYCLOPEDIA },
  }));
}

/** The sample that ReAct's code draws of a development set, or its first 25. */
function drawn(set: string, size: number, full: boolean, params: Options = {}): WeseTask[] {
  return pythonShuffle(233, size).slice(0, full ? WESE_TASKS.questions : 25)
    .map((index) => ({
      label: `${set}/dev`,
      place: index,
      world: `wiki/${set}`,
      params: { index, ...params },
    }));
}
