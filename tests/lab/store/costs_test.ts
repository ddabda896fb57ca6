import assert from "node:assert/strict";
import { type CallRow, putCall } from "../../../lib/lab/store/calls.ts";
import { answeredTokens } from "../../../lib/lab/store/costs.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { samplePlan } from "./samples.ts";

function played(calls: readonly Partial<CallRow>[]): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 0 });
  for (const id of ["e1", "e2"]) {
    putEpisode(store, samplePlan({ id, chain: id }));
    endEpisode(store, id, {
      status: "completed",
      passes: [{ kind: "only", score: 1, maxScore: 1, steps: 1 }],
    }, 0);
  }
  const tokens = { promptTokens: 100, cachedTokens: 0, completionTokens: 10, reasoningTokens: 0 };
  for (const call of calls) {
    putCall(store, {
      episode: "e1",
      role: "r",
      model: "m",
      key: "k",
      kind: "paid",
      ...tokens,
      dollars: 1,
      latencyMs: 1,
      at: 0,
      ...call,
    });
  }
  return store;
}

Deno.test("answeredTokens() counts each answered request once, by episode, role and model", () => {
  using store = played([
    { kind: "wasted", error: "timeout" },
    { kind: "paid" },
    { kind: "replayed" },
    { key: "k2", promptTokens: 7, cachedTokens: 3, reasoningTokens: 4 },
    { key: "k3", role: "s", dollars: null },
  ]);
  const row = { episode: "e1", model: "m" };
  assert.deepEqual(answeredTokens(store, "study").map((one) => ({ ...one })), [
    {
      ...row,
      role: "r",
      calls: 2,
      prompt: 107,
      cached: 3,
      completion: 20,
      reasoning: 4,
      dollars: 2,
    },
    {
      ...row,
      role: "s",
      calls: 1,
      prompt: 100,
      cached: 0,
      completion: 10,
      reasoning: 0,
      dollars: null,
    },
  ]);
});
