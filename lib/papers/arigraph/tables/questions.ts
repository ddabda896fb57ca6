/**
 * AriGraph, Table 2: exact match and F1 of multi-hop questions, ours beside the paper's.
 *
 * @module
 */

import { bootstrapInterval } from "../../../stats/intervals.ts";
import { pooledScore, type WordCounts } from "../../../text/qa-scores.ts";
import type { AnswerRow } from "../../../report/answers.ts";
import { type DataFrame, rowsOf } from "../../../report/frame.ts";
import { paperTable } from "../../../report/paper.ts";
import type { Cell, Table } from "../../../report/table.ts";
import type { ScoresTableOptions } from "./textworld-scores.ts";

/** World → its name, its columns in `data/papers/arigraph_table2_qa.csv`, and whose official scores it uses; in the table's order. */
export const QUESTION_SETS: Readonly<Record<string, { readonly name: string; readonly column?: string; readonly scorer: string }>> = {
  "questions/musique": { name: "MuSiQue", column: "musique", scorer: "MuSiQue" },
  "questions/hotpotqa": { name: "HotpotQA", column: "hotpotqa", scorer: "HotpotQA" },
  "questions/encyclopedia": { name: "Encyclopedia", scorer: "MuSiQue" },
};

/** Condition → its name, and the paper's rows to stand under it; in the table's order. */
export const QUESTION_ROWS: Readonly<Record<string, { readonly name: string; readonly paper: readonly string[] }>> = {
  "bm25": { name: "BM25 (top-3)", paper: ["BM25 (top-3)"] },
  "embedding": { name: "Embedding (top-3)", paper: ["Ada-002 (top-3)"] },
  "full-context": { name: "Full context", paper: ["GPT-4 full context"] },
  "supporting-facts": { name: "Supporting facts", paper: ["GPT-4 + supporting facts"] },
  "arigraph": { name: "AriGraph", paper: ["AriGraph (GPT-4)", "AriGraph (GPT-4o-mini)"] },
};

/** A score of completed answers, in percent with its interval. */
interface Measure {
  readonly name: string;
  readonly of: (rows: readonly AnswerRow[]) => Cell;
  /** Part of the name of the paper's column, where it reports the measure. */
  readonly column?: string;
}

const MEASURES: readonly Measure[] = [
  { name: "EM", column: "em", of: (rows) => meanCell(rows.map(({ em }) => em ?? NaN)) },
  { name: "F1", column: "f1", of: (rows) => meanCell(rows.map(({ f1 }) => f1 ?? NaN)) },
  {
    name: "pooled F1",
    of: (rows) => ({ value: 100 * pooledScore(rows as unknown as readonly WordCounts[]).f1, digits: 1, n: rows.length }),
  },
];

/**
 * A row a condition, with the paper's under it; for each set official EM and F1 (percent, with intervals) and the authors' pooled F1.
 * A cell with planned episodes missing is not a number unless `allowIncomplete`.
 *
 * @param answers the frame of `answersFrame`
 *
 * @example
 * ```ts
 * import { answersFrame } from "labyrinth/report";
 * import { openStore } from "labyrinth/store";
 * import { questionsTable } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const { columns, rows } = questionsTable(answersFrame(store, "unplayed"), { backbone: "offline" });
 * assert.deepEqual(columns, ["Method", "MuSiQue EM", "MuSiQue F1", "HotpotQA EM", "HotpotQA F1"]);
 * assert.deepEqual(rows.at(-2)?.[0], "AriGraph (GPT-4), paper");
 * ```
 */
export function questionsTable(answers: DataFrame, options: ScoresTableOptions): Table {
  const { backbone, allowIncomplete = false } = options;
  const rows = rowsOf<AnswerRow>(answers);
  const played = Object.keys(QUESTION_SETS).filter((game) => rows.some((row) => row.game === game));
  const columns = Object.keys(QUESTION_SETS).flatMap((game) =>
    MEASURES.filter(({ column }) => played.includes(game) || (QUESTION_SETS[game]?.column !== undefined && column !== undefined))
      .map((measure) => ({ game, measure }))
  );
  const reported = paperTable("arigraph_table2_qa");
  const conditions = [...new Set([...Object.keys(QUESTION_ROWS), ...rows.map(({ condition }) => condition).sort()])];

  function ours(condition: string): Cell[][] {
    const own = rows.filter((row) => row.condition === condition);
    if (own.length === 0) return [];
    const cells = columns.map(({ game, measure }) => cellOf(own.filter((row) => row.game === game), measure, allowIncomplete));
    return [[`${QUESTION_ROWS[condition]?.name ?? condition}, ${backbone}`, ...cells]];
  }
  function papers(methods: readonly string[]): Cell[][] {
    return reported.filter(({ method = "" }) => methods.includes(method))
      .map((line) => [`${line.method}, paper`, ...columns.map(({ game, measure }) => paperCell(line, game, measure))]);
  }

  const named = Object.values(QUESTION_ROWS).flatMap(({ paper }) => paper);
  const quoted = reported.map(({ method = "" }) => method).filter((method) => !named.includes(method));
  return {
    id: `arigraph-table2-${backbone}`,
    title: `AriGraph, Table 2: multi-hop questions, exact match and F1 in percent (${backbone})`,
    caption: captionOf(rows, played, backbone),
    columns: ["Method", ...columns.map(({ game, measure }) => `${QUESTION_SETS[game]?.name} ${measure.name}`)],
    rows: [...papers(quoted), ...conditions.flatMap((condition) => [...ours(condition), ...papers(QUESTION_ROWS[condition]?.paper ?? [])])],
  };
}

function cellOf(rows: readonly AnswerRow[], { of }: Measure, allowIncomplete: boolean): Cell {
  if (rows.length === 0) return null;
  const done = rows.filter((row) => row.status === "completed");
  const failed = rows.filter((row) => row.status === "failed").length;
  if (done.length === 0 || (done.length < rows.length && !allowIncomplete)) {
    return { incomplete: { done: done.length, failed, planned: rows.length } };
  }
  return of(done);
}

/** A mean of scores in [0, 1] in percent, with its seeded 95 % percentile bootstrap interval. */
export function meanCell(
  scores: readonly number[],
): { readonly value: number; readonly low?: number; readonly high?: number; readonly digits: number; readonly n: number } {
  const percent = scores.map((score) => 100 * score);
  const value = percent.reduce((sum, score) => sum + score, 0) / percent.length;
  return { value, n: percent.length, digits: 1, ...(percent.length > 1 ? bootstrapInterval(percent, { seed: 0 }) : {}) };
}

function paperCell(line: Readonly<Record<string, string>>, game: string, { column }: Measure): Cell {
  const text = line[`${QUESTION_SETS[game]?.column}_${column}`];
  return text ? { value: Number(text), digits: 1 } : null;
}

function captionOf(rows: readonly AnswerRow[], played: readonly string[], backbone: string): string {
  const sets = played.map((game) => {
    const questions = new Set(rows.filter((row) => row.game === game && row.status === "completed").map(({ question }) => question));
    return `${QUESTION_SETS[game]?.name} n = ${questions.size}, scored by ${QUESTION_SETS[game]?.scorer}'s official rules`;
  });
  return `Backbone ${backbone}; ${sets.join("; ") || "nothing played"}. Intervals are seeded 95 % percentile bootstraps over questions. ` +
    `"Pooled F1" is the score of the authors' code: words pooled over all questions, articles kept, no aliases. "Supporting facts" shows ` +
    `the paragraphs marked as needed. Paper: 200 questions of each set; the rows of others are quoted there.`;
}
