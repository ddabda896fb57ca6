/**
 * How graphs grow over the steps, summed up by a label: the numbers under Figures 5 and 6 of AriGraph.
 *
 * @module
 */

import { mean } from "simple-statistics";

/** What is read of each recorded step. */
interface GrowthStep {
  readonly episode: string;
  readonly step: number;
  /** Standing triplets after the step; null without a graph. */
  readonly triplets: number | null;
  /** Triplets removed at the step. */
  readonly updated: number;
}

/** By label and step: episodes still running, mean, least and most triplets, and triplets replaced up to the step per step taken. */
export interface Growth {
  readonly label: string;
  readonly step: number;
  readonly episodes: number;
  readonly triplets: number;
  readonly least: number;
  readonly most: number;
  readonly updateRate: number;
}

/** Sums steps up; rows of an episode must come in order of step. The reset and steps without a graph are left out. */
export function growthBy<Row extends GrowthStep>(steps: readonly Row[], labelOf: (row: Row) => string): Growth[] {
  const replaced = new Map<string, number>();
  const groups = new Map<string, { readonly label: string; readonly step: number; readonly sizes: number[]; readonly rates: number[] }>();
  for (const row of steps) {
    const { episode, step, triplets, updated } = row;
    if (triplets === null || step === 0) continue;
    const total = (replaced.get(episode) ?? 0) + updated;
    replaced.set(episode, total);
    const label = labelOf(row);
    const group = groups.getOrInsertComputed(`${label}\n${step}`, () => ({ label, step, sizes: [], rates: [] }));
    group.sizes.push(triplets);
    group.rates.push(total / step);
  }
  return [...groups.values()].map(({ label, step, sizes, rates }) => ({
    label,
    step,
    episodes: sizes.length,
    triplets: mean(sizes),
    least: Math.min(...sizes),
    most: Math.max(...sizes),
    updateRate: mean(rates),
  }));
}
