/**
 * What the lab rebuilds of the ReasonPlanner paper, and the parts that `./lab reproduce` plays.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import type { TableOptions } from "../../report/exhibit-table.ts";
import { type Report, reportOf, type StudyReport } from "../../report/study-report.ts";
import type { Store } from "../../store/open.ts";
import { COSTS, LOOK_AHEAD_PLANNING, PLANNING } from "./counts.ts";
import { REASONPLANNER_LEDGER, REASONPLANNER_TABLES } from "./exhibits.ts";
import { trainingGrowthFigure, trajectoriesFigure } from "./figures.ts";
import type { Part, PartChoices } from "../study-options.ts";
import { LOOK_AHEAD, lookAheadStudy, reasonPlannerStudy } from "./study.ts";

/** Tables 1 and 2, how ReasonPlanner plans, what it costs, Figure 4, the growth of the graph over the training, and the ledger. */
export const REASONPLANNER_REPORT: StudyReport = {
  exhibits: [...REASONPLANNER_TABLES, PLANNING, COSTS],
  figures: (input) => [trajectoriesFigure(input) ?? [], trainingGrowthFigure(input) ?? []].flat(),
  ledger: REASONPLANNER_LEDGER,
};

/** How ReasonPlanner plans in the study of look-aheads and query limits, and the ledger. */
export const LOOK_AHEAD_REPORT: StudyReport = { exhibits: [LOOK_AHEAD_PLANNING], figures: () => [], ledger: REASONPLANNER_LEDGER };

/**
 * Makes the tables, figures and ledger of a study of ReasonPlanner; of a study of look-aheads, whose id says so, how it plans.
 *
 * @param options `allowIncomplete` shows means where planned episodes are missing; else such cells say `incomplete`
 * @throws {UsageError} if the study has no completed episode, or its episodes have more than one backbone.
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
export function reasonPlannerReport(store: Store, study: string, options: TableOptions = {}): Report {
  return reportOf(study.startsWith("reasonplanner-look-ahead") ? LOOK_AHEAD_REPORT : REASONPLANNER_REPORT, store, study, options);
}

/** Tables 1 and 2 with Figure 4; with `--only look-ahead` the study of §4.2.1, with `--full` both. @throws {UsageError} for what a part cannot take. */
export function reasonPlannerParts(values: PartChoices): Part[] {
  if (values.games !== undefined) throw new UsageError("the tasks of ScienceWorld come with the lab: leave out --games");
  const { only } = values;
  const options = { ...values, only: only?.filter((name) => name !== LOOK_AHEAD) };
  const tables = (): Part => (
    { study: reasonPlannerStudy(options), report: REASONPLANNER_REPORT, ordinary: "reasonplanner-quick" }
  );
  const lookAhead = (): Part => (
    { study: lookAheadStudy(options), report: LOOK_AHEAD_REPORT, ordinary: "reasonplanner-look-ahead-quick" }
  );
  if (only?.includes(LOOK_AHEAD)) return [lookAhead()];
  return values.full && only === undefined ? [tables(), lookAhead()] : [tables()];
}
