/** Means and paired differences of the columns of frames, with 95 % intervals. */

import { UsageError } from "../core/errors.ts";
import { addedByClusters, clusteredMeanInterval } from "../core/stats/clusters.ts";
import type { Interval } from "../core/stats/intervals.ts";
import { comparePaired } from "../core/stats/paired.ts";
import { clusteredWilsonInterval } from "../core/stats/shares.ts";
import { checkKeys, didYouMean } from "../core/text/did-you-mean.ts";
import { type DataFrame, frameOf, type FrameSchema, polars, rowsOf } from "./frame-of.ts";

/** What a mean is taken of. */
export interface MeanOptions {
  /** The column of values: numbers, or true and false. */
  readonly of: string;
  /** The columns whose values make a group, a row each. @default one group */
  readonly by?: readonly string[];
  /** The columns whose values make a cluster, e.g. `["game"]`. @default each row is its own */
  readonly cluster?: readonly string[];
  /**
   * Least and greatest possible value.
   * @default [0, 1] of true and false and of `score` (if one is negative: at most 1), [0, Infinity]
   *   of the frames' other measures
   */
  readonly range?: readonly [number, number];
}

/** Measures of the frames that cannot be negative. */
const COUNTS =
  /^(steps|triplets|entities|added|replaced|(added|replaced)_so_far|seconds|dollars)$|_tokens$/;

const MEANS = {
  ...{ n: "integer", missing: "integer", clusters: "integer" },
  ...{ mean: "number?", low: "number?", high: "number?", arm: "number?" },
} as const satisfies FrameSchema;

/**
 * Means of a column by group: a row a group with the columns of `by`, then `n` (values), `missing`
 * (rows without a value, such as episodes that have not been completed), `clusters`, `mean`, the
 * 95 % interval `low` to `high`, and `arm`, the longer of its two sides.
 *
 * Shares (values of 0 and 1 in the range [0, 1]) have Wilson's interval, clusters by their
 * effective sample size (Korn and Graubard 1998). Other values have Student's, of clusters by what
 * each adds to the mean. No interval leaves the range. Equal values have the interval of a share
 * that none of them showed (Clopper and Pearson 1934) towards both ends of the range; where an end
 * is infinite, and for a single value that is no share, there is none (null).
 *
 * @throws {UsageError} for a column that the frame lacks.
 *
 * @example
 * ```ts
 * import { meanInterval } from "labyrinth/lab";
 * import { frameOf, rowsOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const won = [1, 0, 1, 1, 0].map((score) => ({ method: "a", score }));
 * const frame = frameOf(won, { method: "text", score: "number" });
 * const means = meanInterval(frame, { of: "score", by: ["method"] });
 * const [row] = rowsOf<Record<string, number>>(means);
 * assert.deepEqual([row?.n, row?.mean, row?.low?.toFixed(3)], [5, 0.6, "0.231"]);
 * ```
 */
export function meanInterval(frame: DataFrame, options: MeanOptions): DataFrame {
  checkKeys("meanInterval()", options, ["of", "by", "cluster", "range"]);
  const { of, by = [], cluster = [] } = options;
  checkColumns(frame, [of, ...by, ...cluster]);
  const range = options.range ?? rangeOf(frame, of);
  const rows = groupsOf(frame, by).map((group) => {
    const held = group.filter((row) => isHeld(row[of]));
    const clusters = clustersOf(held, cluster).map((some) => some.map((row) => Number(row[of])));
    const missing = group.length - held.length;
    const counts = { n: held.length, missing, clusters: clusters.length };
    return { ...pick(group[0], by), ...counts, ...estimate(clusters, range) };
  });
  return withLabels(frame, by, rows, MEANS);
}

function estimate(
  clusters: readonly (readonly number[])[],
  range: readonly [number, number],
): object {
  const values = clusters.flat();
  if (values.length === 0) return {};
  const isShare = range[0] === 0 && range[1] === 1 && values.every((one) => one === 0 || one === 1);
  const found = isShare
    ? clusteredWilsonInterval(clusters)
    : clusters.length < 2
    ? undefined
    : clusteredMeanInterval(clusters, { range });
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, ...withArm(mean, found) };
}

/** What is compared. */
export interface DifferenceOptions extends Omit<MeanOptions, "by"> {
  /** The column that tells the two sides apart, and its two values: the first minus the second. */
  readonly between: Readonly<Record<string, readonly [string | number, string | number]>>;
  /** The columns whose values make a pair, e.g. `["game", "attempt"]`. */
  readonly by: readonly string[];
  /** The columns by which pairs are compared apart, a row each. @default all together */
  readonly per?: readonly string[];
}

const DIFFERENCES = {
  ...{ first: "text", second: "text", n: "integer", unpaired: "integer", clusters: "integer" },
  ...{ mean: "number?", low: "number?", high: "number?", arm: "number?", p: "number?" },
} as const satisfies FrameSchema;

/**
 * The mean difference of a column between two values of another, over pairs: the columns of `per`,
 * then `first` and `second` (what is compared), `n` (pairs), `unpaired` (rows without a partner or
 * a value), `clusters` of pairs, `mean` of first minus second, its 95 % interval `low` to `high`,
 * `arm`, and the two-sided `p` of Student's paired t test. Pairs of one cluster are counted
 * together.
 *
 * Each side lies in the range of the measure, so that the interval stays within its width. Equal
 * differences have an interval as in `meanInterval`, and no `p`.
 *
 * @throws {UsageError} if a pair has two rows on one side, or a column is missing.
 *
 * @example
 * ```ts
 * import { pairedDifference } from "labyrinth/lab";
 * import { frameOf, rowsOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const scores = { a: [0.9, 0.5, 0.7, 0.8], b: [0.4, 0.5, 0.3, 0.6] };
 * const rows = Object.entries(scores).flatMap(([method, some]) =>
 *   some.map((score, game) => ({ method, game, score }))
 * );
 * const frame = frameOf(rows, { method: "text", game: "integer", score: "number" });
 * const between = { method: ["a", "b"] } as const;
 * const found = pairedDifference(frame, { of: "score", between, by: ["game"] });
 * const [{ mean, p } = {}] = rowsOf<Record<string, number>>(found);
 * assert.deepEqual([mean?.toFixed(3), p?.toFixed(3)], ["0.275", "0.089"]);
 * ```
 */
export function pairedDifference(frame: DataFrame, options: DifferenceOptions): DataFrame {
  checkKeys("pairedDifference()", options, ["of", "between", "by", "per", "cluster", "range"]);
  const { of, by, per = [], cluster = [] } = options;
  const [[column, [first, second]] = raise("name one column with two values")] = Object.entries(
    options.between,
  );
  checkColumns(frame, [of, column, ...by, ...per, ...cluster]);
  checkValues(frame, column, [first, second]);
  const range = options.range ?? rangeOf(frame, of);
  const rows = groupsOf(frame, per).map((group) => {
    const sides = [first, second].map((side) =>
      sideOf(group.filter((row) => row[column] === side), of, by)
    );
    const pairs = [...sides[0] ?? []].flatMap(([key, one]) => {
      const other = sides[1]?.get(key);
      return other && isHeld(one[of]) && isHeld(other[of]) ? [{ one, other }] : [];
    });
    const clusters = clustersOf(pairs, cluster, ({ one }) => one)
      .map((some) => some.map(({ one, other }) => [Number(one[of]), Number(other[of])] as const));
    const unpaired = sides.reduce((sum, side) => sum + side.size, 0) - 2 * pairs.length;
    const names = { first: String(first), second: String(second) };
    return {
      ...pick(group[0], per),
      ...names,
      n: pairs.length,
      unpaired,
      clusters: clusters.length,
      ...difference(clusters, range),
    };
  });
  return withLabels(frame, per, rows, DIFFERENCES);
}

function difference(
  clusters: readonly (readonly (readonly [number, number])[])[],
  range: readonly [number, number],
): object {
  const pairs = clusters.flat();
  if (pairs.length === 0) return {};
  const mean = pairs.reduce((sum, [a, b]) => sum + a - b, 0) / pairs.length;
  if (clusters.length < 2) return { mean };
  const isClustered = clusters.length < pairs.length;
  const added = addedByClusters(clusters.map((some) => some.map(([a, b]) => a - b)));
  const { t, p } = isClustered
    ? comparePaired(added, added.map(() => 0), { range })
    : comparePaired(pairs.map(([a]) => a), pairs.map(([, b]) => b), { range });
  const width = range[1] - range[0];
  const within = t && { low: Math.max(t.low, -width), high: Math.min(t.high, width) };
  return { mean, ...withArm(mean, within), p };
}

type Row = Readonly<Record<string, unknown>>;

function rangeOf(frame: DataFrame, of: string): readonly [number, number] {
  const column = frame.getColumn(of);
  if (of === "score") return [Number(column.min()) < 0 ? -Infinity : 0, 1];
  if (column.dtype.equals(polars().Bool)) return [0, 1];
  return COUNTS.test(of) ? [0, Infinity] : [-Infinity, Infinity];
}

function isHeld(value: unknown): boolean {
  return typeof value === "boolean" || typeof value === "number" && !Number.isNaN(value);
}

function withArm(mean: number, found: Interval | undefined): object {
  if (!found) return {};
  return { low: found.low, high: found.high, arm: Math.max(found.high - mean, mean - found.low) };
}

function keyOf(row: Row, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => row[column] ?? null));
}

function groupsOf(frame: DataFrame, by: readonly string[]): Row[][] {
  return [...Map.groupBy(rowsOf<Row>(frame), (row) => keyOf(row, by)).values()];
}

function clustersOf<Item>(
  items: readonly Item[],
  cluster: readonly string[],
  rowOf = (item: Item): Row => item as Row,
): Item[][] {
  if (cluster.length === 0) return items.map((item) => [item]);
  return [...Map.groupBy(items, (item) => keyOf(rowOf(item), cluster)).values()];
}

function sideOf(rows: readonly Row[], of: string, by: readonly string[]): Map<string, Row> {
  const side = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row, by);
    if (side.has(key)) {
      raise(
        `two values of ${of} are of the same ${
          by.join(", ")
        } (${key}); name the columns that tell them apart in "by"`,
      );
    }
    side.set(key, row);
  }
  return side;
}

function pick(row: Row | undefined, columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((column) => [column, row?.[column]]));
}

function withLabels(
  frame: DataFrame,
  labels: readonly string[],
  rows: readonly object[],
  schema: FrameSchema,
): DataFrame {
  const results = frameOf(rows, schema);
  if (labels.length === 0) return results;
  const { DataFrame: create, Series } = polars();
  const named = labels.map((name) =>
    Series(name, rows.map((row) => (row as Row)[name] ?? null), frame.getColumn(name).dtype)
  );
  return create([...named, ...results.getColumns()]);
}

/** @throws {UsageError} if the frame has not all of the columns. */
export function checkColumns(frame: DataFrame, columns: readonly string[]): void {
  for (const column of columns) {
    if (frame.columns.includes(column)) continue;
    const known = `it has ${frame.columns.join(", ")}`;
    raise(`the frame has no column "${column}"${didYouMean(column, frame.columns)}; ${known}`);
  }
}

function checkValues(frame: DataFrame, column: string, values: readonly unknown[]): void {
  const known = [...new Set(frame.getColumn(column).toArray().map(String))];
  for (const value of values) {
    if (known.length === 0 || known.includes(String(value))) continue;
    raise(
      `no ${column} is "${value}"${didYouMean(String(value), known)}; there are ${
        known.join(", ")
      }`,
    );
  }
}

function raise(problem: string): never {
  throw new UsageError(problem);
}
