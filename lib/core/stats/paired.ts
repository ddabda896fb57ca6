/**
 * Comparison of two conditions on the same cases (the same game, the same seed).
 *
 * | symbol | here |
 * |---|---|
 * | t = d̄/(s_d/√n), ν = n − 1, of d_i = a_i − b_i (Student) | `PairedTest.p`, or `unseenP` |
 * | d_z = d̄/s_d | `PairedTest.dz` |
 * | g_av = J(n − 1) · d̄/√((s_a² + s_b²)/2) (Cumming 2012, ch. 11) | `PairedTest.gav` |
 * | J(m) = Γ(m/2) / (√(m/2) · Γ((m − 1)/2)) (Hedges 1981) | `hedgesCorrection` |
 * | p̃_(i) = max_{j ≤ i} min(1, (m − j + 1) · p_(j)) (Holm 1979) | `holm` |
 *
 * d_z measures the power of the test, g_av the size of the difference relative to the spread of
 * single runs.
 */

import { gammaln, mean, sampleStandardDeviation, sampleVariance } from "simple-statistics";
import { normalQuantile, tQuantile, tTestPower, tTwoSided } from "./distributions.ts";
import {
  areEqual,
  type Interval,
  meanInterval,
  type MeanIntervalOptions,
  unseenP,
} from "./intervals.ts";

/** The difference of two conditions over the same cases: its interval, test and effect sizes. */
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
  /** d_z, the mean difference in standard deviations of the differences; absent with `p`. */
  readonly dz?: number;
  /**
   * Hedges' g_av, the mean difference in average standard deviations of the conditions; absent if
   * neither varies or n < 3.
   */
  readonly gav?: number;
}

/**
 * The mean difference a − b of paired values, with its interval, Student's paired t test and
 * effect sizes.
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
 * const { mean, p, dz } = comparePaired([0.9, 0.5, 0.7, 0.8], [0.4, 0.5, 0.3, 0.6], { range: [0, 1] });
 * assert.deepEqual([mean.toFixed(3), p?.toFixed(3), dz?.toFixed(2)], ["0.275", "0.089", "1.24"]);
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
  const average = Math.sqrt((sampleVariance([...a]) + sampleVariance([...b])) / 2);
  const dz = areEqual(differences, options)
    ? undefined
    : gap / sampleStandardDeviation(differences);
  const unseen = t?.ofEqualValues ? unseenP(gap, n, options.range, 0) : 0;
  const varies = ![a, b].every((values) => areEqual(values, { range: [least, most], scale }));
  return {
    n,
    mean: gap,
    t,
    p: dz === undefined ? undefined : Math.max(unseen, tTwoSided(dz * Math.sqrt(n), n - 1)),
    dz,
    gav: n > 2 && varies ? hedgesCorrection(n - 1) * gap / average : undefined,
  };
}

/**
 * Holm's adjusted p-values of a family of tests, in the order given. Rejecting those ≤ α keeps the
 * family-wise error at or below α, under any dependence between the tests. What has no p-value is
 * no test of the family.
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

/** The precision or power that a number of episodes is to reach. */
export type EpisodesGoal =
  /**
   * Student's interval of the mean at `level` (0.95 by default) of at most ± `halfWidth`, for a
   * standard deviation `sd`; both > 0, in one unit.
   */
  | { readonly sd: number; readonly halfWidth: number; readonly level?: number }
  /**
   * A two-sided paired t test at `alpha` (0.05 by default) that detects d_z = `effect` ≠ 0 with
   * probability `power` ≥ 0.5 (0.8 by default).
   */
  | { readonly effect: number; readonly power?: number; readonly alpha?: number };

/**
 * The smallest number of episodes (or pairs), at least 2, that reaches the goal: the least n with
 * t_{1−α/2, n−1} · sd/√n ≤ halfWidth, or with P(|T_{n−1}(effect·√n)| ≥ t_{1−α/2, n−1}) ≥ power.
 *
 * The standard deviation and the effect come from a pilot, and the result is no more reliable than
 * they are.
 *
 * @throws {RangeError} if the goal is out of range or needs more than a million episodes.
 *
 * @example
 * ```ts
 * import { episodesNeeded } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(episodesNeeded({ sd: 0.2, halfWidth: 0.1 }), 18);
 * assert.equal(episodesNeeded({ effect: 0.5 }), 34);
 * ```
 */
export function episodesNeeded(goal: EpisodesGoal): number {
  if ("sd" in goal) {
    const { sd, halfWidth, level = 0.95 } = goal;
    check("sd", sd, sd > 0);
    check("halfWidth", halfWidth, halfWidth > 0);
    check("level", level, level > 0 && level < 1);
    const p = 1 - (1 - level) / 2;
    return least(
      Math.floor((normalQuantile(p) * sd / halfWidth) ** 2),
      (n) => tQuantile(p, n - 1) * sd <= halfWidth * Math.sqrt(n),
    );
  }
  const { effect, power = 0.8, alpha = 0.05 } = goal;
  check("effect", effect, effect !== 0 && Number.isFinite(effect));
  check("alpha", alpha, alpha > 0 && alpha < 1);
  check("power", power, power >= 0.5 && power < 1);
  const normal = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  return least(Math.floor((normal / effect) ** 2), (n) => tTestPower(effect, n, alpha) >= power);
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

/**
 * Hedges' J(m), the factor that makes a standardised difference with m ≥ 2 degrees of freedom
 * unbiased; 0 for m < 2.
 */
export function hedgesCorrection(m: number): number {
  return m < 2 ? 0 : Math.exp(gammaln(m / 2) - gammaln((m - 1) / 2)) / Math.sqrt(m / 2);
}

function check(name: string, value: number, holds: boolean): void {
  if (!holds) {
    throw new RangeError(
      `cannot count the episodes needed: ${name} is out of range, current value is ${value}`,
    );
  }
}
