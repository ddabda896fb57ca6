/**
 * AriGraph's multi-hop questions (Anokhin et al. 2024, arXiv 2407.04363), Table 2: the study, exact match and F1.
 *
 * | paper | here |
 * |---|---|
 * | 200 random samples of each set (§4) | `numpyPermutation(42, n)`, the first 200 (the authors' code) |
 * | MuSiQue, HotpotQA | `questions/musique` (n = 2417), `questions/hotpotqa` (n = 7405), the official development files |
 * | importance 1 … 3 of what is looked up (code), which bounds d | `deepest: 3`, `depth: 3` |
 *
 * The quick form asks 60 questions of our own encyclopedia in their place, so that it needs no files; the full form of the whole paper asks 200 of them
 * where the files are lacking.
 */

import { missingFile } from "../../core/env/questions/data-folder.ts";
import { hotpotqa, musique } from "../../core/env/questions/official-sets.ts";
import { UsageError } from "../../core/errors.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../../lab/frame-of.ts";
import { LABELS } from "../../lab/frames.ts";
import { checkHeld } from "../../lab/held-study.ts";
import { playerName } from "../../report/caption-text.ts";
import type { Options, PlannedEpisode, Study } from "../../lab/study.ts";
import { meanMeasure, type Measure, type Trial, wholeMeasure } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { type AnswerRow, answerRows } from "../../report/frame.ts";
import { paperTable } from "../../report/paper.ts";
import { numpyPermutation } from "../../core/stats/sampling.ts";
import type { Store } from "../../lab/store/open.ts";
import { pooledScore, type WordCounts } from "../../core/text/qa-scores.ts";
import { checkNames, isReadyMap, namedOr, paperStudy, type PartChoices } from "../study-options.ts";
import { linesUnder } from "./conditions.ts";

/** A question with its answer. */
export type QuestionTrial = AnswerRow & Trial;

/** Returns the questions of a study, planned ones included, in order of set, condition and question. */
export function questionTrials(store: Store, study: string): QuestionTrial[] {
  return answerRows(store, study).filter(({ game }) => game.startsWith("questions/"));
}

/** A set of questions as the study asks it, and as tables name it. */
interface QuestionSet {
  readonly name: string;
  readonly label: string;
  /** Its columns in `data/papers/arigraph_table2_qa.csv`. */
  readonly csv?: string;
  /** The set whose official scores it uses. */
  readonly scorer: string;
  /** Places of the questions in the set, in the order in which they are asked; of the encyclopedia of seed 1, then of the others. */
  readonly sample: (full: boolean) => readonly number[];
}

/** Questions of the official sets that are asked (§4), and the authors' seed. */
const SAMPLE = 200;
const SEED = 42;

/** In the table's order; those with numbers of the paper belong to the full form, the other one to the quick form. */
const SETS: readonly QuestionSet[] = [
  { name: "musique", label: "MuSiQue", csv: "musique", scorer: "MuSiQue", sample: () => numpyPermutation(SEED, 2417).slice(0, SAMPLE) },
  { name: "hotpotqa", label: "HotpotQA", csv: "hotpotqa", scorer: "HotpotQA", sample: () => numpyPermutation(SEED, 7405).slice(0, SAMPLE) },
  {
    name: "encyclopedia",
    label: "Encyclopedia",
    scorer: "MuSiQue",
    sample: (full) => Array.from({ length: full ? SAMPLE : OF_A_SEED }, (_, at) => at),
  },
];

/** Questions of the encyclopedia of a seed. */
const OF_A_SEED = 60;

/** A row of Table 2: the method `answer` over a memory. */
interface Condition {
  readonly name: string;
  readonly label: string;
  readonly memory: string;
  readonly options: Options;
  readonly params?: Options;
}

/** AriGraph reads no game here: no stale triplets, no exits. */
export const ARIGRAPH_QUESTIONS: Options = { texts: "paragraphs", stale: false, exploration: false, depth: 3, deepest: 3 };

const ARIGRAPH: Condition = { name: "arigraph", label: "AriGraph", memory: "arigraph", options: ARIGRAPH_QUESTIONS };

const BASELINES: readonly Condition[] = [
  { name: "bm25", label: "BM25 (top-3)", memory: "passages", options: { by: "bm25" } },
  { name: "embedding", label: "Embedding (top-3)", memory: "passages", options: { by: "embedding" } },
  { name: "full-context", label: "Full context", memory: "passages", options: { by: "all" } },
  {
    ...{ name: "supporting-facts", label: "Supporting facts", memory: "passages", options: { by: "all" } },
    params: { documents: "supporting" },
  },
];

/** The paper runs it with GPT-4o-mini alone and does not say which search; its questions ask for single facts (D374). */
const GRAPHRAG: Condition = { name: "graphrag", label: "GraphRAG", memory: "graphrag", options: { search: "local" } };

const CONDITIONS = [ARIGRAPH, ...BASELINES, GRAPHRAG];

/** The paper's rows in its order, and the condition of ours that stands beside each. */
const PAPER_ROWS: Readonly<Record<string, string | undefined>> = {
  "BM25 (top-3)": "bm25",
  "Ada-002 (top-3)": "embedding",
  "GPT-4 full context": "full-context",
  "GPT-4 + supporting facts": "supporting-facts",
  "ReadAgent (GPT-4)": undefined,
  "GraphReader (GPT-4)": undefined,
  "HOLMES (GPT-4)": undefined,
  "AriGraph (GPT-4)": "arigraph",
  "GraphRAG (GPT-4o-mini)": "graphrag",
  "AriGraph (GPT-4o-mini)": "arigraph",
};

/** A score of a set, in percent. */
interface Column extends Line<QuestionTrial> {
  readonly measure: Measure<QuestionTrial>;
  readonly csv?: string;
}

/** A condition with the rows of the paper that stand there. */
type Row = Line<QuestionTrial> & { readonly methods: readonly string[] };

/** The mean of a score in percent. */
function percentMeasure(name: string, of: "em" | "f1"): Measure<QuestionTrial> {
  const value = (trial: QuestionTrial): number | null => trial[of] === null ? null : 100 * trial[of];
  return meanMeasure({
    name,
    of: value,
    range: [0, 100],
    interval: "bootstrap",
    better: "more",
    digits: 1,
    how: () => "mean over questions",
  });
}

/** The official scores. */
export const MEASURES = { em: percentMeasure("EM", "em"), f1: percentMeasure("F1", "f1") };

/** The score of the authors' code: words pooled over all questions. */
export const POOLED = wholeMeasure<QuestionTrial>({
  name: "pooled F1",
  better: "more",
  digits: 1,
  of: (trials) => {
    const { f1 } = pooledScore(trials as unknown as readonly WordCounts[]);
    return Number.isNaN(f1) ? "no answer shares a word with its gold answer" : 100 * f1;
  },
  noInterval: "pooled over questions",
});

const COLUMNS: readonly Column[] = SETS.flatMap(({ name, label, csv }): Column[] => {
  const where = { game: `questions/${name}` };
  const shown = csv === undefined ? undefined : "always" as const;
  return [
    ...(["em", "f1"] as const).map((score): Column => ({
      name: `${label} ${score.toUpperCase()}`,
      where,
      shown,
      measure: MEASURES[score],
      csv: csv && `${csv}_${score}`,
    })),
    { name: `${label} pooled F1`, where, measure: POOLED },
  ];
});

/** Every number of the paper's Table 2. Of its two backbones of AriGraph ours stands beside the one that it is. */
export const QUESTIONS_LEDGER: Exhibit<QuestionTrial, Row, Column> = {
  id: "arigraph-table2",
  source: "Table 2",
  head: "Method",
  trial: "question",
  trials: questionTrials,
  title: (backbone) => `AriGraph, Table 2: multi-hop questions, exact match and F1 in percent (${backbone})`,
  rows: Object.entries(PAPER_ROWS).map(([name, condition]) => ({
    name,
    methods: [name],
    where: { condition },
    has: ({ backbone }) => condition !== "arigraph" || name.includes("4o-mini") === backbone.includes("4o-mini"),
    absent: condition === undefined ? "quoted there from its authors; never run here" : undefined,
  })),
  columns: COLUMNS,
  beside: "rows",
  compete: "rows",
  paper: ({ methods }, { csv = "" }) =>
    methods.map((method) => ({
      printed: paperTable("arigraph_table2_qa").find((line) => line["method"] === method)?.[csv] ?? "",
      backbone: method.includes("4o-mini") ? "gpt-4o-mini" : "gpt-4",
      line: `${method}, paper`,
    })),
};

/** Table 2 with the conditions of some trials: a row a condition, the paper's under it; those that it quotes stand at the end. */
export function questionsExhibit(trials: readonly QuestionTrial[], backbone: string): Exhibit<QuestionTrial, Row, Column> {
  const played = [...new Set(trials.map(({ condition }) => condition))].sort();
  const named = [...BASELINES, GRAPHRAG, ARIGRAPH].filter(({ name }) => played.includes(name));
  const conditions = [...new Set([...named.map(({ name }) => name), ...played])];
  const lines = linesUnder(conditions, PAPER_ROWS);
  return {
    ...QUESTIONS_LEDGER,
    rows: conditions.map((condition) => ({
      name: `${named.find(({ name }) => name === condition)?.label ?? condition}, ${playerName(backbone)}`,
      methods: lines.get(condition) ?? [],
      rivals: condition === "supporting-facts" ? null : undefined, // it is shown what it needs
      where: { condition },
    })),
    caption: ({ n, intervals }) => {
      const sets = [...new Set(trials.map(({ game }) => game))].map((game) => SETS.find(({ name }) => game === `questions/${name}`))
        .map((set) => `${set?.label} scored by ${set?.scorer}'s official rules`);
      return `Model: ${playerName(backbone)}; ${n} a cell, ${sets.join("; ")}. ${intervals} ` +
        `"Pooled F1" is the score of the authors' code: words pooled over all questions, articles kept, no aliases. "Supporting facts" shows ` +
        `the paragraphs marked as needed. Paper: 200 questions of each set, its scorer unsaid; the rows of others are quoted there.`;
    },
  };
}

/** Options of the study. */
export interface ArigraphQuestionsOptions extends Omit<PartChoices, "games" | "attempts"> {
  /** Questions asked of each set, from the first of its sample, ≥ 1. @default 200, of the encyclopedia in the quick form 60 */
  readonly questions?: number;
}

/**
 * The study, as data: an episode a question, question by question, so that an interrupted study has whole questions. The full form asks MuSiQue
 * and HotpotQA, which a user must have, or where `only` says so the encyclopedia, the quick one the encyclopedia. `only` names sets or conditions;
 * GraphRAG is asked with the models of the paper, GPT-4 but for it, only where `only` names it.
 *
 * @throws {UsageError} if `only` names something unknown, or `questions` is no whole number from 1 to the size of the sample.
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
  const { full = false, only = [], questions, models = {} } = options;
  checkNames(only, [...SETS, ...CONDITIONS].map(({ name }) => name), "neither a set of questions nor a condition of this study");
  const usual = isReadyMap(models, "paper") ? CONDITIONS.filter((condition) => condition !== GRAPHRAG) : CONDITIONS;
  const form = `arigraph-questions${full ? "-full" : ""}${questions === undefined ? "" : `-n${questions}`}`;
  return paperStudy(form, options, 1, {
    title: "AriGraph, Table 2: multi-hop questions with a graph memory, and its baselines",
    lanes: namedOr(SETS, only, SETS.filter(({ csv }) => full === (csv !== undefined))).flatMap((set) =>
      sampleOf(set, full, questions).flatMap((index) =>
        namedOr(CONDITIONS, only, usual).map((condition) => ({
          id: `questions/${set.name}#${index}|${condition.name}`,
          episodes: [episodeOf(set, index, condition)],
        }))
      )
    ),
  });
}

function episodeOf(set: QuestionSet, index: number, { name: condition, memory, options, params }: Condition): PlannedEpisode {
  const place = set.csv === undefined && index >= OF_A_SEED
    ? { seed: 1 + Math.floor(index / OF_A_SEED), index: index % OF_A_SEED }
    : { index };
  const asked = { world: `questions/${set.name}`, params: { ...place, ...params } };
  return { ...asked, method: "answer", memory, options: { memory: options }, condition, attempt: 1, seed: 1 };
}

function sampleOf({ name, sample }: QuestionSet, full: boolean, questions: number | undefined): readonly number[] {
  const all = sample(full);
  if (questions === undefined) return all;
  if (Number.isInteger(questions) && questions >= 1 && questions <= all.length) return all.slice(0, questions);
  throw new UsageError(`cannot ask ${questions} questions of ${name}; name a whole number from 1 to ${all.length}`);
}

/**
 * The sets of questions that can be asked, as `only` of the study takes them: none to choose in the
 * quick form; in the full form those of MuSiQue and HotpotQA whose files are there, and the
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
