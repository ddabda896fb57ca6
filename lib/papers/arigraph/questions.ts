/**
 * AriGraph's Table 2: exact match and F1 of multi-hop questions.
 *
 * @module
 */

import { type AnswerRow, answerRows } from "../../report/frame.ts";
import { meanMeasure, type Measure, type Trial, wholeMeasure } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { paperTable } from "../../report/paper.ts";
import type { Store } from "../../store/open.ts";
import { pooledScore, type WordCounts } from "../../text/qa-scores.ts";
import { linesUnder } from "./conditions.ts";

/** A question with its answer. */
export type QuestionTrial = AnswerRow & Trial;

/** Returns the questions of a study, planned ones included, in order of set, condition and question. */
export function questionTrials(store: Store, study: string): QuestionTrial[] {
  return answerRows(store, study).filter(({ game }) => game.startsWith("questions/"));
}

/** World → its name, its columns in `data/papers/arigraph_table2_qa.csv`, and whose official scores it uses; in the table's order. */
const SETS: Readonly<Record<string, { readonly name: string; readonly csv?: string; readonly scorer: string }>> = {
  "questions/musique": { name: "MuSiQue", csv: "musique", scorer: "MuSiQue" },
  "questions/hotpotqa": { name: "HotpotQA", csv: "hotpotqa", scorer: "HotpotQA" },
  "questions/encyclopedia": { name: "Encyclopedia", scorer: "MuSiQue" },
};

/** Condition → its name; in the table's order. */
const METHODS: Readonly<Record<string, string>> = {
  "bm25": "BM25 (top-3)",
  "embedding": "Embedding (top-3)",
  "full-context": "Full context",
  "supporting-facts": "Supporting facts",
  "arigraph": "AriGraph",
};

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
  "GraphRAG (GPT-4o-mini)": undefined,
  "AriGraph (GPT-4o-mini)": "arigraph",
};

/** A score of a set, in percent. */
interface Column extends Line<QuestionTrial> {
  readonly measure: Measure<QuestionTrial>;
  /** Its column in the paper's file. */
  readonly csv?: string;
}

/** A condition with the rows of the paper that stand there. */
type Row = Line<QuestionTrial> & { readonly methods: readonly string[] };

/** The mean of a score in percent. */
function percentMeasure(name: string, of: "em" | "f1"): Measure<QuestionTrial> {
  const value = (trial: QuestionTrial): number | null => trial[of] === null ? null : 100 * trial[of];
  return meanMeasure({ name, of: value, range: [0, 100], interval: "bootstrap", digits: 1, how: () => "mean over questions" });
}

const MEASURES = { em: percentMeasure("EM", "em"), f1: percentMeasure("F1", "f1") };

/** The score of the authors' code: words pooled over all questions. */
const POOLED = wholeMeasure<QuestionTrial>({
  name: "pooled F1",
  digits: 1,
  of: (trials) => {
    const { f1 } = pooledScore(trials as unknown as readonly WordCounts[]);
    return Number.isNaN(f1) ? "no answer shares a word with its gold answer" : 100 * f1;
  },
  noInterval: "pooled over questions",
});

const COLUMNS: readonly Column[] = Object.entries(SETS).flatMap(([world, { name, csv }]): Column[] => {
  const has = ({ game }: QuestionTrial): boolean => game === world;
  const shown = csv === undefined ? undefined : "always" as const;
  return [
    ...(["em", "f1"] as const).map((score): Column => ({
      name: `${name} ${score.toUpperCase()}`,
      has,
      shown,
      measure: MEASURES[score],
      csv: csv && `${csv}_${score}`,
    })),
    { name: `${name} pooled F1`, has, measure: POOLED },
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
    has: (trial) =>
      trial.condition === condition && (condition !== "arigraph" || name.includes("4o-mini") === trial.backbone.includes("4o-mini")),
    absent: condition === undefined ? "quoted there from its authors; never run here" : undefined,
  })),
  columns: COLUMNS,
  beside: "rows",
  paper: ({ methods }, { csv = "" }) =>
    methods.map((method) => ({
      printed: paperTable("arigraph_table2_qa").find((line) => line["method"] === method)?.[csv] ?? "",
      backbone: method.includes("4o-mini") ? "gpt-4o-mini" : "gpt-4",
      line: `${method}, paper`,
    })),
  caption: ({ intervals }) => intervals,
};

/** Table 2 with the conditions of some trials: a row a condition, the paper's under it; those that it quotes stand at the end. */
export function questionsExhibit(trials: readonly QuestionTrial[], backbone: string): Exhibit<QuestionTrial, Row, Column> {
  const played = [...new Set(trials.map(({ condition }) => condition))].sort();
  const conditions = [...new Set([...Object.keys(METHODS).filter((known) => played.includes(known)), ...played])];
  const lines = linesUnder(conditions, PAPER_ROWS);
  return {
    ...QUESTIONS_LEDGER,
    rows: conditions.map((condition) => ({
      name: `${METHODS[condition] ?? condition}, ${backbone}`,
      methods: lines.get(condition) ?? [],
      has: (trial) => trial.condition === condition,
    })),
    caption: ({ n, intervals }) => {
      const sets = [...new Set(trials.map(({ game }) => game))].map((game) =>
        `${SETS[game]?.name} scored by ${SETS[game]?.scorer}'s official rules`
      );
      return `Backbone ${backbone}; ${n} a cell, ${sets.join("; ")}. ${intervals} ` +
        `"Pooled F1" is the score of the authors' code: words pooled over all questions, articles kept, no aliases. "Supporting facts" shows ` +
        `the paragraphs marked as needed. Paper: 200 questions of each set; the rows of others are quoted there.`;
    },
  };
}
