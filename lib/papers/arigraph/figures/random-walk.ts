/**
 * AriGraph, Figure 6: how the graph grows, and how much of it is replaced, while the actions are random.
 *
 * @module
 */

import type { Figure } from "../../../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../../../report/frame.ts";
import { growthBy } from "../../../report/growth.ts";

/** One step of one walk, as `stepsFrame` has it. */
interface WalkStep {
  readonly episode: string;
  readonly backbone: string;
  readonly step: number;
  readonly triplets: number | null;
  readonly updated: number;
}

/**
 * Two panels over the steps of the walk, a line a backbone: standing triplets (mean over the walks, band from least to most), and triplets
 * replaced so far per step taken.
 *
 * @param steps frames of `stepsFrame` of random-walk studies, one below the other
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { randomWalkFigure } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", backbone: "text", step: "integer", triplets: "integer", updated: "integer" } as const;
 * const steps = frameOf([
 *   { episode: "a", backbone: "offline", step: 1, triplets: 4, updated: 0 },
 *   { episode: "b", backbone: "offline", step: 1, triplets: 6, updated: 1 },
 * ], types);
 * const figure = randomWalkFigure(steps);
 * assert.equal(figure.id, "arigraph-fig6-offline");
 * assert.deepEqual(rowsOf<object>(figure.frame), [{ backbone: "offline", step: 1, walks: 2, triplets: 5, least: 4, most: 6, updateRate: 0.5 }]);
 * ```
 */
export function randomWalkFigure(steps: DataFrame): Figure {
  const frame = walkFrame(steps);
  const rows = rowsOf<{ backbone: string; walks: number }>(frame);
  const backbones = [...new Set(rows.map(({ backbone }) => backbone))];
  const walks = backbones.map((backbone) =>
    `${backbone} ${Math.max(...rows.filter((row) => row.backbone === backbone).map((row) => row.walks))}`
  );
  const color = { field: "backbone", type: "nominal", sort: backbones, title: null, legend: { symbolOpacity: 1, symbolType: "stroke" } };
  const x = { field: "step", type: "quantitative", title: "step", axis: { tickMinStep: 1 } };
  const panel = { width: 340, height: 240 };
  return {
    id: `arigraph-fig6-${backbones.join("-")}`,
    caption: `AriGraph's knowledge graph during random walks in Cleaning (after Figure 6), by backbone; walks: ${walks.join(", ")}. ` +
      `Left: standing triplets after each step, mean over the walks, band from the least to the most. ` +
      `Right: triplets replaced up to a step, divided by the steps taken. The paper prints no number of it (figure only).`,
    frame,
    spec: {
      title: { text: "The graph during a random walk", subtitle: `backbone: ${backbones.join(", ")}` },
      data: { name: "frame" },
      hconcat: [
        {
          ...panel,
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
          ...panel,
          mark: { type: "line", strokeWidth: 2 },
          encoding: { x, y: { field: "updateRate", type: "quantitative", title: "triplets replaced a step" }, color },
        },
      ],
    },
  };
}

/** By backbone and step: walks, mean, least and most triplets, update rate. */
export function walkFrame(steps: DataFrame): DataFrame {
  const rows = growthBy(rowsOf<WalkStep>(steps), ({ backbone }) => backbone)
    .sort((a, b) => a.label < b.label ? -1 : a.label > b.label ? 1 : a.step - b.step)
    .map(({ label, episodes, ...numbers }) => ({ backbone: label, walks: episodes, ...numbers }));
  return frameOf(rows, {
    backbone: "text",
    step: "integer",
    walks: "integer",
    triplets: "number",
    least: "number",
    most: "number",
    updateRate: "number",
  });
}
