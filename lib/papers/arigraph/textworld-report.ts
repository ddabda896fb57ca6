/**
 * Everything that the lab rebuilds of the AriGraph paper from one study's episodes.
 *
 * @module
 */

import type { Store } from "../../store/open.ts";
import pl from "nodejs-polars";
import { tripletsAfter } from "../../lab/recorded-graph.ts";
import { listStudies } from "../../store/studies.ts";
import type { Figure } from "../../report/figure.ts";
import { averageFigure } from "./figures/average.ts";
import { gameMapFigure, isGameTruth } from "../../report/figures/game-map.ts";
import { graphGrowthFigure } from "./figures/graph-growth.ts";
import { memoryGraphFigure } from "../../report/figures/memory-graph.ts";
import { scoreStepsFigure } from "./figures/score-steps.ts";
import { scoresFigure } from "./figures/scores.ts";
import { type DataFrame, type EpisodeRow, episodesFrame, rowsOf, stepsFrame } from "../../report/frame.ts";
import { sessionsBeside } from "../../report/humans.ts";
import { conditionName, gameName, gameOrder } from "../../report/names.ts";
import type { LedgerEntry } from "../../report/ledger.ts";
import { arigraphLedger } from "./ledger.ts";
import { namedByEmbedder, type Report, reportedBackbone, writeReport, type WrittenReport } from "../../report/report.ts";
import { comparisonsTable } from "../../report/tables/comparisons.ts";
import { costsTable } from "./tables/costs.ts";
import { textWorldScoresTable } from "./tables/textworld-scores.ts";
import { tokensFrame } from "../../report/tokens.ts";
import { episodesByTrial, stepsByTrial, trialsOf } from "../../report/trials.ts";

/**
 * Tables 3 and 4, Figures 1B, 3, 5 and 14, paired comparisons, a picture of one memory graph, and the maps of the games (after Figures 7 to
 * 12), as values. Each trial of Reflexion has a row of its own in Table 4 and Figures 1B, 3 and 14; people's games that the store holds stand
 * beside the study's where they are the same games.
 *
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
 *
 * @param options `allowIncomplete` shows means where planned episodes are missing; else such cells say `incomplete`
 *
 * @example
 * ```ts
 * import { arigraphReport } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.throws(() => arigraphReport(store, "unplayed"), { name: "UsageError", message: /no completed episode to report/ });
 * ```
 */
export function arigraphReport(store: Store, study: string, options: { readonly allowIncomplete?: boolean } = {}): Report {
  const episodes = episodesFrame(store, study);
  const rows = rowsOf<EpisodeRow>(episodes);
  const named = { backbone: reportedBackbone(rows, study) };
  const steps = stepsFrame(store, study);
  const trials = trialsOf(store, study);
  const byTrial = episodesByTrial(episodes, trials);
  const people = sessionsBeside(store, study);
  const withPeople = pl.concat([byTrial, people.episodes]);
  // Figure 5 is AriGraph's; its ablations have graphs, too
  const remembering = steps.filter(pl.col("triplets").isNotNull().and(pl.col("condition").eq(pl.lit("arigraph"))));
  const figures = [
    averageFigure(byTrial, named),
    scoresFigure(withPeople, named),
    scoreStepsFigure(pl.concat([stepsByTrial(steps, trials), people.steps]), named),
  ];
  if (remembering.height > 0) figures.push(graphGrowthFigure(remembering, named));
  const remembered = lastGraph(store, rows, named);
  if (remembered) figures.push(remembered);
  const tables = [textWorldScoresTable(withPeople, { ...named, ...options })];
  if (new Set(rows.map(({ condition }) => condition)).size > 1) tables.push(comparisonsTable(episodes, { ...named, ...options }));
  const tokens = tokensFrame(store, study);
  tables.push(costsTable(store, study, { ...named, tokens }));
  const name = namedByEmbedder(store, study);
  return {
    tables: tables.map(name),
    figures: [...figures.map(name), ...gameMaps(store, study)],
    ledger: studyLedger(store, study, { tokens }),
  };
}

/** A map of each game of the study (Figures 7 to 12), as its first recorded episode found it. Nobody's answers are in it: it names no backbone. */
function gameMaps(store: Store, study: string): Figure[] {
  const rows = store.prepare(`
    select name, truth from (
      select coalesce(e.label, e.world) as name, t.truth, row_number() over (partition by e.game order by e.attempt, e.id) as place
      from episodes e join truths t on t.episode = e.id and t.pass = 0 and t.step = 0 where e.study = ?
    ) where place = 1`).all(study) as { name: string; truth: string }[];
  return rows.sort((a, b) => gameOrder(a.name) - gameOrder(b.name) || (a.name < b.name ? -1 : 1)).flatMap(({ name, truth }) => {
    const state: unknown = JSON.parse(truth);
    return isGameTruth(state) ? [gameMapFigure(state, { id: `arigraph-map-${fileName(name)}`, title: gameName(name) })] : [];
  });
}

/** A game's name as part of a file's: `textworld/hunt-hard` → `hunt-hard`. */
function fileName(game: string): string {
  return game.replace(/^textworld\//, "").replaceAll(/[^\w.-]+/g, "-");
}

/**
 * The reproduction ledger around a study: what it lacks is looked for in the store's other studies of the paper with the same backbone and
 * embedder, the latest first; and beside each of them among the games that people played.
 *
 * @param options `tokens` is the study's frame of `tokensFrame`, where it is at hand
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { studyLedger } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.ok(studyLedger(store, "unplayed").every(({ ours }) => ours === undefined));
 * ```
 */
export function studyLedger(store: Store, study: string, options: { readonly tokens?: DataFrame } = {}): LedgerEntry[] {
  const kind = (id: string): string => {
    const row = store.prepare("select distinct backbone, json_extract(identity, '$.embedder') as embedder from episodes where study = ?")
      .get(id);
    return JSON.stringify([row?.backbone, row?.embedder]);
  };
  const others = listStudies(store).filter((id) => id !== study).reverse();
  const alike = others.filter((id) => id.startsWith("arigraph-") && kind(id) === kind(study));
  return arigraphLedger(store, [study, ...alike], options.tokens ? { tokens: { [study]: options.tokens } } : {});
}

/**
 * Writes the report's files and the reproduction ledger into a folder; gives their paths and, as Markdown, the tables and the ledger's summary.
 *
 * @param options `folder` is made where it is missing; files of the same names are replaced
 * @throws {UsageError} as `arigraphReport` does; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import { writeArigraphReport } from "labyrinth/papers/arigraph";
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
): Promise<WrittenReport> {
  const report = arigraphReport(store, study, options);
  const id = report.tables[0]?.id.replace("table4", "ledger") ?? "arigraph-ledger";
  const ledger = { id, title: "AriGraph: the paper's numbers and ours" };
  return await writeReport(report, { folder: options.folder, ledger });
}

/** The graph at the end of the first completed attempt of AriGraph, in the paper's first game; `undefined` where a model kept it empty. */
function lastGraph(store: Store, rows: readonly EpisodeRow[], { backbone }: { readonly backbone: string }): Figure | undefined {
  const [row] = rows.filter(({ status, condition }) => status === "completed" && condition === "arigraph")
    .sort((a, b) => gameOrder(a.game) - gameOrder(b.game) || a.attempt - b.attempt);
  if (!row) return undefined;
  const step = row.steps ?? 0;
  const triplets = tripletsAfter(store, row.episode, { pass: 0, step });
  if (triplets.length === 0) return undefined;
  return memoryGraphFigure(triplets, {
    id: `arigraph-memory-${backbone}`,
    title: `${conditionName(row.condition)} in ${gameName(row.game)}, attempt ${row.attempt} (seed ${row.seed}), after step ${step}`,
    backbone,
    places: triplets.filter(({ relation }) => relation === "has exit").map(({ subject }) => subject),
  });
}
