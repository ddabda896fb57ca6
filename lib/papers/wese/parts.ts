/**
 * The parts of the WESE paper that `./lab reproduce` plays, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import { weakModelStudies, weseStudy, type WeseStudyOptions } from "./study.ts";
import { WESE_REPORT, weseFrontierReport } from "./report.ts";
import { writeReport, writeStudyReport } from "../../report/study-report.ts";
import type { Part, PartChoices } from "../part.ts";

/** What `--only` calls the studies of the weak model's quality. */
const WEAK_MODELS = "weak-models";

/**
 * Tables 1 to 4 with Figure 3; with `--only weak-models` the studies of the weak model's quality, and with `--full` both. `--games official` takes
 * the official games and data sets.
 *
 * @throws {UsageError} for a name or an option that a part cannot take.
 */
export function weseParts(values: PartChoices): Part[] {
  const { full, games, attempts, only } = values;
  if (attempts !== undefined) throw new UsageError("WESE plays each task once: leave out --attempts");
  if (games !== undefined && games !== "official") {
    throw new UsageError(
      `WESE's tasks come with Labyrinth: leave out --games, or say --games official to take your own copies; it is "${games}"`,
    );
  }
  const options: WeseStudyOptions = { ...values, games, only: only?.filter((name) => name !== WEAK_MODELS) };
  const tables = (): Part => ({
    study: weseStudy(options),
    write: (store, study, chosen) => writeStudyReport(WESE_REPORT, store, study, chosen),
    ordinary: "wese-quick",
  });
  if (only?.includes(WEAK_MODELS)) return weakModels(options);
  // the qualities of the offline backbone are no question of other models
  return full && only === undefined && options.models === undefined ? [tables(), ...weakModels(options)] : [tables()];
}

/** One part a quality; the last one draws what all of them came to. */
function weakModels(options: WeseStudyOptions): Part[] {
  const studies = weakModelStudies(options);
  const ids = studies.map(({ id }) => id);
  const nothing = { files: [], markdown: "" };
  return studies.map((study, at) => ({
    study,
    write: async (store, _study, chosen) => at < studies.length - 1 ? nothing : await writeReport(weseFrontierReport(store, ids), chosen),
    ordinary: options.full ? "" : study.id.slice(0, study.id.lastIndexOf("@")),
  }));
}
