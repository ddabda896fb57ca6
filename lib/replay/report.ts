/**
 * What a replay found: how many of the things held against a log were equal, and every one that was not.
 *
 * @module
 */

/** How many of a kind were held against the log, and how many were equal. */
export interface Tally {
  /** How many were equal, 0 … `total`. */
  matched: number;
  /** How many there were. */
  total: number;
}

/** What is held against a log; `graph` to `reward` and `recalled` carry the numbers that reports quote. */
export const COMPARED = [
  /** The logged graph after each step, order included. */
  "graph",
  /** Triplets logged as new, each step: none stood before. */
  "fresh",
  /** Triplets taken out as stale: each was open to that, and stayed away until it was extracted again. */
  "stale",
  /** Lines of unexplored exits, each known place. */
  "exits",
  /** Macros "go to …": walked on one of our shortest ways, or refused as we refuse. */
  "path",
  /** Lists of valid and of untried actions. */
  "actions",
  /** Observations of agent steps, byte for byte. */
  "observation",
  /** Observations of the moves inside macros, byte for byte. */
  "macro",
  /** Inventories, byte for byte. */
  "inventory",
  /** Entries of the cumulative list of rewards; in questions the score over all so far. */
  "reward",
  /** Recalled triplets, each step: exactly, or by their invariants. */
  "recalled",
  /** Recalled episodes, each step: their number, their age, and that each is an earlier observation. */
  "episodes",
  /** Answers of the models that our own parsers read as the log does. */
  "parsing",
  /** Sums of tokens and dollars, each step. */
  "meter",
] as const;

/** One of them. */
export type Compared = typeof COMPARED[number];

/** Why something was not equal. */
export type MissCause =
  /** A triplet was deleted and extracted again on one step, which the log's list of new triplets does not show. */
  | "reextracted"
  /** The log ends in the middle of the step. */
  | "truncated-log"
  /** Two attempts of the log carry each other's list of rewards; they were held against the right one. */
  | "exchanged-rewards"
  /** The game was over, or the command would harm it, so that the world took no step. */
  | "refused-action"
  /** No game that was given fits the attempt. */
  | "wrong-game"
  /** Our memory asks about stale triplets only where something is new (D3), the authors' on every step; the log's answer is followed. */
  | "not-asked"
  /** An answer about stale triplets with brackets in brackets, of which the authors' code reads only the last. */
  | "nested-answer"
  /** An answer that our parser refuses, so that the model would be asked again, and the authors' code took. */
  | "refused-answer"
  /** None is known. */
  | "unexplained";

/** One thing that was not equal. */
export interface Miss {
  /** Place in the file, from 1. */
  readonly attempt: number;
  /** Agent step, from 1. */
  readonly step: number;
  /** What was held. */
  readonly what: Compared;
  /** What the log holds, cut to the part that differs. */
  readonly expected: string;
  /** What came of the replay. */
  readonly got: string;
  /** Why, as far as that is known. */
  readonly cause: MissCause;
}

/** How far our semantic search finds what a log recalled by search, as sets of triplets. JSON-able. */
export interface Overlap {
  /** The embedder of our search, e.g. `lexical-v1`; the authors' is Contriever. */
  readonly embedder: string;
  /** Steps compared, ≥ 1: those that log entities and at least one recalled triplet. */
  readonly steps: number;
  /** Triplets that the log recalls, all steps. */
  readonly logged: number;
  /** Triplets that our search finds, all steps, those new on the step left out. */
  readonly found: number;
  /** Triplets in both, all steps. */
  readonly shared: number;
  /** Mean over steps of the part of the logged ones that is found, 0 … 1. */
  readonly recall: number;
  /** Mean over steps of the part of the found ones that is logged, 0 … 1. */
  readonly precision: number;
  /** Mean over steps of shared triplets to those in either, 0 … 1. */
  readonly jaccard: number;
}

/** A log replayed. JSON-able. */
export interface LogReport extends Readonly<Record<Compared, Tally>> {
  /** As it was named. */
  readonly file: string;
  /** The game files that fit its attempts best, each once; empty where no world was stepped. */
  readonly game: string;
  /** How many there are. */
  readonly attempts: number;
  /** Agent steps of all attempts. */
  readonly steps: number;
  /** The version of each attempt. */
  readonly versions: readonly string[];
  /** How each attempt was rewarded: `world`, or one of two rules that Cleaning had. */
  readonly rewardRules: readonly string[];
  /** Everything that was not equal, in order. */
  readonly misses: readonly Miss[];
  /** Recall by search beside ours; absent without an embedder, and where the log has no such recall. Never a miss. */
  readonly overlap?: Overlap;
}

/** One step of a replayed attempt, as a picture draws it. */
export interface TracePoint {
  /** From 1. */
  readonly step: number;
  /** What was done. */
  readonly action: string;
  /** Where the agent was, in normal form. */
  readonly room: string;
  /** Rooms walked through by the macro that this step took, the last one included. */
  readonly way: readonly string[];
  /** Standing triplets after the step. */
  readonly triplets: number;
  /** Triplets that stand since this step. */
  readonly added: number;
  /** Triplets that stand no more since this step. */
  readonly removed: number;
  /** The log's cumulative reward after the step's action, where it has one. */
  readonly score?: number;
}

/** A report with the course of every attempt. */
export interface Replay {
  /** What was found. */
  readonly report: LogReport;
  /** The steps of each attempt, in order; none for logs of questions. */
  readonly traces: readonly (readonly TracePoint[])[];
}

/** Counts for one log. */
export class Findings {
  readonly tallies = Object.fromEntries(COMPARED.map((what) => [what, { matched: 0, total: 0 }])) as Record<Compared, Tally>;
  readonly misses: Miss[] = [];

  /** The findings of one step; a miss has the cause that is told with it, else the one given here. */
  at(attempt: number, step: number, otherwise: MissCause = "unexplained"): StepFindings {
    return {
      hold: (what, expected, got, cause = otherwise) => {
        const [wanted, found] = [textOf(expected), textOf(got)];
        this.tallies[what].total++;
        if (wanted === found) this.tallies[what].matched++;
        else this.misses.push({ attempt, step, what, ...apart(wanted, found), cause });
        return wanted === found;
      },
      note: (what, expected, got, cause) => void this.misses.push({ attempt, step, what, ...apart(expected, got), cause }),
    };
  }
}

/** Takes what one step has to show. */
export interface StepFindings {
  /** Counts a comparison: equal as text, or as JSON. Returns whether it was equal; `cause` is why, if it was not. */
  hold(what: Compared, expected: unknown, got: unknown, cause?: MissCause | undefined): boolean;
  /** Writes down a miss that no tally counts. */
  note(what: Compared, expected: string, got: string, cause: MissCause): void;
}

/** Characters of a difference that are shown. */
const SHOWN = 160;

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** Both texts from a little before they part. */
export function apart(expected: string, got: string): { readonly expected: string; readonly got: string } {
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  const from = Math.max(0, at - 20);
  const cut = (text: string): string => (from > 0 ? "…" : "") + text.slice(from, from + SHOWN) + (text.length > from + SHOWN ? "…" : "");
  return { expected: cut(expected), got: cut(got) };
}
