/**
 * GraphRAG over questions with the stand-in: both searches answer, and every role is metered.
 */

import assert from "node:assert/strict";
import { experiment, playStudy } from "../../../../lib/lab/mod.ts";
import "../../../../lib/offline/mod.ts";
import { answeredTokens } from "../../../../lib/lab/store/costs.ts";
import { openStore } from "../../../../lib/lab/store/open.ts";

const ASKED = [
  "answer/answer",
  "graphrag/describe",
  "graphrag/extract",
  "graphrag/glean",
  "graphrag/report",
];

Deno.test("graphrag reads the 20 paragraphs of each of two questions, answers both, and has its tokens counted by role", async () => {
  using store = openStore(":memory:");
  const worlds = [0, 1].map((index) => ({ world: "questions/encyclopedia", params: { index } }));
  const study = experiment({
    id: "graphrag",
    worlds,
    methods: ["answer"],
    memories: ["graphrag"],
    factors: { search: ["local", "global"] },
  });
  assert.equal((await playStudy(study, { store })).completed, 4);
  assert.equal(store.prepare("select count(*) as n from events").get()?.["n"], 0);
  const tokens = answeredTokens(store, "graphrag");
  for (
    const [search, roles] of [["local", ASKED], [
      "global",
      [...ASKED, "graphrag/map"].sort(),
    ]] as const
  ) {
    const episodes = store.prepare("select id, score from episodes where condition like ?").all(
      `%${search}`,
    );
    for (const { id, score } of episodes) {
      const own = tokens.filter(({ episode }) => episode === id);
      assert.deepEqual(own.map(({ role }) => role).sort(), roles);
      for (const { calls, prompt, completion } of own) {
        assert.ok(calls > 0 && Number(prompt) > calls && Number(completion) > 0);
      }
      const callsOf = (role: string): number | undefined =>
        own.find((one) => one.role === role)?.calls;
      assert.deepEqual(["graphrag/extract", "graphrag/glean", "answer/answer"].map(callsOf), [
        20,
        20,
        1,
      ]);
      if (search === "local") assert.equal(score, 1);
    }
    assert.equal(episodes.length, 2);
  }
});
