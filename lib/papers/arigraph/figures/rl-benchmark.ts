/**
 * AriGraph's Figure 4 as a picture.
 *
 * @module
 */

import { countText } from "../../../report/counts.ts";
import { exhibitRows } from "../../../report/exhibit-table.ts";
import type { Figure } from "../../../report/figure.ts";
import { frameOf } from "../../../report/frame.ts";
import { barWithPaper } from "../../../report/marks.ts";
import { conditionName } from "../../../report/names.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { RL_VARIANTS, rlExhibit, rlTrials } from "../rl-benchmark.ts";

/** Draws the mean over games and attempts with its interval: a panel a variant, a group of bars a level. The trained agents have no numbers to draw. */
export function rlBenchmarkFigure({ reader, study, backbone }: ReportInput): Figure | undefined {
  const read = reader.read({ trials: rlTrials }, study);
  const bars = exhibitRows(rlExhibit(read.trials, backbone), read, { allowIncomplete: true })
    .flatMap(({ row: { condition, variant }, column: { level }, value, low, high, n }) => {
      const planned = read.trials.filter((one) => one.condition === condition && one.variant === variant && one.level === level).length;
      if (value === null) return [];
      return [{ level, variant, condition: conditionName(condition), n, planned, mean: value, low: low ?? value, high: high ?? value }];
    });
  if (bars.length === 0) return undefined;
  const variants = Object.keys(RL_VARIANTS);
  bars.sort((a, b) => variants.indexOf(a.variant ?? "") - variants.indexOf(b.variant ?? "") || a.level - b.level);
  const methods = [...new Set(bars.map(({ condition }) => condition))];
  return {
    id: `arigraph-fig4-${backbone}`,
    caption:
      `Cooking levels of the RL benchmark (after Figure 4), backbone ${backbone}, n = ${
        countText(bars.map(({ n }) => n), "episode")
      } a bar: ` +
      `mean over games and attempts with a seeded 95 % percentile bootstrap interval. Panels: doors and containers closed at first, ` +
      `as AriGraph's authors played, or open, as the trained agents were tested. GATA, LTL-GATA and EXPLORER are reported in the paper's picture only ` +
      `(figure only: no number is printed), so that they are left out.`,
    frame: frameOf(bars, {
      ...{ level: "integer", variant: "text", condition: "text", n: "integer", planned: "integer" },
      ...{ mean: "number", low: "number", high: "number" },
    }),
    spec: {
      title: { text: "RL benchmark", subtitle: `backbone: ${backbone}` },
      data: { name: "frame" },
      facet: { field: "variant", type: "nominal", title: null, sort: variants },
      columns: 2,
      spec: {
        width: 260,
        height: 180,
        layer: barWithPaper({
          x: { field: "level", type: "ordinal", title: "level", axis: { labelAngle: 0 } },
          xOffset: { field: "condition", type: "nominal", sort: methods },
          y: { field: "mean", type: "quantitative", title: "normalised score", scale: { domain: [0, 1] } },
          color: { field: "condition", type: "nominal", sort: methods, title: null },
          low: "low",
          high: "high",
        }),
      },
    },
  };
}
