/**
 * The parts of the AriGraph paper that `./lab reproduce` plays, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import { arigraphQuestionsStudy, arigraphStudy, nethackStudy, randomWalkStudy, rlBenchmarkStudy } from "../lab/studies/mod.ts";
import { writeArigraphReport } from "../report/arigraph.ts";
import { writeRandomWalkReport, writeRlBenchmarkReport } from "../report/arigraph-parts.ts";
import { writeArigraphQuestionsReport } from "../report/arigraph-questions.ts";
import { writeNethackReport } from "../report/nethack.ts";
import type { Part, PartValues } from "./part.ts";
import { studyChoices, wholeNumber } from "./run-study.ts";

/** What `--only` calls the parts besides the games of Table 4. */
const PARTS = ["rl-benchmark", "random-walk", "questions", "nethack"] as const;

/**
 * The parts that `--only` names; without it the games of Table 4, and with `--full` every part.
 *
 * @throws {UsageError} for a name or an option that a part cannot take.
 */
export function arigraphParts(values: PartValues): Part[] {
  const only = values.only?.flatMap((names) => names.split(",")).map((name) => name.trim());
  const named = PARTS.filter((part) => only?.includes(part));
  const rest = only?.filter((name) => !PARTS.some((part) => part === name)) ?? [];
  if (named.length > 0) return named.map((part) => MAKERS[part](values, rest));
  const games = gamesPart(values, rest);
  if (!values.full || only !== undefined || values.games !== undefined) return [games];
  const shared = { ...values, attempts: undefined };
  return [games, MAKERS["rl-benchmark"](shared, []), MAKERS["random-walk"](shared, []), MAKERS.nethack(shared, []), {
    ...MAKERS.questions(shared, []),
    optional: true,
  }];
}

const MAKERS: Readonly<Record<(typeof PARTS)[number], (values: PartValues, only: readonly string[]) => Part>> = {
  "rl-benchmark": (values, only) => ({
    study: rlBenchmarkStudy({ ...chosen(values), only, ...(values.games === undefined ? {} : { games: values.games }) }),
    write: writeRlBenchmarkReport,
    ordinary: "arigraph-rl-benchmark",
  }),
  "random-walk": (values, only) => {
    refuse(values.games !== undefined || only.length > 0, "--only random-walk walks through Cleaning: leave out --games and other names");
    return { study: randomWalkStudy(chosen(values)), write: writeRandomWalkReport, ordinary: "arigraph-random-walk" };
  },
  nethack: (values, only) => {
    refuse(values.games !== undefined, "--only nethack plays NetHack's own games: leave out --games");
    return { study: nethackStudy({ ...chosen(values), full: values.full, only }), write: writeNethackReport, ordinary: "arigraph-nethack" };
  },
  questions: (values, only) => {
    const { games, attempts } = values;
    refuse(
      games !== undefined || attempts !== undefined,
      "--only questions plays no games and asks each question once: leave out --games and --attempts",
    );
    return {
      study: arigraphQuestionsStudy({ full: values.full, ...studyChoices(values), only }),
      write: writeArigraphQuestionsReport,
      ordinary: "arigraph-questions",
    };
  },
};

function gamesPart(values: PartValues, only: readonly string[]): Part {
  const options = { ...chosen(values), full: values.full, ...(values.games === undefined ? {} : { games: values.games }) };
  return { study: arigraphStudy({ ...options, only }), write: writeArigraphReport, ordinary: "arigraph-quick" };
}

function chosen(values: PartValues): ReturnType<typeof studyChoices> & { readonly attempts?: number } {
  return { ...studyChoices(values), ...(values.attempts === undefined ? {} : { attempts: wholeNumber("--attempts", values.attempts) }) };
}

function refuse(wrong: boolean, message: string): void {
  if (wrong) throw new UsageError(message);
}
