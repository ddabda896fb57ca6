import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { rowsOf } from "../../../lib/lab/frame-of.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { verdicts } from "../../../lib/papers/verdicts.ts";
import { playStudy } from "../../../lib/lab/mod.ts";
import {
  arigraphQuestionsStudy,
  questionAnswers,
  questionSetsAtHand,
} from "../../../lib/papers/arigraph/questions.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";
import "../../../lib/offline/mod.ts";
import { withVariables } from "../../environment.ts";
import { ownFolder } from "../../folder.ts";

type Answer = Record<"condition" | "set" | "answer", string> & Record<string, number | null>;

Deno.test("questionAnswers() reads the official scores and the counts of words of each answer", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  const world = "questions/musique";
  const asked = [
    {
      id: "b",
      index: 7,
      sections: { answer: "the lake Ost", em: "0", f1: "0.8", words: "2 3 2 0" },
    },
    { id: "a", index: 3 },
  ];
  for (const [ordinal, { id, index, sections }] of asked.entries()) {
    const worldParams = { index, ...(sections ? { seed: 2 } : {}) };
    const plan = { id, study: "s", chain: id, ordinal, world, worldParams, condition: "bm25" };
    putEpisode(store, samplePlan(plan));
    if (!sections) continue;
    putTurn(store, sampleTurn({ episode: id, step: 0, sections: {} }));
    putTurn(store, sampleTurn({ episode: id, step: 1, sections }));
    const pass = { kind: "only", score: 0, maxScore: 1, steps: 1, end: "lost" };
    endEpisode(store, id, { status: "completed", passes: [pass] }, 0);
  }
  const [first, second, ...others] = rowsOf<Answer>(questionAnswers(store, "s"));
  assert.deepEqual(others, []);
  const { set, seed, question, answer, em, f1, shared, answered, wanted, equal } = first ??
    assert.fail();
  assert.deepEqual([set, seed, question, answer, em, f1], [
    "musique",
    2,
    7,
    "the lake Ost",
    0,
    0.8,
  ]);
  assert.deepEqual([shared, answered, wanted, equal], [2, 3, 2, 0]);
  const open = [second?.question, second?.seed, second?.answer, second?.em, second?.shared];
  assert.deepEqual(
    open,
    [3, null, null, null, null],
    "of an answer that is not there nothing is known",
  );
});

Deno.test("questionSetsAtHand() asks of the full form what a user has, and else the encyclopedia", () => {
  using own = ownFolder();
  const folder = own.path;
  using _data = withVariables({ LAB_DATA: folder });
  const bring = (file: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  };
  assert.deepEqual(questionSetsAtHand({ full: true }), ["encyclopedia"]);
  bring("hotpotqa/hotpot_dev_distractor_v1.json");
  assert.deepEqual(questionSetsAtHand({ full: true }), ["hotpotqa"]);
  bring("musique/musique_ans_v1.0_dev.jsonl");
  assert.deepEqual(questionSetsAtHand({ full: true }), []);
  assert.deepEqual(questionSetsAtHand({ full: false }), []);
});

Deno.test("a study of questions is played, and the claim on tokens is tested on what both methods were asked", async () => {
  using store = openStore(":memory:");
  const study = arigraphQuestionsStudy({ questions: 6, only: ["arigraph", "graphrag"] });
  const { completed, planned } = await playStudy(study, { store });
  assert.deepEqual([completed, planned], [12, 12]);
  const answers = rowsOf<Answer>(questionAnswers(store, study.id));
  const mine = answers.filter(({ condition }) => condition === "arigraph");
  assert.deepEqual(mine.map(({ question }) => question), [0, 1, 2, 3, 4, 5]);
  const scores = store.prepare(
    "select score from episodes where condition = 'arigraph' order by rowid",
  );
  assert.deepEqual(mine.map(({ em }) => em), scores.all().map(({ score }) => score));

  const options = { only: ["A25"] };
  const [claim] = rowsOf<Answer>(verdicts(store, [study.id], "arigraph", options));
  assert.deepEqual([claim?.["verdict"], claim?.["pairs"], claim?.["games"]], ["supported", 6, 6]);
  const tokens = store.prepare(`select sum(prompt_tokens + completion_tokens) as n from calls
    join episodes on episodes.id = episode where condition = ?`);
  const [arigraph, graphrag] = ["arigraph", "graphrag"].map((name) =>
    Number(tokens.get(name)?.["n"])
  );
  assert.ok((arigraph ?? NaN) < (graphrag ?? NaN));
});
