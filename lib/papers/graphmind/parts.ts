/**
 * The parts of the GraphMind paper that `./lab reproduce` plays: one study, chosen by its options.
 *
 * @module
 */

import { writeStudyReport } from "../../report/study-report.ts";
import type { Part, PartChoices } from "../part.ts";
import { GRAPHMIND_REPORT } from "./report.ts";
import { graphmindStudy } from "./study.ts";

/**
 * The missions, sizes, layouts and conditions that `--only` names, all without it; `--games` takes a user's layouts.
 *
 * @throws {UsageError} for a name or an option that the study cannot take.
 */
export function graphmindParts(values: PartChoices): Part[] {
  return [{
    study: graphmindStudy(values),
    write: (store, study, chosen) => writeStudyReport(GRAPHMIND_REPORT, store, study, chosen),
    ordinary: "graphmind-quick",
  }];
}
