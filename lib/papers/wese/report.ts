/** What the lab rebuilds of the WESE paper, the frontier of cost and effect that the paper lacks, and the parts that `./lab reproduce` plays. */

import { UsageError } from "../../errors.ts";
import { createStudyReader } from "../../report/exhibit.ts";
import { embedderSuffix, withEmbedder } from "../../report/exhibit-table.ts";
import { type DrawFigures, type MakeReport, makeReport, type Report, type StudyReport } from "../../report/study-report.ts";
import type { Store } from "../../store/open.ts";
import { WESE_LEDGER, WESE_TABLES } from "./exhibits.ts";
import { weseFrontierFigure, weseGrowthFigure, weseTypesFigure } from "./figures.ts";
import { weakModelStudies, weseStudy, type WeseStudyOptions } from "./study.ts";
import { weseTrials } from "./trials.ts";
import type { Part, PartChoices } from "../study-options.ts";

/** Tables 1 to 4, each of effect and of cost, Figure 3, the growth of the explored graph, and the ledger. */
export const WESE_REPORT: StudyReport = {
  exhibits: WESE_TABLES,
  figures: [weseTypesFigure, weseGrowthFigure],
  ledger: WESE_LEDGER,
};

/** Makes Tables 1 to 4, each of effect and of cost, Figure 3, the growth of the explored graph, and the ledger. */
export const weseReport: MakeReport = makeReport(() => WESE_REPORT);

/**
 * Makes the frontier of cost and effect over the studies of the weak model's quality.
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
  const reader = createStudyReader(store);
  const played = studies.map((id) => ({ quality: Number(id.match(/-q(\d+)/)?.[1]), ...reader.read({ trials: weseTrials }, id) }))
    .filter(({ trials }) => trials.some(({ status }) => status === "completed"));
  const [first] = played;
  if (!first) {
    throw new UsageError(
      "the studies of the weak model have no completed episode to report; ./lab reproduce wese --only weak-models runs them",
    );
  }
  const figure = weseFrontierFigure(played, { backbone: "offline" });
  const named = { ...figure, id: figure.id + embedderSuffix(first.embedder), caption: withEmbedder(figure.caption, first.embedder) };
  return { tables: [], figures: [named] };
}

/** The name of the studies of the weak model's quality for `--only`. */
const WEAK_MODELS = "weak-models";

/** Tables 1 to 4 with Figure 3; `--only weak-models` the studies of the weak model, `--full` both. @throws {UsageError} for what a part cannot take. */
export function weseParts(values: PartChoices): Part[] {
  const { full, games, attempts, only } = values;
  if (attempts !== undefined) throw new UsageError("WESE plays each task once: leave out --attempts");
  if (games !== undefined && games !== "official") {
    throw new UsageError(
      `WESE's tasks come with Labyrinth: leave out --games, or say --games official to take your own copies; it is "${games}"`,
    );
  }
  const options: WeseStudyOptions = { ...values, games, only: only?.filter((name) => name !== WEAK_MODELS) };
  const tables = (): Part => ({ study: weseStudy(options), report: WESE_REPORT, ordinary: "wese-quick" });
  if (only?.includes(WEAK_MODELS)) return weakModels(options);
  // the qualities of the offline backbone are no question of other models
  return full && only === undefined && options.models === undefined ? [tables(), ...weakModels(options)] : [tables()];
}

/** One part a quality; the last one draws what all of them came to. */
function weakModels(options: WeseStudyOptions): Part[] {
  const studies = weakModelStudies(options);
  const ids = studies.map(({ id }) => id);
  const frontier: DrawFigures = ({ store }) => weseFrontierReport(store, ids).figures;
  return studies.map((study, at) => ({
    study,
    report: { exhibits: [], maps: at < studies.length - 1 ? [] : [frontier] },
    ordinary: options.full ? "" : study.id.slice(0, study.id.lastIndexOf("@")),
  }));
}
