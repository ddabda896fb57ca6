/** Phase diagrams of an experiment: where one memory beats another, and the line at which it begins to. */

import type { Store } from "../../lab/store/open.ts";
import { type Advantage, type AdvantageOptions, type Advantages, advantagesOf, breakEvens } from "../advantage.ts";
import { factorTitle, type MeasureInfo, measureOf, type PlayedExperiment, readExperiment, type StudyIds } from "../experiment.ts";
import { experimentCaption, experimentSubtitle } from "../experiment-caption.ts";
import { type Figure, figureOf } from "../figure.ts";
import { listed } from "../../core/text/listed.ts";
import { dodged, intervalPoint, nominal, quantitative } from "../marks.ts";
import { methodChannels } from "../styles.ts";
import type { Cell, Table } from "../table.ts";

/** How a difference is written: with its sign, thousands and millions in short. */
function amountOf({ digits }: MeasureInfo): (mean: number) => string {
  const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 2 });
  return (mean) => {
    const size = Math.abs(mean) >= 10_000 ? short.format(Math.abs(mean)) : Math.abs(mean).toFixed(digits);
    return `${Number(mean.toFixed(digits)) === 0 ? "" : mean < 0 ? "−" : "+"}${size}`;
  };
}

/** Places along x that a panel has at most where others stand beside it. */
const MOST_BESIDE = 3;
/** Letters of the longest label of rows where others have room beside it. */
const LONGEST_BESIDE = 30;

/** A sign for each side of 0 that an interval lies on, so that no cell is read by colour alone. */
function signOf({ lead, low = 0 }: Pick<Advantage, "lead" | "low">): string {
  return lead === "cannot tell" ? "?" : low > 0 ? "▲" : "▼";
}

/**
 * A panel for each memory that is compared with, a cell for each place: the mean difference, ▲ where its 95 % interval lies above 0, ▼ where it lies
 * below, ? where it tells neither.
 *
 * @throws {UsageError} for a study that the store does not hold, or a factor, level or measure that there is not, with the nearest one.
 *
 * @example
 * ```ts
 * import { phaseFigure } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.throws(() => phaseFigure(store, "sweep", { x: "rooms" }), { message: /there is no factor "rooms"/ });
 * ```
 */
export function phaseFigure(store: Store, studies: StudyIds, options: AdvantageOptions): Figure {
  const played = readExperiment(store, studies);
  const found = advantagesOf(played, options);
  const measure = measureOf(played, found.of);
  const shown = amountOf(measure);
  const rows = found.rows.map((row) => ({ ...row, x: String(row.x), text: `${shown(row.mean)} ${signOf(row)}` }));
  const most = Math.max(0.01, ...rows.map(({ mean }) => Math.abs(mean)));
  const places = {
    x: nominal("x", found.xs.map(String), { title: factorTitle(found.x), axis: { labelAngle: 0 } }),
    y: nominal("y", found.ys, { title: null }),
  };
  const scale = { scheme: "blueorange", reverse: measure.better !== "less", domain: [-most, most] };
  const labels = most < 10_000 ? { format: ".2~r" } : { labelExpr: "upper(format(datum.value, '.2~s'))" };
  const legend = { legend: { values: [-most, 0, most], ...labels } };
  const color = quantitative("mean", `${found.level} minus the other`, { scale, ...legend });
  const reading = "Blue is better. ▲ or ▼: the interval lies above or below 0; ?: the interval includes 0.";
  // beyond this share white has the greater contrast in this scheme; both have more than 4 there
  const ink = { condition: { test: `abs(datum.mean) > ${0.82 * most}`, value: "white" }, value: "black" };
  return figureOf({
    ...headOf(played, found, "phase", reading),
    rows,
    fields: [["text", "than", "x", "y", "lead", "text"], ["number", "mean", "low", "high"], ["integer", "games"]],
    facet: nominal("than", found.than),
    // as many cells side by side as have room for what stands in them
    columns: found.xs.length > MOST_BESIDE || found.ys.some((label) => label.length > LONGEST_BESIDE) ? 1 : 3,
    spec: {
      width: { step: 58 },
      height: { step: 26 },
      layer: [
        { mark: { type: "rect", stroke: "white" }, encoding: { ...places, color } },
        { mark: { type: "text", fontSize: 7.5 }, encoding: { ...places, text: { field: "text", type: "nominal" }, color: ink } },
      ],
    },
  });
}

/**
 * The same differences as lines over a factor of numbers, with intervals, a line a model and a panel a memory; 0 is break-even.
 *
 * @throws {UsageError} as `phaseFigure`.
 *
 * @example
 * ```ts
 * import { breakEvenFigure } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.throws(() => breakEvenFigure(store, "sweep", { x: "rooms" }), { name: "UsageError" });
 * ```
 */
export function breakEvenFigure(store: Store, studies: StudyIds, options: AdvantageOptions): Figure {
  const played = readExperiment(store, studies);
  const found = advantagesOf(played, options);
  const rows = found.rows.flatMap(({ x, ...row }) => typeof x === "number" ? [{ ...row, x }] : []);
  const lines = found.ys;
  const { color, shape, strokeDash } = methodChannels("y", lines, { columns: 2, symbolStrokeWidth: 0 });
  const values = [...new Set(rows.map(({ x }) => x))];
  const x = quantitative("x", factorTitle(found.x), {
    scale: { type: Math.min(...values) > 0 ? "log" : "symlog", nice: false, padding: 12 },
    axis: { values, grid: false },
  });
  const y = quantitative("mean", `${found.level} minus the other`);
  const points = intervalPoint({ x, y, low: "low", high: "high", color, shape, dodge: { field: "y", values: lines } });
  const hasInterval = rows.some(({ low }) => low !== undefined); // of one game there is none
  return figureOf({
    ...headOf(played, found, "break-even-lines", "Break-even is at 0."),
    rows,
    fields: [["text", "than", "y"], ["number", "x", "mean", "low", "high"], ["integer", "games"]],
    facet: nominal("than", found.than),
    columns: 3,
    spec: {
      width: 170,
      height: 140,
      layer: [
        { mark: { type: "rule", color: "#333" }, encoding: { y: { datum: 0 } } },
        { mark: { type: "line", strokeWidth: 1.4, ...dodged({ field: "y", values: lines }) }, encoding: { x, y, color, strokeDash } },
        ...hasInterval ? points : points.slice(1),
      ],
    },
  });
}

/**
 * Where it begins to pay: for each model and other memory the number at which the mean difference turns from minus to plus, and where a lead is lost.
 *
 * @throws {UsageError} as `phaseFigure`.
 *
 * @example
 * ```ts
 * import { breakEvenTable } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.throws(() => breakEvenTable(store, "sweep", { x: "rooms" }), { name: "UsageError" });
 * ```
 */
export function breakEvenTable(store: Store, studies: StudyIds, options: AdvantageOptions): Table {
  const played = readExperiment(store, studies);
  const found = advantagesOf(played, options);
  const measure = measureOf(played, found.of);
  const points = breakEvens(found, measure);
  const turns = measure.better === "less" ? "plus to minus" : "minus to plus";
  const cell = (y: string, than: string): Cell => {
    const point = points.find((one) => one.y === y && one.than === than)?.point;
    if (point === undefined) return null;
    if (!("text" in point) && point.isTold) return { value: point.at, digits: point.digits };
    const behind = found.rows.flatMap((row) => row.y === y && row.than === than && row.lead === "behind" ? [row.x] : []);
    const text = "text" in point ? point.text : `${point.at.toFixed(point.digits)} (not told)`;
    return behind.length > 0 ? `${text}; behind at ${listed(behind.map(String))}` : text;
  };
  const along = factorTitle(found.x);
  const reading = `The ${along} at which the mean difference turns from ${turns}, between the neighbours that were played ` +
    "(linear in the logarithm). Not told: the intervals of these, or of the " +
    `least or greatest ${along} that a text speaks of, leave the side of 0 open. Behind: the interval lies on the worse side of 0.`;
  const { id, caption } = headOf(played, found, "break-even", reading, "none");
  return {
    id,
    title: `Break-even of ${found.level} in ${measure.title}, by ${along}`,
    caption,
    columns: [factorTitle(found.y), ...found.than.map((than) => `against ${than}`)],
    rows: found.ys.map((y) => [y, ...found.than.map((than) => cell(y, than))]),
  };
}

/** That many intervals are not one test. */
function forItself(rows: readonly Advantage[]): string {
  const count = rows.filter(({ low }) => low !== undefined).length;
  return count > 1 ? ` Each of the ${count} intervals is for itself: were no difference real, one in 20 would leave 0 out.` : "";
}

function headOf(
  played: PlayedExperiment,
  { by, level, of, rows, x, y }: Advantages,
  kind: string,
  reading: string,
  intervals: "differences" | "none" = "differences",
): Pick<Figure, "id" | "caption"> & { title: string; subtitle: string } {
  const { title } = measureOf(played, of);
  const [along, across, compared] = [x, y, by].map((factor) => factorTitle(factor));
  const what =
    `${title} of ${level} minus that of each other ${compared}, by ${along} and ${across}, over pairs of the same game, seed and levels of other factors`;
  return {
    id: [kind, played.study, level, of].join("-"),
    title: `Where does ${level} pay? ${title} by ${along}`,
    subtitle: experimentSubtitle(played),
    caption: experimentCaption(played, `Differences in ${what}. ${reading}${forItself(rows)}`, { intervals }),
  };
}
