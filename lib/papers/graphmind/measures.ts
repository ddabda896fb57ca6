/**
 * GraphMind's measures over a cell of trials, and the paper's two standard errors.
 *
 * | GraphMind | here |
 * |---|---|
 * | success rate p in percent (Tables 2 to 4, 7, 8) | `success`, Wilson's interval |
 * | SE = √(p(1 − p)/(n − 1)) fits Table 2, √(p(1 − p)/n) Table 4 | `graphmindError`, which shows both |
 * | GED, mean ± SE | `ged`, bootstrap interval, s/√n |
 * | average steps to completion (Table 4) | `decisionsOfSuccesses` |
 * | decision steps (Appendix C) | `decisions` |
 * | primitive steps of the world | `steps`, `stepsOfSuccesses` |
 */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { meanMeasure, type Measure, wholeMeasure } from "../../report/estimate.ts";
import type { GraphMindTrial } from "./trials.ts";

/** How tables and the ledger label the measures, what captions call them, and how many digits they have. */
export const GRAPHMIND_MEASURES = {
  success: { label: "success, %", ledger: "success %", name: "success", digits: 1 },
  ged: { label: "GED, observed map", ledger: "GED", name: "GED", digits: 2 },
  gedWhole: { label: "GED, whole map", ledger: "GED, whole map", name: "GED", digits: 2 },
  decisions: { label: "decision steps", ledger: "decision steps", name: "decision steps", digits: 1 },
  decisionsOfSuccesses: { label: "decision steps, successes", ledger: "steps to completion", name: "decision steps", digits: 1 },
  steps: { label: "world steps, all trials", ledger: "world steps", name: "world steps", digits: 1 },
  stepsOfSuccesses: { label: "world steps, successes", ledger: "world steps to completion", name: "world steps", digits: 1 },
};

/** A measure of a trial. */
export type GraphMindMeasure = keyof typeof GRAPHMIND_MEASURES;

/** The cluster of a trial: what differs between trials of one layout is less than what differs between layouts. */
export function layoutOf({ mission, layout }: GraphMindTrial): string {
  return `${mission} ${layout}`;
}

/** Whether measures count a trial: one that repeats another does not. */
export function isCounted({ isRepeat }: GraphMindTrial): boolean {
  return !isRepeat;
}

/** A trial's value, success in percent; `undefined` where it has none, or repeats another trial. */
function valueOf({ success, ged, gedWhole, decisions, steps, isRepeat }: GraphMindTrial, key: GraphMindMeasure): number | undefined {
  if (isRepeat) return undefined;
  if (key === "success") return success ? 100 : 0;
  if (key === "decisionsOfSuccesses") return success ? decisions ?? undefined : undefined;
  if (key === "stepsOfSuccesses") return success ? steps ?? undefined : undefined;
  return { ged, gedWhole, decisions, steps }[key] ?? undefined;
}

/** The mean of a measure over trials, with layouts as clusters. */
export function graphmindMean(key: GraphMindMeasure): Measure<GraphMindTrial> {
  const { name, digits } = GRAPHMIND_MEASURES[key];
  const shared = { name, digits, of: (trial: GraphMindTrial) => valueOf(trial, key), clusterOf: layoutOf };
  return key === "success"
    ? meanMeasure({ ...shared, how: () => "share", range: [0, 100], better: "more", interval: "wilson" })
    : meanMeasure({ ...shared, how: () => "mean", range: [0, Infinity], better: "less", interval: "bootstrap" });
}

/** The standard error of that mean: s/√n; of success √(p(1 − p)/(n − 1)), beside which the table shows √(p(1 − p)/n), which some of the paper's print. */
export function graphmindError(key: GraphMindMeasure): Measure<GraphMindTrial> {
  const { name, digits } = GRAPHMIND_MEASURES[key];
  return wholeMeasure({
    name: `standard error of ${name}`,
    how: () => "standard error",
    range: [0, Infinity],
    digits,
    counts: (trial) => valueOf(trial, key) !== undefined,
    of: (trials) => {
      const [values, n] = [trials.map((trial) => valueOf(trial, key) as number), trials.length];
      if (n === 0) return "no trial counts";
      if (n < 2) return "one trial has no standard error";
      const p = mean(values) / 100;
      return key === "success" ? 100 * Math.sqrt(p * (1 - p) / (n - 1)) : sampleStandardDeviation(values) / Math.sqrt(n);
    },
    noInterval: "a standard error is the width of one",
    show: ({ value, episodes: { length: n } }) =>
      key === "success" ? `${value.toFixed(digits)} | ${(value * Math.sqrt((n - 1) / n)).toFixed(digits)}` : value.toFixed(digits),
  });
}
