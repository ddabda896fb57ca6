/** What the lab rebuilds of the ReasonPlanner paper, and the parts that `./lab reproduce` plays. */

import { UsageError } from "../../core/errors.ts";
import { type MakeReport, makeReport, type StudyReport } from "../../report/study-report.ts";
import { COSTS, LOOK_AHEAD_PLANNING, PLANNING } from "./counts.ts";
import { REASONPLANNER_LEDGER, REASONPLANNER_TABLES } from "./exhibits.ts";
import { trainingGrowthFigure, trajectoriesFigure } from "./figures.ts";
import type { Part, PartChoices } from "../study-options.ts";
import { LOOK_AHEAD, lookAheadStudy, reasonPlannerStudy } from "./study.ts";

/** Tables 1 and 2, how ReasonPlanner plans, what it costs, Figure 4, the growth of the graph over the training, and the ledger. */
export const REASONPLANNER_REPORT: StudyReport = {
  exhibits: [...REASONPLANNER_TABLES, PLANNING, COSTS],
  figures: [trajectoriesFigure, trainingGrowthFigure],
  ledger: REASONPLANNER_LEDGER,
};

/** How ReasonPlanner plans in the study of look-aheads and query limits, and the ledger. */
export const LOOK_AHEAD_REPORT: StudyReport = { exhibits: [LOOK_AHEAD_PLANNING], ledger: REASONPLANNER_LEDGER };

/** Makes what is in `REASONPLANNER_REPORT`; of a study of look-aheads, whose id says so, how ReasonPlanner plans in it, and the ledger. */
export const reasonPlannerReport: MakeReport = makeReport((study) =>
  study.startsWith("reasonplanner-look-ahead") ? LOOK_AHEAD_REPORT : REASONPLANNER_REPORT
);

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
