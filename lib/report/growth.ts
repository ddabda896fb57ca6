/** Numbers over the steps, summed up over episodes: how graphs grow (Figures 5 and 6 of AriGraph), and bands for lines. */

import { mean } from "simple-statistics";
import type { StepRow } from "./frame.ts";

/** The episodes of a label at a step: their number, mean, least and most triplets, and triplets replaced up to the step per step taken. */
export type Growth =
  & { readonly label: string }
  & Readonly<Record<"step" | "episodes" | "triplets" | "least" | "most" | "updateRate", number>>;

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

/** The values of `n` episodes after a step. */
export type Band = Readonly<Record<"step" | "n" | "mean" | "least" | "most", number>>;

/** Sums the values of episodes up by step, from 0 to the last of `steps`; one that ended, or has none of a step, keeps its last value. */
export function bandsOf(
  episodes: readonly (readonly number[])[],
  steps = Math.max(...episodes.map(({ length }) => length - 1)),
): Band[] {
  return Array.from({ length: steps + 1 }, (_, step) => {
    const values = episodes.map((values) => values.findLast((value, at) => at <= step && value !== undefined) ?? 0);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return { step, n: values.length, mean, least: Math.min(...values), most: Math.max(...values) };
  });
}
