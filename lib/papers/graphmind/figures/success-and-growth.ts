/**
 * GraphMind's figures of many trials: success by size, growth of the graph. Those of distances are in `graphmind-ged.ts`.
 *
 * @module
 */

import { wilsonInterval } from "../../../stats/intervals.ts";
import { countText, seedsText } from "../../../report/counts.ts";
import { type Figure, PALETTE } from "../../../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../../../report/frame.ts";
import { type GraphMindTrial, roomsOrder, trialsOf } from "../trials.ts";
import { growthBy } from "../../../report/growth.ts";
import { graphmindNumbers } from "../tables/paper.ts";

/** Condition → its name in figures, in the order of the paper. */
export const GRAPHMIND_CONDITIONS: Readonly<Record<string, string>> = {
  kg: "KG",
  sm: "SM",
  none: "w/o Memory",
  "kg-static": "KG, static",
  "kg-llm-actor": "KG, LLM as actor",
  "kg-text": "KG, text only",
  "random-dsl": "Random DSL",
  oracle: "Oracle",
};

/**
 * Success over the size of the map, a line a memory, with Wilson's intervals; the paper's own numbers (Tables 2 and 4, Flash) as hollow marks.
 *
 * @param trials the frame of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { successBySizeFigure } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", condition: "text", mission: "text", rooms: "text", seed: "text", status: "text", success: "boolean" } as const;
 * const row = { condition: "kg", mission: "PutNextTo", rooms: "2x2", seed: "1", status: "completed" };
 * const trials = frameOf([{ ...row, episode: "a", success: true }, { ...row, episode: "b", success: false }], types);
 * const [point] = rowsOf<{ success: number; n: number }>(successBySizeFigure(trials, { backbone: "offline" }).frame);
 * assert.deepEqual([point?.success, point?.n], [50, 2]);
 * ```
 */
export function successBySizeFigure(trials: DataFrame, { backbone }: { readonly backbone: string }): Figure {
  const shown = ["kg", "sm", "none", "random-dsl", "oracle"];
  const rows = trialsOf(trials).filter(({ condition, success }) => shown.includes(condition) && success !== null);
  const ours = [...Map.groupBy(rows, ({ mission, rooms, condition }) => JSON.stringify([mission, rooms, condition])).values()].map(
    (cell) => {
      const [{ mission, rooms, condition }] = cell as [GraphMindTrial, ...GraphMindTrial[]];
      const won = cell.filter(({ success }) => success).length;
      const { low, high } = wilsonInterval(won, cell.length);
      return {
        by: backbone,
        mission,
        rooms,
        condition,
        success: 100 * won / cell.length,
        low: 100 * low,
        high: 100 * high,
        n: cell.length,
      };
    },
  );
  const missions = new Set(ours.map(({ mission }) => mission));
  const paper = [...graphmindNumbers("table2"), ...graphmindNumbers("table4")]
    .filter(({ measure, model, mission }) => measure === "success" && model === "gemini-2.5-flash" && missions.has(mission))
    .map(({ mission, rooms, condition, printed }) => ({ by: "paper", mission, rooms, condition, success: Number(printed), n: null }));
  const frame = [...ours, ...paper].map((row) => ({ ...row, condition: GRAPHMIND_CONDITIONS[row.condition] ?? row.condition }));
  const domain = shown.map((condition) => GRAPHMIND_CONDITIONS[condition]).filter((name) =>
    frame.some(({ condition }) => condition === name)
  );
  const sizes = [...new Set(frame.map(({ rooms }) => rooms))].sort((a, b) => roomsOrder(a) - roomsOrder(b));
  const x = { field: "rooms", type: "ordinal", title: "rooms", sort: sizes, axis: { labelAngle: 0 }, scale: { padding: 0.4 } };
  const xOffset = { field: "condition", type: "nominal", sort: domain };
  const color = {
    field: "condition",
    type: "nominal",
    title: null,
    sort: domain,
    scale: { domain, range: domain.map((_, i) => PALETTE[i]) },
  };
  const y = { field: "success", type: "quantitative", title: "success, %", scale: { domain: [0, 100] } };
  const by = (is: boolean): unknown[] => [{ filter: is ? "datum.by === 'paper'" : "datum.by !== 'paper'" }];
  const counts = ours.map(({ n }) => n);
  return {
    id: `graphmind-success-${backbone}`,
    caption: `Success by the size of the map, backbone ${backbone}, n = ${countText(counts, "trial")} a mark, ${seedsText(rows)}, ` +
      `with Wilson's 95 % intervals. Rings: the paper's Tables 2 and 4 (Gemini 2.5 Flash; 30 and 36 trials).`,
    frame: frameOf(frame, {
      by: "text",
      mission: "text",
      rooms: "text",
      condition: "text",
      success: "number",
      low: "number",
      high: "number",
      n: "integer",
    }),
    spec: {
      title: { text: "Success by size of the map", subtitle: `backbone: ${backbone}; rings: the paper, Gemini 2.5 Flash` },
      data: { name: "frame" },
      facet: { field: "mission", type: "nominal", title: null, sort: ["PutNextTo", "OpenDoor"] },
      columns: 2,
      spec: {
        width: 340,
        height: 200,
        layer: [
          {
            transform: by(false),
            mark: { type: "rule", strokeWidth: 1.5 },
            encoding: { x, xOffset, y: { ...y, field: "low" }, y2: { field: "high" }, color },
          },
          { transform: by(false), mark: { type: "point", filled: true, size: 60, opacity: 1 }, encoding: { x, xOffset, y, color } },
          { transform: by(true), mark: { type: "point", filled: false, size: 80, strokeWidth: 1.5 }, encoding: { x, xOffset, y, color } },
        ],
      },
    },
  };
}

/**
 * Standing triplets over the decision steps, by size of the map: mean over the trials still running, band from the least to the most.
 *
 * @param steps the frame of `stepsFrame` of a study with room graphs
 * @param trials the frame of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { graphmindGrowthFigure, graphmindTrialsFrame } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import { stepsFrame } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const figure = graphmindGrowthFigure(stepsFrame(store, "unplayed"), graphmindTrialsFrame(store, "unplayed"), { backbone: "offline" });
 * assert.equal(figure.frame.height, 0);
 * ```
 */
export function graphmindGrowthFigure(steps: DataFrame, trials: DataFrame, { backbone }: { readonly backbone: string }): Figure {
  const played = new Map(trialsOf(trials).filter(({ condition }) => condition === "kg").map((trial) => [trial.episode, trial]));
  interface Step {
    readonly episode: string;
    readonly step: number;
    readonly triplets: number | null;
    readonly updated: number;
  }
  const rows = rowsOf<Step>(steps.select("episode", "step", "triplets", "updated")).filter(({ episode }) => played.has(episode));
  const growth = growthBy(rows, ({ episode }) => played.get(episode)?.rooms ?? "?")
    .sort((a, b) => roomsOrder(a.label) - roomsOrder(b.label) || a.step - b.step)
    .map(({ label, episodes, ...numbers }) => ({ rooms: label, trials: episodes, ...numbers }));
  const sizes = [...new Set(growth.map(({ rooms }) => rooms))];
  const x = { field: "step", type: "quantitative", title: "decision step", axis: { tickMinStep: 1 } };
  const color = { field: "rooms", type: "nominal", title: "rooms", sort: sizes };
  return {
    id: `graphmind-growth-${backbone}`,
    caption:
      `Growth of the room graph, condition KG, backbone ${backbone}, n = ${played.size} trials, ${
        seedsText([...played.values()])
      }: standing triplets ` +
      `after each decision step, mean over the trials still running, band from the least to the most.`,
    frame: frameOf(growth, {
      rooms: "text",
      step: "integer",
      trials: "integer",
      triplets: "number",
      least: "number",
      most: "number",
      updateRate: "number",
    }),
    spec: {
      title: { text: "Growth of the room graph", subtitle: `backbone: ${backbone}` },
      width: 420,
      height: 240,
      data: { name: "frame" },
      layer: [
        {
          mark: { type: "area", fillOpacity: 0.18 },
          encoding: { x, y: { field: "least", type: "quantitative", title: "triplets" }, y2: { field: "most" }, color },
        },
        {
          mark: { type: "line", strokeWidth: 2 },
          encoding: { x, y: { field: "triplets", type: "quantitative", title: "triplets" }, color },
        },
      ],
    },
  };
}
