/**
 * The laboratory: studies as data, their runner, what is left of an interrupted one, statistics.
 *
 * @module
 */
export { normalProbability, normalQuantile, tQuantile, tTestPower, tTwoSided } from "./distributions.ts";
export type { Estimate } from "./estimate.ts";
export { beginHumanSession, HUMAN, type HumanSession } from "./human.ts";
export { playStudy, type PlayStudyOptions, priceStudy } from "./lab.ts";
export { checkModels, studyModels, type StudyModelsOptions } from "./models.ts";
export { offlineResponders } from "./offline.ts";
export * from "./paired.ts";
export type { RunPorts } from "./ports.ts";
export type { Progress } from "./progress.ts";
export { tripletsAfter } from "./recorded-graph.ts";
export * from "./replay/mod.ts";
export { resultOf, type RunOptions, runStudy, type StudyResult } from "./runner.ts";
export * from "./sampling.ts";
export * from "./anova.ts";
export * from "./statistics.ts";
export {
  type ArigraphQuestionsOptions,
  arigraphQuestionsStudy,
  arigraphStudy,
  type ArigraphStudyOptions,
  findStudy,
  graphmindStudy,
  type GraphMindStudyOptions,
  lookAheadStudy,
  nethackStudy,
  type NetHackStudyOptions,
  randomWalkStudy,
  type RandomWalkStudyOptions,
  reasonPlannerStudy,
  type ReasonPlannerStudyOptions,
  type RlBenchmarkOptions,
  rlBenchmarkStudy,
  STUDIES,
  type StudyChoices,
  type StudyEntry,
  type StudyOptions,
  weakModelStudies,
  weseStudy,
  type WeseStudyOptions,
} from "./studies/mod.ts";
export {
  type Lane,
  type Matrix,
  matrixLanes,
  type Options,
  type OwnMemory,
  type OwnMethod,
  type PlannedEpisode,
  type Study,
} from "./study.ts";
