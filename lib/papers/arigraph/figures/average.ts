/**
 * AriGraph, Figure 1B: the average score over the games, one bar a method.
 *
 * @module
 */

import { countText } from "../../../report/counts.ts";
import { type Figure, PALETTE } from "../../../report/figure.ts";
import { type DataFrame, frameOf } from "../../../report/frame.ts";
import { conditionName, gameName, gameOrder, paperRow, TEXTWORLD_GAMES } from "../../../report/names.ts";
import { paperTable } from "../../../report/paper.ts";
import { type ScoreSummary, summariseScores } from "../../../report/summary.ts";

/**
 * Bars: the mean of the best 3 attempts (the paper's measure), averaged over the games that every condition has completed; black marks: the
 * same of the paper, where it reports all of those games. Such a mean has no interval.
 *
 * @param episodes the frame of `episodesFrame`
 *
 * @example
 * ```ts
 * import { averageFigure } from "labyrinth/papers/arigraph";
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const types = { game: "text", condition: "text", seed: "text", status: "text", normalised: "number" } as const;
 * const row = { condition: "arigraph", seed: "1", status: "completed" };
 * const episodes = frameOf([
 *   { ...row, game: "textworld/hunt", normalised: 1 },
 *   { ...row, game: "textworld/cleaning", normalised: 0.5 },
 * ], types);
 * const [bar] = rowsOf<{ score: number; paper: number }>(averageFigure(episodes, { backbone: "offline" }).frame);
 * assert.deepEqual([bar?.score, bar?.paper], [0.75, 0.895]); // the paper: 1 and 0.79
 * ```
 */
export function averageFigure(episodes: DataFrame, options: { readonly backbone: string }): Figure {
  const cells = summariseScores(episodes).filter(({ done }) => done > 0);
  const conditions = [...new Set(cells.map(({ condition }) => condition))].sort();
  const games = [...new Set(cells.map(({ game }) => game))].sort((a, b) => gameOrder(a) - gameOrder(b) || (a < b ? -1 : 1))
    .filter((game) => conditions.every((condition) => cells.some((cell) => cell.game === game && cell.condition === condition)));
  const rows = conditions.map((condition) => {
    const mine = cells.filter((cell) => cell.condition === condition && games.includes(cell.game));
    return { method: conditionName(condition), games: games.length, score: mean(mine.map(bestOf3)), paper: paperMean(condition, games) };
  }).filter(({ games }) => games > 0).sort((a, b) => b.score - a.score || (a.method < b.method ? -1 : 1));
  const order = rows.map(({ method }) => method);
  const counts = cells.filter(({ game }) => games.includes(game)).map(({ done }) => done);
  const x = {
    type: "quantitative",
    title: "normalised score, average over games",
    axis: { tickCount: 6 }, // of more, labels would be left out, that of 0 among them
    scale: { domain: [Math.min(0, ...rows.map(({ score }) => score)), 1] },
  };
  const y = { field: "method", type: "nominal", title: null, sort: order, axis: { labelLimit: 260 } };
  return {
    id: `arigraph-fig1b-${options.backbone}`,
    caption:
      `Average over ${
        games.map(gameName).join(", ") || "no game that all methods completed"
      } (after Figure 1B), backbone ${options.backbone}, ` +
      `n = ${countText(counts, "attempt")} a game. Bars: mean of the best 3 attempts, averaged over the games that every method ` +
      `shown has completed; black marks: the paper's (gpt-4, best 3 of 5) over the same games. A mean of the best has no interval.`,
    frame: frameOf(rows, { method: "text", games: "integer", score: "number", paper: "number" }),
    spec: {
      title: { text: "Average over games", subtitle: `bars: ${options.backbone}; marks: the paper (gpt-4)` },
      data: { name: "frame" },
      width: 380,
      height: { step: 26 },
      layer: [
        { mark: { type: "bar", color: PALETTE[0] }, encoding: { x: { ...x, field: "score" }, y } },
        {
          transform: [{ filter: "isValid(datum.paper)" }],
          mark: { type: "tick", thickness: 3, color: "black" },
          encoding: { x: { ...x, field: "paper" }, y },
        },
      ],
    },
  };
}

function bestOf3(cell: ScoreSummary): number {
  return cell.bestOf3;
}

/** The paper's average over the games, or null where it lacks one of them. */
function paperMean(condition: string, games: readonly string[]): number | null {
  const row = paperTable("arigraph_table4_textworld").find(({ method }) => method === paperRow(condition));
  const scores = games.map((game) => row?.[TEXTWORLD_GAMES.find(({ ids }) => ids.includes(game))?.column ?? ""] ?? "");
  return scores.length === 0 || scores.includes("") ? null : mean(scores.map(Number));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
