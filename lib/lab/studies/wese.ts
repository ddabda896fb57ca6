/**
 * WESE on ALFWorld, ScienceWorld, HotpotQA and FEVER (Huang et al. 2024, arXiv 2404.07456): Tables 1 to 4 and Figure 3.
 *
 * | paper §4 | here |
 * |---|---|
 * | Act, ReAct, each alone, with WESE and with SESE; CoT for questions | the conditions `act`, `act-wese`, `act-sese`, `react`, …, `cot` |
 * | Llama-2-7B explores, text-davinci-003 acts | whatever the role map binds to `wese/*` and `wese/act`; offline its weak and its ordinary setting |
 * | 134 unseen games of ALFWorld | the 134 frozen households, or with `games: "official"` the official games in ReAct's order |
 * | eight types of tasks of ScienceWorld, 296 instances | `WESE_SCIENCE_TASKS`, evenly; test variations first |
 * | 500 of HotpotQA, 500 of FEVER | tasks of our own encyclopedias, or with `games: "official"` ReAct's 500 of the development files |
 * | N_e = N_t = 50, and 8 for questions | `explorationSteps`, `maxSteps`, `stepLimit` |
 *
 * Beside them the floor `random`, where a world tells which actions are possible.
 *
 * @module
 */

import { WESE_PAPER } from "../../agent/wese.ts";
import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS } from "../../env/alfworld.ts";
import { SCIENCEWORLD_TASKS } from "../../env/scienceworld.ts";
import { UsageError } from "../../errors.ts";
import { ROLE_MAPS, type RoleMap } from "../../llm/roles.ts";
import { pythonShuffle } from "../sampling.ts";
import type { Lane, Options, Study } from "../study.ts";
import { studyId, type StudyOptions } from "./study-options.ts";

/** Which form of the study. */
export interface WeseStudyOptions extends StudyOptions {
  /** Role → model. @default {ROLE_MAPS["offline-weak"]} */
  readonly models?: RoleMap;
  /** 134, 296, 500 and 500 tasks; else a few of each world. @default {false} */
  readonly full?: boolean;
  /** Names of worlds (`alfworld`, `fresh`, `scienceworld`, `hotpotqa`, `fever`) or conditions (`react-wese`) to keep. */
  readonly only?: readonly string[];
  /** What comes with Labyrinth, or the official games and data sets, which a user must have. @default {"shipped"} */
  readonly games?: "shipped" | "official";
  /** Names of ScienceWorld's tasks. @default {WESE_SCIENCE_TASKS} */
  readonly scienceTasks?: readonly string[];
}

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
export const WESE_TASKS = { alfworld: 134, scienceworld: 296, hotpotqa: 500, fever: 500 } as const;

/** Pages of Wikipedia that FEVER's claims are judged by, in the data folder's `wiki/`: its file holds none. */
const FEVER_PAGES = "wikipedia.jsonl";

const STEPS = WESE_PAPER.steps;

/** One task of a world. */
interface Task {
  /** Name of its type in tables, `alfworld/clean`. */
  readonly label: string;
  /** Which one of its type or world. */
  readonly place: string | number;
  readonly world: string;
  readonly params: Options;
}

interface Condition {
  readonly name: string;
  readonly method: string;
  readonly options?: Options;
}

/** Rows of the paper's tables in its order, and the floor. */
const CONDITIONS: readonly Condition[] = [
  { name: "cot", method: "cot" },
  ...(["act", "react"] as const).flatMap((base): Condition[] => [
    { name: base, method: base },
    { name: `${base}-wese`, method: "wese", options: { base } },
    { name: `${base}-sese`, method: "sese", options: { base } },
  ]),
  { name: "random", method: "random" },
];

interface World {
  /** Steps of exploration and of exploitation. */
  readonly steps: number;
  readonly questions: boolean;
  readonly tasks: (options: { readonly full: boolean; readonly official: boolean; readonly science: readonly string[] }) => Task[];
}

/** In the paper's order; `fresh` is ours. */
const WORLDS: Readonly<Record<string, World>> = {
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
};

/**
 * The study, as data: an episode a task and condition, the conditions of a task beside each other, so that an interrupted study has whole tasks.
 *
 * @throws {UsageError} if `only` or `scienceTasks` names something that there is not.
 *
 * @example
 * ```ts
 * import { weseStudy } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(weseStudy().id, "wese-quick@offline+offline-weak");
 * const { lanes } = weseStudy({ full: true, only: ["scienceworld", "react-wese"] });
 * assert.equal(lanes.length, 296);
 * ```
 */
export function weseStudy(options: WeseStudyOptions = {}): Study {
  const { full = false, games = "shipped", models = ROLE_MAPS["offline-weak"] } = options;
  return {
    id: studyId(`wese-${full ? "full" : "quick"}${games === "official" ? "-official" : ""}${scienceOf(options)}`, {
      ...chosen(options),
      models,
    }, 1),
    title: "WESE, Tables 1 to 4 and Figure 3: weak exploration to strong exploitation on four worlds",
    ...lanesAnd(options, CONDITIONS, (name) => full || name !== "fresh"),
    models,
  };
}

/** Quality of the weak model in per cent: the recall and the precision of the offline backbone where it explores. At 100 weak and strong are one. */
export const WEAK_QUALITIES: readonly number[] = [25, 50, 75, 100];

/**
 * The studies of the weak model's quality, one a quality, as data: WESE on the same tasks with the offline backbone, whose weak setting is better
 * and better; with the best one also the base methods and SESE, which the weak model does not reach. The quick form leaves ScienceWorld out.
 *
 * @throws {UsageError} as `weseStudy`, and if `models` is given: the quality of the offline backbone is what is varied.
 *
 * @example
 * ```ts
 * import { weakModelStudies } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const studies = weakModelStudies();
 * assert.deepEqual(studies.map(({ id }) => id).slice(2), ["wese-weak-quick-q75@offline+offline-r75-p75", "wese-weak-quick-q100@offline"]);
 * ```
 */
export function weakModelStudies(options: WeseStudyOptions = {}): Study[] {
  const { full = false, games = "shipped" } = options;
  if (options.models) {
    throw new UsageError(
      "the study of the weak model's quality varies the offline backbone: leave out --models; wese-quick takes any weak model",
    );
  }
  return WEAK_QUALITIES.map((quality) => {
    const best = quality === 100;
    const models = best ? ROLE_MAPS.offline : { "*": "offline", "wese/*": `offline-r${quality}-p${quality}`, "wese/act": "offline" };
    const conditions = CONDITIONS.filter(({ name, method }) => best ? name !== "cot" && name !== "random" : method === "wese");
    return {
      id: studyId(
        `wese-weak-${full ? "full" : "quick"}-q${quality}${games === "official" ? "-official" : ""}${scienceOf(options)}`,
        { ...chosen(options), models },
        1,
      ),
      title: `WESE with a weak model of quality ${quality} in 100`,
      ...lanesAnd(options, conditions, (name) => name !== "fresh" && (full || name !== "scienceworld")),
      models,
    };
  });
}

/** What `only` may name. */
export const WESE_NAMES: readonly string[] = [...Object.keys(WORLDS), ...CONDITIONS.map(({ name }) => name)];

function chosen({ only = [], embedder, book }: WeseStudyOptions): StudyOptions & { readonly only: readonly string[] } {
  return { only, ...(embedder === undefined ? {} : { embedder }), ...(book === undefined ? {} : { book }) };
}

function scienceOf({ scienceTasks }: WeseStudyOptions): string {
  return scienceTasks === undefined ? "" : `-${scienceTasks.join("-")}`;
}

function lanesAnd(
  options: WeseStudyOptions,
  conditions: readonly Condition[],
  ordinary: (world: string) => boolean,
): Pick<Study, "lanes" | "embedder" | "book"> {
  const { full = false, only = [], games = "shipped", scienceTasks = WESE_SCIENCE_TASKS, embedder = "lexical", book } = options;
  const unknown = only.find((name) => !WESE_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown} names neither a world nor a condition of this study; there are ${WESE_NAMES.join(", ")}`);
  }
  const stranger = scienceTasks.find((name) => !SCIENCEWORLD_TASKS.some((task) => task.name === name));
  if (stranger !== undefined) {
    throw new UsageError(`scienceTasks names "${stranger}"; ScienceWorld has ${SCIENCEWORLD_TASKS.map(({ name }) => name).join(", ")}`);
  }
  const named = CONDITIONS.some(({ name }) => only.includes(name)) ? conditions.filter(({ name }) => only.includes(name)) : conditions;
  const asked = Object.entries(WORLDS).filter(([name]) => only.includes(name));
  const worlds = asked.length > 0 ? asked : Object.entries(WORLDS).filter(([name]) => ordinary(name));
  const lanes = worlds.flatMap(([name, world]) =>
    world.tasks({ full, official: games === "official", science: scienceTasks }).flatMap((task, number) =>
      named.filter(({ method }) => method === "cot" ? world.questions : method !== "random" || !world.questions)
        .map((condition) => laneOf(name, { task, number, condition, steps: world.steps }))
    )
  );
  if (lanes.length === 0) throw new UsageError(`--only ${only.join(",")} leaves no episode: no such condition is played there`);
  return { lanes, embedder, ...(book ? { book } : {}) };
}

function laneOf(
  world: string,
  { task, number, condition, steps }: {
    readonly task: Task;
    readonly number: number;
    readonly condition: Condition;
    readonly steps: number;
  },
): Lane {
  const { name, method, options } = condition;
  const explores = method === "wese" || method === "sese";
  return {
    id: `${world}/${task.place}|${name}`,
    episodes: [{
      world: task.world,
      params: { ...task.params, ...(method === "cot" ? { documents: "supporting" } : {}) },
      label: task.label,
      method,
      options: { method: method === "cot" ? {} : { maxSteps: steps, ...(explores ? { explorationSteps: steps } : {}), ...options } },
      condition: name,
      attempt: 1,
      seed: number + 1,
    }],
  };
}

/** All households, or the first of each type. */
function households(full: boolean): Task[] {
  const first = new Set(Object.keys(ALFWORLD_TASKS).map((type) => ALFWORLD_HOUSEHOLDS.find(({ task }) => task === type)?.index));
  return ALFWORLD_HOUSEHOLDS.filter(({ index }) => full || first.has(index)).map(({ index, task }) => ({
    label: `alfworld/${task}`,
    place: index,
    world: "alfworld",
    params: { set: "households", game: index, stepLimit: STEPS.other },
  }));
}

/** Games of which the type is known once they are played: the report reads it from the task. */
function unseen(full: boolean): Task[] {
  return Array.from({ length: full ? WESE_TASKS.alfworld : 6 }, (_, game) => ({
    label: "alfworld/unseen",
    place: game,
    world: "alfworld",
    params: { set: "valid_unseen", order: "shuffled", game, stepLimit: STEPS.other },
  }));
}

/** Households that nobody has seen before: `each` of every type. */
function freshHouseholds(each: number): Task[] {
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
function experiments(names: readonly string[], full: boolean): Task[] {
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
function ownPages(ask: "questions" | "comparisons" | "claims", label: string, count: number): Task[] {
  return Array.from({ length: count }, (_, task) => ({
    label,
    place: `${ask}-${task}`,
    world: "wiki/encyclopedia",
    params: { ask, seed: 1 + Math.floor(task / ENCYCLOPEDIA), index: task % ENCYCLOPEDIA },
  }));
}

/** Four of five are questions of several hops, as in HotpotQA. */
function questions(full: boolean): Task[] {
  return [...ownPages("questions", "hotpotqa/bridge", full ? 400 : 20), ...ownPages("comparisons", "hotpotqa/comparison", full ? 100 : 5)];
}

function claims(full: boolean): Task[] {
  return ownPages("claims", "fever/claim", full ? WESE_TASKS.fever : 25);
}

/** ReAct's sample of the development set, which FEVER's shares. */
function drawn(full: boolean): number[] {
  return pythonShuffle(233, 7405).slice(0, full ? WESE_TASKS.hotpotqa : 25);
}

function hotpotqa(full: boolean): Task[] {
  return drawn(full).map((index) => ({ label: "hotpotqa/dev", place: index, world: "wiki/hotpotqa", params: { index } }));
}

function fever(full: boolean): Task[] {
  return drawn(full).map((index) => ({ label: "fever/dev", place: index, world: "wiki/fever", params: { index, corpus: FEVER_PAGES } }));
}
