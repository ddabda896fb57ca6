/**
 * Experiments: studies as data, playing and resuming them, and their estimated cost.
 *
 * @module
 */
export { about } from "./about.ts";
export { ask, type Asked, type AskOnceOptions } from "./ask.ts";
export { besidePaper, meanText } from "./beside-paper.ts";
export type { ConditionEstimate, Estimate } from "./estimate.ts";
export { experiment, type ExperimentOptions, type ExperimentWorld } from "./experiment.ts";
export type { ExperimentMemory, Level } from "./experiment-cases.ts";
export { type Belief, type Beliefs, beliefsOf } from "./truth/beliefs.ts";
export { asTextTruth, type TextTruth } from "./truth/text.ts";
export { COLORS, figure, type FigureOptions, type ShownFigure } from "./figure.ts";
export {
  calls,
  CALLS_COLUMNS,
  episodes,
  EPISODES_COLUMNS,
  GRAPH_STEPS_COLUMNS,
  graphSteps,
  LABELS,
  passes,
  PASSES_COLUMNS,
  steps,
  STEPS_COLUMNS,
} from "./frames.ts";
export { graphPicture, type GraphPictureOptions, type StatedTriplet } from "./graph-picture.ts";
export { playStudy, type PlayStudyOptions, priceStudy } from "./lab.ts";
export { withMemory } from "./with-memory.ts";
export {
  type DifferenceOptions,
  meanInterval,
  type MeanOptions,
  pairedDifference,
} from "./means.ts";
export { importReplies } from "./unpack.ts";
export { paperNumbers } from "./paper-numbers.ts";
export { type ColumnTypes, type DataFrame, frameOf, type FrameSchema, rowsOf } from "./frame-of.ts";
export {
  type Baseline,
  type ClaimEvidence,
  type ClaimOutcome,
  type ClaimTerms,
  type Judged,
  verdict,
} from "./verdict.ts";
export type { StudyModelsOptions } from "./models.ts";
export type { EpisodeCounts, Progress } from "./progress.ts";
export type { Shard } from "./shard.ts";
export { tripletsAfter } from "./recorder.ts";
export type { ChainCount, RunOptions } from "./run-options.ts";
export { resultOf, type StudyResult } from "./runner.ts";
export {
  type CustomMemory,
  type CustomMethod,
  type CustomValue,
  type EpisodeChain,
  type Factors,
  type Matrix,
  matrixChains,
  type Options,
  type PlannedEpisode,
  type Study,
} from "./study.ts";
export { type FrameTableOptions, type ShownTable, table } from "./table.ts";
export {
  type Budget,
  type Cap,
  createBudget,
  type Reservation,
  type RoleHistory,
  type Spent,
} from "./llm/budget.ts";
export type { CacheMode } from "./llm/cache.ts";
export { createModels, type ModelsOptions } from "./llm/stack.ts";
