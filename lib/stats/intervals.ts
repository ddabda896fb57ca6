/**
 * Confidence intervals of means and proportions, and the papers' mean of the best runs.
 *
 * | symbol | here |
 * |---|---|
 * | x̄ ± t_{1−α/2, n−1} · s/√n (Student) | `tInterval` |
 * | q = 1 − (α/2)^{1/n}, the largest share of which n cases show none (Clopper and Pearson 1934) | `unseenInterval` |
 * | α/2 and 1−α/2 quantiles of the resampled means (Efron's percentile bootstrap) | `bootstrapInterval` |
 * | p̂ = successes/n with its score interval (Wilson 1927) | `wilsonInterval`, `clusteredWilsonInterval`, `wilsonOfMeans` |
 * | mean of the best 3 of 5 runs (AriGraph §5) | `meanOfBest` |
 *
 * The mean of the best k of n has no interval: its sampling distribution is neither Student's nor centred on a mean of runs. `meanOfBest`
 * therefore returns a number, which no function here accepts.
 *
 * Coverage of the nominal 95 % interval (tests/lab/coverage_test.ts): Student's covers 95 % for normal values at every n; the percentile
 * bootstrap of normal values covers 85 % at n = 5, 89 % at n = 10 and 93 % at n = 30, because few values understate the spread; Wilson's
 * covers 95 % on the average over all proportions.
 */

import { mean, quantileSorted, sampleStandardDeviation } from "simple-statistics";
import { createDraw } from "../random.ts";
import { normalQuantile, tQuantile } from "./distributions.ts";

/** A closed interval. */
export interface Interval {
  /** Its lower end. */
  readonly low: number;
  /** Its upper end. */
  readonly high: number;
}

/**
 * The mean of the `k` highest values; the mean of all if there are fewer, NaN if there are none.
 *
 * @throws {RangeError} unless k is an integer ≥ 1.
 *
 * @example
 * ```ts
 * import { meanOfBest } from "labyrinth/stats";
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
 * Student's confidence interval of the mean of independent, roughly normal values.
 *
 * @throws {RangeError} if there are fewer than two values or the level lies outside (0, 1).
 *
 * @example
 * ```ts
 * import { tInterval } from "labyrinth/stats";
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

/** An interval of a mean. */
export interface MeanInterval extends Interval {
  /** Whether it is that of equal values, see `unseenInterval`. */
  readonly ofEqualValues?: true;
}

/**
 * The interval of the mean of `n` equal values in a range, where spread tells nothing: a share of cases that none of `n` showed, at most
 * q = 1 − (α/2)^{1/n} (Clopper and Pearson 1934), may lie at either end of the range. For 0 or 1 it is their exact interval of a share.
 *
 * @param value a value beyond the range by rounding is cut to it
 * @returns `undefined` where an end of the range is infinite, which a single case could reach.
 * @throws {RangeError} if there are fewer than two values or the level lies outside (0, 1).
 *
 * @example
 * ```ts
 * import { unseenInterval } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * const found = unseenInterval(1, 5, [0, 1]);
 * assert.deepEqual([found?.low.toFixed(3), found?.high], ["0.478", 1]);
 * assert.equal(unseenInterval(150, 5, [0, Infinity]), undefined);
 * ```
 */
export function unseenInterval(
  value: number,
  n: number,
  [least, most]: readonly [number, number],
  { level = 0.95 }: { readonly level?: number } = {},
): MeanInterval | undefined {
  checkSample({ length: n }, level);
  if (!Number.isFinite(most - least)) return undefined;
  const [unseen, seen] = [1 - ((1 - level) / 2) ** (1 / n), Math.min(Math.max(value, least), most)];
  return { low: seen - unseen * (seen - least), high: seen + unseen * (most - seen), ofEqualValues: true };
}

/** Parameters of `meanInterval`. */
export interface MeanIntervalOptions extends Partial<BootstrapOptions> {
  /** Least and greatest possible value; the interval does not go beyond them. @default {[-Infinity, Infinity]} */
  readonly range?: readonly [number, number];
  /** Student's or the percentile bootstrap, whose seed is 0 unless told. @default {"student"} */
  readonly kind?: "student" | "bootstrap";
}

/**
 * The interval of the mean of independent values in a range: Student's or the bootstrap's, cut to the range; where all values are equal, so that
 * both would have no width, `unseenInterval`.
 *
 * @returns `undefined` where all values are equal and an end of the range is infinite.
 * @throws {RangeError} if there are fewer than two values or the level lies outside (0, 1).
 *
 * @example
 * ```ts
 * import { meanInterval } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(meanInterval([1, 1, 0.9], { range: [0, 1] })?.high, 1);
 * assert.deepEqual(meanInterval([1, 1, 1, 1, 1], { range: [0, 1] })?.low.toFixed(3), "0.478");
 * assert.equal(meanInterval([150, 150]), undefined);
 * ```
 */
export function meanInterval(values: readonly number[], options: MeanIntervalOptions = {}): MeanInterval | undefined {
  const { range: [least, most] = [-Infinity, Infinity], kind = "student", ...rest } = options;
  const [first = NaN, ...others] = values;
  const rounding = 1e-9 * (Number.isFinite(most - least) ? most - least : Math.abs(first));
  if (others.every((value) => Math.abs(value - first) <= rounding)) return unseenInterval(first, values.length, [least, most], rest);
  const { low, high } = kind === "student" ? tInterval(values, rest) : bootstrapInterval(values, { seed: 0, ...rest });
  return { low: Math.max(low, least), high: Math.min(high, most) };
}

/** Parameters of the bootstrap. */
export interface BootstrapOptions {
  /** Seed of the resampling; the same values and seed give the same interval. */
  readonly seed: number;
  /** Nominal coverage, in (0, 1). @default {0.95} */
  readonly level?: number;
  /** Number of resamples. @default {10_000} */
  readonly resamples?: number;
}

/**
 * The percentile bootstrap interval of the mean (Efron 1979): values are drawn with replacement, and the interval holds the middle `level`
 * of the resampled means.
 *
 * @throws {RangeError} if there are fewer than two values or the level lies outside (0, 1).
 *
 * @example
 * ```ts
 * import { bootstrapInterval } from "labyrinth/stats";
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

/**
 * Wilson's score interval of a proportion (Wilson 1927): the p that a score test at `level` does not reject. It stays inside [0, 1] and
 * keeps a width where all or none succeed, as rates of few episodes need.
 *
 *   (p̂ + z²/2n ± z·√(p̂(1 − p̂)/n + z²/4n²)) / (1 + z²/n)      z = Φ⁻¹(1 − α/2), p̂ = successes/n
 *
 * @throws {RangeError} unless 0 ≤ successes ≤ n are integers, n ≥ 1 and the level lies in (0, 1).
 *
 * @example
 * ```ts
 * import { wilsonInterval } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * const { low, high } = wilsonInterval(3, 5);
 * assert.deepEqual([low.toFixed(3), high.toFixed(3)], ["0.231", "0.882"]);
 * ```
 */
export function wilsonInterval(successes: number, n: number, options: { readonly level?: number } = {}): Interval {
  const { level = 0.95 } = options;
  if (!Number.isInteger(n) || !Number.isInteger(successes) || n < 1 || successes < 0 || successes > n) {
    throw new RangeError(
      `cannot compute an interval: 0 ≤ successes ≤ n must be whole numbers and n ≥ 1, current values are ${successes} and ${n}`,
    );
  }
  checkLevel(level);
  return scoreInterval(successes / n, n, level);
}

/**
 * Wilson's interval of a share whose observations come in clusters, with n replaced by the effective sample size (Korn and Graubard 1998):
 *
 *   n* = p(1 − p) / v,   v = G/(G − 1) · Σ_g (Σ_i x_gi − p·n_g)² / n²   inside [G, n];   n* = G where p is 0 or 1, or G is 1
 *
 * where  x_gi = observation i of cluster g, 0 or 1 · n_g = their number, Σ n_g = n · G = number of clusters · p = share of all.
 * Observations between 0 and 1, as scores are, vary less than those that are either, so that the interval is rather too wide for them.
 *
 * @throws {RangeError} if there is no observation, or one or the level lies outside of its range.
 *
 * @example
 * ```ts
 * import { clusteredWilsonInterval, wilsonInterval } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(clusteredWilsonInterval([[true], [false]]), wilsonInterval(1, 2));
 * assert.deepEqual(clusteredWilsonInterval([[true, true, true], [false, false, false]]), wilsonInterval(1, 2)); // repeats add nothing
 * ```
 */
export function clusteredWilsonInterval(
  clusters: readonly (readonly (boolean | number)[])[],
  options: { readonly level?: number } = {},
): Interval {
  const { level = 0.95 } = options;
  const [n, G] = [clusters.flat().length, clusters.length];
  if (n < 1) throw new RangeError("cannot compute an interval: at least 1 observation is needed, there are 0");
  if (!clusters.flat().every((value) => Number(value) >= 0 && Number(value) <= 1)) {
    throw new RangeError("cannot compute an interval: observations must lie between 0 and 1");
  }
  checkLevel(level);
  const sums = clusters.map((cluster) => cluster.reduce<number>((sum, value) => sum + Number(value), 0));
  const p = sums.reduce((sum, one) => sum + one, 0) / n;
  const squares = clusters.reduce((sum, cluster, g) => sum + ((sums[g] ?? 0) - p * cluster.length) ** 2, 0);
  return clusteredInterval(p, G / (G - 1) * squares / n ** 2, { G, n, level });
}

/**
 * Wilson's interval of the mean p of shares m_1 … m_G that weigh alike, such as the games of an experiment, whatever their numbers of observations,
 * n in all:  n* = p(1 − p) / v,  v = Σ_g (m_g − p)² / G(G − 1)  inside [G, n];  n* = G where p is 0 or 1.
 *
 * @throws {RangeError} if there is no share, or the level lies outside (0, 1).
 *
 * @example
 * ```ts
 * import { wilsonInterval, wilsonOfMeans } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(wilsonOfMeans([1, 0, 1, 0], 4), wilsonInterval(2, 4));
 * assert.deepEqual(wilsonOfMeans([1, 1], 6), wilsonInterval(2, 2)); // repeats that agree add nothing
 * ```
 */
export function wilsonOfMeans(shares: readonly number[], n: number, options: { readonly level?: number } = {}): Interval {
  const { level = 0.95 } = options;
  if (shares.length < 1) throw new RangeError("cannot compute an interval: at least 1 share is needed, there are 0");
  checkLevel(level);
  const [G, p] = [shares.length, mean([...shares])];
  return clusteredInterval(p, shares.reduce((sum, share) => sum + (share - p) ** 2, 0) / (G * (G - 1)), { G, n, level });
}

/** The score interval of a share p of n observations in G clusters, of variance v. */
function clusteredInterval(p: number, v: number, { G, n, level }: Readonly<Record<"G" | "n" | "level", number>>): Interval {
  const isExtreme = p === 0 || p === 1 || G === 1;
  return scoreInterval(p, isExtreme ? G : Math.min(n, Math.max(G, p * (1 - p) / v)), level);
}

/** The score interval of a share p of n observations, n > 0. */
function scoreInterval(p: number, n: number, level: number): Interval {
  const z2 = normalQuantile(1 - (1 - level) / 2) ** 2;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = Math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n);
  return { low: p === 0 ? 0 : centre - half, high: p === 1 ? 1 : centre + half };
}

function checkSample(values: { readonly length: number }, level: number): void {
  if (!(values.length >= 2)) throw new RangeError(`cannot compute an interval: at least 2 values are needed, there are ${values.length}`);
  checkLevel(level);
}

function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`cannot compute an interval: level must lie in (0, 1), current value is ${level}`);
}
