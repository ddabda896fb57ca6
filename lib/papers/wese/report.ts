/**
 * Everything that the lab rebuilds of the WESE paper, and the frontier of cost and effect that it lacks.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import type { Store } from "../../store/open.ts";
import { weseFrontierFigure } from "./figures/frontier.ts";
import { weseGrowthFigure } from "./figures/growth.ts";
import { weseTypesFigure } from "./figures/task-types.ts";
import { type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "../../report/frame.ts";
import { weseLedger } from "./ledger.ts";
import { type Report, reportedBackbone, writeReport, type WriteReportOptions, type WrittenReport } from "../../report/report.ts";
import { weseCostTables, weseEffectTables } from "./tables.ts";
import { weseTrialsFrame, weseTrialsOf } from "./trials.ts";

/**
 * Tables 1 to 4, each of effect and of cost, Figure 3, the growth of the explored graph, and the ledger.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @param options `allowIncomplete` shows means where planned tasks are missing; else such cells say `incomplete`
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { weseReport } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => weseReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function weseReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const backbone = reportedBackbone(rowsOf<EpisodeRow>(episodesFrame(store, study)), study);
  const trials = weseTrialsFrame(store, study);
  const named = { ...options, backbone };
  const growth = weseGrowthFigure(stepsFrame(store, study), trials, named);
  const homes = weseTrialsOf(trials).some(({ world, reward }) => world === "alfworld" && reward !== null);
  return {
    tables: [...weseEffectTables(trials, named), ...weseCostTables(trials, named)],
    figures: [...(homes ? [weseTypesFigure(trials, named)] : []), ...(growth ? [growth] : [])],
    ledger: weseLedger(store, study, { trials }),
  };
}

/**
 * Writes the report's files and the ledger into a folder.
 *
 * @throws {UsageError} as `weseReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { writeWeseReport } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * await assert.rejects(writeWeseReport(store, "unplayed", { folder: "figures" }), { name: "UsageError" }); // and no file is written
 * ```
 */
export async function writeWeseReport(
  store: Store,
  study: string,
  options: Pick<WriteReportOptions, "folder"> & { readonly allowIncomplete?: boolean },
): Promise<WrittenReport> {
  const report = weseReport(store, study, options);
  const backbone = reportedBackbone(rowsOf<EpisodeRow>(episodesFrame(store, study)), study);
  return await writeReport(report, {
    folder: options.folder,
    ledger: { id: `wese-ledger-${backbone}`, title: "WESE: the paper's numbers and ours" },
  });
}

/**
 * The frontier of cost and effect over the studies of the weak model's quality.
 *
 * @param studies ids of those studies; each says its quality, as in `wese-weak-quick-q50@…`. What is not played is left out.
 * @throws {UsageError} if none has a completed episode.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { weakModelStudies, weseFrontierReport } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => weseFrontierReport(store, weakModelStudies().map(({ id }) => id)), /no completed episode/);
 * ```
 */
export function weseFrontierReport(store: Store, studies: readonly string[]): Report {
  const played = studies.map((id) => ({ quality: Number(id.match(/-q(\d+)/)?.[1]), trials: weseTrialsFrame(store, id) }))
    .filter(({ trials }) => weseTrialsOf(trials).some(({ reward }) => reward !== null));
  if (played.length === 0) {
    throw new UsageError(
      "the studies of the weak model have no completed episode to report; ./lab reproduce wese --only weak-models runs them",
    );
  }
  return { tables: [], figures: [weseFrontierFigure(played, { backbone: "offline" })] };
}

/**
 * Writes the frontier into a folder.
 *
 * @throws as `weseFrontierReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { writeWeseFrontier } from "labyrinth/papers/wese";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * await assert.rejects(writeWeseFrontier(store, ["wese-weak-quick-q50@offline"], { folder: "figures" }), { name: "UsageError" });
 * ```
 */
export async function writeWeseFrontier(
  store: Store,
  studies: readonly string[],
  options: { readonly folder: string },
): Promise<WrittenReport> {
  return await writeReport(weseFrontierReport(store, studies), { folder: options.folder });
}
