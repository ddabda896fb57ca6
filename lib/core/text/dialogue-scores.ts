/**
 * Scores of answers about long conversations, as the sets' own code computes them.
 *
 * | score | source | here |
 * |---|---|---|
 * | LoCoMo token F1 over Porter stems, by category | Maharana et al. 2024 (arXiv 2402.17753), `task_eval/evaluation.py` | `locomoScore` |
 * | exact and substring match, F1 | MemoryAgentBench, Hu et al. 2025 (arXiv 2507.05257), `utils/eval_other_utils.py` | `containedScore` |
 *
 * Deviations are numbered in `docs/explanation/deviations/dialogues.md` (D2).
 */

import { stemmer } from "stemmer";
import { type AnswerScore, hotpotScore, normaliseAnswer, wordF1 } from "./qa-scores.ts";

/** LoCoMo's categories by their number in the file, which is not their number in the paper. */
export const LOCOMO_CATEGORIES: Readonly<Record<LocomoCategory, string>> = {
  ...{ 1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial" },
};

export type LocomoCategory = 1 | 2 | 3 | 4 | 5;

/**
 * LoCoMo's score of an answer as `f1`, and `em`, whether both have the same words. Multi-hop
 * answers are lists with commas: the mean over gold parts of the best F1 of a given part. Of an
 * open-domain answer the part before the first semicolon counts. An adversarial question wants "not
 * mentioned" or "no information available" somewhere in the answer.
 */
export function locomoScore(answer: string, gold: string, category: LocomoCategory): AnswerScore {
  if (category === 5) {
    const refused = Number(/no information available|not mentioned/i.test(answer));
    return { em: refused, f1: refused };
  }
  const wanted = category === 3 ? (gold.split(";")[0] ?? "").trim() : gold;
  const sameWords =
    new Set(locomoWords(answer)).symmetricDifference(new Set(locomoWords(wanted))).size === 0;
  if (category !== 1) return { em: Number(sameWords), f1: stemF1(answer, wanted) };
  const parts = answer.split(",");
  const best = wanted.split(",").map((part) =>
    Math.max(...parts.map((given) => stemF1(given, part)))
  );
  return { em: Number(sameWords), f1: best.reduce((sum, score) => sum + score, 0) / best.length };
}

function stemF1(given: string, wanted: string): number {
  return wordF1(locomoWords(given).map(stemmer), locomoWords(wanted).map(stemmer));
}

function locomoWords(text: string): string[] {
  return normaliseAnswer(text).split(" ").filter((word) => word !== "" && word !== "and");
}

export interface ContainedScore extends AnswerScore {
  readonly contained: number;
}

/**
 * MemoryAgentBench's scores, each the best over the gold answers, which have HotpotQA's normal
 * form.
 *
 * @throws {RangeError} if there is no gold answer.
 */
export function containedScore(answer: string, golds: readonly string[]): ContainedScore {
  if (golds.length === 0) {
    throw new RangeError("cannot score an answer without a gold answer; give at least one");
  }
  const scores = golds.map((gold) => ({
    ...hotpotScore(answer, gold),
    contained: Number(normaliseAnswer(answer).includes(normaliseAnswer(gold))),
  }));
  const best = (of: keyof ContainedScore): number => Math.max(...scores.map((score) => score[of]));
  return { em: best("em"), f1: best("f1"), contained: best("contained") };
}
