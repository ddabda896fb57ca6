/**
 * How graphs grow over the steps, summed up by a label: the numbers under Figures 5 and 6 of AriGraph.
 *
 * @module
 */

import { mean } from "simple-statistics";
import type { StepRow } from "./frame.ts";

/** The episodes of a label at a step: their number, mean, least and most triplets, and triplets replaced up to the step per step taken. */
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
export function growthBy<Row extends Pick<StepRow, "episode" | "step" | "triplets" | "updated">>(
  steps: readonly Row[],
  labelOf: (row: Row) => string,
): Growth[] {
  const replaced = new Map<string, number>();
  const grown = steps.flatMap((row) => {
    const { episode, step, triplets, updated } = row;
    if (triplets === null || step === 0) return [];
    replaced.set(episode, (replaced.get(episode) ?? 0) + updated);
    return [{ label: labelOf(row), step, triplets, rate: (replaced.get(episode) as number) / step }];
  });
  return [...Map.groupBy(grown, ({ label, step }) => JSON.stringify([label, step])).values()].map((group) => {
    const [{ label, step }] = group as [typeof grown[number]];
    const sizes = group.map(({ triplets }) => triplets);
    const updateRate = mean(group.map(({ rate }) => rate));
    return { label, step, episodes: sizes.length, triplets: mean(sizes), least: Math.min(...sizes), most: Math.max(...sizes), updateRate };
  });
}
