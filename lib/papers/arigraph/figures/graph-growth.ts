/**
 * AriGraph, Figure 5: how the knowledge graph grows, and how much of it is replaced, over the steps of a game.
 *
 * @module
 */

import pl from "nodejs-polars";
import type { Figure } from "../../../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../../../report/frame.ts";
import { growthBy } from "../../../report/growth.ts";
import { gameName, gameOrder } from "../../../report/names.ts";
import { sampleText } from "../../../report/summary.ts";

/**
 * Two panels over the agent's step: standing triplets (mean over the attempts still running, band from least to most), and triplets
 * replaced so far per step taken.
 *
 * @param steps the frame of `stepsFrame`; rows without a graph are left out
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { graphGrowthFigure } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", game: "text", condition: "text", step: "integer", normalised: "number", triplets: "integer", updated: "integer" } as const;
 * const row = { episode: "e1", game: "textworld/hunt", condition: "arigraph" };
 * const steps = frameOf([
 *   { ...row, step: 1, normalised: 0, triplets: 4, updated: 0 },
 *   { ...row, step: 2, normalised: 1, triplets: 6, updated: 1 },
 * ], types);
 * const { frame } = graphGrowthFigure(steps, { backbone: "offline" });
 * assert.deepEqual(rowsOf<{ updateRate: number }>(frame).map(({ updateRate }) => updateRate), [0, 0.5]);
 * ```
 */
export function graphGrowthFigure(steps: DataFrame, options: { readonly backbone: string }): Figure {
  const frame = growthFrame(steps);
  const sample = sampleText(
    rowsOf<{ episode: string; game: string; condition: string }>(steps.filter(pl.col("triplets").isNotNull())),
    "game",
  );
  const order = [...new Set(rowsOf<{ game: string; place: number }>(frame).sort((a, b) => a.place - b.place).map((row) => row.game))];
  const color = { field: "game", type: "nominal", sort: order, title: null, legend: { symbolOpacity: 1, symbolType: "stroke" } };
  const x = { field: "step", type: "quantitative", title: "step", axis: { tickMinStep: 1 } };
  return {
    id: `arigraph-fig5-${options.backbone}`,
    caption: `Growth of the AriGraph knowledge graph (after Figure 5), backbone ${options.backbone}, ${sample}. ` +
      `Left: standing triplets after each step, mean over the attempts still running, band from the least to the most. ` +
      `Right: triplets replaced up to a step, divided by the steps taken.`,
    frame,
    spec: {
      title: { text: "Growth of the knowledge graph", subtitle: `backbone: ${options.backbone}` },
      data: { name: "frame" },
      hconcat: [
        {
          width: 340,
          height: 240,
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
        {
          width: 340,
          height: 240,
          mark: { type: "line", strokeWidth: 2 },
          encoding: { x, y: { field: "updateRate", type: "quantitative", title: "triplets replaced a step" }, color },
        },
      ],
    },
  };
}

/** By game and step: attempts still running, mean, least and most triplets, update rate. */
export function growthFrame(steps: DataFrame): DataFrame {
  interface Step {
    readonly episode: string;
    readonly game: string;
    readonly step: number;
    readonly triplets: number | null;
    readonly updated: number;
  }
  const rows = growthBy(rowsOf<Step>(steps.select("episode", "game", "step", "triplets", "updated")), ({ game }) => game)
    .sort((a, b) => gameOrder(a.label) - gameOrder(b.label) || a.step - b.step)
    .map(({ label, episodes, ...numbers }) => ({ game: gameName(label), place: gameOrder(label), attempts: episodes, ...numbers }));
  return frameOf(rows, {
    game: "text",
    place: "integer",
    step: "integer",
    attempts: "integer",
    triplets: "number",
    least: "number",
    most: "number",
    updateRate: "number",
  });
}
