import assert from "node:assert/strict";
import { ROLE_MAPS } from "../../../lib/core/llm/roles.ts";
import { arigraphQuestionsStudy } from "../../../lib/papers/arigraph/questions.ts";
import { findStudy } from "../../../lib/papers/studies.ts";

Deno.test("arigraphQuestionsStudy() asks every question under every condition, one question after the other", () => {
  const study = arigraphQuestionsStudy();
  assert.equal(study.id, "arigraph-questions@offline");
  assert.equal(study.chains.length, 60 * 6);
  assert.deepEqual(study.chains.slice(0, 7).map(({ id }) => id), [
    ...["arigraph", "bm25", "embedding", "full-context", "supporting-facts", "graphrag"].map((
      condition,
    ) => `questions/encyclopedia#0|${condition}`),
    "questions/encyclopedia#1|arigraph",
  ]);
  const [arigraph, , , , supporting, graphrag] = study.chains.map(({ episodes }) => episodes[0]);
  assert.deepEqual(arigraph?.options?.memory, {
    texts: "paragraphs",
    stale: false,
    exploration: false,
    depth: 3,
    deepest: 3,
  });
  assert.deepEqual(supporting?.params, { index: 0, documents: "supporting" });
  assert.deepEqual([graphrag?.memory, graphrag?.options?.memory], ["graphrag", {
    search: "local",
  }]);
});

Deno.test("the full form draws the authors' 200 questions of each set", () => {
  const { chains } = findStudy("arigraph-questions-full@gpt-4o-mini");
  const asked = (world: string): unknown[] =>
    chains.map(({ episodes: [episode] }) => episode).filter((episode) =>
      episode?.world === world && episode.condition === "arigraph"
    )
      .map((episode) => episode?.params?.["index"]);
  assert.equal(asked("questions/musique").length, 200);
  assert.deepEqual(asked("questions/musique").slice(0, 5), [410, 199, 1672, 2335, 1037]);
  assert.deepEqual(asked("questions/hotpotqa").slice(0, 5), [4367, 1867, 3504, 5015, 554]);
  assert.equal(chains.length, 2 * 200 * 6);
});

Deno.test("GraphRAG, which the paper runs with GPT-4o-mini alone, is not asked beside the paper's GPT-4, unless it is named", () => {
  const conditions = (options: Parameters<typeof arigraphQuestionsStudy>[0]): number =>
    new Set(
      arigraphQuestionsStudy(options).chains.map(({ episodes: [episode] }) => episode?.condition),
    ).size;
  assert.deepEqual([
    conditions({ models: ROLE_MAPS.paper }),
    conditions({ models: { "*": "gpt-4o-mini" } }),
  ], [5, 6]);
  assert.equal(
    arigraphQuestionsStudy({ models: ROLE_MAPS.paper }).id,
    "arigraph-questions@gpt-4-0125-preview",
  );
  assert.equal(conditions({ models: ROLE_MAPS.paper, only: ["graphrag", "arigraph"] }), 2);
});
