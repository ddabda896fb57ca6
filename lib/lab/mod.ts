/**
 * The laboratory: studies as data, their runner, what is left of an interrupted one, statistics.
 *
 * @module
 */
export type { Estimate } from "./estimate.ts";
export { beginHumanSession, HUMAN, type HumanSession } from "./human.ts";
export { playStudy, type PlayStudyOptions, priceStudy } from "./lab.ts";
export { checkModels, studyModels, type StudyModelsOptions } from "./models.ts";
export type { RunPorts } from "./ports.ts";
export type { Progress } from "./progress.ts";
export { tripletsAfter } from "./recorded-graph.ts";
export { resultOf, type RunOptions, runStudy, type StudyResult } from "./runner.ts";
export {
  type CustomMemory,
  type CustomMethod,
  type Lane,
  type Matrix,
  matrixLanes,
  type Options,
  type PlannedEpisode,
  type Study,
} from "./study.ts";
