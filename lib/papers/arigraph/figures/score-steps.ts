/**
 * AriGraph, Figure 14: the normalised score over the steps of each game, one line a condition.
 *
 * @module
 */

import type { Figure } from "../../../report/figure.ts";
import { type DataFrame, frameOf, rowsOf } from "../../../report/frame.ts";
import { conditionName, conditionOrder, gameName, gameOrder } from "../../../report/names.ts";
import { sampleText } from "../../../report/summary.ts";

/**
 * One panel a game: mean over all attempts with the band from the worst to the best. An attempt that ended keeps its last score.
 *
 * @param steps the frame of `stepsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { scoreStepsFigure } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", game: "text", condition: "text", step: "integer", normalised: "number", triplets: "integer", updated: "integer" } as const;
 * const row = { episode: "e1", game: "textworld/hunt", condition: "arigraph" };
 * const steps = frameOf([
 *   { ...row, step: 1, normalised: 0, triplets: 4, updated: 0 },
 *   { ...row, step: 2, normalised: 1, triplets: 6, updated: 1 },
 * ], types);
 * const { frame } = scoreStepsFigure(steps, { backbone: "offline" });
 * assert.deepEqual(rowsOf<{ score: number }>(frame).map(({ score }) => score), [0, 0, 1]); // from step 0
 * ```
 */
export function scoreStepsFigure(steps: DataFrame, options: { readonly backbone: string }): Figure {
  const frame = scoreFrame(steps);
  const sample = sampleText(rowsOf<{ episode: string; game: string; condition: string }>(steps), "line");
  const order = [...new Set(rowsOf<{ game: string }>(frame).map((row) => row.game))];
  const x = { field: "step", type: "quantitative", title: "step" };
  const y = { type: "quantitative", title: "normalised score", scale: { domain: scoreDomain(frame) } };
  const methods = [...new Set(rowsOf<{ condition: string }>(frame).map((row) => row.condition))];
  const color = { field: "condition", type: "nominal", sort: methods, title: null, legend: { symbolOpacity: 1, symbolType: "stroke" } };
  return {
    id: `arigraph-fig14-${options.backbone}`,
    caption:
      `Score over the steps of a game (after Figure 14), backbone ${options.backbone}, ${sample}. Mean over all attempts of a condition, ` +
      `band from the worst to the best attempt; an attempt that ended keeps its last score.`,
    frame,
    spec: {
      title: { text: "Score over steps", subtitle: `backbone: ${options.backbone}` },
      data: { name: "frame" },
      facet: { field: "game", type: "nominal", title: null, sort: order },
      columns: 3,
      resolve: { scale: { x: "independent" } },
      spec: {
        width: 220,
        height: 170,
        layer: [
          { mark: { type: "area", fillOpacity: 0.15 }, encoding: { x, y: { ...y, field: "worst" }, y2: { field: "best" }, color } },
          { mark: { type: "line", strokeWidth: 2 }, encoding: { x, y: { ...y, field: "score" }, color } },
        ],
      },
    },
  };
}

/** By game, condition and step: mean, worst and best score over all attempts. */
export function scoreFrame(steps: DataFrame): DataFrame {
  interface Step {
    readonly episode: string;
    readonly game: string;
    readonly condition: string;
    readonly step: number;
    readonly normalised: number;
  }
  const all = rowsOf<Step>(steps.select("episode", "game", "condition", "step", "normalised"));
  const cells = Map.groupBy(all, ({ game, condition }) => `${game}\n${condition}`);
  const rows = [...cells.values()].flatMap((cell) => {
    const [{ game, condition }] = cell as [Step, ...Step[]];
    const last = cell.reduce((most, { step }) => Math.max(most, step), 0);
    const attempts = [...Map.groupBy(cell, ({ episode }) => episode).values()].map((attempt) => held(attempt, last));
    return Array.from({ length: last + 1 }, (_, step) => {
      const scores = attempts.map((attempt) => attempt[step] ?? 0);
      const score = scores.reduce((sum, value) => sum + value, 0) / scores.length;
      return { game, condition, step, attempts: scores.length, score, worst: Math.min(...scores), best: Math.max(...scores) };
    });
  });
  rows.sort((a, b) =>
    gameOrder(a.game) - gameOrder(b.game) || conditionOrder(a.condition) - conditionOrder(b.condition) ||
    (a.condition < b.condition ? -1 : a.condition > b.condition ? 1 : a.step - b.step)
  );
  return frameOf(rows.map((row) => ({ ...row, game: gameName(row.game), condition: conditionName(row.condition) })), {
    game: "text",
    condition: "text",
    step: "integer",
    attempts: "integer",
    score: "number",
    worst: "number",
    best: "number",
  });
}

/** An attempt's score after each step from 0 to `last`; once it has ended, its last one. */
function held(attempt: readonly { readonly step: number; readonly normalised: number }[], last: number): number[] {
  const scores: number[] = [];
  for (const { step, normalised } of attempt) scores[step] = normalised;
  for (let step = 0; step <= last; step++) scores[step] ??= scores[step - 1] ?? 0;
  return scores;
}

function scoreDomain(frame: DataFrame): [number, number] {
  return [Math.min(0, ...rowsOf<{ worst: number }>(frame).map((row) => row.worst)), 1];
}
