/**
 * The distributions that tests and intervals are made of. Their functions come from `@stdlib`.
 *
 * | symbol | here |
 * |---|---|
 * | Φ⁻¹(p), the standard normal | `normalQuantile` |
 * | P(\|T_ν\| ≥ \|t\|), t_{p, ν}, Student's t | `tTwoSided`, `tQuantile` |
 * | P(F_{d₁, d₂} ≥ f) = I_x(d₂/2, d₁/2), x = d₂/(d₂ + d₁ f) | `fUpperTail` |
 */

import type betainc from "@stdlib/math-base-special-betainc";
import type normalInverse from "@stdlib/stats-base-dists-normal-quantile";
import type tCdf from "@stdlib/stats-base-dists-t-cdf";
import type tInverse from "@stdlib/stats-base-dists-t-quantile";
import { loadModule } from "../platform.ts";
import { memoize } from "../text/memoize.ts";

/** The x with P(Z ≤ x) = p of the standard normal, 0 < p < 1. */
export function normalQuantile(p: number): number {
  checkProbability(p);
  return (stdlib("stats-base-dists-normal-quantile") as typeof normalInverse)(p, 0, 1);
}

/**
 * The t with P(T ≤ t) = p of Student's t distribution with `df` ≥ 1 degrees of freedom (an
 * integer), 0 < p < 1.
 */
export function tQuantile(p: number, df: number): number {
  checkProbability(p);
  checkDegrees(df);
  return (stdlib("stats-base-dists-t-quantile") as typeof tInverse)(p, df);
}

/** The two-sided p-value of a t statistic with `df` ≥ 1 degrees of freedom (an integer). */
export function tTwoSided(t: number, df: number): number {
  checkDegrees(df);
  return 2 * (stdlib("stats-base-dists-t-cdf") as typeof tCdf)(-Math.abs(t), df);
}

/** P(F ≥ f) of the F distribution with `d1` and `d2` ≥ 1 degrees of freedom; 0 ≤ f ≤ ∞. */
export function fUpperTail(f: number, d1: number, d2: number): number {
  const beta = stdlib("math-base-special-betainc") as typeof betainc;
  return beta(d2 / (d2 + d1 * f), d2 / 2, d1 / 2);
}

/**
 * The functions of `@stdlib`, each loaded at its first use: with their 230 small packages they take
 * 0.4 s to import.
 */
const stdlib = memoize((name) => loadModule<unknown>(`@stdlib/${name}`));

function checkProbability(p: number): void {
  if (!(p > 0 && p < 1)) {
    throw new RangeError(`cannot give a quantile: p must lie in (0, 1), current value is ${p}`);
  }
}

function checkDegrees(df: number): void {
  if (!Number.isInteger(df) || df < 1) {
    throw new RangeError(
      `cannot use Student's t: df must be an integer ≥ 1, current value is ${df}`,
    );
  }
}
