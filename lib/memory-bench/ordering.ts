/** Whether two memories come in the same order on two disjoint ranges of seeds. */

import { mean } from "simple-statistics";
import { type Interval, tInterval } from "../stats/intervals.ts";

/** The normalised score of a game. */
export interface GameScore {
  readonly memory: string;
  readonly range: string;
  readonly game: number;
  readonly score: number;
}

/**
 * `same`: the mean difference has the same sign on both ranges, or is 0 on one; `within intervals`: the signs differ, and the two 95 % intervals
 * overlap; `reversed`: the signs differ, and they do not; `cannot tell`: a range has fewer than two games of both.
 */
export type OrderVerdict = "same" | "within intervals" | "reversed" | "cannot tell";

/** The mean paired difference of two memories on a range, with Student's 95 % interval over its games. */
export interface RangeDifference extends Partial<Interval> {
  readonly range: string;
  readonly mean: number;
  readonly games: number;
}

/** Two memories on both ranges. */
export interface PairOrder {
  readonly memories: readonly [string, string];
  readonly differences: readonly RangeDifference[];
  readonly verdict: OrderVerdict;
}

/**
 * Compares the order of every two memories on the first two ranges, over games that both have played.
 *
 * @example
 * ```ts
 * import { orderings } from "labyrinth/memory-bench";
 * import assert from "node:assert/strict";
 *
 * const scores = (memory: string, range: string, values: number[]) => values.map((score, game) => ({ memory, range, game, score }));
 * const a = [...scores("a", "A", [0.9, 1]), ...scores("a", "B", [0.8, 0.9])];
 * const b = [...scores("b", "A", [0.2, 0.3]), ...scores("b", "B", [0.4, 0.3])];
 * assert.equal(orderings([...a, ...b])[0]?.verdict, "same");
 * ```
 */
export function orderings(scores: readonly GameScore[]): PairOrder[] {
  const memories = [...new Set(scores.map(({ memory }) => memory))];
  const ranges = [...new Set(scores.map(({ range }) => range))];
  const pairs = memories.flatMap((a, at) => memories.slice(at + 1).map((b) => [a, b] as const));
  return pairs.map(([a, b]) => {
    const differences = ranges.slice(0, 2).map((range) => differenceOn(scores.filter((one) => one.range === range), range, a, b));
    return { memories: [a, b], differences, verdict: verdictOf(differences) };
  });
}

function differenceOn(scores: readonly GameScore[], range: string, a: string, b: string): RangeDifference {
  const of = (memory: string): Map<number, number> =>
    new Map(scores.filter((one) => one.memory === memory).map((one) => [one.game, one.score]));
  const theirs = of(b);
  const values = [...of(a)].flatMap(([game, score]) => theirs.has(game) ? [score - (theirs.get(game) ?? NaN)] : []);
  return { range, games: values.length, mean: values.length === 0 ? NaN : mean(values), ...(values.length > 1 ? tInterval(values) : {}) };
}

function verdictOf([first, second]: readonly RangeDifference[]): OrderVerdict {
  if (first?.low === undefined || first.high === undefined || second?.low === undefined || second.high === undefined) return "cannot tell";
  if (first.mean * second.mean >= 0) return "same";
  return first.low <= second.high && second.low <= first.high ? "within intervals" : "reversed";
}

/** The ordering in one sentence. */
export function orderingText(pairs: readonly PairOrder[]): string {
  const of = (verdict: OrderVerdict): string[] =>
    pairs.filter((pair) => pair.verdict === verdict).map(({ memories: [a, b] }) => `${a} and ${b}`);
  const [same, within, reversed, unknown] = [of("same"), of("within intervals"), of("reversed"), of("cannot tell")];
  const verdict = pairs.length === 0
    ? "there is nothing to order"
    : reversed.length > 0
    ? `not the same: ${reversed.join("; ")} change places`
    : unknown.length === pairs.length
    ? "unknown: fewer than two games a range"
    : within.length > 0
    ? "the same within the intervals"
    : "the same";
  return `The ordering of memories on two disjoint ranges of seeds is ${verdict} (${same.length} of ${pairs.length} pairs have the same sign, ` +
    `${within.length} differ within their intervals, ${reversed.length} beyond them, ${unknown.length} cannot be told).`;
}
