/**
 * The few distributions that tests and intervals are made of, to about twelve digits.
 *
 * | symbol | here |
 * |---|---|
 * | Φ(x), Φ⁻¹(p), the standard normal | `normalProbability`, `normalQuantile` |
 * | P(\|T_ν\| ≥ \|t\|), t_{p, ν}, Student's t | `tTwoSided`, `tQuantile` |
 * | P(\|T_ν(δ)\| ≥ t_{1−α/2, ν}), δ = d√n, ν = n − 1 | `tTestPower` |
 *
 * @module
 */

import { gammaln } from "simple-statistics";

/**
 * P(Z ≤ x) of the standard normal: the series of Marsaglia (2004, J. Stat. Softw. 11(4)), ½ + φ(x)·(x + x³/3 + x⁵/15 + …); 0 and 1 beyond
 * ±8.
 *
 * @example
 * ```ts
 * import { normalProbability } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(normalProbability(2).toFixed(10), "0.9772498681");
 * ```
 */
export function normalProbability(x: number): number {
  if (Math.abs(x) > 8) return x < 0 ? 0 : 1;
  let sum = x;
  let before = 0;
  for (let term = x, odd = 3; sum !== before; odd += 2) {
    before = sum;
    term *= x * x / odd;
    sum += term;
  }
  return 0.5 + sum * Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI);
}

/**
 * The x with P(Z ≤ x) = p, by bisection; 0 < p < 1.
 *
 * @example
 * ```ts
 * import { normalQuantile } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(normalQuantile(0.975).toFixed(6), "1.959964");
 * ```
 */
export function normalQuantile(p: number): number {
  checkProbability(p);
  return p < 0.5 ? -above(1 - p, normalProbability) : above(p, normalProbability);
}

/**
 * The quantile of Student's t distribution with `df` ≥ 1 degrees of freedom (an integer): the t with P(T ≤ t) = p, 0 < p < 1.
 *
 * Found by bisection of the finite sums for integer degrees of freedom (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4); O(df) a halving.
 *
 * @example
 * ```ts
 * import { tQuantile } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(tQuantile(0.975, 4).toFixed(4), "2.7764");
 * ```
 */
export function tQuantile(p: number, df: number): number {
  checkProbability(p);
  checkDegrees(df);
  const probability = (t: number): number => (1 + tInside(t, df)) / 2;
  return p < 0.5 ? -above(1 - p, probability) : above(p, probability);
}

/**
 * The two-sided p-value of a t statistic with `df` ≥ 1 degrees of freedom (an integer), to about 1e-15.
 *
 * @example
 * ```ts
 * import { tTwoSided } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(tTwoSided(2, 4).toFixed(6), "0.116117");
 * ```
 */
export function tTwoSided(t: number, df: number): number {
  checkDegrees(df);
  return Math.max(0, 1 - tInside(Math.abs(t), df));
}

/**
 * The power of the two-sided one-sample (or paired) t test: the chance that it rejects at `alpha` where the true standardised difference is
 * `effect` and there are `n` ≥ 2 values.
 *
 * With s² = σ²·χ²_ν/ν and u = s/σ, T rejects unless |Z + δ| < t·u; the chance of that is integrated over the density of u (Simpson).
 *
 * @param effect d_z, the true mean difference in standard deviations of the differences
 *
 * @example
 * ```ts
 * import { tTestPower } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.equal(tTestPower(0.5, 34).toFixed(4), "0.8078");
 * ```
 */
export function tTestPower(effect: number, n: number, alpha = 0.05): number {
  const df = n - 1;
  const t = tQuantile(1 - alpha / 2, df);
  const delta = effect * Math.sqrt(n);
  const scale = Math.LN2 + (df / 2) * Math.log(df / 2) - gammaln(df / 2);
  const density = (u: number): number =>
    u === 0 ? (df === 1 ? Math.exp(scale) : 0) : Math.exp(scale + (df - 1) * Math.log(u) - df * u * u / 2);
  const kept = (u: number): number => (normalProbability(t * u - delta) - normalProbability(-t * u - delta)) * density(u);
  return 1 - simpson(kept, Math.max(0, 1 - 9 / Math.sqrt(2 * df)), 1 + 9 / Math.sqrt(2 * df));
}

/** Of a smooth function. */
function simpson(f: (x: number) => number, from: number, to: number): number {
  const halves = 1000;
  const step = (to - from) / (2 * halves);
  let sum = f(from) + f(to);
  for (let i = 1; i < 2 * halves; i++) sum += (i % 2 === 1 ? 4 : 2) * f(from + i * step);
  return sum * step / 3;
}

/** The x ≥ 0 where a rising function that is ½ at 0 reaches p. */
function above(p: number, probability: (x: number) => number): number {
  let high = 1;
  while (probability(high) < p) high *= 2;
  let low = 0;
  for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (probability(middle) < p) low = middle;
    else high = middle;
  }
  return high;
}

/** P(|T| ≤ t) = A(t|ν) for t ≥ 0: with θ = atan(t/√ν) the sums of 26.7.3 (ν odd) and 26.7.4 (ν even). */
function tInside(t: number, df: number): number {
  const theta = Math.atan(t / Math.sqrt(df));
  const cos2 = Math.cos(theta) ** 2;
  const odd = df % 2 === 1;
  let term = odd ? Math.cos(theta) : 1;
  let sum = df === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k <= df - 2; k += 2) {
    term *= cos2 * (k - 1) / k;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
}

function checkProbability(p: number): void {
  if (!(p > 0 && p < 1)) throw new RangeError(`cannot give a quantile: p must lie in (0, 1), current value is ${p}`);
}

function checkDegrees(df: number): void {
  if (!Number.isInteger(df) || df < 1) throw new RangeError(`cannot use Student's t: df must be an integer ≥ 1, current value is ${df}`);
}
