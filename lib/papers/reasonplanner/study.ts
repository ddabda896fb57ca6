/**
 * ReasonPlanner in ScienceWorld (Pham-Dinh et al. 2024, arXiv 2410.09252): Tables 1 and 2, Figure
 * 4, and the look-aheads and query limits of §4.2.1.
 *
 * | paper §4.2.1 | here |
 * |---|---|
 * | one agent, 30 tasks × 5 variations on golden trajectories | the chain `training`, whose last artefact is the trained graph |
 * | the first 3 test variations of each task | `params.split`, `params.index`; the attempt is the variation |
 * | four copies of the trained agent, each for a subset of the tasks | the chains `reasonplanner|1` … `|4`, after `training` |
 * | SayCan, ReAct, Reflexion as in SwiftSage's evaluation | `SWIFTSAGE_RULES` |
 * | with and without the world model (Table 2) | `reasonplanner-without-world-model` |
 *
 * Also the floor `random`, and the ceiling `oracle`: the gold paths.
 */

import { REASONPLANNER_PAPER } from "../../core/agent/reasonplanner-options.ts";
import { SWIFTSAGE_RULES } from "../../core/agent/text-agent-options.ts";
import { SCIENCEWORLD_TASKS, type ScienceWorldTask } from "../../core/env/scienceworld.ts";
import { UsageError } from "../../core/errors.ts";
import {
  bindingOf,
  type ModelBinding,
  modelIdOf,
  ROLE_MAPS,
  type RoleMap,
} from "../../core/llm/roles.ts";
import type {
  CustomMethod,
  EpisodeChain,
  Options,
  PlannedEpisode,
  Study,
} from "../../lab/study.ts";
import {
  checkNames,
  isReadyMap,
  namedOr,
  ORACLE,
  paperStudy,
  type PartChoices,
} from "../study-options.ts";

/**
 * Which form of a study: `full` has the paper's design, else there are four tasks, with a training
 * on one variation of each; `only` names tasks (`boil`) or conditions (`react`); `attempts` are
 * test variations of each task, 1 … 3.
 */
export type ReasonPlannerStudyOptions = Omit<PartChoices, "games">;

/** SwiftSage compares SayCan's candidates by embeddings. */
const SAYCAN_RULES = { ...SWIFTSAGE_RULES, grounding: "embedder", candidates: 5 };

/** Tasks of Table 2: two long, two medium, two short ones. */
export const TABLE2_TASKS: readonly string[] = [
  ...["melt", "measure-melting-point-unknown-substance", "chemistry-mix-paint-secondary-color"],
  ...["test-conductivity", "lifespan-longest-lived", "find-living-thing"],
];

/** Tasks of preset quick: of Table 2's, those of which every run is short enough. */
const QUICK_TASKS = TABLE2_TASKS.filter((name) => !/^(measure|chemistry)-/.test(name));

const { trainingVariations, testVariations: test } = REASONPLANNER_PAPER;
const SIZES = {
  quick: { training: 1, test, trials: 2 },
  full: { training: trainingVariations, test, trials: 10 },
} as const;

/** Steps of a played episode (SwiftSage's limit); gold paths may be longer. */
const STEPS = 100;
const GOLD_STEPS = 2000;

/**
 * The paper's models, of whose map the others are left out: all four methods of Table 1 are on one,
 * also ReAct and Reflexion, which WESE and AriGraph have on others. The parameters of their calls
 * stay.
 */
function ownModels(paper: RoleMap): RoleMap {
  const model = modelIdOf(bindingOf(paper, "reasonplanner/act"));
  const named = (families: RegExp): [string, ModelBinding][] =>
    Object.entries(paper).filter(([role]) => families.test(role));
  return Object.fromEntries([
    ...named(/^(?:reasonplanner|saycan|react-reflexion)\//),
    ...[...named(/^react\//), ...named(/^reflexion\//)].map(([role, binding]) => [
      role,
      typeof binding === "string" ? model : { ...binding, model },
    ]),
  ]);
}

interface Condition {
  readonly name: string;
  readonly method: string | CustomMethod;
  readonly options?: Options;
  /** Chains that start from the trained graph; else each episode has a chain of its own. */
  readonly trained?: true;
  readonly gold?: true;
  /** The tasks that it is played in. @default all */
  readonly tasks?: readonly string[];
}

/** Rows of Table 1 in the paper's order, Table 2's, and ours. */
function conditionsOf(trials: number): Condition[] {
  return [
    { name: "saycan", method: "saycan", options: SAYCAN_RULES },
    { name: "react", method: "react", options: { ...SWIFTSAGE_RULES } },
    { name: "reflexion", method: "react-reflexion", options: { ...SWIFTSAGE_RULES, trials } },
    { name: "reasonplanner", method: "reasonplanner", options: {}, trained: true },
    {
      name: "reasonplanner-without-world-model",
      method: "reasonplanner",
      options: { worldModel: false },
      tasks: TABLE2_TASKS,
    },
    { name: "random", method: "random", options: { maxSteps: STEPS } },
    { name: "oracle", method: ORACLE, gold: true },
  ];
}

/**
 * The study of Tables 1 and 2, as data. Its id names preset and model.
 *
 * @throws {UsageError} if `only` names something that there is not, or `attempts` is out of range.
 *
 * @example
 * ```ts
 * import { reasonPlannerStudy } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * assert.equal(reasonPlannerStudy().id, "reasonplanner-quick@offline");
 * const { chains } = reasonPlannerStudy({ full: true, only: ["reasonplanner"] });
 * assert.deepEqual(chains.map(({ id, episodes }) => [id, episodes.length])[0], ["training", 150]);
 * assert.equal(chains.slice(1).flatMap(({ episodes }) => episodes).length, 90); // in four chains after the training
 * ```
 */
export function reasonPlannerStudy(options: ReasonPlannerStudyOptions = {}): Study {
  const { full = false } = options;
  const { trials } = SIZES[full ? "full" : "quick"];
  return studyOf(`reasonplanner-${full ? "full" : "quick"}`, options, {
    title:
      "ReasonPlanner, Tables 1 and 2 and Figure 4: ScienceWorld with SayCan, ReAct and Reflexion",
    all: conditionsOf(trials),
    usual: full ? undefined : QUICK_TASKS,
  });
}

/**
 * The study of look-ahead and query limit (§4.2.1), as data: 3, 5 and 10 steps ahead, and 1, 3 and
 * 5 queries a prediction, on the tasks of Table 2. Further conditions: two rings of neighbours,
 * which the paper leaves open (D7), and ours: no coreference resolution, a look-ahead that ends
 * with the task, and a shorter trajectory (D4, D9, D10).
 *
 * @throws as `reasonPlannerStudy`.
 *
 * @example
 * ```ts
 * import { lookAheadStudy } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * assert.equal(lookAheadStudy().id, "reasonplanner-look-ahead-quick@offline");
 * ```
 */
export function lookAheadStudy(options: ReasonPlannerStudyOptions = {}): Study {
  const { full = false } = options;
  const { lookAhead, queries } = REASONPLANNER_PAPER;
  return studyOf(`reasonplanner-look-ahead-${full ? "full" : "quick"}`, options, {
    title:
      `ReasonPlanner, §4.2.1: how far it looks ahead (${lookAhead} unless told) and how often it asks (${queries})`,
    all: lookAheadConditions(),
    usual: full ? TABLE2_TASKS : QUICK_TASKS,
  });
}

function lookAheadConditions(): Condition[] {
  const { lookAhead, otherLookAheads } = REASONPLANNER_PAPER;
  return [
    ...[lookAhead, ...otherLookAheads].sort((a, b) => a - b)
      .map((steps) => ({ name: `look-ahead-${steps}`, options: { lookAhead: steps } })),
    ...[1, 5].map((limit) => ({ name: `queries-${limit}`, options: { queries: limit } })),
    { name: "hops-2", options: { hops: 2 } },
    { name: "no-coreference", options: { coreference: "none" } },
    { name: "ends-early", options: { endsEarly: true } },
    { name: "trajectory-actions", options: { trajectory: "actions" } },
  ].map((condition): Condition => ({ ...condition, method: "reasonplanner", trained: true }));
}

function studyOf(
  form: string,
  options: ReasonPlannerStudyOptions,
  { title, all, usual }: {
    readonly title: string;
    readonly all: readonly Condition[];
    readonly usual?: readonly string[];
  },
): Study {
  const { full = false, only = [], models = ROLE_MAPS.offline } = options;
  const size = SIZES[full ? "full" : "quick"];
  const { attempts = size.test } = options;
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > test) {
    throw new UsageError(`--attempts wants 1 to ${test} test variations, not ${attempts}`);
  }
  checkNames(
    only,
    [...SCIENCEWORLD_TASKS, ...all].map(({ name }) => name),
    "neither a task nor a method of this study",
  );
  const tasks = namedOr(
    SCIENCEWORLD_TASKS,
    only,
    SCIENCEWORLD_TASKS.filter(({ name }) => usual?.includes(name) ?? true),
  );
  const conditions = namedOr(all, only);
  const trained = conditions.some((condition) => condition.trained);
  return paperStudy(
    form,
    { ...options, models: isReadyMap(models, "paper") ? ownModels(models) : models },
    size.test,
    {
      title,
      chains: [
        ...(trained ? [trainingChain(tasks, size.training)] : []),
        ...conditions.flatMap((condition) => chainsOf(condition, tasks, attempts)),
      ],
    },
  );
}

/** Task after task, the first training variations; those of a task with fewer repeat (D18). */
function trainingChain(tasks: readonly ScienceWorldTask[], variations: number): EpisodeChain {
  return {
    id: "training",
    gold: "world",
    episodes: tasks.flatMap(({ name, splits }) =>
      Array.from({ length: variations }, (_, i): PlannedEpisode => ({
        ...variationOf(name, i + 1, {
          split: "train",
          index: i % (splits.train.to - splits.train.from),
          stepLimit: GOLD_STEPS,
        }),
        ...{ method: "reasonplanner", condition: "training" },
      }))
    ),
  };
}

/** Four chains from the trained graph, the tasks dealt out in turn; or a chain an episode. */
function chainsOf(
  condition: Condition,
  tasks: readonly ScienceWorldTask[],
  attempts: number,
): EpisodeChain[] {
  const played = tasks.filter(({ name }) => condition.tasks?.includes(name) ?? true);
  if (condition.trained) {
    return Array.from(
      { length: Math.min(REASONPLANNER_PAPER.agents, played.length) },
      (_, agent): EpisodeChain => ({
        id: `${condition.name}|${agent + 1}`,
        after: "training",
        episodes: played.filter((_, i) => i % REASONPLANNER_PAPER.agents === agent).flatMap((
          task,
        ) => episodesOf(condition, task, attempts)),
      }),
    );
  }
  return played.flatMap((task) =>
    episodesOf(condition, task, attempts).map((episode): EpisodeChain => ({
      id: [task.name, condition.name, episode.attempt].join("|"),
      ...(condition.gold ? { gold: "world" } : {}),
      episodes: [episode],
    }))
  );
}

function episodesOf(
  { name, method, options, gold }: Condition,
  task: ScienceWorldTask,
  attempts: number,
): PlannedEpisode[] {
  const stepLimit = gold ? GOLD_STEPS : STEPS;
  return Array.from({ length: attempts }, (_, i) => ({
    ...variationOf(task.name, i + 1, { split: "test", index: i, stepLimit }),
    ...{ method, condition: name },
    ...(options ? { options: { method: options } } : {}),
  }));
}

function variationOf(
  task: string,
  attempt: number,
  params: Options,
): Pick<PlannedEpisode, "world" | "params" | "label" | "attempt" | "seed"> {
  return {
    world: "scienceworld",
    params: { task, ...params },
    label: task,
    attempt,
    seed: attempt,
  };
}
