/**
 * Statistics: intervals, paired tests, analysis of variance, and the samples that papers drew.
 *
 * @module
 */
export * from "./anova.ts";
export { clusteredMeanInterval } from "./clusters.ts";
export {
  type EqualityOptions,
  type Interval,
  type MeanInterval,
  meanInterval,
  type MeanIntervalOptions,
} from "./intervals.ts";
export {
  comparePaired,
  type EpisodesGoal,
  episodesNeeded,
  holm,
  type PairedTest,
} from "./paired.ts";
export * from "./sampling.ts";
export * from "./shares.ts";
