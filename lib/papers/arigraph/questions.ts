/**
 * AriGraph's multi-hop questions (Anokhin et al. 2024, arXiv 2407.04363), Table 2: the study, and
 * its answers with their scores.
 *
 * | paper | here |
 * |---|---|
 * | 200 random samples of each set (§4) | `numpyPermutation(42, n)`, the first 200 (the authors' code) |
 * | MuSiQue, HotpotQA | `questions/musique` (n = 2417), `questions/hotpotqa` (n = 7405), the official development files |
 * | importance 1 … 3 of what is looked up (code), which bounds d | `deepest: 3`, `depth: 3` |
 *
 * Preset quick asks 60 questions of our own encyclopedia in their place, so that it needs no
 * files; the full form of the whole paper asks 200 of them where the files are lacking.
 */

import { missingFile } from "../../core/env/questions/data-folder.ts";
import { hotpotqa, musique } from "../../core/env/questions/official-sets.ts";
import { UsageError } from "../../core/errors.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import { LABELS } from "../../lab/frames.ts";
import { checkHeld } from "../../lab/held-study.ts";
import type { Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { numpyPermutation } from "../../core/stats/sampling.ts";
import type { Store } from "../../lab/store/open.ts";
import { checkNames, isReadyMap, namedOr, paperStudy, type PartChoices } from "../study-options.ts";

/** A set of questions. */
interface QuestionSet {
  readonly name: string;
  /** Whether the paper asks it. */
  readonly isOfficial: boolean;
  /**
   * Places of the questions in the set, in the order in which they are asked; of the encyclopedia
   * of seed 1, then of the others.
   */
  readonly sample: (full: boolean) => readonly number[];
}

/** Questions of the official sets that are asked (§4), and the authors' seed. */
const SAMPLE = 200;
const SEED = 42;

/** Those of the paper belong to preset full, the other one to preset quick. */
const SETS: readonly QuestionSet[] = [
  {
    name: "musique",
    isOfficial: true,
    sample: () => numpyPermutation(SEED, 2417).slice(0, SAMPLE),
  },
  {
    name: "hotpotqa",
    isOfficial: true,
    sample: () => numpyPermutation(SEED, 7405).slice(0, SAMPLE),
  },
  {
    name: "encyclopedia",
    isOfficial: false,
    sample: (full) => Array.from({ length: full ? SAMPLE : OF_A_SEED }, (_, at) => at),
  },
];

/** Questions of the encyclopedia of a seed. */
const OF_A_SEED = 60;

/** A row of Table 2: the method `answer` over a memory. */
interface Condition {
  readonly name: string;
  readonly memory: string;
  readonly options: Options;
  readonly params?: Options;
}

/** AriGraph reads no game here: no stale triplets, no exits. */
export const ARIGRAPH_QUESTIONS: Options = {
  texts: "paragraphs",
  stale: false,
  exploration: false,
  depth: 3,
  deepest: 3,
};

const ARIGRAPH: Condition = { name: "arigraph", memory: "arigraph", options: ARIGRAPH_QUESTIONS };

const BASELINES: readonly Condition[] = [
  { name: "bm25", memory: "passages", options: { by: "bm25" } },
  { name: "embedding", memory: "passages", options: { by: "embedding" } },
  { name: "full-context", memory: "passages", options: { by: "all" } },
  {
    ...{ name: "supporting-facts", memory: "passages", options: { by: "all" } },
    params: { documents: "supporting" },
  },
];

/**
 * The paper runs it with GPT-4o-mini alone and does not say which search; its questions ask for
 * single facts (D374).
 */
const GRAPHRAG: Condition = { name: "graphrag", memory: "graphrag", options: { search: "local" } };

const CONDITIONS = [ARIGRAPH, ...BASELINES, GRAPHRAG];

/** Options of the study. */
export interface ArigraphQuestionsOptions extends Omit<PartChoices, "games" | "attempts"> {
  /**
   * Questions asked of each set, from the first of its sample, ≥ 1.
   * @default 200, of the encyclopedia in preset quick 60
   */
  readonly questions?: number;
}

/**
 * The study, as data: an episode a question, question by question, so that an interrupted study has
 * whole questions. Preset `full` asks MuSiQue and HotpotQA, whose files a user must have; `quick`
 * asks the encyclopedia. `only` names sets or conditions; with the paper's models GraphRAG plays
 * only if named.
 *
 * @throws {UsageError} if `only` names something unknown, or `questions` is no whole number from 1
 *   to the size of the sample.
 *
 * @example
 * ```ts
 * import { arigraphQuestionsStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const study = arigraphQuestionsStudy({ full: true, only: ["musique", "arigraph"] });
 * assert.equal(study.id, "arigraph-questions-full-arigraph-musique@offline");
 * assert.deepEqual(study.chains.slice(0, 2).map((chain) => chain.id), ["questions/musique#410|arigraph", "questions/musique#199|arigraph"]);
 * ```
 */
export function arigraphQuestionsStudy(options: ArigraphQuestionsOptions = {}): Study {
  const { full = false, only = [], questions, models = {} } = options;
  checkNames(
    only,
    [...SETS, ...CONDITIONS].map(({ name }) => name),
    "neither a set of questions nor a condition of this study",
  );
  const usual = isReadyMap(models, "paper")
    ? CONDITIONS.filter((condition) => condition !== GRAPHRAG)
    : CONDITIONS;
  const form = `arigraph-questions${full ? "-full" : ""}${
    questions === undefined ? "" : `-n${questions}`
  }`;
  return paperStudy(form, options, 1, {
    title: "AriGraph, Table 2: multi-hop questions with a graph memory, and its baselines",
    chains: namedOr(SETS, only, SETS.filter(({ isOfficial }) => full === isOfficial)).flatMap((
      set,
    ) =>
      sampleOf(set, full, questions).flatMap((index) =>
        namedOr(CONDITIONS, only, usual).map((condition) => ({
          id: `questions/${set.name}#${index}|${condition.name}`,
          episodes: [episodeOf(set, index, condition)],
        }))
      )
    ),
  });
}

function episodeOf(
  set: QuestionSet,
  index: number,
  { name: condition, memory, options, params }: Condition,
): PlannedEpisode {
  const place = !set.isOfficial && index >= OF_A_SEED
    ? { seed: 1 + Math.floor(index / OF_A_SEED), index: index % OF_A_SEED }
    : { index };
  const asked = { world: `questions/${set.name}`, params: { ...place, ...params } };
  return {
    ...asked,
    method: "answer",
    memory,
    options: { memory: options },
    condition,
    attempt: 1,
    seed: 1,
  };
}

function sampleOf(
  { name, sample }: QuestionSet,
  full: boolean,
  questions: number | undefined,
): readonly number[] {
  const all = sample(full);
  if (questions === undefined) return all;
  if (Number.isInteger(questions) && questions >= 1 && questions <= all.length) {
    return all.slice(0, questions);
  }
  throw new UsageError(
    `cannot ask ${questions} questions of ${name}; name a whole number from 1 to ${all.length}`,
  );
}

/**
 * The sets of questions that can be asked, as `only` of the study takes them: none to choose in
 * preset quick; in preset full those of MuSiQue and HotpotQA whose files are there, and the
 * encyclopedia where neither is.
 *
 * @example
 * ```ts
 * import { questionSetsAtHand } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(questionSetsAtHand({ full: false }), []);
 * ```
 */
export function questionSetsAtHand({ full = false }: Pick<PartChoices, "full">): string[] {
  const official = Object.entries({ musique, hotpotqa });
  const found = official.filter(([, { file }]) => missingFile(file) === undefined);
  if (!full || found.length === official.length) return [];
  return found.length === 0 ? ["encyclopedia"] : found.map(([name]) => name);
}

/** Columns of `questionAnswers`. */
export const QUESTION_ANSWERS_COLUMNS = {
  ...LABELS,
  /** The set, e.g. `encyclopedia`, and the place of the question in it, from 0. */
  ...{ set: "text", seed: "integer?", question: "integer" },
  /** The answer that was given; it and what follows is null unless completed. */
  answer: "text?",
  /** Exact match (0 or 1) and F1 in [0, 1], by the official rules of the set. */
  ...{ em: "number?", f1: "number?" },
  /** Words of the authors' pooled score: shared, of the answer, of the gold answer; 1 if equal. */
  ...{ shared: "integer?", answered: "integer?", wanted: "integer?", equal: "integer?" },
} as const satisfies FrameSchema;

/**
 * The answers of a study's questions with their scores: a row for each episode, those not yet
 * completed included. Columns: `QUESTION_ANSWERS_COLUMNS`.
 *
 * @throws {UsageError} for a mistyped study.
 *
 * @example
 * ```ts
 * import { questionAnswers } from "labyrinth/papers/arigraph";
 * import { openStore } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(questionAnswers(store, "unplayed").height, 0);
 * ```
 */
export function questionAnswers(store: Store, study: string): DataFrame {
  checkHeld(store, study);
  const rows = store.prepare(`
    select e.id as episode, coalesce(e.label, e.world) as game, e.condition, e.attempt,
      substr(e.world, length('questions/') + 1) as "set", json_extract(e.world_params, '$.seed') as seed,
      json_extract(e.world_params, '$.index') as question, t.sections
    from episodes e left join turns t on t.episode = e.id and t.step = 1 and e.status = 'completed'
    where e.study = ? and e.world like 'questions/%' order by e.rowid`).all(study);
  const scored = rows.map(({ sections, ...row }) => ({ ...row, ...scoresIn(sections) }));
  return frameOf(scored, QUESTION_ANSWERS_COLUMNS);
}

/** The sections of a question's last turn as numbers. */
function scoresIn(sections: unknown): object {
  if (typeof sections !== "string") return {};
  const { answer, em, f1, words = "" } = JSON.parse(sections) as Record<string, string>;
  const [shared, answered, wanted, equal] = words.split(" ").map(Number);
  return { answer, em: Number(em), f1: Number(f1), shared, answered, wanted, equal };
}
