/**
 * WESE's Figure 3: success by type of household task.
 *
 * @module
 */

import { countText } from "../../../report/counts.ts";
import { exhibitRows } from "../../../report/exhibit-table.ts";
import { type Figure, figureOf, PALETTE } from "../../../report/figure.ts";
import { barText, barWithPaper, category, nominal, quantitative } from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { WESE_SUCCESS_BY_TYPE, WESE_TYPES } from "../exhibits.ts";
import { WESE_VARIANTS as VARIANTS, weseMethod, type WeseVariant, weseWorldName } from "../worlds.ts";

/** Types of tasks as the figure calls them, the more complicated ones first. */
const TYPES = { clean: "clean", heat: "heat", cool: "cool", puttwo: "put two", examine: "examine", put: "put" };

const COLOURS: Readonly<Record<WeseVariant, string | undefined>> = { alone: "#bbbbbb", WESE: PALETTE[0], SESE: PALETTE[1] };

/**
 * Figure 3: success by type of household task of Act and ReAct, alone, with WESE and with SESE, and over the bars the relative improvement on the
 * method alone, which is all that the paper draws; it is undefined, and left out, where the method alone never succeeds.
 */
export function weseTypesFigure({ reader, study, backbone }: Pick<ReportInput, "reader" | "study" | "backbone">): Figure {
  const read = reader.read(WESE_SUCCESS_BY_TYPE, study);
  const gains = new Map(
    exhibitRows(WESE_TYPES, read, { allowIncomplete: true }).map(({ row, column, value }) => [`${row.name} ${column.task}`, value]),
  );
  const ours = exhibitRows(WESE_SUCCESS_BY_TYPE, read, { allowIncomplete: true });
  const bars = ["act", "react"].flatMap((base) =>
    Object.entries(TYPES).flatMap(([task, name]) =>
      ours.filter(({ row: { method }, column }) => column.task === task && (method.base ?? method.condition) === base).map((cell) => ({
        base: weseMethod(base)?.name,
        task: name,
        variant: cell.row.method.variant,
        success: cell.value,
        low: cell.low,
        high: cell.high,
        n: cell.n,
        improvement: signed(gains.get(`${cell.row.name} ${task}`)),
      }))
    )
  );
  const variants = VARIANTS.filter((variant) => bars.some((bar) => bar.variant === variant));
  const x = nominal("task", Object.values(TYPES), { axis: { labelAngle: 0 } });
  const xOffset = nominal("variant", variants);
  const y = quantitative("success", "success rate", { scale: { domain: [0, 1.08] }, axis: { values: [0, 0.25, 0.5, 0.75, 1] } });
  const color = category("variant", variants, variants.map((variant) => COLOURS[variant]));
  return figureOf({
    id: `wese-fig3-${backbone}`,
    title: "Success by type of household task",
    subtitle: `backbone: ${backbone}`,
    caption: `Success by type of household task (after Figure 3), backbone ${backbone}, n = ${countText(bars.map(({ n }) => n), "task")} ` +
      `a bar of ${weseWorldName("alfworld", read.trials)}, each played once, with Wilson's ` +
      "95 % intervals. Over the bars: relative improvement on the method alone in percent, which is what the paper draws; none where the method alone never succeeds.",
    rows: bars,
    fields: [["text", "base", "task", "variant"], ["number", "success", "low", "high"], ["integer", "n"], ["text", "improvement"]],
    facet: { row: nominal("base", ["Act", "ReAct"]) },
    spec: {
      width: 520,
      height: 150,
      layer: [...barWithPaper({ x, xOffset, y, low: "low", high: "high", color }), barText("improvement", { x, xOffset, y: 1 })],
    },
  });
}

/** `+12`, `−3`; nothing of no number. */
function signed(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(0)}`;
}
