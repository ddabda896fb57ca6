/**
 * Comparison of two conditions on the same cases (the same game, the same seed).
 *
 * | symbol | here |
 * |---|---|
 * | t = d̄/(s_d/√n), ν = n − 1, of d_i = a_i − b_i (Student) | `PairedTest.p`, or `unseenP` |
 * | p̃_(i) = max_{j ≤ i} min(1, (m − j + 1) · p_(j)) (Holm 1979) | `holm` |
 */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { normalQuantile, tQuantile, tTwoSided } from "./distributions.ts";
import {
  areEqual,
  type Interval,
  meanInterval,
  type MeanIntervalOptions,
  unseenP,
} from "./intervals.ts";

/** The difference of two conditions over the same cases: its interval and test. */
export interface PairedTest {
  /** Number of pairs. */
  readonly n: number;
  /** Mean of a − b, d̄. */
  readonly mean: number;
  /**
   * Student's interval of that mean; of equal differences `unseenInterval`, absent without a range.
   */
  readonly t?: Interval;
  /**
   * Two-sided p-value of Student's paired t test; where the interval is `ofEqualValues`, `unseenP`
   * if that is greater. Absent where all are equal, because t is undefined then.
   */
  readonly p?: number;
}

/**
 * The mean difference a − b of paired values, with its interval and Student's paired t test.
 *
 * @param options `range`: the least and greatest value that a and b can have (default: any); the
 *   others are those of `meanInterval`
 * @throws {RangeError} if the lengths differ or there are fewer than two pairs.
 *
 * @example
 * ```ts
 * import { comparePaired } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * const { mean, p } = comparePaired([0.9, 0.5, 0.7, 0.8], [0.4, 0.5, 0.3, 0.6], { range: [0, 1] });
 * assert.deepEqual([mean.toFixed(3), p?.toFixed(3)], ["0.275", "0.089"]);
 * ```
 */
export function comparePaired(
  a: readonly number[],
  b: readonly number[],
  { range: [least, most] = [-Infinity, Infinity], ...rest }: Omit<MeanIntervalOptions, "scale"> =
    {},
): PairedTest {
  if (a.length !== b.length) {
    throw new RangeError(
      `cannot pair values: both lists must be of one length, current lengths are ${a.length} and ${b.length}`,
    );
  }
  const differences = a.map((value, i) => value - (b[i] as number));
  const scale = Math.max(...[...a, ...b].map(Math.abs));
  const options = { ...rest, range: [least - most, most - least], scale } as const;
  const t = meanInterval(differences, options);
  const n = differences.length;
  const gap = mean(differences);
  const unseen = t?.ofEqualValues ? unseenP(gap, n, options.range, 0) : 0;
  const p = areEqual(differences, options) ? undefined : Math.max(
    unseen,
    tTwoSided(gap / sampleStandardDeviation(differences) * Math.sqrt(n), n - 1),
  );
  return { n, mean: gap, t, p };
}

/**
 * Holm's adjusted p-values of a family of tests, in the order given. Rejecting those ≤ α keeps the
 * family-wise error at or below α, under any dependence between the tests. A test without a p-value
 * is left out.
 *
 * @example
 * ```ts
 * import { holm } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(holm([0.25, 0.01, 0.125]), [0.25, 0.03, 0.25]);
 * ```
 */
export function holm<P extends number | undefined>(pValues: readonly P[]): P[] {
  const order = pValues.flatMap((p, index) => p === undefined ? [] : [{ p: Number(p), index }])
    .sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted = [...pValues];
  let highest = 0;
  order.forEach(({ p, index }, rank) => {
    highest = Math.max(highest, Math.min(1, (order.length - rank) * p));
    adjusted[index] = highest as P;
  });
  return adjusted;
}

/** The precision that a number of episodes is to reach. */
export interface EpisodesGoal {
  /** Standard deviation of the values, > 0. */
  readonly sd: number;
  /** Half the width of the mean's interval, > 0, in the same unit. */
  readonly halfWidth: number;
  /** Nominal coverage of that interval, in (0, 1). @default {0.95} */
  readonly level?: number;
}

/**
 * The smallest number of episodes (or pairs), at least 2, for which Student's interval of the mean
 * is as narrow as wanted: the least n with t_{1−α/2, n−1} · sd/√n ≤ halfWidth. The result is no
 * more reliable than the standard deviation, which comes from a pilot.
 *
 * @throws {RangeError} if the goal is out of range or needs more than a million episodes.
 *
 * @example
 * ```ts
 * import { episodesNeeded } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(episodesNeeded({ sd: 0.2, halfWidth: 0.1 }), 18);
 * ```
 */
export function episodesNeeded({ sd, halfWidth, level = 0.95 }: EpisodesGoal): number {
  check("sd", sd, sd > 0);
  check("halfWidth", halfWidth, halfWidth > 0);
  check("level", level, level > 0 && level < 1);
  const p = 1 - (1 - level) / 2;
  return least(
    Math.floor((normalQuantile(p) * sd / halfWidth) ** 2),
    (n) => tQuantile(p, n - 1) * sd <= halfWidth * Math.sqrt(n),
  );
}

/**
 * The least n ≥ 2 that is enough, searched upwards from the number that the normal distribution
 * gives, which is never larger.
 */
function least(from: number, enough: (n: number) => boolean): number {
  if (from > 1_000_000) {
    throw new RangeError(
      `cannot count the episodes needed: they are more than a million (${from}); ask for less precision`,
    );
  }
  let n = Math.max(2, from);
  while (!enough(n)) n++;
  return n;
}

function check(name: string, value: number, holds: boolean): void {
  if (!holds) {
    throw new RangeError(
      `cannot count the episodes needed: ${name} is out of range, current value is ${value}`,
    );
  }
}
