/**
 * Everything that the lab rebuilds of the GraphMind paper from one study's trials.
 *
 * @module
 */

import type { Store } from "../../store/open.ts";
import { type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "../../report/frame.ts";
import { gedFigure, successByGedFigure } from "./figures/edit-distance.ts";
import { graphmindGrowthFigure, successBySizeFigure } from "./figures/success-and-growth.ts";
import { graphmindCases } from "./cases.ts";
import { graphmindTokensFrame, graphmindTrajectories } from "./tokens.ts";
import { transitionsTable } from "./transitions.ts";
import { graphmindTrialsFrame, trialsOf } from "./trials.ts";
import { graphmindLedger } from "./ledger.ts";
import { type Report, reportedBackbone, writeReport, type WrittenReport } from "../../report/report.ts";
import { graphmindTable } from "./tables/scores.ts";
import { graphmindPrefixTable, graphmindTokensTable, graphmindTrajectoryTable } from "./tables/tokens.ts";

/** Tables of successes and distances, in the paper's order; those of tokens stand between. */
const BEFORE = ["table2", "table3", "table4"] as const;
const AFTER = ["table7", "table8", "steps"] as const;

/**
 * Tables 2 to 8 and Appendix C's steps, verdicts on passages, repeated prompts, tokens of trajectories; Figures 1 and 3 to 11, success by size and by
 * distance, growth; and the ledger.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @param options `allowIncomplete` shows means where planned trials are missing; else such cells say `incomplete`
 *
 * @example
 * ```ts
 * import { graphmindReport } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => graphmindReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function graphmindReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const backbone = reportedBackbone(rowsOf<EpisodeRow>(episodesFrame(store, study)), study);
  const named = { backbone };
  const trials = graphmindTrialsFrame(store, study);
  const tokens = graphmindTokensFrame(store, study);
  const rows = trialsOf(trials);
  const withGraph = rows.some(({ ged }) => ged !== null);
  return {
    tables: [
      ...BEFORE.map((table) => graphmindTable(trials, table, { ...named, ...options })),
      graphmindTokensTable(tokens, "input", named),
      graphmindTokensTable(tokens, "output", named),
      ...AFTER.map((table) => graphmindTable(trials, table, { ...named, ...options })),
      transitionsTable(store, rows, named),
      graphmindPrefixTable(tokens, named),
      graphmindTrajectoryTable(graphmindTrajectories(store, rows), named),
    ],
    figures: [
      ...graphmindCases(store, rows, named),
      ...(rows.some(({ ged, mission }) => ged !== null && mission === "PutNextTo") ? [gedFigure(trials, named)] : []), // of that mission alone
      ...(withGraph ? [successByGedFigure(trials, named)] : []),
      successBySizeFigure(trials, named),
      ...(withGraph ? [graphmindGrowthFigure(stepsFrame(store, study), trials, named)] : []),
    ],
    ledger: graphmindLedger(store, study, { trials, tokens }),
  };
}

/**
 * Writes the report's files and the reproduction ledger into a folder; gives their paths and, as Markdown, the tables and the ledger's summary.
 *
 * @param options `folder` is made where it is missing; files of the same names are replaced
 * @throws {UsageError} as `graphmindReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { writeGraphmindReport } from "labyrinth/papers/graphmind";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * await assert.rejects(writeGraphmindReport(store, "unplayed", { folder: "figures" }), { name: "UsageError" }); // and no file is written
 * ```
 */
export async function writeGraphmindReport(
  store: Store,
  study: string,
  options: { readonly folder: string; readonly allowIncomplete?: boolean },
): Promise<WrittenReport> {
  const report = graphmindReport(store, study, options);
  const id = report.tables[0]?.id.replace("table2", "ledger") ?? "graphmind-ledger";
  return await writeReport(report, { folder: options.folder, ledger: { id, title: "GraphMind: the paper's numbers and ours" } });
}
