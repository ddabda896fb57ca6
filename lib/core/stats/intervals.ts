/**
 * Confidence intervals of means, and the papers' mean of the best runs.
 *
 * | symbol | here |
 * |---|---|
 * | x̄ ± t_{1−α/2, n−1} · s/√n (Student) | `tInterval` |
 * | q = 1 − (α/2)^{1/n}, the largest share of which n cases show none (Clopper and Pearson 1934) | `unseenInterval` |
 */

import { mean, median, sampleStandardDeviation } from "simple-statistics";
import { tQuantile } from "./distributions.ts";

/** A closed interval. */
export interface Interval {
  /** Its lower end. */
  readonly low: number;
  /** Its upper end. */
  readonly high: number;
}

/**
 * Student's confidence interval of the mean of independent, roughly normal values.
 *
 * @throws {RangeError} if there are fewer than two values or the level lies outside (0, 1).
 */
export function tInterval(
  values: readonly number[],
  options: { readonly level?: number } = {},
): Interval {
  const { level = 0.95 } = options;
  checkSample(values, level);
  const n = values.length;
  const half = tQuantile(1 - (1 - level) / 2, n - 1) * sampleStandardDeviation([...values]) /
    Math.sqrt(n);
  const centre = mean([...values]);
  return { low: centre - half, high: centre + half };
}

/** An interval of a mean. */
export interface MeanInterval extends Interval {
  /** Whether it holds that of equal values, see `unseenInterval`. */
  readonly ofEqualValues?: true;
}

/**
 * The interval of the mean of `n` equal values in a range: a share that none of `n` showed, at most
 * q = 1 − (α/2)^{1/n} (Clopper and Pearson 1934), may lie at either end of the range. For 0 or 1 it
 * is their exact interval.
 * @param value cut to the range
 * @returns `undefined` if an end of the range is infinite.
 * @throws {RangeError} if there are fewer than two values or the level lies outside (0, 1).
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
  return {
    low: seen - unseen * (seen - least),
    high: seen + unseen * (most - seen),
    ofEqualValues: true,
  };
}

/** Largest difference of values that are equal except for rounding. */
export interface EqualityOptions {
  /** Least and greatest possible value. @default {[-Infinity, Infinity]} */
  readonly range?: readonly [number, number];
  /**
   * Size of the numbers that the values were computed from, where the range is open.
   * @default the greatest absolute value
   */
  readonly scale?: number;
}

/**
 * Whether all values are equal except for rounding: within 10⁻⁹ of their range or, if it is open,
 * of their scale.
 */
export function areEqual(
  values: readonly number[],
  { range: [least, most] = [-Infinity, Infinity], scale }: EqualityOptions = {},
): boolean {
  const size = Number.isFinite(most - least)
    ? most - least
    : scale ?? Math.max(...values.map(Math.abs));
  return values.every((value) => Math.abs(value - (values[0] as number)) <= 1e-9 * size);
}

/**
 * The two-sided p-value of a mean of `n` equal values against a bound: twice the probability that
 * none of `n` shows the share which, at the far end of the range, would make it the mean.
 * `unseenInterval` holds the bounds of p > 1 − level.
 * @returns 0 if that end is infinite.
 */
export function unseenP(
  value: number,
  n: number,
  [least, most]: readonly [number, number],
  bound: number,
): number {
  const reach = value - (value > bound ? least : most);
  const unseen = value === bound || reach === 0 ? 0 : (value - bound) / reach;
  return Number.isFinite(reach) ? Math.min(1, 2 * (1 - Math.min(1, unseen)) ** n) : 0;
}

/** Parameters of `meanInterval`. */
export interface MeanIntervalOptions extends EqualityOptions {
  /** Nominal coverage, in (0, 1). @default {0.95} */
  readonly level?: number;
  /**
   * How far from their median values may lie that are nearly equal.
   * @default a fortieth of their median's absolute value, of the range's width at most
   */
  readonly near?: number;
}

/**
 * The interval of the mean of independent values in a range: Student's, cut to the range. Where more than half of the values are nearly equal, and no others lie on both sides
 * of them, a spread that few make says nothing of values that none showed: the interval also holds
 * `unseenInterval` around the mean. What differs in proportion is not nearly equal, however wide
 * the range: 3 to 5 steps of at most 150 have Student's interval, which knows of no rare play of
 * 150. An end of the range that a value lies beyond is taken to be open.
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
 * assert.deepEqual(meanInterval([3, 4, 5, 4], { range: [0, 150] })?.high.toFixed(1), "5.3");
 * assert.deepEqual(meanInterval([1, 1, 1, 1, 1], { range: [0, 1] })?.low.toFixed(3), "0.478");
 * assert.equal(meanInterval([150, 150]), undefined);
 * ```
 */
export function meanInterval(
  values: readonly number[],
  options: MeanIntervalOptions = {},
): MeanInterval | undefined {
  const { range: told = [-Infinity, Infinity], scale, near, ...rest } = options;
  const slack = 1e-9 * (Number.isFinite(told[1] - told[0]) ? told[1] - told[0] : 1);
  const [least, most] = [
    Math.min(...values) < told[0] - slack ? -Infinity : told[0],
    Math.max(...values) > told[1] + slack ? Infinity : told[1],
  ];
  const unseen = (): MeanInterval | undefined =>
    unseenInterval(mean([...values]), values.length, [least, most], rest);
  if (areEqual(values, { range: [least, most], scale })) return unseen();
  const found = tInterval(values, rest);
  const { low, high } = { low: Math.max(found.low, least), high: Math.min(found.high, most) };
  const widest = Math.min(most - least, Math.abs(median([...values])));
  const other = areMostlyEqual(values, near ?? widest / 40) ? unseen() : undefined;
  return other
    ? { ...other, low: Math.min(low, other.low), high: Math.max(high, other.high) }
    : { low, high };
}

/**
 * Whether more than half of the values lie within `near` of their median and the others, few, on
 * one side of it: they make the spread alone.
 */
function areMostlyEqual(values: readonly number[], near: number): boolean {
  const centre = median([...values]);
  const [below, above] = [
    values.filter((value) => value < centre - near),
    values.filter((value) => value > centre + near),
  ];
  return 2 * (below.length + above.length) < values.length &&
    (below.length === 0 || above.length === 0);
}

function checkSample(values: { readonly length: number }, level: number): void {
  if (!(values.length >= 2)) {
    throw new RangeError(
      `cannot compute an interval: at least 2 values are needed, there are ${values.length}`,
    );
  }
  checkLevel(level);
}

/** @throws {RangeError} if the level lies outside (0, 1). */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) {
    throw new RangeError(
      `cannot compute an interval: level must lie in (0, 1), current value is ${level}`,
    );
  }
}
