/**
 * Statistics: intervals, paired tests, analysis of variance, samples as the papers drew them.
 *
 * @module
 */
export * from "./anova.ts";
export { normalProbability, normalQuantile, tQuantile, tTestPower, tTwoSided } from "./distributions.ts";
export * from "./paired.ts";
export * from "./sampling.ts";
export * from "./intervals.ts";
