/**
 * AriGraph, Figure 3: normalised scores by game, ours as bars and the paper's as marks.
 *
 * @module
 */

import { countText } from "../../../report/counts.ts";
import type { Figure } from "../../../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../../../report/frame.ts";
import { conditionName, conditionOrder, gameName, gameOrder, paperRow, TEXTWORLD_GAMES } from "../../../report/names.ts";
import { paperTable } from "../../../report/paper.ts";
import { summariseScores } from "../../../report/summary.ts";

/**
 * Bars: our mean over all completed attempts with its 95 % bootstrap interval; black marks: the paper's mean of the best 3.
 *
 * @param episodes the frame of `episodesFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { scoresFigure } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { game: "text", condition: "text", attempt: "integer", seed: "text", status: "text", normalised: "number" } as const;
 * const row = { game: "textworld/hunt", condition: "arigraph", status: "completed" };
 * const episodes = frameOf([
 *   { ...row, attempt: 1, seed: "1", normalised: 0.5 },
 *   { ...row, attempt: 2, seed: "2", normalised: 1 },
 * ], types);
 * const [bar] = rowsOf<{ mean: number; paper: number }>(scoresFigure(episodes, { backbone: "offline" }).frame);
 * assert.deepEqual([bar?.mean, bar?.paper], [0.75, 1]); // the paper's AriGraph wins every Treasure Hunt
 * ```
 */
export function scoresFigure(episodes: DataFrame, options: { readonly backbone: string }): Figure {
  const reported = paperTable("arigraph_table4_textworld");
  const cells = summariseScores(episodes).filter((cell) => cell.done > 0)
    .sort((a, b) => gameOrder(a.game) - gameOrder(b.game) || conditionOrder(a.condition) - conditionOrder(b.condition));
  const frame = frameOf(
    cells.map((cell) => {
      const column = TEXTWORLD_GAMES.find(({ ids }) => ids.includes(cell.game))?.column;
      const paper = column && reported.find((row) => row.method === paperRow(cell.condition))?.[column];
      return {
        game: gameName(cell.game),
        condition: conditionName(cell.condition),
        n: cell.done,
        mean: cell.mean,
        low: cell.interval?.low ?? cell.mean,
        high: cell.interval?.high ?? cell.mean,
        best3: cell.bestOf3,
        paper: paper ? Number(paper) : null,
      };
    }),
    { game: "text", condition: "text", n: "integer", mean: "number", low: "number", high: "number", best3: "number", paper: "number" },
  );
  const lowest = Math.min(0, ...rowsOf<{ low: number }>(frame).map((row) => row.low));
  const y = { type: "quantitative", title: "normalised score", scale: { domain: [lowest, 1] } };
  const order = [...new Set(rowsOf<{ condition: string }>(frame).map((row) => row.condition))];
  const x = { field: "condition", type: "nominal", sort: order, title: null, axis: { labels: false, ticks: false } };
  const counts = cells.map((cell) => cell.done);
  return {
    id: `arigraph-fig3-${options.backbone}`,
    caption: `Normalised scores (after Figure 3), backbone ${options.backbone}, n = ${countText(counts, "attempt")} a bar. ` +
      `Bars: mean of all attempts with a seeded 95 % percentile bootstrap interval; black marks: the paper's mean of the best 3 of 5 (gpt-4).`,
    frame,
    spec: {
      title: { text: "Scores by game", subtitle: `bars: ${options.backbone}; marks: the paper (gpt-4)` },
      data: { name: "frame" },
      facet: { field: "game", type: "nominal", title: null, sort: [...new Set(rowsOf<{ game: string }>(frame).map((row) => row.game))] },
      columns: 4,
      spec: {
        width: { step: BAR },
        height: 180,
        layer: [
          {
            mark: { type: "bar" },
            encoding: { x, y: { ...y, field: "mean" }, color: { field: "condition", type: "nominal", sort: order, title: null } },
          },
          { mark: { type: "rule", strokeWidth: 1.5, color: "#333" }, encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" } } },
          {
            transform: [{ filter: "isValid(datum.paper)" }],
            mark: { type: "tick", thickness: 3, width: BAR, color: "black" },
            encoding: { x, y: { ...y, field: "paper" } },
          },
        ],
      },
    },
  };
}

/** Width of a bar with its gap, px. */
const BAR = 18;
