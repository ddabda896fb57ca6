/**
 * Statistics: intervals, paired tests, analysis of variance, and the samples that papers drew.
 *
 * @module
 */
export * from "./anova.ts";
export * from "./intervals.ts";
export { comparePaired, type EpisodesGoal, episodesNeeded, holm, type PairedTest } from "./paired.ts";
export * from "./sampling.ts";
