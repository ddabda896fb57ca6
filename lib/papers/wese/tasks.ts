/**
 * The tasks that the study of WESE plays, world by world (Huang et al. 2024, arXiv 2404.07456, §4.1 and §4.2).
 *
 * @module
 */

import { WESE_PAPER } from "../../agent/wese.ts";
import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS } from "../../env/alfworld.ts";
import { corpusAtHand, FEVER_PAGES } from "../../env/questions/wiki-corpus.ts";
import { SCIENCEWORLD_TASKS } from "../../env/scienceworld.ts";
import { pythonShuffle } from "../../stats/sampling.ts";
import type { Options } from "../../lab/study.ts";

/**
 * Eight types of tasks, which the paper does not name: the examples that it gives (boiling, mixing primary colours, conductivity), and of five
 * other topics the first task that has enough variations.
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

/** Numbers of tasks (§4.1, §4.2). */
const WESE_TASKS = { alfworld: 134, scienceworld: 296, hotpotqa: 500, fever: 500 } as const;

/**
 * Pages of Wikipedia that FEVER's claims are judged by, in the data folder's `wiki/`, for its file holds none: a choice of the user's own, or
 * where there is none what its authors publish.
 */
const OWN_PAGES = "wikipedia.jsonl";

const STEPS = WESE_PAPER.steps;

/** One task of a world. */
export interface WeseTask {
  /** Name of its type in tables, `alfworld/clean`. */
  readonly label: string;
  /** Which one of its type or world. */
  readonly place: string | number;
  readonly world: string;
  readonly params: Options;
}

/** A world of the study, with what is played in it. */
export interface WeseWorldTasks {
  /** Steps of exploration and of exploitation. */
  readonly steps: number;
  readonly questions: boolean;
  /** Whether it is played only where `only` names it. */
  readonly onRequest?: true;
  readonly tasks: (options: { readonly full: boolean; readonly official: boolean; readonly science: readonly string[] }) => WeseTask[];
}

/** In the paper's order; `fresh` and `musique` are ours. */
export const WESE_WORLD_TASKS: Readonly<Record<string, WeseWorldTasks>> = {
  alfworld: {
    steps: STEPS.other,
    questions: false,
    tasks: ({ full, official }) => official ? unseen(full) : households(full),
  },
  fresh: { steps: STEPS.other, questions: false, tasks: ({ full }) => freshHouseholds(full ? 5 : 1) },
  scienceworld: { steps: STEPS.other, questions: false, tasks: ({ full, science }) => experiments(science, full) },
  hotpotqa: {
    steps: STEPS.questions,
    questions: true,
    tasks: ({ full, official }) => official ? hotpotqa(full) : questions(full),
  },
  fever: {
    steps: STEPS.questions,
    questions: true,
    tasks: ({ full, official }) => official ? fever(full) : claims(full),
  },
  musique: { steps: STEPS.questions, questions: true, onRequest: true, tasks: ({ full }) => musique(full) },
};

/** All households, or the first of each type. */
function households(full: boolean): WeseTask[] {
  const first = new Set(Object.keys(ALFWORLD_TASKS).map((type) => ALFWORLD_HOUSEHOLDS.find(({ task }) => task === type)?.index));
  return ALFWORLD_HOUSEHOLDS.filter(({ index }) => full || first.has(index)).map(({ index, task }) => ({
    label: `alfworld/${task}`,
    place: index,
    world: "alfworld",
    params: { set: "households", game: index, stepLimit: STEPS.other },
  }));
}

/** Games of which the type is known once they are played: the report reads it from the task. */
function unseen(full: boolean): WeseTask[] {
  return Array.from({ length: full ? WESE_TASKS.alfworld : 6 }, (_, game) => ({
    label: "alfworld/unseen",
    place: game,
    world: "alfworld",
    params: { set: "valid_unseen", order: "shuffled", game, stepLimit: STEPS.other },
  }));
}

/** Households that nobody has seen before: `each` of every type. */
function freshHouseholds(each: number): WeseTask[] {
  return Object.keys(ALFWORLD_TASKS).flatMap((type) =>
    Array.from({ length: each }, (_, seed) => ({
      label: `fresh/${type}`,
      place: `${type}-${seed}`,
      world: "alfworld",
      params: { set: "fresh", type, seed, stepLimit: STEPS.other },
    }))
  );
}

/** As many variations of each task as make 296 in all, as evenly as their numbers allow; or one of each. */
function experiments(names: readonly string[], full: boolean): WeseTask[] {
  const tasks = SCIENCEWORLD_TASKS.filter(({ name }) => names.includes(name));
  const counts = full ? evenly(tasks.map(({ variations }) => variations), WESE_TASKS.scienceworld) : tasks.map(() => 1);
  return tasks.flatMap(({ name, splits: { test, dev, train } }, at) =>
    [test, dev, train].flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index))
      .slice(0, counts[at]).map((variation) => ({
        label: `scienceworld/${name}`,
        place: `${name}-${variation}`,
        world: "scienceworld",
        params: { task: name, variation, stepLimit: STEPS.other },
      }))
  );
}

/** Shares of a total, none above its limit, as equal as can be; the first ones take what is left over. */
function evenly(limits: readonly number[], total: number): number[] {
  const shares = limits.map(() => 0);
  for (let left = Math.min(total, limits.reduce((sum, limit) => sum + limit, 0)); left > 0;) {
    for (const [at, limit] of limits.entries()) {
      if (left > 0 && (shares[at] as number) < limit) {
        shares[at] = (shares[at] as number) + 1;
        left -= 1;
      }
    }
  }
  return shares;
}

/** Tasks of one of our encyclopedias. */
const ENCYCLOPEDIA = 60;

/** The first `count` tasks of a kind, encyclopedia after encyclopedia. */
function ownPages(ask: "questions" | "comparisons" | "claims", label: string, count: number): WeseTask[] {
  return Array.from({ length: count }, (_, task) => ({
    label,
    place: `${ask}-${task}`,
    world: "wiki/encyclopedia",
    params: { ask, seed: 1 + Math.floor(task / ENCYCLOPEDIA), index: task % ENCYCLOPEDIA },
  }));
}

/** Four of five are questions of several hops, as in HotpotQA. */
function questions(full: boolean): WeseTask[] {
  return [...ownPages("questions", "hotpotqa/bridge", full ? 400 : 20), ...ownPages("comparisons", "hotpotqa/comparison", full ? 100 : 5)];
}

function claims(full: boolean): WeseTask[] {
  return ownPages("claims", "fever/claim", full ? WESE_TASKS.fever : 25);
}

/** ReAct's sample of the development set, which FEVER's shares. */
function drawn(full: boolean): number[] {
  return pythonShuffle(233, 7405).slice(0, full ? WESE_TASKS.hotpotqa : 25);
}

function hotpotqa(full: boolean): WeseTask[] {
  return drawn(full).map((index) => ({ label: "hotpotqa/dev", place: index, world: "wiki/hotpotqa", params: { index } }));
}

/** MuSiQue's answerable development set, which the paper does not play, drawn as HotpotQA's is. */
function musique(full: boolean): WeseTask[] {
  return pythonShuffle(233, 2417).slice(0, full ? WESE_TASKS.hotpotqa : 25)
    .map((index) => ({ label: "musique/dev", place: index, world: "wiki/musique", params: { index } }));
}

function fever(full: boolean): WeseTask[] {
  const corpus = corpusAtHand(OWN_PAGES, FEVER_PAGES);
  return drawn(full).map((index) => ({ label: "fever/dev", place: index, world: "wiki/fever", params: { index, corpus } }));
}
