/**
 * The parts of the AriGraph paper that `./lab reproduce` plays, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import { arigraphQuestionsStudy } from "./questions-study.ts";
import { arigraphStudy } from "./textworld-study.ts";
import { nethackStudy } from "./nethack-study.ts";
import { randomWalkStudy } from "./random-walk-study.ts";
import { rlBenchmarkStudy } from "./rl-benchmark-study.ts";
import { writeArigraphReport } from "./textworld-report.ts";
import { writeRandomWalkReport, writeRlBenchmarkReport } from "./side-reports.ts";
import { writeArigraphQuestionsReport } from "./questions-report.ts";
import { writeNethackReport } from "./nethack-report.ts";
import type { Part, PartChoices } from "../part.ts";

/** What `--only` calls the parts besides the games of Table 4. */
const PARTS = ["rl-benchmark", "random-walk", "questions", "nethack"] as const;

/**
 * The parts that `--only` names; without it the games of Table 4, and with `--full` every part.
 *
 * @throws {UsageError} for a name or an option that a part cannot take.
 */
export function arigraphParts(values: PartChoices): Part[] {
  const { only } = values;
  const named = PARTS.filter((part) => only?.includes(part));
  const rest = only?.filter((name) => !PARTS.some((part) => part === name)) ?? [];
  if (named.length > 0) return named.map((part) => MAKERS[part]({ ...values, only: rest }));
  const games = gamesPart({ ...values, only: rest });
  if (!values.full || only !== undefined || values.games !== undefined) return [games];
  const shared = { ...values, attempts: undefined };
  return [games, MAKERS["rl-benchmark"](shared), MAKERS["random-walk"](shared), MAKERS.nethack(shared), {
    ...MAKERS.questions(shared),
    optional: true,
  }];
}

const MAKERS: Readonly<Record<(typeof PARTS)[number], (values: PartChoices) => Part>> = {
  "rl-benchmark": (values) => ({
    study: rlBenchmarkStudy(values),
    write: writeRlBenchmarkReport,
    ordinary: "arigraph-rl-benchmark",
  }),
  "random-walk": (values) => {
    refuse(
      values.games !== undefined || (values.only?.length ?? 0) > 0,
      "--only random-walk walks through Cleaning: leave out --games and other names",
    );
    return { study: randomWalkStudy(values), write: writeRandomWalkReport, ordinary: "arigraph-random-walk" };
  },
  nethack: (values) => {
    refuse(values.games !== undefined, "--only nethack plays NetHack's own games: leave out --games");
    return { study: nethackStudy(values), write: writeNethackReport, ordinary: "arigraph-nethack" };
  },
  questions: (values) => {
    const { games, attempts } = values;
    refuse(
      games !== undefined || attempts !== undefined,
      "--only questions plays no games and asks each question once: leave out --games and --attempts",
    );
    return {
      study: arigraphQuestionsStudy(values),
      write: writeArigraphQuestionsReport,
      ordinary: "arigraph-questions",
    };
  },
};

function gamesPart(values: PartChoices): Part {
  return { study: arigraphStudy(values), write: writeArigraphReport, ordinary: "arigraph-quick" };
}

function refuse(wrong: boolean, message: string): void {
  if (wrong) throw new UsageError(message);
}
