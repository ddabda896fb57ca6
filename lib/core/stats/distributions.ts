/**
 * The distributions that tests and intervals are made of. Their functions come from `@stdlib`; the
 * power of the t test is ours.
 *
 * | symbol | here |
 * |---|---|
 * | Φ(x), Φ⁻¹(p), the standard normal | `normalProbability`, `normalQuantile` |
 * | P(\|T_ν\| ≥ \|t\|), t_{p, ν}, Student's t | `tTwoSided`, `tQuantile` |
 * | P(F_{d₁, d₂} ≥ f) = I_x(d₂/2, d₁/2), x = d₂/(d₂ + d₁ f) | `fUpperTail` |
 * | P(\|T_ν(δ)\| ≥ t_{1−α/2, ν}), δ = d√n, ν = n − 1 | `tTestPower` |
 */

import type betainc from "@stdlib/math-base-special-betainc";
import type normalCdf from "@stdlib/stats-base-dists-normal-cdf";
import type normalInverse from "@stdlib/stats-base-dists-normal-quantile";
import type tCdf from "@stdlib/stats-base-dists-t-cdf";
import type tInverse from "@stdlib/stats-base-dists-t-quantile";
import { gammaln } from "simple-statistics";
import { loadModule } from "../platform.ts";

/** P(Z ≤ x) of the standard normal. */
export function normalProbability(x: number): number {
  return stdlib.normalCdf()(x, 0, 1);
}

/** The x with P(Z ≤ x) = p of the standard normal, 0 < p < 1. */
export function normalQuantile(p: number): number {
  checkProbability(p);
  return stdlib.normalInverse()(p, 0, 1);
}

/**
 * The t with P(T ≤ t) = p of Student's t distribution with `df` ≥ 1 degrees of freedom (an
 * integer), 0 < p < 1.
 */
export function tQuantile(p: number, df: number): number {
  checkProbability(p);
  checkDegrees(df);
  return stdlib.tInverse()(p, df);
}

/** The two-sided p-value of a t statistic with `df` ≥ 1 degrees of freedom (an integer). */
export function tTwoSided(t: number, df: number): number {
  checkDegrees(df);
  return 2 * stdlib.tCdf()(-Math.abs(t), df);
}

/** P(F ≥ f) of the F distribution with `d1` and `d2` ≥ 1 degrees of freedom; 0 ≤ f ≤ ∞. */
export function fUpperTail(f: number, d1: number, d2: number): number {
  return stdlib.betainc()(d2 / (d2 + d1 * f), d2 / 2, d1 / 2);
}

/**
 * The power of the two-sided one-sample (or paired) t test: the probability that it rejects at
 * `alpha` where the true standardised difference is `effect` (d_z, in standard deviations of the
 * differences) and there are `n` ≥ 2 values.
 *
 * With s² = σ²·χ²_ν/ν and u = s/σ, T rejects unless |Z + δ| < t·u; the probability of that is
 * integrated over the density of u (Simpson).
 */
export function tTestPower(effect: number, n: number, alpha = 0.05): number {
  const df = n - 1;
  const t = tQuantile(1 - alpha / 2, df);
  const delta = effect * Math.sqrt(n);
  const scale = Math.LN2 + (df / 2) * Math.log(df / 2) - gammaln(df / 2);
  const density = (u: number): number =>
    u === 0
      ? (df === 1 ? Math.exp(scale) : 0)
      : Math.exp(scale + (df - 1) * Math.log(u) - df * u * u / 2);
  const kept = (u: number): number =>
    (normalProbability(t * u - delta) - normalProbability(-t * u - delta)) * density(u);
  return 1 - simpson(kept, Math.max(0, 1 - 9 / Math.sqrt(2 * df)), 1 + 9 / Math.sqrt(2 * df));
}

/** The integral of a smooth function by Simpson's rule with 2000 intervals. */
function simpson(f: (x: number) => number, from: number, to: number): number {
  const halves = 1000;
  const step = (to - from) / (2 * halves);
  let sum = f(from) + f(to);
  for (let i = 1; i < 2 * halves; i++) sum += (i % 2 === 1 ? 4 : 2) * f(from + i * step);
  return sum * step / 3;
}

/**
 * The functions of `@stdlib`, each loaded at its first use: with their 230 small packages they take
 * 0.4 s to import.
 */
const stdlib = {
  betainc: memoize(() => loadModule<typeof betainc>("@stdlib/math-base-special-betainc")),
  normalCdf: memoize(() => loadModule<typeof normalCdf>("@stdlib/stats-base-dists-normal-cdf")),
  normalInverse: memoize(() =>
    loadModule<typeof normalInverse>("@stdlib/stats-base-dists-normal-quantile")
  ),
  tCdf: memoize(() => loadModule<typeof tCdf>("@stdlib/stats-base-dists-t-cdf")),
  tInverse: memoize(() => loadModule<typeof tInverse>("@stdlib/stats-base-dists-t-quantile")),
};

function memoize<T>(load: () => T): () => T {
  let loaded: T | undefined;
  return () => loaded ??= load();
}

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
