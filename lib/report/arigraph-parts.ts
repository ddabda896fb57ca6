/**
 * What the lab rebuilds of the AriGraph paper from its smaller studies: the RL benchmark and the random walk.
 *
 * @module
 */

import pl from "nodejs-polars";
import { UsageError } from "../errors.ts";
import type { Store } from "../store/open.ts";
import { listStudies } from "../store/studies.ts";
import type { Report } from "./arigraph.ts";
import { exportFigure, exportTable } from "./export.ts";
import { randomWalkFigure } from "./figures/random-walk.ts";
import { rlBenchmarkFigure } from "./figures/rl-benchmark.ts";
import { type DataFrame, type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "./frame.ts";
import { toMarkdown } from "./table.ts";
import { rlBenchmarkTable } from "./tables/rl-benchmark.ts";

/**
 * Figure 4, as a figure and as a table.
 *
 * @throws {UsageError} if the study has no completed episode.
 *
 * @example
 * ```ts
 * import { openStore, rlBenchmarkReport } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => rlBenchmarkReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function rlBenchmarkReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const episodes = episodesFrame(store, study);
  const named = { backbone: backboneIn(episodes, study) };
  return { tables: [rlBenchmarkTable(episodes, { ...named, ...options })], figures: [rlBenchmarkFigure(episodes, named)] };
}

/**
 * Figure 6: the study's walks, and those with other backbones that the store holds of the same form.
 *
 * @throws {UsageError} if the study has no completed episode.
 *
 * @example
 * ```ts
 * import { openStore, randomWalkReport } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => randomWalkReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function randomWalkReport(store: Store, study: string): Report {
  backboneIn(episodesFrame(store, study), study);
  const form = study.replace(/@.*$/s, "@");
  const frames = listStudies(store).filter((id) => id.startsWith(form)).map((id) => stepsFrame(store, id)).filter(({ height }) =>
    height > 0
  );
  return { tables: [], figures: [randomWalkFigure(pl.concat(frames))] };
}

/**
 * Writes Figure 4 into a folder; gives the files' paths and the table as Markdown. As `writeArigraphReport` does it.
 *
 * @throws {UsageError} as `rlBenchmarkReport` does; what the file system says where the folder cannot be written.
 */
export async function writeRlBenchmarkReport(store: Store, study: string, options: WriteOptions): Promise<Written> {
  return await writeReport(rlBenchmarkReport(store, study, options), options);
}

/**
 * Writes Figure 6 into a folder; gives the files' paths.
 *
 * @throws {UsageError} as `randomWalkReport` does; what the file system says where the folder cannot be written.
 */
export async function writeRandomWalkReport(store: Store, study: string, options: WriteOptions): Promise<Written> {
  return await writeReport(randomWalkReport(store, study), options);
}

interface WriteOptions {
  readonly folder: string;
  readonly allowIncomplete?: boolean;
}

interface Written {
  readonly files: readonly string[];
  readonly markdown: string;
}

async function writeReport({ tables, figures }: Report, { folder }: WriteOptions): Promise<Written> {
  const files: string[] = [];
  for (const table of tables) files.push(...await exportTable(table, folder));
  for (const figure of figures) files.push(...await exportFigure(figure, folder));
  return { files, markdown: [...tables.map(toMarkdown), ...figures.map(({ caption }) => `${caption}\n`)].join("\n") };
}

/** What answered in a study that has something to show. */
function backboneIn(episodes: DataFrame, study: string): string {
  const [row] = rowsOf<EpisodeRow>(episodes).filter(({ status }) => status === "completed");
  if (!row) throw new UsageError(`study "${study}" has no completed episode to report; ./lab study ${study} runs it`);
  return row.backbone;
}
