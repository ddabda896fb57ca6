import assert from "node:assert/strict";
import { type AnswerRow, frameOf, type FrameSchema, openStore, playStudy, rowsOf } from "../../../../lib/mod.ts";
import { answersFrame } from "../../../../lib/report/answers.ts";
import { arigraphQuestionsStudy } from "../../../../lib/papers/arigraph/questions-study.ts";
import { arigraphQuestionsTable } from "../../../../lib/papers/arigraph/questions-report.ts";
import { questionsTable } from "../../../../lib/papers/arigraph/tables/questions.ts";
import { cellText } from "../../../../lib/report/table.ts";
import "../../../../lib/offline/mod.ts";

const SCHEMA: FrameSchema = {
  game: "text",
  condition: "text",
  question: "integer",
  status: "text",
  em: "number",
  f1: "number",
  shared: "integer",
  answered: "integer",
  wanted: "integer",
  equal: "integer",
};

/** Answers of which the official mean F1 (50 %) and the pooled F1 (6 / 9 = 66.7 %) differ. */
const ANSWERS = [
  { question: 1, status: "completed", em: 1, f1: 1, shared: 3, answered: 3, wanted: 3, equal: 1 },
  { question: 2, status: "completed", em: 0, f1: 0, shared: 0, answered: 1, wanted: 2, equal: 0 },
];

function row(table: ReturnType<typeof questionsTable>, label: string): string[] | undefined {
  return table.rows.find(([name]) => name === label)?.slice(1).map(cellText);
}

Deno.test("questionsTable() shows official scores with intervals, the pooled F1, and the paper's under them", () => {
  const answers = ANSWERS.map((answer) => ({ game: "questions/musique", condition: "arigraph", ...answer }));
  const table = questionsTable(frameOf(answers, SCHEMA), { backbone: "gpt-4o-mini" });
  assert.deepEqual(table.columns, ["Method", "MuSiQue EM", "MuSiQue F1", "MuSiQue pooled F1", "HotpotQA EM", "HotpotQA F1"]);
  assert.deepEqual(row(table, "AriGraph, gpt-4o-mini"), ["50.0 [0.0, 100.0]", "50.0 [0.0, 100.0]", "66.7", "–", "–"]);
  assert.deepEqual(row(table, "AriGraph (GPT-4o-mini), paper"), ["36.5", "47.9", "–", "60.0", "68.6"]);
  assert.deepEqual(row(table, "HOLMES (GPT-4), paper"), ["48.0", "58.0", "–", "66.0", "78.0"]);
  assert.equal(table.rows.length, 1 + 10);
  assert.match(table.caption, /Backbone gpt-4o-mini; MuSiQue n = 2, scored by MuSiQue's official rules/);
  assert.equal(table.id, "arigraph-table2-gpt-4o-mini");
});

Deno.test("questionsTable() refuses a cell with a failed or missing question unless told otherwise", () => {
  const answers = [...ANSWERS, { question: 3, status: "failed" }, { question: 4, status: "planned" }]
    .map((answer) => ({ game: "questions/hotpotqa", condition: "bm25", ...answer }));
  const frame = frameOf(answers, SCHEMA);
  assert.equal(row(questionsTable(frame, { backbone: "offline" }), "BM25 (top-3), offline")?.[2], "incomplete 2/4 (1 failed)");
  assert.match(row(questionsTable(frame, { backbone: "offline", allowIncomplete: true }), "BM25 (top-3), offline")?.[2] ?? "", /^50\.0/);
});

Deno.test("a study of questions is played, and its table is what its answers come to", async () => {
  using store = openStore(":memory:");
  const study = arigraphQuestionsStudy({ questions: 4 });
  const { completed, planned } = await playStudy(study, { store });
  assert.deepEqual([completed, planned], [20, 20]);
  const answers = rowsOf<AnswerRow>(answersFrame(store, study.id));
  const mine = answers.filter(({ condition }) => condition === "arigraph");
  assert.deepEqual(mine.map(({ question, status }) => [question, status]), [0, 1, 2, 3].map((question) => [question, "completed"]));
  const em = 100 * mine.reduce((sum, answer) => sum + (answer.em ?? NaN), 0) / 4;
  assert.ok(row(arigraphQuestionsTable(store, study.id), "AriGraph, offline")?.some((cell) => cell.startsWith(em.toFixed(1))));
  assert.throws(() => arigraphQuestionsTable(store, "unplayed"), { name: "UsageError", message: /no completed episode/ });
});
