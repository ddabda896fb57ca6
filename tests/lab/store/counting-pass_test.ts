import assert from "node:assert/strict";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { getEpisode, openStore, type PassRow } from "../../../lib/mod.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";

Deno.test("endEpisode() takes the marked pass as the result, else the last one", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
  const plan = {
    chain: "l",
    identity: {},
    world: "w",
    worldParams: {},
    attempt: 1,
    seed: 1,
    method: "m",
    memory: "",
    condition: "c",
    backbone: "offline",
  };
  const passes: PassRow[] = [70, 80, 20].map((score, i) => ({
    kind: "trial",
    score,
    maxScore: 100,
    steps: 10 + i,
    end: "limit",
  }));
  const results = [passes, passes.map((pass, i) => i === 1 ? { ...pass, counts: true } : pass)].map(
    (passes, ordinal) => {
      putEpisode(store, { ...plan, id: `e${ordinal}`, study: "mine", ordinal });
      endEpisode(store, `e${ordinal}`, { status: "completed", passes }, 0);
      const { score, steps } = getEpisode(store, `e${ordinal}`);
      return [score, steps];
    },
  );
  assert.deepEqual(results, [[20, 12], [80, 11]]);
});
