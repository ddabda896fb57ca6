import assert from "node:assert/strict";
import { openStore, playStudy } from "../../../lib/mod.ts";
import { answerRows } from "../../../lib/report/frame.ts";
import { tableOf } from "../../../lib/report/exhibit-table.ts";
import { arigraphReport } from "../../../lib/papers/arigraph/report.ts";
import { arigraphQuestionsStudy, questionsExhibit, type QuestionTrial } from "../../../lib/papers/arigraph/questions.ts";
import { cellText, type Table } from "../../../lib/report/table.ts";
import { testClaims } from "../../../lib/lab/claims.ts";
import { readOf } from "./samples.ts";
import "../../../lib/offline/mod.ts";

/** Answers of which the official mean F1 (50 %) and the pooled F1 (6 / 9 = 66.7 %) differ. */
const ANSWERS = [
  { question: 1, status: "completed", em: 1, f1: 1, shared: 3, answered: 3, wanted: 3, equal: 1 },
  { question: 2, status: "completed", em: 0, f1: 0, shared: 0, answered: 1, wanted: 2, equal: 0 },
];

function table(
  game: string,
  condition: string,
  answers: readonly Partial<QuestionTrial>[],
  backbone: string,
  allowIncomplete = false,
): Table {
  const none = { answer: null, em: null, f1: null, shared: null, answered: null, wanted: null, equal: null };
  const trials = answers.map((answer) =>
    ({ episode: `${answer.question}`, game, condition, backbone, ...none, ...answer }) as QuestionTrial
  );
  return tableOf(questionsExhibit(trials, backbone), readOf(trials, backbone), { allowIncomplete });
}

function row({ rows }: Table, label: string): string[] | undefined {
  return rows.find(([name]) => name === label)?.slice(1).map(cellText);
}

Deno.test("questionsExhibit() shows official scores with intervals, the pooled F1, and the paper's under them", () => {
  const shown = table("questions/musique", "arigraph", ANSWERS, "gpt-4o-mini");
  assert.deepEqual(shown.columns, ["Method", "MuSiQue EM", "MuSiQue F1", "MuSiQue pooled F1", "HotpotQA EM", "HotpotQA F1"]);
  assert.deepEqual(row(shown, "AriGraph, gpt-4o-mini"), ["50.0 [0.0, 100.0]", "50.0 [0.0, 100.0]", "66.7", "–", "–"]);
  assert.deepEqual(row(shown, "AriGraph (GPT-4o-mini), paper"), ["36.5", "47.9", "–", "60.0", "68.6"]);
  assert.deepEqual(row(shown, "HOLMES (GPT-4), paper"), ["48.0", "58.0", "–", "66.0", "78.0"]);
  assert.equal(shown.rows.length, 1 + 10);
  assert.match(shown.caption, /Model: gpt-4o-mini; n = 2 questions a cell, MuSiQue scored by MuSiQue's official rules/);
  assert.equal(shown.id, "arigraph-table2-gpt-4o-mini");
});

Deno.test("questionsExhibit() refuses a cell with a failed or missing question unless told otherwise", () => {
  const answers = [...ANSWERS, { question: 3, status: "failed" }, { question: 4, status: "planned" }];
  const shown = (allowIncomplete: boolean): string[] | undefined =>
    row(table("questions/hotpotqa", "bm25", answers, "offline", allowIncomplete), "BM25 (top-3), stand-in");
  assert.equal(shown(false)?.[2], "incomplete 2/4 (1 failed)");
  assert.match(shown(true)?.[2] ?? "", /^50\.0/);
});

Deno.test("a study of questions is played, and its table is what its answers come to", async () => {
  using store = openStore(":memory:");
  const study = arigraphQuestionsStudy({ questions: 4 });
  const { completed, planned } = await playStudy(study, { store });
  assert.deepEqual([completed, planned], [24, 24]);
  const answers = answerRows(store, study.id);
  const mine = answers.filter(({ condition }) => condition === "arigraph");
  assert.deepEqual(mine.map(({ question, status }) => [question, status]), [0, 1, 2, 3].map((question) => [question, "completed"]));
  const { tables } = arigraphReport(store, study.id);
  assert.deepEqual(tables.map(({ id }) => id), ["arigraph-table2-offline", "arigraph-table3-questions-offline"]);
  const em = 100 * mine.reduce((sum, answer) => sum + (answer.em ?? NaN), 0) / 4;
  assert.ok(row(tables[0] as Table, "AriGraph, stand-in")?.some((cell) => cell.startsWith(em.toFixed(1))));
  assert.throws(() => arigraphReport(store, "unplayed"), { name: "UsageError", message: /no completed episode/ });
});

Deno.test("the claim that AriGraph takes fewer tokens than GraphRAG is tested over the questions asked under both", async () => {
  using store = openStore(":memory:");
  const study = arigraphQuestionsStudy({ questions: 6, only: ["arigraph", "graphrag"] });
  await playStudy(study, { store });
  const claim = testClaims({ file: "arigraph_claims" }, store, [study.id]).find(({ id }) => id === "A25");
  assert.deepEqual([claim?.verdict, claim?.pairs, claim?.clusters], ["supported", 6, [6]]);
  const [arigraph, graphrag] = ["arigraph", "graphrag"].map((condition) =>
    Number(
      store.prepare(`select sum(prompt_tokens + completion_tokens) as n from calls join episodes on episodes.id = episode
      where condition = ?`).get(condition)?.["n"],
    )
  );
  assert.ok((arigraph ?? NaN) < (graphrag ?? NaN));
});
