/**
 * Confidence intervals of means, and the papers' mean of the best runs.
 *
 * | symbol | here |
 * |---|---|
 * | x̄ ± t_{1−α/2, n−1} · s/√n (Student) | `tInterval` |
 * | q = 1 − (α/2)^{1/n}, the largest share of which n cases show none (Clopper and Pearson 1934) | `unseenInterval` |
 * | α/2 and 1−α/2 quantiles of the resampled means (Efron's percentile bootstrap) | `bootstrapInterval` |
 * | mean of the best 3 of 5 runs (AriGraph §5) | `meanOfBest` |
 *
 * The mean of the best k of n has no interval: its sampling distribution is neither Student's nor centred on a mean of runs. `meanOfBest`
 * therefore returns a number, which no function here accepts.
 *
 * Coverage of the nominal 95 % interval (tests/lab/coverage_test.ts): Student's covers 95 % for normal values at every n; the percentile
 * bootstrap of normal values covers 85 % at n = 5, 89 % at n = 10 and 93 % at n = 30, because few values understate the spread.
 */

import { mean, quantileSorted, sampleStandardDeviation } from "simple-statistics";
import { createDraw } from "../random.ts";
import { tQuantile } from "./distributions.ts";

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

/** How far apart values may lie that are equal but for rounding. */
export interface EqualityOptions {
  /** Least and greatest possible value. @default {[-Infinity, Infinity]} */
  readonly range?: readonly [number, number];
  /** Size of the numbers that the values were computed from, where the range is open. @default the greatest absolute value */
  readonly scale?: number;
}

/**
 * Whether all values are equal but for rounding: within 10⁻⁹ of the width of their range or, where it is open, of their scale.
 *
 * @example
 * ```ts
 * import { areEqual } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.ok(areEqual([0.1 + 0.2, 0.3]) && !areEqual([0.3, 0.31]));
 * assert.ok(areEqual([0.1 + 0.2 - 0.3, 0], { scale: 0.3 })); // 5.6e-17, a difference of numbers of that size
 * ```
 */
export function areEqual(
  values: readonly number[],
  { range: [least, most] = [-Infinity, Infinity], scale }: EqualityOptions = {},
): boolean {
  const size = Number.isFinite(most - least) ? most - least : scale ?? Math.max(...values.map(Math.abs));
  return values.every((value) => Math.abs(value - (values[0] as number)) <= 1e-9 * size);
}

/** Parameters of `meanInterval`. */
export interface MeanIntervalOptions extends Partial<BootstrapOptions>, EqualityOptions {
  /** Student's or the percentile bootstrap, whose seed is 0 unless told. @default {"student"} */
  readonly kind?: "student" | "bootstrap";
}

/**
 * The interval of the mean of independent values in a range: Student's or the bootstrap's, cut to the range; where all values are equal, so that
 * both would have no width, `unseenInterval`.
 *
 * @returns `undefined` where all values are equal and an end of the range is infinite.
 * @throws {RangeError} if there are fewer than two values, one lies outside the range, or the level outside (0, 1).
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
  const { range = [-Infinity, Infinity], scale, kind = "student", ...rest } = options;
  const [least, most] = range;
  const beyond = values.find((value) => Math.max(least - value, value - most) > 1e-9 * (Number.isFinite(most - least) ? most - least : 1));
  if (beyond !== undefined) throw new RangeError(`cannot compute an interval: ${beyond} lies outside the range from ${least} to ${most}`);
  if (areEqual(values, { range, scale })) return unseenInterval(values[0] ?? NaN, values.length, range, rest);
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
 * of the resampled means. The order of the values is of no account.
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
  const sorted = values.toSorted((a, b) => a - b);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += sorted[Math.floor(draw.next() * n)] as number;
    return sum / n;
  }).sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  return { low: quantileSorted(means, tail), high: quantileSorted(means, 1 - tail) };
}

function checkSample(values: { readonly length: number }, level: number): void {
  if (!(values.length >= 2)) throw new RangeError(`cannot compute an interval: at least 2 values are needed, there are ${values.length}`);
  checkLevel(level);
}

/** @throws {RangeError} if the level lies outside (0, 1). */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`cannot compute an interval: level must lie in (0, 1), current value is ${level}`);
}
