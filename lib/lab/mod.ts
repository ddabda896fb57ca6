/**
 * Experiments: studies as data, playing and resuming them, and their estimated cost.
 *
 * @module
 */
export type { ConditionEstimate, Estimate, EstimateOptions } from "./estimate.ts";
export { experiment, type ExperimentMemory, type ExperimentOptions, type ExperimentWorld, type Level } from "./experiment.ts";
export { beginHumanSession, HUMAN, type HumanSession } from "./human.ts";
export { playStudy, type PlayStudyOptions, priceStudy } from "./lab.ts";
export type { StudyModelsOptions } from "./models.ts";
export type { EpisodeCounts, Progress } from "./progress.ts";
export { lanesOfShard, type Shard } from "./shard.ts";
export { tripletsAfter } from "./recorder.ts";
export { type LaneCount, resultOf, type RunOptions, type StudyResult } from "./runner.ts";
export {
  type CustomMemory,
  type CustomMethod,
  type CustomValue,
  type Factors,
  type Lane,
  type Matrix,
  matrixLanes,
  type Options,
  type PlannedEpisode,
  type Study,
} from "./study.ts";
