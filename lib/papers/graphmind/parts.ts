/**
 * The parts of the GraphMind paper that `./lab reproduce` plays: one study, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import { graphmindStudy } from "./study.ts";
import { GRAPHMIND_REPORT } from "./report.ts";
import { writeStudyReport } from "../../report/study-report.ts";
import type { Part, PartChoices } from "../part.ts";

/**
 * The missions, sizes, layouts and conditions that `--only` names; without it all of them.
 *
 * @throws {UsageError} for a name or an option that the study cannot take.
 */
export function graphmindParts(values: PartChoices): Part[] {
  if (values.games !== undefined) {
    throw new UsageError("GraphMind's layouts come with Labyrinth: leave out --games, and name layouts with --only");
  }
  return [{
    study: graphmindStudy(values),
    write: (store, study, chosen) => writeStudyReport(GRAPHMIND_REPORT, store, study, chosen),
    ordinary: "graphmind-quick",
  }];
}
