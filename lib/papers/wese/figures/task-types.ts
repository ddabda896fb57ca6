/**
 * WESE's Figure 3: success by type of household task.
 *
 * @module
 */

import { wilsonInterval } from "../../../stats/intervals.ts";
import { type Figure, PALETTE } from "../../../report/figure.ts";
import { type DataFrame, frameOf } from "../../../report/frame.ts";
import { relativeImprovement, WESE_BASES, WESE_METHODS, WESE_VARIANTS as VARIANTS, weseWorldName } from "../measures.ts";
import { type WeseTrial, weseTrialsOf } from "../trials.ts";

/** Types of tasks as the figure calls them, the more complicated ones first. */
const TYPES: Readonly<Record<string, string>> = {
  clean: "clean",
  heat: "heat",
  cool: "cool",
  puttwo: "put two",
  examine: "examine",
  put: "put",
};

const VARIANT_COLOURS = { domain: VARIANTS, range: ["#bbbbbb", PALETTE[0], PALETTE[1]] };

/**
 * Figure 3: success by type of household task of Act and ReAct, alone, with WESE and with SESE, and over the bars the relative improvement on the
 * method alone, which is all that the paper draws; it is undefined, and left out, where the method alone never succeeds.
 *
 * @param trials the frame of `weseTrialsFrame`
 *
 * @example
 * ```ts
 * import { frameOf, rowsOf } from "labyrinth/report";
 * import { weseTypesFigure } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", world: "text", task: "text", place: "text", condition: "text", status: "text", reward: "number", success: "boolean" } as const;
 * const row = { world: "alfworld", task: "heat", status: "completed", reward: 100, condition: "react", episode: "" };
 * const trials = frameOf([
 *   { ...row, place: "1", success: true },
 *   { ...row, place: "2", success: false },
 *   { ...row, place: "1", success: true, condition: "react-wese" },
 *   { ...row, place: "2", success: true, condition: "react-wese" },
 * ], types);
 * const bars = rowsOf<{ variant: string; success: number; improvement: string }>(weseTypesFigure(trials, { backbone: "offline" }).frame);
 * assert.deepEqual(bars.map(({ variant, success, improvement }) => [variant, success, improvement]), [["alone", 0.5, ""], ["WESE", 1, "+100"]]);
 * ```
 */
export function weseTypesFigure(trials: DataFrame, { backbone }: { readonly backbone: string }): Figure {
  const all = weseTrialsOf(trials).filter(({ world, reward }) => world === "alfworld" && reward !== null);
  const bars = Object.entries(WESE_BASES).flatMap(([base, built]) =>
    Object.entries(TYPES).flatMap(([task, name]) => {
      const of = (condition: string): WeseTrial[] => all.filter((trial) => trial.condition === condition && trial.task === task);
      return [base, ...built].flatMap((condition, at) => {
        const mine = of(condition);
        if (mine.length === 0) return [];
        const won = mine.filter(({ success }) => success).length;
        const gain = at === 0
          ? undefined
          : relativeImprovement({ world: "alfworld", trials: mine }, { world: "alfworld", trials: of(base) }, "success");
        return [{
          base: WESE_METHODS[base],
          task: name,
          variant: VARIANTS[at],
          success: won / mine.length,
          ...wilsonInterval(won, mine.length),
          n: mine.length,
          improvement: gain ? `${gain.value < 0 ? "−" : "+"}${Math.abs(gain.value).toFixed(0)}` : "",
        }];
      });
    })
  );
  const x = { field: "task", type: "nominal", sort: Object.values(TYPES), title: null, axis: { labelAngle: 0 } };
  const xOffset = { field: "variant", type: "nominal", sort: VARIANTS };
  const y = {
    field: "success",
    type: "quantitative",
    title: "success rate",
    scale: { domain: [0, 1.08] },
    axis: { values: [0, 0.25, 0.5, 0.75, 1] },
  };
  const counts = [...new Set(bars.map(({ n }) => n))].sort((a, b) => a - b);
  return {
    id: `wese-fig3-${backbone}`,
    caption:
      `Success by type of household task (after Figure 3), backbone ${backbone}, n = ${counts.join(", ")} a bar of ${
        weseWorldName("alfworld", all)
      }, each played once, with Wilson's ` +
      "95 % intervals. Over the bars: relative improvement on the method alone in percent, which is what the paper draws; none where the method alone never succeeds.",
    frame: frameOf(bars, {
      base: "text",
      task: "text",
      variant: "text",
      success: "number",
      low: "number",
      high: "number",
      n: "integer",
      improvement: "text",
    }),
    spec: {
      title: { text: "Success by type of household task", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: { row: { field: "base", type: "nominal", title: null, sort: ["Act", "ReAct"] } },
      spec: {
        width: 520,
        height: 150,
        encoding: { x, xOffset },
        layer: [
          {
            mark: { type: "bar" },
            encoding: { y, color: { field: "variant", type: "nominal", title: null, sort: VARIANTS, scale: VARIANT_COLOURS } },
          },
          { mark: { type: "rule", color: "black" }, encoding: { y: { field: "low", type: "quantitative" }, y2: { field: "high" } } },
          {
            mark: { type: "text", fontSize: 8, baseline: "bottom", dy: -2 },
            encoding: { y: { datum: 1 }, text: { field: "improvement", type: "nominal" } },
          },
        ],
      },
    },
  };
}
