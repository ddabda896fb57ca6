/**
 * The few statistics that tables of scores need: means, the papers' mean of the best, intervals.
 *
 * | symbol | here |
 * |---|---|
 * | x̄ ± t_{1−α/2, n−1} · s/√n (Student) | `tInterval` |
 * | α/2 and 1−α/2 quantiles of the resampled means (Efron's percentile bootstrap) | `bootstrapInterval` |
 * | d̄ over d_i = a_i − b_i | `pairedDifference` |
 * | mean of the best 3 of 5 runs (AriGraph §5) | `meanOfBest` |
 *
 * The mean of the best k of n gets no interval: its sampling distribution is neither Student's nor centred on a mean of runs.
 *
 * @module
 */

import { mean, quantileSorted, sampleStandardDeviation } from "simple-statistics";
import { createDraw } from "../llm/offline/draw.ts";

/** A closed interval. */
export interface Interval {
  /** Its lower end. */
  readonly low: number;
  /** Its upper end. */
  readonly high: number;
}

/**
 * The mean of the `k` highest values; of fewer values the mean of all, of none NaN.
 *
 * @example
 * ```ts
 * import { meanOfBest } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(meanOfBest([0, 1, 4, 2, 6], 3), 4);
 * ```
 */
export function meanOfBest(values: readonly number[], k: number): number {
  if (!Number.isInteger(k) || k < 1) {
    throw new RangeError(`cannot take the mean of the best k: k must be an integer ≥ 1, current value is ${k}`);
  }
  const best = [...values].sort((a, b) => b - a).slice(0, k);
  return best.length === 0 ? NaN : mean(best);
}

/**
 * Student's interval of the mean of independent, roughly normal values.
 *
 * @throws {RangeError} below two values, or at a level outside (0, 1).
 *
 * @example
 * ```ts
 * import { tInterval } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const { low, high } = tInterval([0.2, 0.4, 0.6, 1.0, 0.8]);
 * assert.deepEqual([low.toFixed(3), high.toFixed(3)], ["0.207", "0.993"]);
 * ```
 */
export function tInterval(values: readonly number[], options: { readonly level?: number } = {}): Interval {
  const { level = 0.95 } = options;
  checkSample(values, level);
  const n = values.length;
  const half = tQuantile(1 - (1 - level) / 2, n - 1) * sampleStandardDeviation([...values]) / Math.sqrt(n);
  const centre = mean([...values]);
  return { low: centre - half, high: centre + half };
}

/** How a bootstrap is drawn. */
export interface BootstrapOptions {
  /** Seed of the resampling: the same values and seed give the same interval. */
  readonly seed: number;
  /** Coverage, in (0, 1). @default {0.95} */
  readonly level?: number;
  /** Number of resamples. @default {10_000} */
  readonly resamples?: number;
}

/**
 * Percentile bootstrap interval of the mean (Efron 1979): values are drawn with replacement, and the interval holds the middle `level` of
 * the resampled means.
 *
 * @throws {RangeError} below two values, or at a level outside (0, 1).
 *
 * @example
 * ```ts
 * import { bootstrapInterval } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const scores = [0, 0.1, 0.35, 0.9];
 * const { low, high } = bootstrapInterval(scores, { seed: 1 });
 * assert.ok(0 <= low && low < 0.3375 && 0.3375 < high && high <= 0.9);
 * ```
 */
export function bootstrapInterval(values: readonly number[], options: BootstrapOptions): Interval {
  const { seed, level = 0.95, resamples = 10_000 } = options;
  checkSample(values, level);
  const draw = createDraw(`bootstrap ${seed}`);
  const n = values.length;
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += values[Math.floor(draw.next() * n)] as number;
    return sum / n;
  }).sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  return { low: quantileSorted(means, tail), high: quantileSorted(means, 1 - tail) };
}

/** The difference of two conditions over the same cases. */
export interface PairedDifference {
  /** Pairs. */
  readonly n: number;
  /** Mean of a − b. */
  readonly mean: number;
  /** Student's interval of that mean. */
  readonly t: Interval;
  /** Percentile bootstrap interval of that mean, pairs drawn together. */
  readonly bootstrap: Interval;
}

/**
 * The mean difference a − b of paired values (the same game, the same seed), with its intervals.
 *
 * @throws {RangeError} if the lengths differ, or below two pairs.
 *
 * @example
 * ```ts
 * import { pairedDifference } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(pairedDifference([3, 5, 7], [1, 2, 3], { seed: 0 }).mean, 3);
 * ```
 */
export function pairedDifference(a: readonly number[], b: readonly number[], options: BootstrapOptions): PairedDifference {
  if (a.length !== b.length) {
    throw new RangeError(`cannot pair values: both lists must be of one length, they have ${a.length} and ${b.length}`);
  }
  const differences = a.map((value, i) => value - (b[i] as number));
  return {
    n: differences.length,
    t: tInterval(differences, options),
    bootstrap: bootstrapInterval(differences, options),
    mean: mean(differences),
  };
}

/**
 * The quantile of Student's t distribution with `df` ≥ 1 degrees of freedom (an integer): the t with P(T ≤ t) = p, 0 < p < 1.
 *
 * Found by bisection of the finite sums for integer degrees of freedom (Abramowitz & Stegun 1964, 26.7.3 and 26.7.4); O(df) a halving.
 *
 * @example
 * ```ts
 * import { tQuantile } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(tQuantile(0.975, 4).toFixed(4), "2.7764");
 * ```
 */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`cannot give a quantile: p must lie in (0, 1), current value is ${p}`);
  if (!Number.isInteger(df) || df < 1) throw new RangeError(`cannot give a quantile: df must be an integer ≥ 1, current value is ${df}`);
  if (p < 0.5) return -tQuantile(1 - p, df);
  let high = 1;
  while (tProbability(high, df) < p) high *= 2;
  let low = 0;
  for (let middle = high / 2; low < middle && middle < high; middle = (low + high) / 2) {
    if (tProbability(middle, df) < p) low = middle;
    else high = middle;
  }
  return high;
}

/** P(T ≤ t) for t ≥ 0: (1 + A(t|ν))/2 with θ = atan(t/√ν) and the sums of 26.7.3 (ν odd) and 26.7.4 (ν even). */
function tProbability(t: number, df: number): number {
  const theta = Math.atan(t / Math.sqrt(df));
  const cos2 = Math.cos(theta) ** 2;
  const odd = df % 2 === 1;
  let term = odd ? Math.cos(theta) : 1;
  let sum = df === 1 ? 0 : term;
  for (let k = odd ? 3 : 2; k <= df - 2; k += 2) {
    term *= cos2 * (k - 1) / k;
    sum += term;
  }
  const inside = odd ? (2 / Math.PI) * (theta + Math.sin(theta) * sum) : Math.sin(theta) * sum;
  return (1 + inside) / 2;
}

function checkSample(values: readonly number[], level: number): void {
  if (values.length < 2) throw new RangeError(`cannot give an interval: at least 2 values are needed, there are ${values.length}`);
  if (!(level > 0 && level < 1)) throw new RangeError(`cannot give an interval: level must lie in (0, 1), current value is ${level}`);
}
