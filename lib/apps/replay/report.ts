/** The result of a replay: how many comparisons with a log were equal, and every difference. */

interface Tally {
  matched: number;
  total: number;
}

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
] as const;
type Compared = typeof COMPARED[number];

export type MissCause =
  /** A triplet was deleted and extracted again on one step, which the log does not show. */
  | "reextracted"
  /** The log ends in the middle of the step. */
  | "truncated-log"
  /** Two attempts have each other's list of rewards; each was compared with the right one. */
  | "exchanged-rewards"
  /** The world refused the command. */
  | "refused-action"
  /** None of the games given fits the attempt. */
  | "wrong-game"
  /** Our memory asks about stale triplets only where something is new (D3), theirs always. */
  | "not-asked"
  /** Nested brackets about stale triplets, of which the authors' code reads the last. */
  | "nested-answer"
  /** The authors' code accepted an answer that our parser refuses. */
  | "refused-answer"
  | "unexplained";

/** A difference at an attempt and a step, from 1; values are cut to the part that differs. */
export interface Miss {
  readonly attempt: number;
  readonly step: number;
  readonly what: Compared;
  readonly expected: string;
  readonly got: string;
  readonly cause: MissCause;
}

export interface LogReport extends Readonly<Record<Compared, Tally>> {
  readonly file: string;
  /** The game files that fit its attempts best, each once; empty where no world was stepped. */
  readonly game: string;
  readonly attempts: number;
  readonly steps: number;
  /** Of each attempt its version and its rule of rewards. */
  readonly versions: readonly string[];
  readonly rewardRules: readonly string[];
  readonly misses: readonly Miss[];
}

export class Findings {
  readonly tallies = Object.fromEntries(
    COMPARED.map((what) => [what, { matched: 0, total: 0 }]),
  ) as Record<Compared, Tally>;
  readonly misses: Miss[] = [];

  report(about: Omit<LogReport, Compared | "misses">): LogReport {
    return { ...about, ...this.tallies, misses: this.misses };
  }

  /** Returns the recorder of one step; `otherwise` is the cause of a miss that has none. */
  at(attempt: number, step: number, otherwise: MissCause = "unexplained"): StepFindings {
    const note: StepFindings["note"] = (what, expected, got, cause) =>
      void this.misses.push({ attempt, step, what, ...apart(expected, got), cause });
    return {
      note,
      hold: (what, expected, got, cause = otherwise) => {
        const text = (value: unknown): string =>
          typeof value === "string" ? value : JSON.stringify(value);
        const [wanted, found] = [text(expected), text(got)];
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
  /** Counts a comparison as text or JSON, and returns whether both were equal. */
  hold(what: Compared, expected: unknown, got: unknown, cause?: MissCause): boolean;
  note(what: Compared, expected: string, got: string, cause: MissCause): void;
}

const SHOWN = 160;

/** Cuts both texts to the part from shortly before their first difference. */
function apart(
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
