/** Where one level of a factor beats another: differences over pairs of the same game, seed and levels of other factors, at each place of a phase diagram. */

import { mean } from "simple-statistics";
import { meanInterval } from "../core/stats/intervals.ts";
import { checkKeys, checkName } from "../core/text/did-you-mean.ts";
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

/** What the interval of a difference says: it lies on the better side of 0, on the worse, or tells neither, since 0 is in it or there is none. */
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
  /** The levels along the axes in the order of the plan; numbers along x ascend. */
  readonly xs: readonly (string | number)[];
  readonly ys: readonly string[];
}

/** Computes the advantages of a played experiment. @throws {UsageError} for a factor, level or measure that there is not, with the nearest one. */
export function advantagesOf(
  played: Pick<PlayedExperiment, "rows" | "levels" | "measures">,
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
  const [found, ys] = [known(x), known(y).map(String)];
  const xs = found.every((one) => typeof one === "number") ? found.toSorted((a, b) => a - b) : found;
  const rows = than.flatMap((other) =>
    ys.flatMap((row) =>
      xs.flatMap((column): Advantage[] => {
        const here = played.rows.filter(({ factors }) => factors[x] === column && String(factors[y]) === row);
        const at = (wanted: string): ExperimentRow[] => here.filter(({ factors }) => String(factors[by]) === wanted);
        const gap = difference(at(level), at(other), of, { ...info, by });
        return gap ? [{ than: other, x: column, y: row, ...gap }] : [];
      })
    )
  );
  return { x, y, by, level, than, of, rows, xs, ys };
}

function difference(
  ours: readonly ExperimentRow[],
  theirs: readonly ExperimentRow[],
  of: MeasureName,
  { by, better, ...info }: MeasureInfo & { readonly by: string },
): Pick<Advantage, "mean" | "low" | "high" | "games" | "lead"> | undefined {
  const gaps = pairsOf(ours, theirs, by).flatMap((pair) => {
    const [mine, other] = [pair.mine.values[of] ?? null, pair.theirs.values[of] ?? null];
    return mine === null || other === null ? [] : [{ game: pair.mine.game, seed: pair.mine.seed, value: mine - other }];
  });
  const { games, spread } = spreadOf(gaps);
  if (games === 0) return undefined;
  const [least, most] = rangeOf(info, ours);
  const interval = spread.length > 1 ? meanInterval(spread, { range: [least - most, most - least] }) : undefined;
  const { low = -Infinity, high = Infinity } = interval ?? {};
  const lead: Lead = low > 0 || high < 0 ? (isBetter(low, { better }) ? "ahead" : "behind") : "cannot tell";
  return { mean: mean([...spread]), low: interval?.low, high: interval?.high, games, lead };
}

/** Whether a difference that is not 0 is one for the better. */
function isBetter(difference: number, { better }: Pick<MeasureInfo, "better">): boolean {
  return better === "less" ? difference < 0 : difference > 0;
}

/**
 * Where the difference turns from minus to plus along x, with as many `digits` as keep it between its neighbours, at most two beyond their distance's own,
 * and whether both of these lie on their sides of 0 with their intervals; text where it does not turn just once between the levels that were played.
 */
export type BreakEven = { readonly at: number; readonly digits: number; readonly isTold: boolean } | { readonly text: string };

/**
 * The break-even point of each y and other level: the x at which the mean difference reaches 0 on its way from worse to better, interpolated in log x
 * between the neighbours that were played, from 0 on in x. Below 0 is worse, unless less of the measure is better. A lead that is lost is told.
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

interface Place {
  readonly x: number;
  readonly mean: number;
  readonly isTold: boolean;
}

/** A change of the sign of a difference; from minus to plus it has a point. */
interface Turn {
  readonly point?: { readonly at: number; readonly digits: number };
  readonly text: string;
  readonly isTold: boolean;
}

function crossing(line: readonly Place[]): BreakEven {
  const hedged = (text: string, isTold = false): BreakEven => ({ text: isTold ? text : `${text} (not told)` });
  const [first, last] = [line[0], line.at(-1)];
  const unequal = line.filter(({ mean }) => Math.abs(mean) > 1e-9);
  if (unequal.length === 0) return { text: "equal throughout" };
  if (unequal.every(({ mean }) => mean > 0)) return hedged(`never behind from ${first?.x} on`, first?.isTold);
  if (unequal.every(({ mean }) => mean < 0)) return hedged(`not up to ${last?.x}`, last?.isTold);
  const turns = unequal.flatMap((after, i): Turn[] => {
    const before = unequal[i - 1];
    if (!before || before.mean * after.mean > 0) return [];
    const isTold = before.isTold && after.isTold;
    if (before.mean > 0) return [{ text: `lost after ${before.x}`, isTold }];
    const point = zeroBetween(before, line[line.indexOf(before) + 1] ?? after, after.x);
    const isAgain = unequal.slice(0, i).some(({ mean }) => mean > 0);
    return [{ point, text: `${isAgain ? "again from " : ""}${point.at.toFixed(point.digits)}`, isTold }];
  });
  const [turn, ...others] = turns;
  if (turn?.point && others.length === 0) return { ...turn.point, isTold: turn.isTold };
  return hedged(turns.map(({ text }) => text).join(", "), turns.every(({ isTold }) => isTold));
}

/** Where the line between two places reaches 0, and the digits that keep it below `end`. */
function zeroBetween(before: Place, after: Place, end: number): NonNullable<Turn["point"]> {
  const share = -before.mean / (after.mean - before.mean);
  const at = before.x > 0 ? before.x * (after.x / before.x) ** share : before.x + share * (after.x - before.x);
  const least = Math.max(0, Math.ceil(-Math.log10(end - before.x)));
  const lies = (digits: number): boolean => Number(at.toFixed(digits)) > before.x && Number(at.toFixed(digits)) < end;
  return { at, digits: [least, least + 1].find(lies) ?? least + 2 };
}
