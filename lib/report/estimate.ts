/** A measure turns the completed trials of a cell into one number with its interval, or says why there is none. */

import { mean, sampleStandardDeviation } from "simple-statistics";
import { createDraw } from "../core/random.ts";
import { clusteredMeanInterval } from "../core/stats/clusters.ts";
import { type Interval, type MeanInterval, meanOfBest, unseenInterval, widened } from "../core/stats/intervals.ts";
import { clusteredWilsonInterval } from "../core/stats/shares.ts";

/** One replicate: an episode, or what a paper counts as one. */
export interface Trial {
  /** Id of its episode, 16 hex digits. */
  readonly episode: string;
  /** Label of the study's row, e.g. `arigraph`. */
  readonly condition: string;
  /** `planned`, `running`, `completed`, `failed` or `parked`. */
  readonly status: string;
  /** A whole number as text. */
  readonly seed?: string;
}

/** A 95 % interval in the unit of its measure, or why there is none. */
export interface MaybeInterval extends Partial<MeanInterval> {
  /** Absent where there is an interval. */
  readonly noInterval?: string;
}

/** A number made of trials. */
export interface Measurement extends MaybeInterval {
  /** In the unit of the measure. */
  readonly value: number;
  /** Ids of the episodes that the number is made of; of a mean of the best, the best first. */
  readonly episodes: readonly string[];
}

/** The kind of a mean's 95 % interval. */
export type IntervalKind = "wilson" | "student" | "bootstrap";

/** A measure of the trials of a cell. Functions are methods, so that exhibits of different trials can stand in one list. */
export interface Measure<T extends Trial> {
  /** As captions name it, e.g. `success`. */
  readonly name: string;
  /** Least and greatest possible value; no interval goes beyond it. */
  readonly range?: readonly [number, number];
  /** The direction of an improvement. */
  readonly better?: "more" | "less";
  /** How captions word its interval, e.g. `Wilson's`; absent where it never has one. */
  readonly interval?: string;
  /** Digits after the point. @default {2} */
  readonly digits?: number;
  /** How the number is made, e.g. `mean of all`; the ledger says so where the paper's is made otherwise. Its name unless told. */
  how?(trials: readonly T[]): string;
  /** Trials that the measure needs beside those of its cell, e.g. those of a base method. */
  beside?(trial: T): boolean;
  /** The number of completed trials (at least one), or why there is none. */
  estimate(trials: readonly T[]): Measurement | string;
  /** The text that a table shows in place of the value with its interval. */
  show?(estimate: Measurement, trials: readonly T[]): string;
}

/** The value of a trial; `undefined`: it does not count; null: it should have a value and has none, so that the number does not exist. */
export type ValueOf<T> = (trial: T) => number | null | undefined;

/** Options of every constructor of a measure. */
export interface MeasureOptions<T extends Trial>
  extends Pick<Measure<T>, "name" | "range" | "better" | "digits" | "how" | "beside" | "show"> {
  /** The cluster that a trial belongs to, e.g. its layout; the intervals of means and ratios then are those of clustered trials. */
  readonly clusterOf?: (trial: T) => string;
}

type CountedOptions<T extends Trial> = MeasureOptions<T> & { readonly of: ValueOf<T> };

/** What captions say of intervals other than Wilson's: how those of values with little spread are made (`meanInterval`). */
export const OF_EQUAL_VALUES =
  " Where more than half of the values are equal or nearly so, and no others lie on both sides of them, the interval also holds that of a share which none " +
  "of them showed (Clopper and Pearson), at either end of the range; of values that are all equal an open range has none.";

/** How captions word the intervals. */
const WORDED: Readonly<Record<IntervalKind, string>> = {
  wilson: "Wilson's",
  student: "Student's",
  bootstrap: "a seeded percentile bootstrap (wider for few trials)",
};

/**
 * The mean over trials. Wilson's interval is that of shares: each value is the least or the greatest of `range` (`[0, 1]` unless told), or between
 * them, as scores are, of which it is rather too wide.
 *
 * @param options `of` is a trial's value, `interval` the kind of its interval
 *
 * @example
 * ```ts
 * import { meanMeasure, type Trial } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const trial = { condition: "mine", status: "completed" };
 * const success = meanMeasure<Trial & { won: number }>({ name: "success", of: ({ won }) => won, interval: "wilson" });
 * const number = success.estimate([{ ...trial, episode: "a", won: 1 }, { ...trial, episode: "b", won: 0 }]);
 * assert.deepEqual(typeof number === "object" && [number.value, number.episodes], [0.5, ["a", "b"]]);
 * ```
 */
export function meanMeasure<T extends Trial>(
  options: MeasureOptions<T> & { readonly of: ValueOf<T>; readonly interval: IntervalKind },
): Measure<T> {
  const { interval, ...rest } = options;
  return overCounted(rest, WORDED[interval], (counted, clusters) => {
    const values = clusters.map((cluster) => cluster.map(({ value }) => value));
    return { value: mean(valuesOf(counted)), ...intervalOf(values, interval, rest) };
  });
}

/** The mean of the best `k` trials, best first; such a mean has no interval. */
export function bestMeasure<T extends Trial>({ k, ...options }: CountedOptions<T> & { readonly k: number }): Measure<T> {
  return overCounted(options, undefined, (counted) => ({
    value: meanOfBest(valuesOf(counted), k),
    noInterval: "a mean of the best has none",
    episodes: episodesOf(counted.toSorted((a, b) => b.value - a.value).slice(0, k)),
  }));
}

/**
 * The standard deviation of a sample (n − 1); its interval is the percentile bootstrap over trials. There is none of fewer than 30, of which that
 * bootstrap covers too little: of five normal values 66 % in place of 95 %.
 */
export function deviationMeasure<T extends Trial>(options: CountedOptions<T>): Measure<T> {
  return overCounted(options, WORDED.bootstrap, (counted) => {
    if (counted.length < 2) return `${counted.length} of 2 trials that a ${options.name} needs`;
    const interval = counted.length < FEW ? { noInterval: `fewer than ${FEW} trials` } : resampled(valuesOf(counted), deviationOf, options);
    return { value: deviationOf(valuesOf(counted)), ...interval };
  });
}

const FEW = 30;

function deviationOf(values: readonly number[]): number {
  return values.length > 1 ? sampleStandardDeviation([...values]) : NaN;
}

/** A sum over trials divided by another, e.g. tokens by steps; trials are resampled whole. */
export function ratioMeasure<T extends Trial>({ per, ...options }: CountedOptions<T> & { readonly per: (trial: T) => number }): Measure<T> {
  type Part = { readonly value: number; readonly unit: number };
  const ratio = (some: readonly (readonly Part[])[]): number => {
    let [values, units] = [0, 0];
    for (const cluster of some) {
      for (const { value, unit } of cluster) {
        values += value;
        units += unit;
      }
    }
    return values / units;
  };
  return overCounted(options, WORDED.bootstrap, (_, clusters) => {
    const parts = clusters.map((cluster) => cluster.map(({ value, trial }): Part => ({ value, unit: per(trial) })));
    if (Number.isNaN(ratio(parts))) return "nothing to divide by";
    return { value: ratio(parts), ...resampled(parts, ratio, options) };
  });
}

/** A number made of all trials, or of those that `counts` keeps: `of` gives it or says why there is none; without an interval `noInterval` is why. */
export function wholeMeasure<T extends Trial>(
  options: MeasureOptions<T> & Pick<Measure<T>, "interval"> & {
    readonly of: (trials: readonly T[]) => number | Omit<Measurement, "episodes"> | string;
    readonly counts?: (trial: T) => boolean;
    readonly noInterval?: string;
  },
): Measure<T> {
  const { of, counts = () => true, noInterval, ...rest } = options;
  return {
    ...rest,
    estimate: (all) => {
      const trials = all.filter(counts);
      const found = of(trials);
      if (typeof found === "string") return found;
      return { ...(typeof found === "number" ? { value: found, noInterval } : found), episodes: trials.map(({ episode }) => episode) };
    },
  };
}

/**
 * The percentile bootstrap interval of a statistic over items drawn whole (1000 resamples, seeded by `name`), widened for few items (`widened`) and cut to
 * `range`; where all resamples have the same, `unseenInterval`. There is none of one item, or where a tenth of the resamples or more have no statistic. The order of the items,
 * which are plain data, is of no account.
 */
export function resampled<Item>(
  items: readonly Item[],
  statistic: (items: readonly Item[]) => number | undefined,
  { name, range }: { readonly name: string; readonly range?: readonly [number, number] },
): MaybeInterval {
  if (items.length < 2) return { noInterval: "one trial has none" };
  const draw = createDraw(name);
  const sorted = items.map((item) => ({ item, text: JSON.stringify(item) })).sort((a, b) => a.text < b.text ? -1 : Number(a.text > b.text))
    .map(({ item }) => item);
  const drawn = Array.from({ length: RESAMPLES }, () => statistic(items.map(() => draw.pick(sorted))))
    .filter((value): value is number => value !== undefined && Number.isFinite(value)).sort((a, b) => a - b);
  const edge = Math.floor(drawn.length * 0.025);
  const [low, high] = [drawn[edge], drawn.at(-1 - edge)];
  if (drawn.length <= 0.9 * RESAMPLES || low === undefined || high === undefined) {
    return { noInterval: "undefined in a tenth of the resamples or more" };
  }
  if (low === high) return (range && unseenInterval(low, items.length, range)) ?? ALIKE;
  return within(widened({ low, high }, statistic(items) ?? NaN, items.length), range);
}

const RESAMPLES = 1000;

/** Why there is no interval of values without a spread that nothing bounds. */
const ALIKE: MaybeInterval = { noInterval: "all values are equal" };

/**
 * The interval of a mean over clusters, or why there is none. Of clusters Wilson's takes the effective sample size; Student's takes what each adds to the
 * mean (linearised: x̄ + (G/n) Σ_i (x_gi − x̄)); the bootstrap draws them whole.
 */
function intervalOf(
  clusters: readonly (readonly number[])[],
  kind: IntervalKind,
  options: { readonly name: string; readonly range?: readonly [number, number] },
): MaybeInterval {
  const values = clusters.flat();
  const isClustered = clusters.length < values.length;
  if (kind === "wilson") {
    const [least, most] = options.range ?? [0, 1];
    const { low, high } = clusteredWilsonInterval(clusters.map((cluster) => cluster.map((value) => (value - least) / (most - least))));
    return { low: least + low * (most - least), high: least + high * (most - least) };
  }
  if (isClustered && kind === "bootstrap") return resampled(clusters, (some) => mean(some.flat()), options);
  if (clusters.length < 2) return { noInterval: "one trial has none" };
  return clusteredMeanInterval(clusters, { kind, range: options.range }) ?? ALIKE;
}

/** An interval cut to the values that a measure can have. */
export function within({ low, high }: Interval, [least, most]: readonly [number, number] = [-Infinity, Infinity]): Interval {
  return { low: Math.max(low, least), high: Math.min(high, most) };
}

interface Counted<T> {
  readonly trial: T;
  readonly value: number;
}

/**
 * A measure over the trials that count, and over these by cluster, each for itself where there are no clusters; where none counts, or one has no value,
 * the reason.
 */
function overCounted<T extends Trial>(
  { of, clusterOf, ...rest }: CountedOptions<T>,
  interval: string | undefined,
  estimate: (
    counted: readonly Counted<T>[],
    clusters: readonly (readonly Counted<T>[])[],
  ) => Omit<Measurement, "episodes"> & Partial<Measurement> | string,
): Measure<T> {
  return {
    ...rest,
    interval,
    estimate: (trials) => {
      const values = trials.map((trial) => ({ trial, value: of(trial) }));
      if (values.some(({ value }) => value === null)) return "a trial has no value";
      const counted = values.filter((one): one is Counted<T> => one.value !== undefined);
      if (counted.length === 0) return "no trial counts";
      const clusters = clusterOf ? [...Map.groupBy(counted, ({ trial }) => clusterOf(trial)).values()] : counted.map((one) => [one]);
      const found = estimate(counted, clusters);
      return typeof found === "string" ? found : { episodes: episodesOf(counted), ...found };
    },
  };
}

function valuesOf(counted: readonly Counted<Trial>[]): number[] {
  return counted.map(({ value }) => value);
}

function episodesOf(counted: readonly Counted<Trial>[]): string[] {
  return [...new Set(counted.map(({ trial }) => trial.episode))];
}
