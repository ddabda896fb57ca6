/** Where one level of a factor beats another: differences over pairs of the same game, seed and levels of other factors, at each place of a phase diagram. */

import { mean } from "simple-statistics";
import { meanInterval } from "../stats/intervals.ts";
import { checkKeys, checkName } from "../text/did-you-mean.ts";
import {
  type ExperimentRow,
  type MeasureInfo,
  type MeasureName,
  measureOf,
  type PlayedExperiment,
  rangeOf,
  spreadOf,
} from "./experiment.ts";
import { pairsOf } from "./pairs.ts";

/** What is compared, and where. */
export interface AdvantageOptions {
  /** The factor along the x axis, e.g. `rooms`. */
  readonly x: string;
  /** The factor along the y axis. @default {"model"} */
  readonly y?: string;
  /** The factor whose levels are compared. @default {"memory"} */
  readonly by?: string;
  /** Its level that is held against the others. @default {"arigraph"} */
  readonly level?: string;
  /** The others. @default all of the study */
  readonly than?: readonly string[];
  /** What is measured. @default {"score"} */
  readonly of?: MeasureName;
}

/** What the interval of a difference says: it lies above 0, below 0, or tells neither, since 0 is in it or there is none. */
export type Lead = "ahead" | "behind" | "cannot tell";

/** A difference at a place of the diagram. */
export interface Advantage {
  /** The level that is compared with. */
  readonly than: string;
  /** The level of the place along the x axis. */
  readonly x: string | number;
  /** The same for the other axis. */
  readonly y: string;
  /** Mean over games of the differences, each the mean of its replicates. */
  readonly mean: number;
  /** The 95 % interval over games, of one game over its seeds (`meanInterval`); absent of one value, or of equal differences without a bound. */
  readonly low?: number;
  /** Its upper end. */
  readonly high?: number;
  /** Number of games. */
  readonly games: number;
  /** What the interval says. */
  readonly lead: Lead;
}

/** An advantage of a filled-in comparison. */
export interface Advantages extends Required<AdvantageOptions> {
  readonly rows: readonly Advantage[];
  /** The levels along the axes in the order of the plan. */
  readonly xs: readonly (string | number)[];
  readonly ys: readonly string[];
}

/** Computes the advantages of a played experiment. @throws {UsageError} for a factor, level or measure that there is not, with the nearest one. */
export function advantagesOf(
  played: Pick<PlayedExperiment, "rows" | "levels" | "measures" | "unit">,
  options: AdvantageOptions,
): Advantages {
  checkKeys("advantagesOf()", options, ["x", "y", "by", "level", "than", "of"]);
  const { x, y = "model", by = "memory", level = "arigraph", of = "score" } = options;
  const info = measureOf(played, of);
  for (const factor of [x, y, by]) checkName("factor", factor, [...played.levels.keys()]);
  const known = (name: string): (string | number)[] =>
    (played.levels.get(name) ?? []).flatMap((one) => one === null ? [] : [typeof one === "number" ? one : String(one)]);
  const { than = known(by).map(String).filter((one) => one !== level) } = options;
  for (const one of [level, ...than]) checkName(by, one, known(by).map(String));
  const [xs, ys] = [known(x), known(y).map(String)];
  const rows = than.flatMap((other) =>
    ys.flatMap((row) =>
      xs.flatMap((column): Advantage[] => {
        const here = played.rows.filter(({ factors }) => factors[x] === column && String(factors[y]) === row);
        const at = (wanted: string): ExperimentRow[] => here.filter(({ factors }) => String(factors[by]) === wanted);
        const found = difference(at(level), at(other), of, { ...info, unit: played.unit, by });
        return found ? [{ than: other, x: column, y: row, ...found }] : [];
      })
    )
  );
  return { x, y, by, level, than, of, rows, xs, ys };
}

function difference(
  ours: readonly ExperimentRow[],
  theirs: readonly ExperimentRow[],
  of: MeasureName,
  { unit, by, ...info }: MeasureInfo & Pick<PlayedExperiment, "unit"> & { readonly by: string },
): Pick<Advantage, "mean" | "low" | "high" | "games" | "lead"> | undefined {
  const gaps = pairsOf(ours, theirs, by).flatMap((pair) => {
    const [mine, other] = [pair.mine.values[of] ?? null, pair.theirs.values[of] ?? null];
    return mine === null || other === null ? [] : [{ game: pair.mine.game, seed: pair.mine.seed, value: mine - other }];
  });
  const { games, spread } = spreadOf(gaps, unit);
  if (games === 0) return undefined;
  const [least, most] = rangeOf(info, ours);
  const interval = spread.length > 1 ? meanInterval(spread, { range: [least - most, most - least] }) : undefined;
  const { low = -Infinity, high = Infinity } = interval ?? {};
  const lead: Lead = low > 0 ? "ahead" : high < 0 ? "behind" : "cannot tell";
  return { mean: mean([...spread]), low: interval?.low, high: interval?.high, games, lead };
}

/**
 * Where the difference turns from minus to plus along x, with as many `digits` as keep it between its neighbours, and whether both of these lie on their
 * sides of 0 with their intervals; text where it does not turn between the levels that were played.
 */
export type BreakEven = { readonly at: number; readonly digits: number; readonly isTold: boolean } | { readonly text: string };

/**
 * The break-even point of each y and other level: the least x at which the mean difference goes from worse than 0 to 0 or better, interpolated in log x
 * between the neighbours that were played, from 0 on in x. Below 0 is worse, unless less of the measure is better.
 */
export function breakEvens(
  { rows, than, ys }: Advantages,
  { better }: Pick<MeasureInfo, "better"> = {},
): { readonly y: string; readonly than: string; readonly point: BreakEven }[] {
  return ys.flatMap((y) =>
    than.flatMap((other) => {
      const line = rows.flatMap((row) =>
        row.y === y && row.than === other && typeof row.x === "number"
          ? [{ x: row.x, mean: better === "less" ? -row.mean : row.mean, isTold: row.lead !== "cannot tell" }]
          : []
      )
        .sort((a, b) => a.x - b.x);
      return line.length === 0 ? [] : [{ y, than: other, point: crossing(line) }];
    })
  );
}

function crossing(line: readonly { readonly x: number; readonly mean: number; readonly isTold: boolean }[]): BreakEven {
  const isBehind = ({ mean }: { readonly mean: number }): boolean => mean < -1e-9;
  const at = line.findIndex((point, i) => !isBehind(point) && isBehind(line[i - 1] ?? point));
  const [before, after] = [line[at - 1], line[at]];
  if (before && after) { // what is lost again further on is seen in the figure
    const share = -before.mean / (after.mean - before.mean);
    const at = before.x > 0 ? before.x * (after.x / before.x) ** share : before.x + share * (after.x - before.x);
    const lies = (digits: number): boolean => Number(at.toFixed(digits)) > before.x && Number(at.toFixed(digits)) < after.x;
    return { at, digits: [0, 1, 2, 3].find(lies) ?? 4, isTold: before.isTold && after.isTold };
  }
  const [first, last] = [line[0], line.at(-1)];
  const hedged = (text: string, ...points: readonly ({ readonly isTold: boolean } | undefined)[]): BreakEven => ({
    text: points.every((point) => point?.isTold) ? text : `${text} (not told)`,
  });
  if (!line.some(isBehind)) return hedged(`never behind from ${first?.x} on`, first);
  if (line.every(isBehind)) return hedged(`not up to ${last?.x}`, last);
  const end = line.findLastIndex((point) => !isBehind(point));
  return hedged(`lost after ${line[end]?.x}`, line[end], line[end + 1]);
}
