import assert from "node:assert/strict";
import { rowsOf } from "../../../../lib/report/frame.ts";
import { cellText } from "../../../../lib/report/table.ts";
import { costsTable } from "../../../../lib/papers/arigraph/tables/costs.ts";
import { type TokenRow, tokensAtStep, tokensFrame } from "../../../../lib/report/tokens.ts";
import { type CallRow, putCall } from "../../../../lib/store/calls.ts";
import { endEpisode, putEpisode } from "../../../../lib/store/episodes.ts";
import { openStore, type Store } from "../../../../lib/store/open.ts";
import { putStudy } from "../../../../lib/store/studies.ts";
import { samplePlan } from "../../../store/samples.ts";

function call(store: Store, row: Partial<CallRow> & Pick<CallRow, "episode" | "key">): void {
  const tokens = { promptTokens: 100, cachedTokens: 0, completionTokens: 10, reasoningTokens: 0, dollars: 0.5 };
  putCall(store, { pass: 0, step: 1, role: "ariadne/act", model: "m", kind: "paid", ...tokens, latencyMs: 1, at: 0, ...row });
}

/** Two completed episodes of 10 steps in all, one of them resumed, and one that is still to be played. */
function played(): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 0 });
  for (const [ordinal, id] of ["a", "b", "c"].entries()) putEpisode(store, samplePlan({ id, ordinal, condition: "arigraph" }));
  const pass = { kind: "trial", score: 1, maxScore: 1 };
  endEpisode(store, "a", { status: "completed", passes: [{ ...pass, steps: 2 }, { ...pass, steps: 4 }] }, 0);
  endEpisode(store, "b", { status: "completed", passes: [{ ...pass, steps: 4 }] }, 0);
  call(store, { episode: "a", key: "1", kind: "wasted", promptTokens: 7 });
  call(store, { episode: "a", key: "1" });
  call(store, { episode: "a", key: "1", kind: "replayed" }); // resumed
  call(store, { episode: "a", key: "2", step: 2, role: "arigraph/extract", promptTokens: 300 });
  call(store, { episode: "b", key: "1", kind: "replayed" }); // the same request in another episode
  call(store, { episode: "b", key: "3", step: 2, role: "arigraph/extract", promptTokens: 500, completionTokens: 70 });
  call(store, { episode: "c", key: "4", promptTokens: 9999 });
  return store;
}

Deno.test("tokensFrame() counts each request of a completed episode once, and the steps of all passes", () => {
  using store = played();
  const rows = rowsOf<TokenRow>(tokensFrame(store, "study")).map((
    { episode, steps, role, calls, prompt },
  ) => [episode, steps, role, calls, prompt]);
  assert.deepEqual(rows, [
    ["a", 6, "ariadne/act", 1, 100],
    ["a", 6, "arigraph/extract", 1, 300],
    ["b", 4, "ariadne/act", 1, 100],
    ["b", 4, "arigraph/extract", 1, 500],
  ]);
});

Deno.test("tokensAtStep() averages over the episodes that reached the step", () => {
  using store = played();
  assert.deepEqual(tokensAtStep(store, "study", 2), [{ condition: "arigraph", episodes: 2, prompt: 400, completion: 40 }]);
  assert.deepEqual(tokensAtStep(store, "study", 150), []);
});

Deno.test("costsTable() divides by steps, splits by role, and prices tokens as the paper's model and as metered", () => {
  using store = played();
  const { rows, caption, id } = costsTable(store, "study", { backbone: "offline" });
  const shown = rows.slice(0, 4).map((row) => row.map(cellText));
  assert.deepEqual(shown, [
    // (100 + 300 + 100 + 500) / 10 steps; 100 prompt and 10 completion tokens at $10 and $30 a million
    ["AriGraph, offline", "0.4", "100", "10", "0.0013", "0.2000"],
    ["– ariadne/act", "0.2", "20", "2", "0.0003", "0.1000"],
    ["– arigraph/extract", "0.2", "80", "8", "0.0010", "0.1000"],
    ["Ariadne, paper", "–", "6000", "500", "0.0750", "–"],
  ]);
  assert.ok(id.includes("offline") && caption.includes("n = 2 episodes"));
  assert.ok(rows.some(([name]) => name === "Full history, paper, step 150"), "the paper's other methods stand below");
  const tasks = costsTable(store, "study", { backbone: "offline", per: "task" });
  assert.deepEqual(tasks.rows[0]?.map(cellText).slice(0, 4), ["AriGraph, offline", "2.0", "500", "50"]);
  assert.deepEqual(tasks.rows.slice(3).map(([name]) => name), ["AriGraph, paper", "GraphRAG, paper"]);
});

Deno.test("costsTable() leaves dollars out where a model has no price", () => {
  using store = played();
  call(store, { episode: "b", key: "5", dollars: null });
  const { rows } = costsTable(store, "study", { backbone: "m" });
  assert.equal(rows[0]?.at(-1), null);
});
