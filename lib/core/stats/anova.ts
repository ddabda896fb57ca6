/**
 * One-way analysis of variance, as ReasonPlanner compares its four methods (Pham-Dinh et al. 2024,
 * arXiv 2410.09252, §4.2.2).
 *
 * With k groups of n_i values, N in all, means m_i and grand mean m:
 *
 *   F = [Σ n_i (m_i − m)² ÷ (k − 1)] ÷ [Σ Σ (x_ij − m_i)² ÷ (N − k)]
 *
 * and p is the upper tail of the F distribution with k − 1 and N − k degrees of freedom.
 */

import { mean, sum } from "simple-statistics";
import { fUpperTail } from "./distributions.ts";

/** Result of a one-way analysis of variance. */
export interface Anova {
  /** The ratio F ≥ 0; Infinity where the groups differ and every value equals its group's mean. */
  readonly f: number;
  /** Degrees of freedom between the groups, k − 1, and within them, N − k. */
  readonly degrees: { readonly between: number; readonly within: number };
  /** Probability of at least this F if all groups came from one normal distribution, in [0, 1]. */
  readonly p: number;
}

/**
 * One-way analysis of variance: F, its degrees of freedom and p.
 *
 * @throws {RangeError} if there are fewer than two groups, one is empty, none has two values, or
 *   all values are equal, which leaves F undefined.
 *
 * @example
 * ```ts
 * import { oneWayAnova } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * const { f, degrees, p } = oneWayAnova([[6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12]]);
 * assert.deepEqual([f.toFixed(3), degrees, p.toFixed(5)], ["9.265", { between: 2, within: 15 }, "0.00240"]);
 * ```
 */
export function oneWayAnova(groups: readonly (readonly number[])[]): Anova {
  const all = groups.flat();
  const degrees = { between: groups.length - 1, within: all.length - groups.length };
  if (degrees.between < 1 || degrees.within < 1 || groups.some((group) => group.length === 0)) {
    const sizes = groups.map((group) => group.length).join(", ") || "none";
    throw new RangeError(
      `cannot compute a one-way ANOVA: it needs at least two groups, none empty and one of two values; sizes are ${sizes}`,
    );
  }
  const grand = mean(all);
  const means = groups.map((group) => mean([...group]));
  const between =
    sum(groups.map((group, i) => group.length * ((means[i] as number) - grand) ** 2)) /
    degrees.between;
  const within =
    sum(groups.flatMap((group, i) => group.map((value) => (value - (means[i] as number)) ** 2))) /
    degrees.within;
  if (between === 0 && within === 0) {
    throw new RangeError(
      "cannot compute a one-way ANOVA: F is undefined where all values are equal",
    );
  }
  const f = between / within;
  return { f, degrees, p: fUpperTail(f, degrees.between, degrees.within) };
}
