/** The scores of a card as a figure. */

import { mean } from "simple-statistics";
import { type Figure, figureOf } from "../report/figure.ts";
import { intervalPoint, nominal, quantitative } from "../report/marks.ts";
import type { Table } from "../report/table.ts";

/** The scores of a table of the card with their intervals, a panel a world and a point a memory, best first; `undefined` where there is none. */
export function scoreFigure({ id, title, caption, columns, rows: cells }: Table): Figure | undefined {
  const at = columns.indexOf("score");
  const rows = cells.flatMap(([name, ...values]) => {
    const cell = values[at - 1];
    if (at < 0 || typeof cell !== "object" || cell === null || !("value" in cell)) return [];
    const { value, low = value, high = value, n } = cell;
    const [memory = "", world = ""] = String(name).split(": ").reverse();
    return [{ world, memory, score: value, low, high, n }];
  }).sort((a, b) => b.score - a.score);
  if (rows.length === 0) return undefined;
  const means = [...Map.groupBy(rows, ({ memory }) => memory)].map(([memory, own]) =>
    [memory, mean(own.map(({ score }) => score))] as const
  );
  const memories = means.sort(([, a], [, b]) => b - a).map(([memory]) => memory);
  const worlds = [...new Set(cells.map(([name]) => String(name).split(": ").at(-2) ?? ""))];
  const isOne = worlds.length === 1;
  const panel = {
    ...{ width: { step: 26 }, height: isOne ? 200 : 110 },
    layer: intervalPoint({
      x: nominal("memory", memories, { axis: { labelAngle: -40 } }),
      y: quantitative("score", "score, share of the greatest", { scale: { domain: [Math.min(0, ...rows.map(({ low }) => low)), 1] } }),
      ...{ low: "low", high: "high" },
    }),
  };
  const gaps = rows.length < worlds.length * memories.length ? "; one without a point has no completed game there" : "";
  return figureOf({
    ...{ id: `${id}-figure`, title, rows },
    caption: `Score of each memory as a share of the greatest, the best on average first${gaps}. Of the table that it is from: ${caption}`,
    fields: [["text", ...isOne ? [] : ["world"], "memory"], ["number", "score", "low", "high"], ["integer", "n"]],
    ...isOne ? panel : { facet: nominal("world", worlds), columns: 1, spec: panel },
  });
}
