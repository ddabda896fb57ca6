/**
 * The studies that the command line knows by id.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import { parseRoleMap } from "../llm/role-map.ts";
import type { Study } from "../lab/study.ts";
import { arigraphStudy } from "./arigraph/textworld-study.ts";
import { arigraphQuestionsStudy } from "./arigraph/questions-study.ts";
import { graphmindStudy } from "./graphmind/study.ts";
import { nethackStudy } from "./arigraph/nethack-study.ts";
import { randomWalkStudy } from "./arigraph/random-walk-study.ts";
import { lookAheadStudy, reasonPlannerStudy } from "./reasonplanner/study.ts";
import { rlBenchmarkStudy } from "./arigraph/rl-benchmark-study.ts";
import type { StudyOptions } from "./study-options.ts";
import { weseStudy } from "./wese/study.ts";

/** What every registered study lets choose. */
export type StudyChoices = StudyOptions;

/** A registered study. */
export interface StudyEntry {
  /** One line for people. */
  readonly title: string;
  /** The study as data. */
  readonly create: (options: StudyChoices) => Study;
}

/** All studies by id. A new one is one file and one line here. */
export const STUDIES: Readonly<Record<string, StudyEntry>> = {
  "arigraph-quick": {
    title: "AriGraph: Treasure Hunt, Cooking and Cleaning with every method, 2 attempts each",
    create: (options) => arigraphStudy(options),
  },
  "arigraph-full": {
    title: "AriGraph: all seven games with every method, 5 attempts each",
    create: (options) => arigraphStudy({ ...options, full: true }),
  },
  "arigraph-questions": {
    title: "AriGraph: questions over an invented encyclopedia, with its baselines",
    create: (options) => arigraphQuestionsStudy(options),
  },
  "arigraph-questions-full": {
    title: "AriGraph: 200 questions each of MuSiQue and HotpotQA, with its baselines",
    create: (options) => arigraphQuestionsStudy({ ...options, full: true }),
  },
  "arigraph-rl-benchmark": {
    title: "AriGraph: the cooking levels of the RL benchmark, 24 games",
    create: (options) => rlBenchmarkStudy(options),
  },
  "arigraph-random-walk": {
    title: "AriGraph: the graph during random walks in Cleaning",
    create: (options) => randomWalkStudy(options),
  },
  "arigraph-nethack": {
    title: "AriGraph: NetHack with NetPlay and Ariadne, room and level observations, 3 seeds of 100 skill calls",
    create: (options) => nethackStudy(options),
  },
  "arigraph-nethack-full": {
    title: "AriGraph: the same, 10 seeds of 400 skill calls",
    create: (options) => nethackStudy({ ...options, full: true }),
  },
  "graphmind-quick": {
    title: "GraphMind: missions in BabyAI on one map of each size and density, 1 trial each",
    create: (options) => graphmindStudy(options),
  },
  "graphmind-full": {
    title: "GraphMind: missions in BabyAI on all maps, 3 trials each",
    create: (options) => graphmindStudy({ ...options, full: true }),
  },
  "reasonplanner-quick": {
    title: "ReasonPlanner: four tasks of ScienceWorld with SayCan, ReAct and Reflexion, after a small training",
    create: (options) => reasonPlannerStudy(options),
  },
  "reasonplanner-full": {
    title: "ReasonPlanner: all 30 tasks, 3 variations of each, after a training of 150 episodes",
    create: (options) => reasonPlannerStudy({ ...options, full: true }),
  },
  "reasonplanner-look-ahead-quick": {
    title: "ReasonPlanner: how far it looks ahead, how often it asks, and choices left open, on four tasks",
    create: (options) => lookAheadStudy(options),
  },
  "reasonplanner-look-ahead-full": {
    title: "ReasonPlanner: how far it looks ahead, how often it asks, and choices left open, on the tasks of Table 2",
    create: (options) => lookAheadStudy({ ...options, full: true }),
  },
  "wese-quick": {
    title: "WESE: a few households, experiments, questions and claims with Act and ReAct, alone, with WESE and with SESE",
    create: (options) => weseStudy(options),
  },
  "wese-full": {
    title: "WESE: 134 households, 296 experiments, 500 questions and 500 claims",
    create: (options) => weseStudy({ ...options, full: true }),
  },
};

/**
 * A registered study, `<id>` or `<id>@<models>`.
 *
 * @throws {UsageError} if there is none of that id.
 *
 * @example
 * ```ts
 * import { findStudy } from "labyrinth/papers";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(findStudy("arigraph-quick@gpt-4o").models, { "*": "gpt-4o" });
 * assert.throws(() => findStudy("arigraph-slow"), /there are arigraph-quick, arigraph-full/);
 * ```
 */
export function findStudy(id: string, options: StudyChoices = {}): Study {
  const [name = "", models] = id.split(/@(.*)/s, 2);
  const entry = Object.hasOwn(STUDIES, name) ? STUDIES[name] : undefined;
  if (!entry) throw new UsageError(`unknown study "${id}"; there are ${Object.keys(STUDIES).join(", ")}`);
  return entry.create(options.models || !models ? options : { ...options, models: parseRoleMap(models) });
}
