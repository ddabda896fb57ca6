/**
 * AriGraph, Figure 4: scores on the four cooking levels of the RL benchmark.
 *
 * @module
 */

import { bootstrapInterval } from "../../../stats/intervals.ts";
import { countText } from "../../../report/counts.ts";
import type { Figure } from "../../../report/figure.ts";
import { type DataFrame, type EpisodeRow, frameOf, rowsOf } from "../../../report/frame.ts";
import { conditionName, conditionOrder } from "../../../report/names.ts";

/** One bar. */
export interface RlBar {
  /** 1 … 4. */
  readonly level: number;
  /** `closed` or `open`: whether doors and containers stand open at first; `authors` for the authors' files. */
  readonly variant: string;
  /** Label of the study's row, e.g. `arigraph`. */
  readonly condition: string;
  /** Completed episodes, over all games of the level. */
  readonly n: number;
  /** Episodes that the study holds for the bar, completed or not. */
  readonly planned: number;
  /** Mean of the normalised scores, with a seeded 95 % percentile bootstrap interval. */
  readonly mean: number;
  /** Lower end of the interval; the mean itself below two episodes. */
  readonly low: number;
  /** Upper end of the interval; the mean itself below two episodes. */
  readonly high: number;
}

/**
 * A group of bars a level, a panel a variant: the mean over games and attempts with its interval. The trained agents of the paper stand only in
 * its picture, so that they are not drawn here.
 *
 * @param episodes the frame of `episodesFrame` of an RL benchmark study
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { rlBenchmarkFigure } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { game: "text", condition: "text", status: "text", normalised: "number" } as const;
 * const row = { condition: "arigraph", status: "completed" };
 * const episodes = frameOf([{ ...row, game: "rl-4-0", normalised: 0.5 }, { ...row, game: "rl-4-1", normalised: 1 }], types);
 * const [bar] = rowsOf<{ level: number; mean: number; n: number }>(rlBenchmarkFigure(episodes, { backbone: "offline" }).frame);
 * assert.deepEqual([bar?.level, bar?.mean, bar?.n], [4, 0.75, 2]);
 * ```
 */
export function rlBenchmarkFigure(episodes: DataFrame, options: { readonly backbone: string }): Figure {
  const bars = rlBars(episodes).filter(({ n }) => n > 0);
  const frame = frameOf(bars.map((bar) => ({ ...bar, condition: conditionName(bar.condition) })), {
    level: "integer",
    variant: "text",
    condition: "text",
    n: "integer",
    planned: "integer",
    mean: "number",
    low: "number",
    high: "number",
  });
  const counts = bars.map(({ n }) => n);
  const methods = [...new Set(rowsOf<{ condition: string }>(frame).map(({ condition }) => condition))];
  const x = { field: "level", type: "ordinal", title: "level", axis: { labelAngle: 0 } };
  const xOffset = { field: "condition", type: "nominal", sort: methods };
  const y = { type: "quantitative", title: "normalised score", scale: { domain: [0, 1] } };
  return {
    id: `arigraph-fig4-${options.backbone}`,
    caption:
      `Cooking levels of the RL benchmark (after Figure 4), backbone ${options.backbone}, n = ${
        countText(counts, "episode")
      } a bar: mean over games and attempts with a seeded 95 % percentile bootstrap interval. Panels: doors and containers closed at first, ` +
      `as AriGraph's authors played, or open, as the trained agents were tested. GATA, LTL-GATA and EXPLORER are reported in the paper's picture only ` +
      `(figure only: no number is printed), so that they are left out.`,
    frame,
    spec: {
      title: { text: "RL benchmark", subtitle: `backbone: ${options.backbone}` },
      data: { name: "frame" },
      facet: { field: "variant", type: "nominal", title: null, sort: ["closed", "open", "authors"] },
      columns: 2,
      spec: {
        width: 260,
        height: 180,
        layer: [
          {
            mark: { type: "bar" },
            encoding: {
              x,
              xOffset,
              y: { ...y, field: "mean" },
              color: { field: "condition", type: "nominal", sort: methods, title: null },
            },
          },
          {
            mark: { type: "rule", strokeWidth: 1.5, color: "#333" },
            encoding: { x, xOffset, y: { ...y, field: "low" }, y2: { field: "high" } },
          },
        ],
      },
    },
  };
}

/** The bars, in order of variant, level and method; games are told apart by their labels, `rl-<level>-<game>`. */
export function rlBars(episodes: DataFrame): RlBar[] {
  const rows = rowsOf<EpisodeRow>(episodes).flatMap((row) => {
    const [, level, game = ""] = row.game.match(/^rl-(\d)-(.+)$/) ?? [];
    if (level === undefined) return [];
    const variant = game.endsWith("-open") ? "open" : /^\d+$/.test(game) ? "closed" : "authors";
    return [{ level: Number(level), variant, condition: row.condition, score: row.normalised }];
  });
  const groups = Map.groupBy(rows, ({ level, variant, condition }) => JSON.stringify([variant, level, condition]));
  return [...groups.values()].map((group) => {
    const [{ level, variant, condition }] = group as [(typeof rows)[number], ...typeof rows];
    const scores = group.flatMap(({ score }) => score === null ? [] : [score]);
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const { low, high } = scores.length > 1 ? bootstrapInterval(scores, { seed: 0 }) : { low: mean, high: mean };
    return { level, variant, condition, n: scores.length, planned: group.length, mean, low, high };
  }).sort((a, b) =>
    VARIANTS.indexOf(a.variant) - VARIANTS.indexOf(b.variant) || a.level - b.level ||
    conditionOrder(a.condition) - conditionOrder(b.condition)
  );
}

const VARIANTS = ["closed", "open", "authors"];
