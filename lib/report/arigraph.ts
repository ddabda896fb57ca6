/**
 * Everything that the lab rebuilds of the AriGraph paper from one study's episodes.
 *
 * @module
 */

import type { Store } from "../store/open.ts";
import pl from "nodejs-polars";
import { UsageError } from "../errors.ts";
import { tripletsAfter } from "../lab/recorded-graph.ts";
import { exportFigure, exportTable } from "./export.ts";
import type { Figure } from "./figure.ts";
import { graphGrowthFigure } from "./figures/graph-growth.ts";
import { memoryGraphFigure } from "./figures/memory-graph.ts";
import { scoreStepsFigure } from "./figures/score-steps.ts";
import { scoresFigure } from "./figures/scores.ts";
import { type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "./frame.ts";
import { conditionName, gameName, gameOrder } from "./names.ts";
import { type Table, toMarkdown } from "./table.ts";
import { textWorldScoresTable } from "./tables/textworld-scores.ts";

/** What is made of a study. */
export interface Report {
  /** One: Table 4, normalised scores. */
  readonly tables: readonly Table[];
  /** Figures 3, 14 and, where a memory has a graph, 5; last the picture of one AriGraph memory, where an episode of it completed. */
  readonly figures: readonly Figure[];
}

/**
 * Table 4, Figures 3, 5 and 14, and a picture of one memory graph, as values.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @param options `allowIncomplete` shows means where planned episodes are missing; else such cells say `incomplete`
 *
 * @example
 * ```ts
 * import { arigraphReport, openStore } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => arigraphReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function arigraphReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const episodes = episodesFrame(store, study);
  const rows = rowsOf<EpisodeRow>(episodes);
  const backbones = [...new Set(rows.map((row) => row.backbone))];
  if (!rows.some((row) => row.status === "completed")) {
    throw new UsageError(`study "${study}" has no completed episode to report; ./lab study ${study} runs it`);
  }
  if (backbones.length !== 1) {
    throw new UsageError(`study "${study}" mixes the backbones ${backbones.join(", ")}; report one study a backbone`);
  }
  const named = { backbone: backbones[0] ?? "" };
  const steps = stepsFrame(store, study);
  const remembering = steps.filter(pl.col("triplets").isNotNull());
  const figures = [scoresFigure(episodes, named), scoreStepsFigure(steps, named)];
  if (remembering.height > 0) figures.push(graphGrowthFigure(remembering, named));
  if (rows.some(({ status, condition }) => status === "completed" && condition === "arigraph")) figures.push(lastGraph(store, rows, named));
  return { tables: [textWorldScoresTable(episodes, { ...named, ...options })], figures };
}

/**
 * Writes the report's files into a folder; gives their paths and the tables as Markdown.
 *
 * @param options `folder` is made where it is missing; files of the same names are replaced
 * @throws {UsageError} as `arigraphReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore, writeArigraphReport } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * await assert.rejects(writeArigraphReport(store, "unplayed", { folder: "figures" }), { name: "UsageError" }); // and no file is written
 * ```
 */
export async function writeArigraphReport(
  store: Store,
  study: string,
  options: { readonly folder: string; readonly allowIncomplete?: boolean },
): Promise<{ readonly files: readonly string[]; readonly markdown: string }> {
  const { tables, figures } = arigraphReport(store, study, options);
  const files: string[] = [];
  for (const table of tables) files.push(...await exportTable(table, options.folder));
  for (const figure of figures) files.push(...await exportFigure(figure, options.folder));
  return { files, markdown: tables.map(toMarkdown).join("\n") };
}

/** The graph at the end of the first completed attempt of AriGraph, in the paper's first game. */
function lastGraph(store: Store, rows: readonly EpisodeRow[], { backbone }: { readonly backbone: string }): Figure {
  const [row] = rows.filter(({ status, condition }) => status === "completed" && condition === "arigraph")
    .sort((a, b) => gameOrder(a.game) - gameOrder(b.game) || a.attempt - b.attempt);
  if (!row) throw new UsageError("no completed episode of AriGraph to draw");
  const step = row.steps ?? 0;
  const triplets = tripletsAfter(store, row.episode, { pass: 0, step });
  return memoryGraphFigure(triplets, {
    id: `arigraph-memory-${backbone}`,
    title: `${conditionName(row.condition)} in ${gameName(row.game)}, attempt ${row.attempt}, after step ${step}`,
    backbone,
    places: triplets.filter(({ relation }) => relation === "has exit").map(({ subject }) => subject),
  });
}
