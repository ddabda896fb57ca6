/**
 * AriGraph's RL benchmark as numbers: the bars of Figure 4.
 *
 * @module
 */

import { countText } from "../../../report/counts.ts";
import { rlBars } from "../figures/rl-benchmark.ts";
import type { DataFrame } from "../../../report/frame.ts";
import { conditionName } from "../../../report/names.ts";
import type { Cell, Table } from "../../../report/table.ts";

/**
 * A row a method and variant, a column a level. A cell with planned episodes missing is not a number unless `allowIncomplete`.
 *
 * @param episodes the frame of `episodesFrame` of an RL benchmark study
 */
export function rlBenchmarkTable(
  episodes: DataFrame,
  options: { readonly backbone: string; readonly allowIncomplete?: boolean },
): Table {
  const { backbone, allowIncomplete = false } = options;
  const bars = rlBars(episodes);
  const levels = [...new Set(bars.map(({ level }) => level))].sort();
  const rows = Map.groupBy(bars, ({ variant, condition }) => JSON.stringify([variant, condition]));
  return {
    id: `arigraph-rl-benchmark-${backbone}`,
    title: `AriGraph, Figure 4 as numbers: cooking levels of the RL benchmark (${backbone})`,
    caption:
      `Backbone ${backbone}; n = ${
        countText(bars.map(({ n }) => n), "episode")
      } a cell. Mean normalised score over the games of a level with a seeded 95 % percentile bootstrap interval. ` +
      `The paper shows its own numbers, and those of GATA, LTL-GATA and EXPLORER, in a picture only (figure only).`,
    columns: ["Method", ...levels.map((level) => `Level ${level}`)],
    rows: [...rows.values()].map((row) => [
      `${conditionName(row[0]?.condition ?? "")}, ${backbone}, ${NAMES[row[0]?.variant ?? ""]}`,
      ...levels.map((level): Cell => {
        const bar = row.find((one) => one.level === level);
        if (!bar) return null;
        const { n, planned, mean, low, high } = bar;
        if (n === 0 || (n < planned && !allowIncomplete)) return { incomplete: { done: n, failed: 0, planned } };
        return { value: mean, n, ...(n > 1 ? { low, high } : {}) };
      }),
    ]),
  };
}

const NAMES: Readonly<Record<string, string>> = { closed: "doors closed", open: "doors open", authors: "the authors' files" };
