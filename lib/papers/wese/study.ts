/**
 * WESE on ALFWorld, ScienceWorld, HotpotQA and FEVER (Huang et al. 2024, arXiv 2404.07456): Tables
 * 1 to 4 and Figure 3.
 *
 * | paper §4 | here |
 * |---|---|
 * | Act, ReAct, each alone, with WESE and with SESE; CoT for questions | the conditions `act`, `act-wese`, `act-sese`, `react`, …, `cot` |
 * | Llama-2-7B explores, text-davinci-003 acts | whatever the role map binds to `wese/*` and `wese/act`; by default the weak and the ordinary setting of the stand-in. Where both are one model the row says so |
 * | 134 unseen games of ALFWorld | the 134 frozen households, or with `games: "official"` the official games in ReAct's order |
 * | eight types of tasks of ScienceWorld, 296 instances | `WESE_SCIENCE_TASKS`, evenly; test variations first |
 * | 500 of HotpotQA, 500 of FEVER | tasks of our own encyclopedias, or with `games: "official"` ReAct's 500 of the development files |
 * | N_e = N_t = 50, and 8 for questions | `explorationSteps`, `maxSteps`, `stepLimit` |
 *
 * Beside them the floor `random`, where a world tells which actions are possible.
 */

import { WESE_PAPER } from "../../core/agent/wese.ts";
import { SCIENCEWORLD_TASKS } from "../../core/env/scienceworld.ts";
import { UsageError } from "../../core/errors.ts";
import { ROLE_MAPS, type RoleMap } from "../../core/llm/roles.ts";
import type { EpisodeChain, Study } from "../../lab/study.ts";
import { askedModels, checkNames, namedOr, type PartChoices, studyId } from "../study-options.ts";
import { checkKeys, checkName } from "../../core/text/did-you-mean.ts";
import {
  WESE_METHODS,
  WESE_SCIENCE_TASKS,
  WESE_WORLD_TASKS,
  type WeseMethod,
  type WeseTask,
} from "./worlds.ts";

/**
 * Which form of the study: `models` are those of `ROLE_MAPS["offline-weak"]` by default; `full` has
 * 134, 296, 500 and 500 tasks, else there are a few of each world; `only` names worlds (`alfworld`,
 * `fresh`, `scienceworld`, `hotpotqa`, `fever`, `musique`) or conditions (`react-wese`).
 */
export interface WeseStudyOptions extends Omit<PartChoices, "games" | "attempts"> {
  /**
   * The tasks that come with Labyrinth, or the official games and data sets, which a user must
   * have.
   * @default {"shipped"}
   */
  readonly games?: "shipped" | "official";
  /** Names of ScienceWorld's tasks. @default {WESE_SCIENCE_TASKS} */
  readonly scienceTasks?: readonly string[];
}

/** The id of the method that plays a row of the paper's tables. */
function methodOf({ condition, variant }: WeseMethod): string {
  return variant === "alone" ? condition : variant.toLowerCase();
}

/**
 * The study, as data: an episode a task and condition, ordered by task, so an interrupted study has
 * whole tasks.
 *
 * @throws {UsageError} if `only` or `scienceTasks` names something that there is not.
 *
 * @example
 * ```ts
 * import { weseStudy } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * assert.equal(weseStudy().id, "wese-quick@offline+offline-weak");
 * const { chains } = weseStudy({ full: true, only: ["scienceworld", "react-wese"] });
 * assert.equal(chains.length, 296);
 * ```
 */
export function weseStudy(options: WeseStudyOptions = {}): Study {
  checkKeys("the study wese", options, [
    "models",
    "embedder",
    "promptOverrides",
    "full",
    "only",
    "games",
    "scienceTasks",
  ]);
  const { full = false } = options;
  const played = chainsAnd(options, WESE_METHODS, (name) => full || name !== "fresh");
  const models = askedModels(options.models ?? ROLE_MAPS["offline-weak"], played.chains);
  return {
    id: idOf(`wese-${full ? "full" : "quick"}`, options, models),
    title:
      "WESE, Tables 1 to 4 and Figure 3: weak exploration to strong exploitation on four worlds",
    ...played,
    models,
  };
}

/**
 * Quality of the weak model in per cent: the stand-in's recall and precision as explorer. At 100 it
 * equals the strong one.
 */
export const WEAK_QUALITIES: readonly number[] = [25, 50, 75, 100];

/**
 * The studies of the weak model's quality, as data: WESE on the same tasks with ever better weak
 * stand-ins. The best one's study also has the base methods and SESE, which have no weak model.
 * Preset `quick` has no ScienceWorld.
 *
 * @throws {UsageError} as `weseStudy`, and if `models` is given: the study varies the stand-in.
 *
 * @example
 * ```ts
 * import { weakModelStudies } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * const studies = weakModelStudies();
 * assert.deepEqual(studies.map(({ id }) => id).slice(2), ["wese-weak-quick-q75@offline+offline-r75-p75", "wese-weak-quick-q100@offline"]);
 * ```
 */
export function weakModelStudies(options: WeseStudyOptions = {}): Study[] {
  const { full = false } = options;
  if (options.models) {
    throw new UsageError(
      "the study of the weak model's quality varies the stand-in: leave out --models; wese-quick takes any weak model",
    );
  }
  return WEAK_QUALITIES.map((quality) => {
    const best = quality === 100;
    const models = best
      ? ROLE_MAPS.offline
      : { "*": "offline", "wese/*": `offline-r${quality}-p${quality}`, "wese/act": "offline" };
    const conditions = WESE_METHODS.filter(({ condition, variant }) =>
      best ? condition !== "cot" && condition !== "random" : variant === "WESE"
    );
    return {
      id: idOf(`wese-weak-${full ? "full" : "quick"}-q${quality}`, options, models),
      title: `WESE with a weak model of quality ${quality} in 100`,
      ...chainsAnd(
        options,
        conditions,
        (name) => name !== "fresh" && (full || name !== "scienceworld"),
      ),
      models,
    };
  });
}

/** The names that `only` takes. */
export const WESE_NAMES: readonly string[] = [
  ...Object.keys(WESE_WORLD_TASKS),
  ...WESE_METHODS.map(({ condition }) => condition),
];

function idOf(form: string, options: WeseStudyOptions, models: RoleMap): string {
  const { games, scienceTasks = [], only, embedder, promptOverrides } = options;
  const parts = [form, ...(games === "official" ? ["official"] : []), ...scienceTasks];
  return studyId(parts.join("-"), { only, embedder, promptOverrides, models }, 1);
}

function chainsAnd(
  options: WeseStudyOptions,
  methods: readonly WeseMethod[],
  ordinary: (world: string) => boolean,
): Pick<Study, "chains" | "embedder" | "promptOverrides"> {
  const {
    full = false,
    only = [],
    games = "shipped",
    scienceTasks = WESE_SCIENCE_TASKS,
    embedder = "lexical",
    promptOverrides,
  } = options;
  checkNames(only, WESE_NAMES, "neither a world nor a condition of this study");
  for (const task of scienceTasks) {
    checkName("task of ScienceWorld", task, SCIENCEWORLD_TASKS.map(({ name }) => name));
  }
  const isNamed = ({ condition }: WeseMethod): boolean => only.includes(condition);
  const named = WESE_METHODS.some(isNamed) ? methods.filter(isNamed) : methods;
  const worlds = Object.entries(WESE_WORLD_TASKS).map(([name, world]) => ({ name, world }));
  const played = namedOr(
    worlds,
    only,
    worlds.filter(({ name, world }) => !world.onRequest && ordinary(name)),
  );
  const chains = played.flatMap(({ name, world }) =>
    world.tasks({ full, official: games === "official", science: scienceTasks }).flatMap((
      task,
      number,
    ) =>
      named.filter(({ condition }) =>
        condition === "cot" ? world.questions : condition !== "random" || !world.questions
      )
        .map((method) =>
          chainOf(name, task, method, {
            number,
            steps: WESE_PAPER.steps[world.questions ? "questions" : "other"],
          })
        )
    )
  );
  if (chains.length === 0) {
    throw new UsageError(
      `--only ${only.join(",")} leaves no episode: no such condition is played there`,
    );
  }
  return { chains, embedder, promptOverrides };
}

function chainOf(
  world: string,
  task: WeseTask,
  method: WeseMethod,
  { number, steps }: Record<"number" | "steps", number>,
): EpisodeChain {
  const { condition, base } = method;
  const documents = condition === "cot" ? { documents: "sentences" } : {};
  const limits = condition === "cot"
    ? {}
    : { maxSteps: steps, ...(base === undefined ? {} : { explorationSteps: steps, base }) };
  return {
    id: `${world}/${task.place}|${condition}`,
    episodes: [{
      world: task.world,
      params: { ...task.params, ...documents },
      label: task.label,
      method: methodOf(method),
      options: { method: limits },
      condition,
      attempt: 1,
      seed: number + 1,
    }],
  };
}
