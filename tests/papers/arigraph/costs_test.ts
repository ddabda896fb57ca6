import assert from "node:assert/strict";
import { cellText, type Table } from "../../../lib/report/table.ts";
import { COSTS_LEDGER, costsExhibit, costTrials } from "../../../lib/papers/arigraph/costs.ts";
import { createStudyReader } from "../../../lib/report/exhibit.ts";
import { ledgerOf } from "../../../lib/report/ledger.ts";
import { tableOf } from "../../../lib/report/exhibit-table.ts";
import { type CallRow, putCall } from "../../../lib/lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { samplePlan } from "../../lab/store/samples.ts";

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

Deno.test("costTrials() counts each request of a completed episode once, and the steps of all passes", () => {
  using store = played();
  const rows = costTrials(store, "study").flatMap(({ episode, units, roles }) =>
    roles.map(({ role, calls, prompt }) => [episode, units, role, calls, prompt])
  );
  assert.deepEqual(rows, [
    ["a", 6, "ariadne/act", 1, 100],
    ["a", 6, "arigraph/extract", 1, 300],
    ["b", 4, "ariadne/act", 1, 100],
    ["b", 4, "arigraph/extract", 1, 500],
  ]);
});

function table(store: Store, backbone: string, allowIncomplete = true): Table {
  const exhibit = costsExhibit(costTrials(store, "study"), { unit: "step", backbone });
  return tableOf(exhibit, createStudyReader(store).read(exhibit, "study"), { allowIncomplete });
}

Deno.test("costsExhibit() divides by steps, splits by role, and prices tokens as the paper's model and as metered", () => {
  using store = played();
  const { rows, caption, id } = table(store, "offline");
  const shown = rows.slice(0, 4).map((row) => row.map((cell) => cellText(cell).replace(/ \[.*/, "")));
  assert.deepEqual(shown, [
    // (100 + 300 + 100 + 500) / 10 steps; 100 prompt and 10 completion tokens at $10 and $30 a million
    ["AriGraph, stand-in", "0.4", "100", "10", "0.0013", "0.2000"],
    ["– ariadne/act", "0.2", "20", "2", "0.0003", "0.1000"],
    ["– arigraph/extract", "0.2", "80", "8", "0.0010", "0.1000"],
    ["Ariadne, paper, its model's tokens", "–", "6000", "500", "0.0750", "–"],
  ]);
  // of one episode of 400 tokens in 6 steps and one of 600 in 4: 67 and 150, κ = 9.1682 times as far from 100
  assert.equal(cellText(rows[0]?.[2] ?? null), "100 [0, 558]");
  assert.ok(id.includes("offline") && caption.includes("n = 3 episodes (2 of all 3 completed, 0 failed) a method"));
  assert.ok(rows.some(([name]) => name === "Full history, paper, its model's tokens, step 150"), "the paper's other methods stand below");
  assert.equal(cellText(table(store, "offline", false).rows[0]?.[1] ?? null), "incomplete 2/3");
});

Deno.test("costsExhibit() leaves dollars out where a model has no price", () => {
  using store = played();
  call(store, { episode: "b", key: "5", dollars: null });
  assert.equal(table(store, "m").rows[0]?.at(-1), null);
});

Deno.test("costsExhibit() shows the cached tokens of each role where an endpoint reports any", () => {
  using store = played();
  assert.ok(!table(store, "m").columns.includes("of which cached"));
  call(store, { episode: "b", key: "6", step: 3, role: "arigraph/extract", cachedTokens: 80 });
  const { columns, rows } = table(store, "m");
  const at = columns.indexOf("of which cached");
  assert.deepEqual(rows.slice(0, 4).map((row) => cellText(row[at] ?? null)), ["8", "0", "8", "–"]); // of 10 steps
});

Deno.test("COSTS_LEDGER takes step 150 from the episodes that reach it, and counts those alone", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 0 });
  for (const [ordinal, id] of ["a", "b", "c"].entries()) {
    putEpisode(store, samplePlan({ id, ordinal, condition: "full-history" }));
    endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 1, steps: 150 }] }, 0);
    call(store, { episode: id, key: "1" });
  }
  call(store, { episode: "a", key: "2", step: 150, promptTokens: 13_000 });
  call(store, { episode: "b", key: "3", step: 150, promptTokens: 15_500 });
  call(store, { episode: "b", key: "4", step: 150, promptTokens: 500 });
  const entries = ledgerOf(COSTS_LEDGER, createStudyReader(store), ["study"]);
  const [prompt, completion] = entries.filter(({ row }) => row === "Full history (text games)");
  assert.deepEqual([prompt?.column, prompt?.ours?.value, prompt?.ours?.episodes], ["prompt tokens at step 150", 14_500, ["a", "b"]]);
  // 13,000 and 16,000, κ = 9.1682 times as far from 14,500
  assert.deepEqual([prompt?.ours?.low?.toFixed(0), prompt?.ours?.high?.toFixed(0), prompt?.verdict], ["748", "28252", "cannot tell"]);
  assert.deepEqual([completion?.ours?.value, completion?.verdict], [15, "differs"]);
});
