/**
 * AriGraph, Table 1: score and dungeon levels completed in NetHack.
 *
 * @module
 */

import { seedsText } from "../../../report/counts.ts";
import { type DataFrame, rowsOf } from "../../../report/frame.ts";
import { agentName, agentOrder, NETHACK_AGENTS, type NetHackRun, type Spread, spreadOf } from "../nethack-runs.ts";
import { paperTable } from "../../../report/paper.ts";
import type { Cell, Table } from "../../../report/table.ts";

/**
 * A row an agent: mean ± standard deviation over the seeds, and the paper's beside them. Scores are the game's own, not normalised. A row with planned
 * runs missing shows no numbers unless `allowIncomplete`.
 *
 * @param runs the frame of `nethackRunsFrame`
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import { nethackTable } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", condition: "text", seed: "text", status: "text", score: "number", levels: "integer" } as const;
 * const run = { condition: "ariadne-room", status: "completed" };
 * const runs = frameOf([
 *   { ...run, episode: "a", seed: "1", score: 100, levels: 5 },
 *   { ...run, episode: "b", seed: "2", score: 200, levels: 5 },
 *   { ...run, episode: "c", seed: "3", score: 300, levels: 9 },
 * ], types);
 * const [row] = nethackTable(runs, { backbone: "offline" }).rows;
 * assert.deepEqual(row?.slice(2, 6), ["200.00 ± 100.00", "593.00 ± 202.62", "6.33 ± 2.31", "6.33 ± 2.31"]);
 * ```
 */
export function nethackTable(runs: DataFrame, options: { readonly backbone: string; readonly allowIncomplete?: boolean }): Table {
  const { backbone, allowIncomplete = false } = options;
  const all = rowsOf<NetHackRun>(runs);
  const groups = [...Map.groupBy(all, ({ condition }) => condition)].sort(([a], [b]) => agentOrder(a) - agentOrder(b));
  const reported = paperTable("arigraph_table1_nethack");
  return {
    id: `arigraph-table1-${backbone}`,
    title: `AriGraph, Table 1: NetHack (${backbone})`,
    caption:
      `Mean ± standard deviation of the sample over the games of ${seedsText(all)}, backbone ${backbone}; the paper: gpt-4o, 3 runs. ` +
      "Score: the game's own, not normalised. Levels: the deepest dungeon level reached, less one. Calls of skills, game turns and deaths are not " +
      "reported there.",
    columns: ["Agent", "n", "Score", "Score, paper", "Levels", "Levels, paper", "Calls", "Turns", "Died"],
    rows: groups.map(([condition, planned]) => {
      const done = planned.filter(({ status }) => status === "completed");
      const { method, observation } = NETHACK_AGENTS[condition]?.paper ?? {};
      const paper = reported.find((row) => row["method"] === method && row["observation"] === observation);
      const said = (column: string): Cell =>
        paper ? `${Number(paper[`${column}_mean`]).toFixed(2)} ± ${Number(paper[`${column}_sd`]).toFixed(2)}` : null;
      const label = agentName(condition);
      if (done.length === 0 || (done.length < planned.length && !allowIncomplete)) {
        const failed = planned.filter(({ status }) => status === "failed").length;
        const incomplete: Cell = { incomplete: { done: done.length, failed, planned: planned.length } };
        return [label, incomplete, null, said("score"), null, said("levels"), null, null, null];
      }
      return [
        label,
        { value: done.length, digits: 0, episodes: done.map(({ episode }) => episode) },
        spreadText(spreadOf(done, "score")),
        said("score"),
        spreadText(spreadOf(done, "levels")),
        said("levels"),
        spreadText(spreadOf(done, "calls"), 0),
        spreadText(spreadOf(done, "turns"), 0),
        `${done.filter(({ ended }) => ended === "lost").length}`,
      ];
    }),
  };
}

/** `200.00 ± 100.00`; of one run the value alone. */
function spreadText(spread: Spread | undefined, digits = 2): Cell {
  if (!spread) return null;
  return spread.mean.toFixed(digits) + (spread.sd === undefined ? "" : ` ± ${spread.sd.toFixed(digits)}`);
}
