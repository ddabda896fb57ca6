/**
 * The parts of the ReasonPlanner paper that `./lab reproduce` plays, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import { lookAheadStudy, reasonPlannerStudy } from "./study.ts";
import { writeStudyReport } from "../../report/study-report.ts";
import { LOOK_AHEAD_REPORT, REASONPLANNER_REPORT } from "./report.ts";
import type { Part, PartChoices } from "../study-options.ts";

/** What `--only` calls the study of look-aheads and query limits. */
const LOOK_AHEAD = "look-ahead";

/**
 * Tables 1 and 2 with Figure 4; with `--only look-ahead` the study of §4.2.1, and with `--full` both.
 *
 * @throws {UsageError} for a name or an option that a part cannot take.
 */
export function reasonPlannerParts(values: PartChoices): Part[] {
  if (values.games !== undefined) throw new UsageError("the tasks of ScienceWorld come with the lab: leave out --games");
  const { only } = values;
  const options = { ...values, only: only?.filter((name) => name !== LOOK_AHEAD) };
  const tables = (): Part => ({
    study: reasonPlannerStudy(options),
    write: (store, study, chosen) => writeStudyReport(REASONPLANNER_REPORT, store, study, chosen),
    ordinary: "reasonplanner-quick",
  });
  const lookAhead = (): Part => ({
    study: lookAheadStudy(options),
    write: (store, study, chosen) => writeStudyReport(LOOK_AHEAD_REPORT, store, study, chosen),
    ordinary: "reasonplanner-look-ahead-quick",
  });
  if (only?.includes(LOOK_AHEAD)) return [lookAhead()];
  return values.full && only === undefined ? [tables(), lookAhead()] : [tables()];
}
