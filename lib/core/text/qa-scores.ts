/**
 * Scores of short answers: the official ones of two data sets, and the one that AriGraph's authors
 * computed.
 *
 * | score | source | here |
 * |---|---|---|
 * | HotpotQA answer EM, F1 | Yang et al. 2018, `hotpot_evaluate_v1.py` | `hotpotScore` |
 * | MuSiQue answer EM, F1 | Trivedi et al. 2022, `metrics/answer.py` | `musiqueScore` |
 * | pooled word F1 | AriGraph (arXiv 2407.04363), the authors' code only | `pooledScore` |
 *
 * The first two share one normal form (lower case, no ASCII punctuation, no "a", "an", "the",
 * single spaces) and differ in two points: in HotpotQA, F1 is 0 if one side is yes, no or noanswer
 * and the other differs; MuSiQue takes the best score over the answer and its aliases, and two
 * texts with an empty normal form are equal.
 */

export interface AnswerScore {
  /** Exact match after normalising: 0 or 1. */
  readonly em: number;
  /** Harmonic mean of precision and recall over the words, in [0, 1]. */
  readonly f1: number;
}

export function normaliseAnswer(text: string): string {
  return text.toLowerCase()
    .replaceAll(/[!-/:-@[-`{-~]/g, "")
    .replaceAll(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, " ")
    .split(WHITE).filter((word) => word !== "").join(" ");
}

/**
 * The separators of Python's `str.split()`: white space without U+FEFF, and the file, group, record
 * and unit separators.
 */
// deno-lint-ignore no-control-regex
const WHITE = /(?:(?!\ufeff)[\s\u001c-\u001f\u0085])+/;

/**
 * Exact match and F1 by HotpotQA's official scorer, which has one gold answer.
 *
 * @example
 * ```ts
 * import { hotpotScore } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(hotpotScore("The Hague.", "hague"), { em: 1, f1: 1 });
 * assert.deepEqual(hotpotScore("yes, it is", "yes"), { em: 0, f1: 0 });
 * ```
 */
export function hotpotScore(answer: string, gold: string): AnswerScore {
  const [given, wanted] = [normaliseAnswer(answer), normaliseAnswer(gold)];
  const closed = CLOSED.has(given) || CLOSED.has(wanted);
  return {
    em: Number(given === wanted),
    f1: closed && given !== wanted ? 0 : wordF1(words(given), words(wanted)),
  };
}

const CLOSED: ReadonlySet<string> = new Set(["yes", "no", "noanswer"]);

/**
 * Exact match and F1 by MuSiQue's official scorer: each is the best over the gold answer and its
 * aliases.
 *
 * @param golds the answer, then its aliases; at least one
 * @throws {RangeError} if there is none.
 *
 * @example
 * ```ts
 * import { musiqueScore } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(musiqueScore("USA", ["United States", "USA", "U.S."]), { em: 1, f1: 1 });
 * ```
 */
export function musiqueScore(answer: string, golds: readonly string[]): AnswerScore {
  if (golds.length === 0) {
    throw new RangeError("cannot score an answer without a gold answer; give at least one");
  }
  const given = normaliseAnswer(answer);
  const scores = golds.map(normaliseAnswer).map((wanted) => ({
    em: Number(given === wanted),
    f1: given === "" || wanted === ""
      ? Number(given === wanted)
      : wordF1(words(given), words(wanted)),
  }));
  return {
    em: Math.max(...scores.map(({ em }) => em)),
    f1: Math.max(...scores.map(({ f1 }) => f1)),
  };
}

/** The word counts of one answer, which `pooledScore` sums over questions. */
export interface WordCounts {
  /** Number of distinct words in both answers. */
  readonly shared: number;
  /** Number of words of the given answer, with repetitions. */
  readonly answered: number;
  /** Number of words of the gold answer, with repetitions. */
  readonly wanted: number;
  /** 1 if both answers are the same list of words, else 0. */
  readonly equal: number;
}

/**
 * Counts words as AriGraph's authors do: the text after the last "Direct answer:", in lower case,
 * split at white space, without dots, quotes, backticks and question marks at the ends of text and
 * words. A word of such marks is an empty word. Articles are kept, aliases ignored.
 *
 * @example
 * ```ts
 * import { countWords } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const counts = countWords("I think so. Direct answer: Rabbi Dovber Schneuri.", "Dovber Schneuri");
 * assert.deepEqual(counts, { shared: 2, answered: 3, wanted: 2, equal: 0 });
 * ```
 */
export function countWords(answer: string, gold: string): WordCounts {
  const given = plainWords(answer.split("Direct answer:").at(-1) ?? "");
  const wanted = plainWords(gold);
  const known = new Set(wanted);
  return {
    shared: new Set(given.filter((word) => known.has(word))).size,
    answered: given.length,
    wanted: wanted.length,
    equal: Number(given.length === wanted.length && given.every((word, i) => word === wanted[i])),
  };
}

/** The scores that the authors print after each question. */
export interface PooledScore extends AnswerScore {
  /** Shared words over given words, pooled over all questions. */
  readonly precision: number;
  /** Shared words over gold words, pooled over all questions. */
  readonly recall: number;
}

/**
 * The authors' score of many answers: precision and recall over the pooled words, their F1, and the
 * share of answers equal to the gold words. A quotient by 0 is `NaN`, as the authors print it. Not
 * comparable with the official means over questions.
 * @throws {RangeError} if there is no answer.
 *
 * @example
 * ```ts
 * import { countWords, pooledScore } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const counts = [countWords("Rabbi Dovber Schneuri", "Dovber Schneuri"), countWords("Unknown", "Oklahoma City Thunder")];
 * const { em, f1, precision, recall } = pooledScore(counts);
 * assert.deepEqual([em, f1.toFixed(4), precision, recall], [0, "0.4444", 2 / 4, 2 / 5]);
 * ```
 */
export function pooledScore(counts: readonly WordCounts[]): PooledScore {
  if (counts.length === 0) throw new RangeError("cannot score no answers; give at least one");
  const sum = (of: (count: WordCounts) => number): number =>
    counts.reduce((total, count) => total + of(count), 0);
  const shared = sum((count) => count.shared);
  const precision = shared / sum((count) => count.answered);
  const recall = shared / sum((count) => count.wanted);
  return {
    em: sum((count) => count.equal) / counts.length,
    f1: 2 * precision * recall / (precision + recall),
    precision,
    recall,
  };
}

export function wordF1(given: readonly string[], wanted: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of given) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  const [precision, recall] = [shared / given.length, shared / wanted.length];
  return shared === 0 ? 0 : 2 * precision * recall / (precision + recall);
}

function words(normalised: string): string[] {
  return normalised === "" ? [] : normalised.split(" ");
}

function plainWords(text: string): string[] {
  return stripped(text).toLowerCase().split(WHITE).filter((word) => word !== "").map(stripped);
}

function stripped(text: string): string {
  return text.replace(/^[. \n`'"?]+/, "").replace(/[. \n`'"?]+$/, "");
}
