/**
 * GraphMind's figures of graph edit distance: successes and failures over it (Fig. 5), and the success rate by distance.
 *
 * @module
 */

import { countText, seedsText } from "../../../report/counts.ts";
import { intervalOf } from "../../../report/estimate.ts";
import { type Figure, PALETTE } from "../../../report/figure.ts";
import { frameOf } from "../../../report/frame.ts";
import { barWithPaper } from "../../../report/marks.ts";
import { byRooms, GRAPHMIND_CONDITIONS } from "../conditions.ts";
import type { GraphMindTrial } from "../trials.ts";

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
 * Figure 5: every trial with a graph as a mark over its distance to the observed truth, a panel a condition and size, blue triangles for successes and
 * red crosses for failures, those above 20 together; `undefined` where no trial of PutNextTo has a graph.
 */
export function gedFigure(trials: readonly GraphMindTrial[], { backbone }: { readonly backbone: string }): Figure | undefined {
  const rows = trials.filter(({ mission, ged }) => mission === "PutNextTo" && ged !== null)
    .sort((a, b) => orderOf(a.condition) - orderOf(b.condition) || byRooms(a, b) || Number(b.success) - Number(a.success));
  if (rows.length === 0) return undefined;
  const heights = new Map<string, number>();
  const marks = rows.map(({ episode, condition, rooms, success, ged }) => {
    const bin = (ged ?? 0) > CLIP ? `${CLIP}+` : `${ged}`;
    const panel = `${GRAPHMIND_CONDITIONS[condition] ?? condition}, ${rooms}`;
    const key = `${panel}/${bin}`;
    const height = (heights.get(key) ?? 0) + 1;
    heights.set(key, height);
    return { episode, condition, rooms, panel, outcome: success ? "success" : "failure", ged, bin, height };
  });
  const outcomes = { domain: ["success", "failure"] };
  const counted = (outcome: string): number => marks.filter((mark) => mark.outcome === outcome).length;
  return {
    id: `graphmind-fig5-${backbone}`,
    caption:
      `GED of successes and failures in PutNextTo (after Figure 5, which has KG alone), a panel a condition and size, backbone ${backbone}, n = ` +
      `${marks.length} trials with a graph (${counted("success")} successes, ${counted("failure")} failures), ${
        seedsText(rows)
      }: fewest edits ` +
      `from the graph at the end to the rooms, doors and things that were seen; above ${CLIP} together.`,
    frame: frameOf(marks, {
      episode: "text",
      condition: "text",
      rooms: "text",
      panel: "text",
      outcome: "text",
      ged: "integer",
      bin: "text",
      height: "integer",
    }),
    spec: {
      title: { text: "Graph edit distance of successes and failures, PutNextTo", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: { field: "panel", type: "nominal", title: null, sort: [...new Set(marks.map(({ panel }) => panel))] },
      columns: 2,
      spec: {
        width: 340,
        height: 90,
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
 * The success rate of trials by the distance of their graph to the observed truth (§4.3: the closer, the more often), a bar a condition, with Wilson's
 * intervals; `undefined` where no trial has a graph.
 */
export function successByGedFigure(trials: readonly GraphMindTrial[], { backbone }: { readonly backbone: string }): Figure | undefined {
  const rows = trials.filter(({ ged, success }) => ged !== null && success !== null);
  if (rows.length === 0) return undefined;
  const conditions = Object.entries(GRAPHMIND_CONDITIONS).filter(([condition]) => rows.some((row) => row.condition === condition));
  const binOf = (ged: number): string => BINS.find(({ to }) => ged <= to)?.name ?? "";
  const bars = BINS.flatMap(({ name }) =>
    conditions.flatMap(([condition, called]) => {
      const values = rows.filter((row) => row.condition === condition && binOf(row.ged ?? 0) === name).map(({ success }) =>
        success ? 100 : 0
      );
      if (values.length === 0) return [];
      const won = values.filter((value) => value === 100).length;
      const { low, high } = intervalOf(values, "wilson", [0, 100]);
      const n = values.length;
      return [{ bin: name, condition: called, success: 100 * won / n, low, high, n, label: `${won}/${n}` }];
    })
  );
  const domain = conditions.map(([, called]) => called);
  const x = { field: "bin", type: "ordinal", title: "graph edit distance", sort: BINS.map(({ name }) => name), axis: { labelAngle: 0 } };
  const xOffset = { field: "condition", type: "nominal", sort: domain };
  const y = {
    field: "success",
    type: "quantitative",
    title: "success, %",
    scale: { domain: [0, 110] },
    axis: { values: [0, 25, 50, 75, 100] },
  };
  const color = {
    field: "condition",
    type: "nominal",
    title: null,
    sort: domain,
    scale: { domain, range: domain.map((_, index) => PALETTE[index]) },
  };
  return {
    id: `graphmind-success-ged-${backbone}`,
    caption:
      `Success by graph edit distance to the observed truth (§4.3), a bar a condition, backbone ${backbone}, n = ${
        countText(bars.map(({ n }) => n), "trial")
      } a bar, ${rows.length} in all, all missions and ` +
      `sizes, ${seedsText(rows)}, with Wilson's 95 % intervals. The paper: 98.1 % where the graph was highly accurate, 0 % above 20.`,
    frame: frameOf(bars, {
      bin: "text",
      condition: "text",
      success: "number",
      low: "number",
      high: "number",
      n: "integer",
      label: "text",
    }),
    spec: {
      title: { text: "Success by graph edit distance", subtitle: `backbone: ${backbone}` },
      width: 480,
      height: 200,
      data: { name: "frame" },
      layer: [
        ...barWithPaper({ x, xOffset, y, low: "low", high: "high", color }),
        {
          mark: { type: "text", fontSize: 8, baseline: "bottom", dy: -2 },
          encoding: { x, xOffset, y: { datum: 101 }, text: { field: "label", type: "nominal" } },
        },
      ],
    },
  };
}

function orderOf(condition: string): number {
  return Object.keys(GRAPHMIND_CONDITIONS).indexOf(condition);
}
