/** Figures of an experiment, whatever its study: curves over a factor, a heat map of two, and tokens over steps. */

import type { Store } from "../../lab/store/open.ts";
import { stepTokens } from "../../lab/store/costs.ts";
import { capitalised } from "../../core/text/capitalised.ts";
import { checkKeys, checkName } from "../../core/text/did-you-mean.ts";
import {
  type ExperimentRow,
  factorTitle,
  meanOverGames,
  type MeasureName,
  measureOf,
  type PlayedExperiment,
  readExperiment,
  type StudyIds,
} from "../experiment.ts";
import { experimentCaption, experimentSubtitle } from "../experiment-caption.ts";
import { type Figure, figureOf } from "../figure.ts";
import { bandLine, type Channel, intervalPoint, LINE_LEGEND, nominal, quantitative } from "../marks.ts";
import { methodChannels, PALETTE } from "../styles.ts";
import { groupedRows } from "../tables/experiment.ts";

/** Options of `curveFigure`. */
export interface CurveOptions {
  /** The factor along the x axis. */
  readonly x: string;
  /** The measure. @default {"score"} */
  readonly y?: MeasureName;
  /** The factor that tells lines apart. @default every combination of the others */
  readonly by?: string;
  /** The factor that tells panels apart, three in a row. @default none: there is one panel */
  readonly panel?: string;
}

/**
 * Means over games with their intervals, a point a level of one factor, a line a level of another: a mean is over all else that varies.
 *
 * @throws {UsageError} for a study that the store does not hold, or a factor or measure that there is not, with the nearest one.
 *
 * @example
 * ```ts
 * import { curveFigure } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.throws(() => curveFigure(store, "sweep", { x: "k" }), { message: /there is no factor "k"/ });
 * ```
 */
export function curveFigure(store: Store, study: StudyIds, options: CurveOptions): Figure {
  checkKeys("curveFigure()", options, ["x", "y", "by", "panel"]);
  const { x, y = "score", by, panel } = options;
  const played = checked(store, study, [x, by, panel]);
  const shown = measureOf(played, y);
  const along = factorTitle(x);
  const levels = (played.levels.get(x) ?? []).filter((level) => level !== null);
  const isNumber = levels.every((level) => typeof level === "number");
  const { groups, labels } = by === undefined ? groupedRows(played, x, panel) : {
    labels: [by],
    groups: [...Map.groupBy(played.rows, ({ factors }) => String(factors[by] ?? "–"))].map(([label, rows]) => ({ label: [label], rows })),
  };
  const varied = labels.filter((_, i) => new Set(groups.map(({ label }) => label[i])).size > 1);
  const prefixOf = (name: string): string => name === "memory" || name === "method" ? "" : `${factorTitle(name)} `;
  const nameOf = (label: readonly string[]): string =>
    labels.flatMap((name, i) => varied.includes(name) ? `${prefixOf(name)}${label[i]}` : []).join(", ");
  const panelOf = ({ factors }: ExperimentRow): string => panel === undefined ? "" : String(factors[panel] ?? "–");
  const panels = [...new Set(played.rows.map(panelOf))];
  const rows = panels.flatMap((where) =>
    groups.flatMap(({ label, rows }) =>
      levels.flatMap((level) => {
        const found = meanOverGames(rows.filter((row) => row.factors[x] === level && panelOf(row) === where), y, shown);
        if (!found) return [];
        const { value, low = null, high = null, n } = found;
        return [{ panel: where, line: nameOf(label), level: isNumber ? Number(level) : String(level), mean: value, low, high, n }];
      })
    )
  );
  const lines = [...new Set(rows.map(({ line }) => line))];
  const channels = {
    x: isNumber
      ? quantitative("level", along, { scale: { zero: false, padding: 12 }, axis: { values: levels, grid: false } })
      : nominal("level", levels.map(String), { title: along, axis: { labelAngle: 0 } }),
    y: quantitative("mean", shown.title, panel === undefined ? { scale: { zero: shown.isShare ?? false } } : roomyAxis(rows)),
    ...{ low: "low", high: "high" },
    dodge: { field: "line", values: lines },
  };
  const { color, shape, strokeDash } = lines.length > 1
    ? methodChannels("line", lines, { symbolStrokeWidth: 0 })
    : { color: { value: PALETTE[0] }, shape: undefined, strokeDash: undefined };
  const hasInterval = rows.some(({ low }) => low !== null); // of one game there is none
  const points = intervalPoint({ ...channels, color, shape }).slice(hasInterval ? 0 : 1);
  const bands = bandLine({ ...channels, color, strokeDash, lines: lines.length });
  const layer = isNumber ? [...(hasInterval ? bands : bands.slice(-1)), ...points] : points;
  return figureOf({
    ...headOf(played, `${shown.title} over ${along}`, `curve-${played.study}-${x}-${y}`),
    rows,
    fields: [
      ["text", ...(panel === undefined ? [] : ["panel"]), "line"],
      [isNumber ? "number" : "text", "level"],
      ["number", "mean", "low", "high"],
      ["integer", "n"],
    ],
    ...(panel === undefined
      ? { width: 320, height: 220, layer }
      : { facet: nominal("panel", panels), columns: 3, spec: { width: 130, height: 110, layer } }),
  });
}

/** The ratio of the greatest value to the least above which an axis has powers of ten. */
const WIDE = 20;

/** An axis with room beyond all marks: what stands out of a panel shifts its title. Numbers of unlike size stand on powers of ten. */
function roomyAxis(
  rows: readonly { readonly mean: number; readonly low: number | null; readonly high: number | null }[],
): { readonly scale: Channel; readonly axis?: Channel } {
  const [least, most] = [Math.min(...rows.map(({ low, mean }) => low ?? mean)), Math.max(...rows.map(({ high, mean }) => high ?? mean))];
  if (least > 0 && most / least > WIDE) {
    const [from, to] = [least / 1.2, most * 1.2];
    const values = [];
    for (let ten = 10 ** Math.floor(Math.log10(from)); ten <= to; ten *= 10) values.push(ten, 2 * ten, 5 * ten);
    const within = values.filter((value) => value >= from && value <= to);
    return { scale: { type: "log", domain: [from, to], nice: false }, axis: { values: within, format: "~s" } };
  }
  const room = 0.1 * (most - least || Math.abs(most) || 1);
  return { scale: { domain: [least - room, most + room], nice: false } };
}

/** Options of `heatFigure`. */
export interface HeatOptions {
  /** The factor of the columns. */
  readonly x: string;
  /** The factor of the rows. */
  readonly y: string;
  /** The measure. @default {"score"} */
  readonly of?: MeasureName;
}

/**
 * Means over games in the cells of two factors: a mean is over all else that varies, which the caption names.
 *
 * @throws {UsageError} for a study that the store does not hold, or a factor or measure that there is not, with the nearest one.
 *
 * @example
 * ```ts
 * import { heatFigure } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.throws(() => heatFigure(store, "sweep", { x: "k", y: "depth" }), { name: "UsageError" });
 * ```
 */
export function heatFigure(store: Store, study: StudyIds, options: HeatOptions): Figure {
  checkKeys("heatFigure()", options, ["x", "y", "of"]);
  const { x, y, of = "score" } = options;
  const played = checked(store, study, [x, y]);
  const shown = measureOf(played, of);
  const known = (name: string): string[] => (played.levels.get(name) ?? []).filter((level) => level !== null).map(String);
  const isAt = ({ factors }: ExperimentRow, name: string, level: string): boolean => String(factors[name]) === level;
  const rows = known(x).flatMap((column) =>
    known(y).flatMap((row) => {
      const found = meanOverGames(played.rows.filter((one) => isAt(one, x, column) && isAt(one, y, row)), of, shown);
      return found ? [{ column, row, mean: found.value, n: found.n, text: found.value.toFixed(shown.digits) }] : [];
    })
  );
  const middle = (Math.min(...rows.map(({ mean }) => mean)) + Math.max(...rows.map(({ mean }) => mean))) / 2;
  const places = {
    x: nominal("column", known(x), { title: factorTitle(x), axis: { labelAngle: 0 } }),
    y: nominal("row", known(y), { title: factorTitle(y) }),
  };
  const over = [...played.levels].filter(([name, all]) => all.length > 1 && ![x, y, "game"].includes(name))
    .map(([name, all]) => `, and over ${factorTitle(name)} (${all.map((level) => level ?? "none").join(", ")})`);
  const title = `${shown.title} by ${factorTitle(x)} and ${factorTitle(y)}`;
  const caption = `Means of ${title}, over games, whose replicates are averaged first${over.join("")}.`;
  return figureOf({
    ...headOf(played, title, `heat-${played.study}-${x}-${y}-${of}`, caption),
    rows,
    fields: [["text", "column", "row", "text"], ["number", "mean"], ["integer", "n"]],
    width: { step: 64 },
    height: { step: 40 },
    layer: [
      { mark: "rect", encoding: { ...places, color: quantitative("mean", shown.title, { scale: { scheme: "blues" } }) } },
      {
        mark: { type: "text", fontSize: 11 },
        encoding: {
          ...places,
          text: { field: "text", type: "nominal" },
          color: { condition: { test: `datum.mean > ${middle}`, value: "white" }, value: "black" },
        },
      },
    ],
  });
}

/** Options of `tokensFigure`. */
export interface TokensOptions {
  /** A line for each value of: the role that asks, or a factor. @default {"role"} */
  readonly by?: string;
}

/**
 * Prompt and completion tokens of each agent step, a line a role (a panel a condition) or a level of a factor: means over the episodes that still run at
 * the step. Of each request the first answer counts; embeddings are left out.
 *
 * @throws {UsageError} for a study that the store does not hold, or a factor that there is not, with the nearest one.
 *
 * @example
 * ```ts
 * import { tokensFigure } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.equal(tokensFigure(store, "sweep").id, "tokens-sweep-role");
 * ```
 */
export function tokensFigure(store: Store, study: string, options: TokensOptions = {}): Figure {
  checkKeys("tokensFigure()", options, ["by"]);
  const { by = "role" } = options;
  const played = readExperiment(store, study);
  checkName("factor", by, ["role", ...played.levels.keys()]);
  const rows = tokenRows(store, played, by);
  const planned = [...played.rows.map(({ condition }) => condition), ...[...played.levels.values()].flat().map(String)];
  const inOrder = (names: readonly string[]): string[] => [...new Set(names)].sort((a, b) => planned.indexOf(a) - planned.indexOf(b));
  const lines = inOrder(rows.map(({ line }) => line));
  const panels = inOrder(rows.map(({ panel }) => panel));
  const { color, strokeDash } = methodChannels("line", lines, { ...LINE_LEGEND, columns: 1 });
  const encoding = { x: quantitative("step", "agent step"), y: quantitative("tokens", "tokens a step"), color, strokeDash };
  const spec = { width: 300, height: 200, mark: { type: "line", strokeWidth: 1.5 }, encoding };
  return figureOf({
    ...headOf(
      played,
      `Tokens over steps by ${factorTitle(by)}`,
      `tokens-${study}-${by}`,
      rows.length === 0
        ? "No completed episode asked a model."
        : "Prompt and completion tokens of each step, means over the episodes that still run.",
    ),
    rows,
    fields: [["text", "panel", "line"], ["integer", "step", "n"], ["number", "tokens"]],
    ...(panels.length > 1 ? { facet: nominal("panel", panels), columns: panels.length === 4 ? 2 : 3, spec } : spec),
  });
}

interface TokenRow extends Readonly<Record<"panel" | "line", string>>, Readonly<Record<"step" | "n" | "tokens", number>> {}

function tokenRows(store: Store, { study, rows }: PlayedExperiment, by: string): TokenRow[] {
  const done = new Map(rows.filter(({ status }) => status === "completed").map((row) => [row.episode, row]));
  const groupOf = (row: ExperimentRow, role: string): Record<"panel" | "line", string> =>
    by === "role" ? { panel: row.condition, line: role } : { panel: "", line: String(row.factors[by] ?? "–") };
  const sums = new Map<string, { panel: string; line: string; step: number; sum: number }>();
  for (const { episode, step, role, prompt, completion } of stepTokens(store, study)) {
    const row = done.get(episode);
    if (!row) continue;
    const group = groupOf(row, role);
    const entry = sums.getOrInsertComputed(JSON.stringify([group, step]), () => ({ ...group, step, sum: 0 }));
    entry.sum += prompt + completion;
  }
  const running = ({ panel, line }: { panel: string; line: string }, step: number): number =>
    [...done.values()].filter((row) => {
      const group = by === "role" ? { panel: row.condition, line } : groupOf(row, "");
      return group.panel === panel && group.line === line && (row.values.steps ?? 0) >= step;
    }).length;
  return [...sums.values()].map(({ sum, ...group }) => {
    const n = Math.max(1, running(group, group.step));
    return { ...group, n, tokens: sum / n };
  });
}

function checked(store: Store, study: StudyIds, factors: readonly (string | undefined)[]): PlayedExperiment {
  const played = readExperiment(store, study);
  for (const factor of factors) if (factor !== undefined) checkName("factor", factor, [...played.levels.keys()]);
  return played;
}

function headOf(
  played: PlayedExperiment,
  title: string,
  id: string,
  caption?: string,
): Pick<Figure, "id" | "caption"> & { title: string; subtitle: string } {
  return {
    id,
    title: capitalised(title),
    subtitle: experimentSubtitle(played),
    caption: experimentCaption(played, caption ?? `Means of ${title}.`, { intervals: caption === undefined ? "means" : "none" }),
  };
}
