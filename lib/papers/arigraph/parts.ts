/**
 * The parts of the AriGraph paper that `./lab reproduce` plays, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import type { Study } from "../../lab/study.ts";
import { writeStudyReport } from "../../report/study-report.ts";
import type { Part, PartChoices } from "../part.ts";
import { nethackStudy } from "./nethack-study.ts";
import { arigraphQuestionsStudy } from "./questions-study.ts";
import { randomWalkStudy } from "./random-walk-study.ts";
import { ARIGRAPH_REPORT } from "./report.ts";
import { rlBenchmarkStudy } from "./rl-benchmark-study.ts";
import { arigraphStudy } from "./textworld-study.ts";

/** A part besides the games of Table 4. */
interface Named {
  readonly create: (values: PartChoices) => Study;
  /** Options that it cannot take. */
  readonly refuses?: readonly (keyof PartChoices)[];
  /** What is said where it is given one of them. */
  readonly refusal?: string;
}

/** What `--only` calls the parts, and `arigraph-<name>` the form of their studies. */
const PARTS: Readonly<Record<string, Named>> = {
  "rl-benchmark": { create: rlBenchmarkStudy },
  "random-walk": {
    create: randomWalkStudy,
    refuses: ["games", "only"],
    refusal: "--only random-walk walks through Cleaning: leave out --games and other names",
  },
  nethack: { create: nethackStudy, refuses: ["games"], refusal: "--only nethack plays NetHack's own games: leave out --games" },
  questions: {
    create: arigraphQuestionsStudy,
    refuses: ["games", "attempts"],
    refusal: "--only questions plays no games and asks each question once: leave out --games and --attempts",
  },
};

/**
 * The parts that `--only` names; without it the games of Table 4, and with `--full` every part.
 *
 * @throws {UsageError} for a name or an option that a part cannot take.
 */
export function arigraphParts(values: PartChoices): Part[] {
  const { only = [] } = values;
  const isPart = (name: string): boolean => Object.hasOwn(PARTS, name);
  const chosen = { ...values, only: only.filter((name) => !isPart(name)) };
  const named = Object.keys(PARTS).filter((name) => only.includes(name));
  if (named.length > 0) return named.map((name) => partOf(name, chosen));
  const games: Part = { study: arigraphStudy(chosen), write, ordinary: "arigraph-quick" };
  if (!values.full || values.only !== undefined || values.games !== undefined) return [games];
  const others = Object.keys(PARTS).map((name) => partOf(name, { ...values, attempts: undefined }));
  return [games, ...others.map((part) => part.ordinary === "arigraph-questions" ? { ...part, optional: true as const } : part)];
}

function partOf(name: string, values: PartChoices): Part {
  const { create, refuses = [], refusal } = PARTS[name] as Named;
  if (refuses.some((option) => values[option] !== undefined && values[option]?.toString() !== "")) throw new UsageError(`${refusal}`);
  return { study: create(values), write, ordinary: `arigraph-${name}` };
}

const write: Part["write"] = (store, study, options) => writeStudyReport(ARIGRAPH_REPORT, store, study, options);
