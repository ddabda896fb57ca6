/**
 * AriGraph's multi-hop questions (Anokhin et al. 2024, arXiv 2407.04363): Table 2.
 *
 * | paper | here |
 * |---|---|
 * | 200 random samples of each set (§4) | `numpyPermutation(42, n)`, the first 200 (the authors' code) |
 * | MuSiQue, HotpotQA | `questions/musique` (n = 2417), `questions/hotpotqa` (n = 7405), the official development files |
 * | importance 1 … 3 of what is looked up (code) | `deepest: 3` |
 *
 * The quick form asks the questions of our own encyclopedia in their place, so that it needs no files.
 *
 * @module
 */

import { UsageError } from "../../errors.ts";
import { numpyPermutation } from "../../stats/sampling.ts";
import type { Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { paperStudy, type StudyOptions } from "../study-options.ts";

/** A set of questions as the study asks it. */
interface QuestionSet {
  readonly name: string;
  readonly world: string;
  /** Whether the quick form asks it; the others belong to the full form. */
  readonly quick: boolean;
  /** Places of the questions in the set, in the order in which they are asked. */
  readonly sample: () => readonly number[];
}

/** Questions of the official sets that are asked (§4), and the authors' seed. */
const SAMPLE = 200;
const SEED = 42;

const SETS: readonly QuestionSet[] = [
  { name: "encyclopedia", world: "questions/encyclopedia", quick: true, sample: () => Array.from({ length: 60 }, (_, index) => index) },
  { name: "musique", world: "questions/musique", quick: false, sample: () => numpyPermutation(SEED, 2417).slice(0, SAMPLE) },
  { name: "hotpotqa", world: "questions/hotpotqa", quick: false, sample: () => numpyPermutation(SEED, 7405).slice(0, SAMPLE) },
];

/** A row of Table 2: the method `answer` over a memory. */
interface Condition {
  readonly condition: string;
  readonly memory: string;
  readonly options: Options;
  /** Parameters of the world. */
  readonly params?: Options;
}

/** AriGraph reads no game here: no stale triplets, no exits, and nothing but the recollection is shown, so that no episode is left out. */
const ARIGRAPH: Options = { texts: "paragraphs", stale: false, exploration: false, deepest: 3, nPrev: 0 };

const CONDITIONS: readonly Condition[] = [
  { condition: "arigraph", memory: "arigraph", options: ARIGRAPH },
  { condition: "bm25", memory: "passages", options: { by: "bm25" } },
  { condition: "embedding", memory: "passages", options: { by: "embedding" } },
  { condition: "full-context", memory: "passages", options: { by: "all" } },
  { condition: "supporting-facts", memory: "passages", options: { by: "all" }, params: { documents: "supporting" } },
];

/** Which form of the study. */
export interface ArigraphQuestionsOptions extends StudyOptions {
  /** MuSiQue and HotpotQA, which a user must have; else the encyclopedia. @default {false} */
  readonly full?: boolean;
  /** Names of sets or conditions to keep. */
  readonly only?: readonly string[];
  /** Questions asked of each set, from the first of its sample, ≥ 1. @default 200, of the encyclopedia 60 */
  readonly questions?: number;
}

/**
 * The study, as data: an episode a question, condition by condition beside each other, so that an interrupted study has whole questions.
 *
 * @throws {UsageError} if `only` names something that there is not, or `questions` is no whole number from 1 to the size of the sample.
 *
 * @example
 * ```ts
 * import { arigraphQuestionsStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const study = arigraphQuestionsStudy({ full: true, only: ["musique", "arigraph"] });
 * assert.equal(study.id, "arigraph-questions-full-arigraph-musique@offline");
 * assert.deepEqual(study.lanes.slice(0, 2).map((lane) => lane.id), ["questions/musique#410|arigraph", "questions/musique#199|arigraph"]);
 * ```
 */
export function arigraphQuestionsStudy(options: ArigraphQuestionsOptions = {}): Study {
  const { full = false, only = [], questions } = options;
  const { sets, conditions } = choose(only, full);
  const form = `arigraph-questions${full ? "-full" : ""}${questions === undefined ? "" : `-n${questions}`}`;
  return paperStudy(form, options, 1, {
    title: "AriGraph, Table 2: multi-hop questions with a graph memory, and its baselines",
    lanes: sets.flatMap((set) =>
      sampleOf(set, questions).flatMap((index) =>
        conditions.map((condition) => ({
          id: `${set.world}#${index}|${condition.condition}`,
          episodes: [episodeOf(set, index, condition)],
        }))
      )
    ),
  });
}

function episodeOf({ world }: QuestionSet, index: number, { condition, memory, options, params }: Condition): PlannedEpisode {
  return { world, params: { index, ...params }, method: "answer", memory, options: { memory: options }, condition, attempt: 1, seed: 1 };
}

function sampleOf({ name, sample }: QuestionSet, questions: number | undefined): readonly number[] {
  const all = sample();
  if (questions === undefined) return all;
  if (Number.isInteger(questions) && questions >= 1 && questions <= all.length) return all.slice(0, questions);
  throw new UsageError(`cannot ask ${questions} questions of ${name}; name a whole number from 1 to ${all.length}`);
}

function choose(only: readonly string[], full: boolean): { sets: readonly QuestionSet[]; conditions: readonly Condition[] } {
  const known = [...SETS.map(({ name }) => name), ...CONDITIONS.map(({ condition }) => condition)];
  const unknown = only.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown} names neither a set of questions nor a condition of this study; there are ${known.join(", ")}`);
  }
  const sets = SETS.filter(({ name }) => only.includes(name));
  const conditions = CONDITIONS.filter(({ condition }) => only.includes(condition));
  return {
    sets: sets.length > 0 ? sets : SETS.filter(({ quick }) => quick !== full),
    conditions: conditions.length > 0 ? conditions : CONDITIONS,
  };
}
