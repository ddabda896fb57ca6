/**
 * Everything that the lab rebuilds of the ReasonPlanner paper from one study's episodes.
 *
 * @module
 */

import type { Store } from "../../store/open.ts";
import { trainingGrowthFigure, trajectoriesFigure } from "./figures.ts";
import { type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "../../report/frame.ts";
import { reasonPlannerLedger } from "./ledger.ts";
import {
  namedByEmbedder,
  type Report,
  reportedBackbone,
  writeReport,
  type WriteReportOptions,
  type WrittenReport,
} from "../../report/report.ts";
import { reasonPlannerCostsTable } from "./tables/costs.ts";
import { planningTable } from "./tables/planning.ts";
import { reasonPlannerScoresTable, worldModelTable } from "./tables/scores.ts";
import { trialsOf } from "../../report/trials.ts";

/**
 * Tables 1 and 2, how ReasonPlanner plans, what it costs, Figure 4, the growth of the graph over the training, and the ledger; of the study of
 * look-aheads how it plans alone.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @param options `allowIncomplete` shows means where planned episodes are missing; else such cells say `incomplete`
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { reasonPlannerReport } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => reasonPlannerReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function reasonPlannerReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const episodes = episodesFrame(store, study);
  const rows = rowsOf<EpisodeRow>(episodes);
  const named = { backbone: reportedBackbone(rows, study) };
  const name = namedByEmbedder(store, study);
  const planning = planningTable(store, study, named);
  if (study.startsWith("reasonplanner-look-ahead")) return { tables: [name(planning)], figures: [] };
  const has = (condition: string): boolean => rows.some((row) => row.condition === condition);
  const played = rows.some(({ condition, normalised }) => condition === "reasonplanner" && normalised !== null); // else Figure 4 has no panel
  const growth = trainingGrowthFigure(store, study, named);
  const tables = [
    reasonPlannerScoresTable(episodes, { ...named, ...options }),
    ...(has("reasonplanner-without-world-model") ? [worldModelTable(episodes, { ...named, ...options })] : []),
    ...(planning.rows.length > 0 ? [planning] : []),
    reasonPlannerCostsTable(store, study, named),
  ];
  const figures = [
    ...(played ? [trajectoriesFigure(episodes, stepsFrame(store, study), { ...named, trials: trialsOf(store, study) })] : []),
    ...(growth ? [growth] : []),
  ];
  return { tables: tables.map(name), figures: figures.map(name), ledger: reasonPlannerLedger(store, study, { episodes }) };
}

/**
 * Writes the report's files and the ledger into a folder.
 *
 * @throws {UsageError} as `reasonPlannerReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { writeReasonPlannerReport } from "labyrinth/papers/reasonplanner";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * await assert.rejects(writeReasonPlannerReport(store, "unplayed", { folder: "figures" }), { name: "UsageError" }); // and no file is written
 * ```
 */
export async function writeReasonPlannerReport(
  store: Store,
  study: string,
  options: Pick<WriteReportOptions, "folder"> & { readonly allowIncomplete?: boolean },
): Promise<WrittenReport> {
  const report = reasonPlannerReport(store, study, options);
  const id = report.tables[0]?.id.replace("table1", "ledger") ?? "reasonplanner-ledger";
  return await writeReport(report, {
    folder: options.folder,
    ...(report.ledger ? { ledger: { id, title: "ReasonPlanner: the paper's numbers and ours" } } : {}),
  });
}
