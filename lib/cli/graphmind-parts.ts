/**
 * The parts of the GraphMind paper that `./lab reproduce` plays: one study, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import { graphmindStudy } from "../lab/studies/mod.ts";
import { writeGraphmindReport } from "../report/graphmind.ts";
import type { Part, PartValues } from "./part.ts";
import { studyChoices, wholeNumber } from "./run-study.ts";

/**
 * The missions, sizes, layouts and conditions that `--only` names; without it all of them.
 *
 * @throws {UsageError} for a name or an option that the study cannot take.
 */
export function graphmindParts(values: PartValues): Part[] {
  if (values.games !== undefined) {
    throw new UsageError("GraphMind's layouts come with Labyrinth: leave out --games, and name layouts with --only");
  }
  const only = values.only?.flatMap((names) => names.split(",")).map((name) => name.trim()) ?? [];
  const attempts = values.attempts === undefined ? {} : { attempts: wholeNumber("--attempts", values.attempts) };
  return [{
    study: graphmindStudy({ ...studyChoices(values), full: values.full, only, ...attempts }),
    write: writeGraphmindReport,
    ordinary: "graphmind-quick",
  }];
}
