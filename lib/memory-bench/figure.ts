/** The scores of a card as a figure. */

import { type Figure, figureOf } from "../report/figure.ts";
import { intervalPoint, nominal, quantitative } from "../report/marks.ts";
import type { Table } from "../report/table.ts";

/** The scores of a table of the card with their intervals, a point a memory and world, best first; `undefined` where there is none. */
export function scoreFigure({ id, title, caption, columns, rows: cells }: Table): Figure | undefined {
  const at = columns.indexOf("score");
  const rows = cells.flatMap(([name, ...values]) => {
    const cell = values[at - 1];
    if (at < 0 || typeof cell !== "object" || cell === null || !("value" in cell)) return [];
    const { value, low = value, high = value, n } = cell;
    return [{ memory: String(name), score: value, low, high, n }];
  }).sort((a, b) => b.score - a.score);
  if (rows.length === 0) return undefined;
  return figureOf({
    ...{ id: `${id}-figure`, title, rows, caption: `Score: ${caption}` },
    fields: [["text", "memory"], ["number", "score", "low", "high"], ["integer", "n"]],
    ...{ width: { step: 26 }, height: 200 },
    layer: intervalPoint({
      x: nominal("memory", rows.map(({ memory }) => memory), { axis: { labelAngle: -40 } }),
      y: quantitative("score", "score, share of the greatest", { scale: { domain: [Math.min(0, ...rows.map(({ low }) => low)), 1] } }),
      ...{ low: "low", high: "high" },
    }),
  });
}
