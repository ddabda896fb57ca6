/**
 * What the lab rebuilds of the AriGraph paper from its smaller studies: the RL benchmark and the random walk.
 *
 * @module
 */

import pl from "nodejs-polars";
import type { Store } from "../../store/open.ts";
import { listStudies } from "../../store/studies.ts";
import { randomWalkFigure } from "./figures/random-walk.ts";
import { rlBenchmarkFigure } from "./figures/rl-benchmark.ts";
import { type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "../../report/frame.ts";
import { namedByEmbedder, type Report, reportedBackbone, writeReport, type WrittenReport } from "../../report/report.ts";
import { rlBenchmarkTable } from "./tables/rl-benchmark.ts";

/**
 * Figure 4, as a figure and as a table.
 *
 * @throws {UsageError} if the study has no completed episode.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { rlBenchmarkReport } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => rlBenchmarkReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function rlBenchmarkReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const episodes = episodesFrame(store, study);
  const backbone = reportedBackbone(rowsOf<EpisodeRow>(episodes), study);
  const name = namedByEmbedder(store, study);
  return {
    tables: [name(rlBenchmarkTable(episodes, { backbone, ...options }))],
    figures: [name(rlBenchmarkFigure(episodes, { backbone }))],
  };
}

/**
 * Figure 6: the study's walks, and those with other backbones that the store holds of the same form.
 *
 * @throws {UsageError} if the study has no completed episode.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { randomWalkReport } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => randomWalkReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function randomWalkReport(store: Store, study: string): Report {
  reportedBackbone(rowsOf<EpisodeRow>(episodesFrame(store, study)), study);
  const form = study.replace(/@.*$/s, "@");
  const frames = listStudies(store).filter((id) => id.startsWith(form)).map((id) => stepsFrame(store, id)).filter(({ height }) =>
    height > 0
  );
  return { tables: [], figures: [namedByEmbedder(store, study)(randomWalkFigure(pl.concat(frames)))] };
}

/**
 * Writes Figure 4 into a folder; gives the files' paths and the table as Markdown. As `writeArigraphReport` does it.
 *
 * @throws {UsageError} as `rlBenchmarkReport` does; what the file system says where the folder cannot be written.
 */
export async function writeRlBenchmarkReport(store: Store, study: string, options: WriteOptions): Promise<WrittenReport> {
  return await writeReport(rlBenchmarkReport(store, study, options), { folder: options.folder });
}

/**
 * Writes Figure 6 into a folder; gives the files' paths.
 *
 * @throws {UsageError} as `randomWalkReport` does; what the file system says where the folder cannot be written.
 */
export async function writeRandomWalkReport(store: Store, study: string, options: WriteOptions): Promise<WrittenReport> {
  return await writeReport(randomWalkReport(store, study), { folder: options.folder });
}

interface WriteOptions {
  readonly folder: string;
  readonly allowIncomplete?: boolean;
}
