/**
 * GraphMind's figures of graph edit distance: successes and failures over it (Fig. 5), and how often trials succeed at which distance.
 *
 * @module
 */

import { wilsonInterval } from "../../../stats/intervals.ts";
import { seedsText } from "../../../report/counts.ts";
import { type Figure, PALETTE } from "../../../report/figure.ts";
import { type DataFrame, frameOf } from "../../../report/frame.ts";
import { roomsOrder, trialsOf } from "../trials.ts";

/** From here on distances stand together (Fig. 5). */
const CLIP = 20;

/** Which distances stand together in the figure of success by distance. */
const BINS: readonly { readonly name: string; readonly to: number }[] = [
  { name: "0", to: 0 },
  { name: "1–5", to: 5 },
  { name: "6–10", to: 10 },
  { name: "11–20", to: 20 },
  { name: "20+", to: Infinity },
];

/**
 * Figure 5: every trial with a graph as a mark over its distance to the observed truth, blue triangles for successes and red crosses for failures,
 * those above 20 together.
 *
 * @param trials the frame of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { gedFigure } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", condition: "text", mission: "text", rooms: "text", seed: "text", success: "boolean", ged: "integer" } as const;
 * const row = { condition: "kg", mission: "PutNextTo", rooms: "2x2", seed: "1" };
 * const trials = frameOf([{ ...row, episode: "a", success: true, ged: 2 }, { ...row, episode: "b", success: false, ged: 31 }], types);
 * const marks = rowsOf<{ bin: string; outcome: string }>(gedFigure(trials, { backbone: "offline" }).frame);
 * assert.deepEqual(marks.map(({ bin, outcome }) => [bin, outcome]), [["2", "success"], ["20+", "failure"]]);
 * ```
 */
export function gedFigure(trials: DataFrame, { backbone }: { readonly backbone: string }): Figure {
  const rows = trialsOf(trials).filter(({ mission, ged }) => mission === "PutNextTo" && ged !== null);
  const heights = new Map<string, number>();
  const marks = rows.sort((a, b) => Number(b.success) - Number(a.success)).map(({ episode, condition, rooms, success, ged }) => {
    const bin = (ged ?? 0) > CLIP ? `${CLIP}+` : `${ged}`;
    const key = `${rooms}/${bin}`;
    const height = (heights.get(key) ?? 0) + 1;
    heights.set(key, height);
    return { episode, condition, rooms, outcome: success ? "success" : "failure", ged, bin, height };
  });
  const outcomes = { domain: ["success", "failure"] };
  const counted = (outcome: string): number => marks.filter((mark) => mark.outcome === outcome).length;
  return {
    id: `graphmind-fig5-${backbone}`,
    caption: `GED of successes and failures in PutNextTo (after Figure 5), backbone ${backbone}, n = ${marks.length} trials with a graph ` +
      `(${counted("success")} successes, ${counted("failure")} failures), ${
        seedsText(rows)
      }: fewest edits from the graph at the end to the rooms, ` +
      `doors and things that were seen; above ${CLIP} together.`,
    frame: frameOf(marks, {
      episode: "text",
      condition: "text",
      rooms: "text",
      outcome: "text",
      ged: "integer",
      bin: "text",
      height: "integer",
    }),
    spec: {
      title: { text: "Graph edit distance of successes and failures, PutNextTo", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: { field: "rooms", type: "nominal", title: null, sort: sizesOf(rows) },
      columns: 2,
      spec: {
        width: 340,
        height: 150,
        mark: { type: "point", filled: true, size: 55, opacity: 0.9 },
        encoding: {
          x: {
            field: "bin",
            type: "ordinal",
            title: "graph edit distance",
            scale: { domain: [...Array.from({ length: CLIP + 1 }, (_, ged) => `${ged}`), `${CLIP}+`] },
            // every other label: all of them run into each other
            axis: {
              labelAngle: 0,
              grid: true,
              labelExpr: `datum.value === "${CLIP}+" || datum.value % 2 === 0 && datum.value < ${CLIP} ? datum.value : ""`,
            },
          },
          y: { field: "height", type: "quantitative", title: "trials", axis: { tickMinStep: 1 }, scale: { domainMin: 0 } },
          color: { field: "outcome", type: "nominal", title: null, scale: { ...outcomes, range: [PALETTE[0], "#c00000"] } },
          shape: { field: "outcome", type: "nominal", title: null, scale: { ...outcomes, range: ["triangle-up", "cross"] } },
        },
      },
    },
  };
}

/**
 * How often trials succeed whose graph is so far from the truth (§4.3: the closer, the more often), with Wilson's intervals.
 *
 * @param trials the frame of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { successByGedFigure } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", condition: "text", mission: "text", rooms: "text", seed: "text", success: "boolean", ged: "integer" } as const;
 * const trials = frameOf([{ episode: "a", condition: "kg", mission: "OpenDoor", rooms: "2x2", seed: "1", success: true, ged: 3 }], types);
 * const [bar] = rowsOf<{ bin: string; success: number }>(successByGedFigure(trials, { backbone: "offline" }).frame);
 * assert.deepEqual([bar?.bin, bar?.success], ["1–5", 100]);
 * ```
 */
export function successByGedFigure(trials: DataFrame, { backbone }: { readonly backbone: string }): Figure {
  const rows = trialsOf(trials).filter(({ ged, success }) => ged !== null && success !== null);
  const binOf = (ged: number): string => BINS.find(({ to }) => ged <= to)?.name ?? "";
  const groups = Map.groupBy(rows, ({ ged }) => binOf(ged ?? 0));
  const bars = BINS.flatMap(({ name }) => {
    const cell = groups.get(name);
    if (!cell) return [];
    const won = cell.filter(({ success }) => success).length;
    const { low, high } = wilsonInterval(won, cell.length);
    return [{
      bin: name,
      success: 100 * won / cell.length,
      low: 100 * low,
      high: 100 * high,
      n: cell.length,
      label: `${won}/${cell.length}`,
    }];
  });
  const x = { field: "bin", type: "ordinal", title: "graph edit distance", sort: BINS.map(({ name }) => name), axis: { labelAngle: 0 } };
  const y = {
    field: "success",
    type: "quantitative",
    title: "success, %",
    scale: { domain: [0, 110] },
    axis: { values: [0, 25, 50, 75, 100] },
  };
  return {
    id: `graphmind-success-ged-${backbone}`,
    caption:
      `Success by graph edit distance to the observed truth (§4.3), backbone ${backbone}, n = ${rows.length} trials with a graph, all missions and ` +
      `sizes, ${seedsText(rows)}, with Wilson's 95 % intervals. The paper: 98.1 % where the graph was highly accurate, 0 % above 20.`,
    frame: frameOf(bars, { bin: "text", success: "number", low: "number", high: "number", n: "integer", label: "text" }),
    spec: {
      title: { text: "Success by graph edit distance", subtitle: `backbone: ${backbone}` },
      width: 340,
      height: 200,
      data: { name: "frame" },
      layer: [
        { mark: { type: "bar", color: PALETTE[5], size: 34 }, encoding: { x, y } },
        { mark: { type: "rule", strokeWidth: 1.5, color: "#333" }, encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" } } },
        {
          mark: { type: "text", fontSize: 9, dx: 22, dy: -5 },
          encoding: { x, y, text: { field: "label", type: "nominal" } },
        },
      ],
    },
  };
}

function sizesOf(rows: readonly { readonly rooms: string }[]): string[] {
  return [...new Set(rows.map(({ rooms }) => rooms))].sort((a, b) => roomsOrder(a) - roomsOrder(b));
}
