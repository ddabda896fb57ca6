/**
 * The result of a replay: how many of the things compared with a log were equal, and every one that
 * was not.
 */

/** The number of comparisons of a kind, and of equal ones among them. */
export interface Tally {
  matched: number;
  total: number;
}

/**
 * The kinds of comparison with a log; reports quote the numbers of `graph` to `reward` and
 * `recalled`.
 */
export const COMPARED = [
  "graph", // the logged graph after each step, order included
  "fresh", // triplets logged as new, each step: the graph had none of them before
  "stale", // triplets removed as stale: each could be, and stayed away until it was extracted again
  "exits", // lines of unexplored exits, each known place
  "path", // macros "go to …": each takes one of our shortest paths, or is refused where ours is
  "actions", // lists of valid and of untried actions
  "observation", // of agent steps, byte for byte
  "macro", // observations of the moves inside macros, byte for byte
  "inventory", // byte for byte
  "reward", // entries of the cumulative list of rewards; in questions the score over all so far
  "recalled", // recalled triplets, each step: exactly, or by invariants
  "episodes", // recalled episodes, each step: their number and age, and that each is an earlier observation
  "parsing", // answers of the models that our own parsers read as the log does
  "meter", // sums of tokens and dollars, each step
] as const;
type Compared = typeof COMPARED[number];

/** The cause of a difference. */
export type MissCause =
  /**
   * A triplet was deleted and extracted again on one step, which the log's list of new triplets
   * does not show.
   */
  | "reextracted"
  /** The log ends in the middle of the step. */
  | "truncated-log"
  /**
   * Two attempts of the log have each other's list of rewards; each was compared with the right
   * one.
   */
  | "exchanged-rewards"
  /** The world refused the command: the game was over, or the command would harm it. */
  | "refused-action"
  /** None of the games given fits the attempt. */
  | "wrong-game"
  /**
   * Our memory asks about stale triplets only where something is new (D3), the authors' on every
   * step; the log's answer is followed.
   */
  | "not-asked"
  /**
   * An answer about stale triplets with nested brackets, of which the authors' code reads only the
   * last.
   */
  | "nested-answer"
  /**
   * An answer that the authors' code accepted and our parser refuses, so that the model would be
   * asked again.
   */
  | "refused-answer"
  | "unexplained";

/**
 * One difference, at an attempt of the file and an agent step (both from 1); the values are cut to
 * the part that differs.
 */
export interface Miss {
  readonly attempt: number;
  readonly step: number;
  readonly what: Compared;
  readonly expected: string;
  readonly got: string;
  readonly cause: MissCause;
}

/**
 * How far our semantic search finds what a log recalled by search, as sets of triplets. JSON-able.
 */
export interface Overlap {
  /** The embedder of our search, e.g. `lexical-v1`; the authors' is Contriever. */
  readonly embedder: string;
  /** Steps compared, ≥ 1: those that log entities and at least one recalled triplet. */
  readonly steps: number;
  /**
   * Triplets of all steps: those that the log recalls, that our search finds (without those new on
   * the step), and in both.
   */
  readonly logged: number;
  readonly found: number;
  readonly shared: number;
  /**
   * Means over steps, 0 … 1: the part of the logged ones that is found, of the found ones that is
   * logged, and shared ones to those in either.
   */
  readonly recall: number;
  readonly precision: number;
  readonly jaccard: number;
}

/** A log replayed. JSON-able. */
export interface LogReport extends Readonly<Record<Compared, Tally>> {
  readonly file: string;
  /** The game files that fit its attempts best, each once; empty where no world was stepped. */
  readonly game: string;
  readonly attempts: number;
  /** Agent steps of all attempts. */
  readonly steps: number;
  /**
   * The version of each attempt, and how each was rewarded: `world`, or one of two rules that
   * Cleaning had.
   */
  readonly versions: readonly string[];
  readonly rewardRules: readonly string[];
  /** All differences, in order. */
  readonly misses: readonly Miss[];
  /**
   * Recall by search compared with ours; absent without an embedder, and where the log has no such
   * recall. Never a miss.
   */
  readonly overlap?: Overlap;
}

/** The comparisons of one log. */
export class Findings {
  readonly tallies = Object.fromEntries(
    COMPARED.map((what) => [what, { matched: 0, total: 0 }]),
  ) as Record<Compared, Tally>;
  readonly misses: Miss[] = [];

  /** Makes the report of a log. */
  report({ overlap, ...about }: Omit<LogReport, Compared | "misses">): LogReport {
    return { ...about, ...this.tallies, misses: this.misses, overlap };
  }

  /**
   * Returns the recorder of one step; a miss without a cause of its own gets the one given here.
   */
  at(attempt: number, step: number, otherwise: MissCause = "unexplained"): StepFindings {
    const note: StepFindings["note"] = (what, expected, got, cause) =>
      void this.misses.push({ attempt, step, what, ...apart(expected, got), cause });
    return {
      note,
      hold: (what, expected, got, cause = otherwise) => {
        const [wanted, found] = [expected, got].map((value) =>
          typeof value === "string" ? value : JSON.stringify(value)
        ) as [
          string,
          string,
        ];
        this.tallies[what].total++;
        if (wanted === found) this.tallies[what].matched++;
        else note(what, wanted, found, cause);
        return wanted === found;
      },
    };
  }
}

/** Records the comparisons of one step. */
export interface StepFindings {
  /**
   * Counts a comparison: equal as text, or as JSON. Returns whether it was equal; `cause` is why,
   * if it was not.
   */
  hold(what: Compared, expected: unknown, got: unknown, cause?: MissCause): boolean;
  /** Records a miss that no tally counts. */
  note(what: Compared, expected: string, got: string, cause: MissCause): void;
}

/** The number of characters of a difference that are shown. */
const SHOWN = 160;

/** Cuts both texts to the part from shortly before their first difference. */
export function apart(
  expected: string,
  got: string,
): { readonly expected: string; readonly got: string } {
  let at = 0;
  while (at < expected.length && expected[at] === got[at]) at++;
  const from = Math.max(0, at - 20);
  const cut = (text: string): string =>
    (from > 0 ? "…" : "") + text.slice(from, from + SHOWN) +
    (text.length > from + SHOWN ? "…" : "");
  return { expected: cut(expected), got: cut(got) };
}
