/** Whether two memories come in the same order on two disjoint ranges of seeds. */

import { mean } from "simple-statistics";
import { type Interval, meanInterval } from "../stats/intervals.ts";
import type { BenchTrial } from "./trials.ts";

/** An episode as far as its score counts here. */
export type ScoredGame = Pick<BenchTrial, "memory" | "range" | "game"> & { readonly values: Pick<BenchTrial["values"], "score"> };

/**
 * `same`: the mean difference has the same sign on both ranges, or is 0 on one; `within intervals`: the signs differ, and the two 95 % intervals
 * overlap; `reversed`: the signs differ, and they do not; `cannot tell`: a range has fewer than two games of both.
 */
export type OrderVerdict = "same" | "within intervals" | "reversed" | "cannot tell";

/** Two memories on both ranges. */
export interface PairOrder {
  readonly memories: readonly [string, string];
  /** The mean paired difference of their scores on each range, with Student's 95 % interval over the games that both have played. */
  readonly differences: readonly (Partial<Interval> & { readonly mean: number; readonly games: number })[];
  readonly verdict: OrderVerdict;
}

/**
 * Compares the order of every two memories on the first two ranges, over games that both have played in one world.
 *
 * @param scores the least and the greatest score there
 */
export function orderings(trials: readonly ScoredGame[], scores: readonly [number, number] = [0, 1]): PairOrder[] {
  const memories = [...new Set(trials.map(({ memory }) => memory))];
  const ranges = [...new Set(trials.map(({ range }) => range))].slice(0, 2);
  return memories.flatMap((a, at) =>
    memories.slice(at + 1).map((b): PairOrder => {
      const differences = ranges.map((range) => differenceOf(trials.filter((one) => one.range === range), [a, b], scores));
      return { memories: [a, b], differences, verdict: verdictOf(differences) };
    })
  );
}

function differenceOf(
  trials: readonly ScoredGame[],
  memories: PairOrder["memories"],
  [least, most]: readonly [number, number],
): PairOrder["differences"][number] {
  const [ours = new Map(), theirs = new Map()] = memories.map((id) =>
    new Map(trials.flatMap(({ memory, game, values: { score } }) => memory === id && typeof score === "number" ? [[game, score]] : []))
  );
  const values = [...ours].flatMap(([game, score]): number[] => theirs.has(game) ? [score - theirs.get(game)] : []);
  const interval = values.length > 1 ? meanInterval(values, { range: [least - most, most - least] }) : undefined;
  return {
    games: values.length,
    mean: values.length === 0 ? NaN : Number(mean(values).toFixed(12)) + 0, // no rounding error has a sign
    ...interval,
  };
}

function verdictOf([first, second]: PairOrder["differences"]): OrderVerdict {
  if (first?.low === undefined || first.high === undefined || second?.low === undefined || second.high === undefined) return "cannot tell";
  if (first.mean * second.mean >= 0) return "same";
  return first.low <= second.high && second.low <= first.high ? "within intervals" : "reversed";
}

/** The ordering in one sentence. */
export function orderingText(pairs: readonly PairOrder[]): string {
  const by = Map.groupBy(pairs, ({ verdict }) => verdict);
  const count = (verdict: OrderVerdict): number => by.get(verdict)?.length ?? 0;
  const clear = by.get("same")?.filter(({ differences }) => differences.every(({ low = 0, high = 0 }) => low > 0 || high < 0)) ?? [];
  const reversed = by.get("reversed")?.map(({ memories: [a, b] }) => `${a} and ${b}`);
  const verdict = reversed
    ? `not the same: ${reversed.join("; ")} change places`
    : count("cannot tell") === pairs.length
    ? "unknown: fewer than two games a range"
    : count("within intervals") > 0
    ? "the same within the intervals"
    : "the same";
  return `The ordering of memories on two disjoint ranges of seeds is ${verdict} (` +
    `${count("same")} of ${pairs.length} pairs have the same sign, ${clear.length} of them with intervals clear of 0 on both, ` +
    `${count("within intervals")} differ within their intervals, ${count("reversed")} beyond them, ${
      count("cannot tell")
    } cannot be told).`;
}
