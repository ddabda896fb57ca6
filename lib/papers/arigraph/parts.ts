/**
 * The parts of the AriGraph paper that `./lab reproduce` plays, chosen by its options.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import type { Study } from "../../lab/study.ts";
import type { Part, PartChoices } from "../study-options.ts";
import { nethackStudy } from "./nethack-study.ts";
import { arigraphQuestionsStudy } from "./questions-study.ts";
import { ARIGRAPH_REPORT } from "./report.ts";
import { arigraphStudy, randomWalkStudy, rlBenchmarkStudy } from "./textworld-study.ts";

/**
 * The parts besides the games of Table 4, by the name that `--only` takes; `arigraph-<name>` is the form of their studies. A part `refuses` options
 * that it cannot take, with the message `refusal`.
 */
const PARTS: Readonly<Record<string, Refusal & { readonly create: (values: PartChoices) => Study }>> = {
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

interface Refusal {
  readonly refuses?: readonly (keyof PartChoices)[];
  readonly refusal?: string;
}

/**
 * The parts that `--only` names. Other names in it, and `--games`, choose among the games of Table 4 alone. Without either all parts are
 * played, and `attempts` holds for the games of Table 4.
 *
 * @throws {UsageError} for a name or an option that a part cannot take.
 */
export function arigraphParts(values: PartChoices): Part[] {
  const { only = [], full, games } = values;
  const isPart = (name: string): boolean => Object.hasOwn(PARTS, name);
  const chosen = { ...values, only: only.filter((name) => !isPart(name)) };
  const named = Object.keys(PARTS).filter((name) => only.includes(name));
  if (named.length > 0) return named.map((name) => partOf(name, chosen));
  const first: Part = { study: arigraphStudy(chosen), report: ARIGRAPH_REPORT, ordinary: "arigraph-quick" };
  if (values.only !== undefined || games !== undefined) return [first];
  const others = Object.keys(PARTS).map((name) => ({ name, part: partOf(name, { ...values, attempts: undefined }) }));
  // the official sets of questions are files that a user may lack
  return [first, ...others.map(({ name, part }): Part => full && name === "questions" ? { ...part, optional: true } : part)];
}

function partOf(name: string, values: PartChoices): Part {
  const { create, refuses = [], refusal } = PARTS[name] as (typeof PARTS)[string];
  if (refuses.some((option) => values[option] !== undefined && values[option]?.toString() !== "")) throw new UsageError(`${refusal}`);
  return { study: create(values), report: ARIGRAPH_REPORT, ordinary: `arigraph-${name}` };
}
