/**
 * GraphMind's measures over a cell of trials, each with its interval and the paper's two standard errors.
 *
 * | GraphMind | here |
 * |---|---|
 * | success rate p in percent (Tables 2 to 4, 7, 8) | `success`, Wilson's interval |
 * | SE = √(p(1 − p)/(n − 1)) fits Table 2, √(p(1 − p)/n) Table 4 | `se.unbiased`, `se.plain` |
 * | GED, mean ± SE | `ged`, bootstrap interval, s/√n |
 * | average steps to completion (Table 4) | `decisionsOfSuccesses` |
 * | decision steps (Appendix C) | `decisions` |
 * | primitive steps of the world | `steps`, `stepsOfSuccesses` |
 *
 * @module
 */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { bootstrapInterval, wilsonInterval } from "../../stats/intervals.ts";
import type { GraphMindTrial } from "./trials.ts";

/** The measures of a cell. */
export const GRAPHMIND_MEASURES: readonly GraphMindMeasure[] = [
  "success",
  "ged",
  "gedWhole",
  "decisions",
  "decisionsOfSuccesses",
  "steps",
  "stepsOfSuccesses",
];

/** One of them. */
export type GraphMindMeasure = "success" | "ged" | "gedWhole" | "decisions" | "decisionsOfSuccesses" | "steps" | "stepsOfSuccesses";

/** A mean of a cell. */
export interface CellMean {
  /** In percent for success, else in edits or steps. */
  readonly value: number;
  /** 95 % interval in the same unit: Wilson's for success, else a seeded percentile bootstrap; absent where there is none. */
  readonly low?: number;
  /** Its other end. */
  readonly high?: number;
  /** Standard errors in the same unit: with n − 1 and with n under the root; of a mean both are s/√n. Absent below 2 trials. */
  readonly se?: { readonly unbiased: number; readonly plain: number };
  /** Trials behind it. */
  readonly n: number;
  /** Their ids. */
  readonly episodes: readonly string[];
}

/**
 * A measure over completed trials; `undefined` where no trial has it (a graph edit distance without a graph).
 *
 * @example
 * ```ts
 * import { graphmindMean, type GraphMindTrial } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * const trial = { episode: "e", success: true } as GraphMindTrial;
 * const { value, se } = graphmindMean([...Array(29).fill(trial), { ...trial, success: false }], "success") ?? assert.fail();
 * assert.deepEqual([value.toFixed(1), se?.unbiased.toFixed(1)], ["96.7", "3.3"]); // as Table 2 prints it
 * ```
 */
export function graphmindMean(trials: readonly GraphMindTrial[], measure: GraphMindMeasure): CellMean | undefined {
  const measured = trials.flatMap((trial) => {
    const value = valueOf(trial, measure);
    return value === null ? [] : [{ value, episode: trial.episode }];
  });
  const n = measured.length;
  if (n === 0) return undefined;
  const [values, episodes] = [measured.map(({ value }) => value), measured.map(({ episode }) => episode)];
  const centre = mean(values);
  const shared = { value: centre, n, episodes };
  if (measure === "success") {
    const p = centre / 100;
    const { low, high } = wilsonInterval(values.filter((value) => value > 0).length, n);
    const root = (by: number): number => 100 * Math.sqrt(p * (1 - p) / by);
    return { ...shared, low: 100 * low, high: 100 * high, ...(n > 1 ? { se: { unbiased: root(n - 1), plain: root(n) } } : {}) };
  }
  if (n < 2) return shared;
  const se = sampleStandardDeviation(values) / Math.sqrt(n);
  return { ...shared, ...bootstrapInterval(values, { seed: 0 }), se: { unbiased: se, plain: se } };
}

function valueOf({ success, ged, gedWhole, decisions, steps }: GraphMindTrial, measure: GraphMindMeasure): number | null {
  if (success === null) return null;
  if (measure === "success") return success ? 100 : 0;
  if (measure === "decisionsOfSuccesses") return success ? decisions : null;
  if (measure === "stepsOfSuccesses") return success ? steps : null;
  return { ged, gedWhole, decisions, steps }[measure];
}
