import assert from "node:assert/strict";
import { arigraphReport } from "../../../lib/papers/arigraph/report.ts";
import { rowsOf } from "../../../lib/report/frame.ts";
import { endEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "../../lab/store/samples.ts";

/** A random walk: triplets after each step, and how many were removed at it. */
function walk(store: Store, id: string, backbone: string, sizes: readonly number[], removed: readonly number[]): void {
  const study = `arigraph-random-walk@${backbone}`;
  putStudy(store, { id: study, spec: {}, createdAt: 0 });
  putEpisode(store, samplePlan({ id, study, lane: id, method: "random-walk", condition: "random-walk", backbone }));
  for (const [step, graphSize] of sizes.entries()) {
    const change = { episode: id, pass: 0, step, op: "remove", relation: "is in", object: "hall" } as const;
    const changes = Array.from({ length: removed[step] ?? 0 }, (_, ordinal) => ({ ...change, ordinal, subject: `key ${ordinal}` }));
    putTurn(store, sampleTurn({ episode: id, step, score: 0, maxScore: 1, graphSize }), { changes });
  }
  endEpisode(store, id, { status: "completed", passes: [{ kind: "only", score: 0, maxScore: 1, steps: sizes.length - 1 }] }, 0);
}

Deno.test("randomWalkFigure() averages the walks of each backbone, and rates what was replaced so far by the steps taken", () => {
  using store = openStore(":memory:");
  walk(store, "a", "offline", [0, 4, 9], [0, 0, 3]);
  walk(store, "b", "offline", [0, 6, 7], [0, 2, 2]);
  walk(store, "c", "gpt", [0, 1, 2], [0, 1, 0]);
  const { figures, tables } = arigraphReport(store, "arigraph-random-walk@offline");
  assert.deepEqual([tables, figures.map(({ id }) => id)], [[], ["arigraph-fig6-gpt-offline"]]);
  const shared = { least: 1, most: 1, walks: 1 };
  assert.deepEqual(rowsOf<object>(figures[0]?.frame ?? assert.fail()), [
    { ...shared, backbone: "gpt", step: 1, triplets: 1, updateRate: 1 },
    { ...shared, backbone: "gpt", step: 2, triplets: 2, least: 2, most: 2, updateRate: 0.5 },
    { backbone: "offline", step: 1, walks: 2, triplets: 5, least: 4, most: 6, updateRate: 1 },
    { backbone: "offline", step: 2, walks: 2, triplets: 8, least: 7, most: 9, updateRate: (3 / 2 + 4 / 2) / 2 },
  ]);
  assert.match(figures[0]?.caption ?? "", /by model: 1 walk of gpt, 2 walks of stand-in\./);
});

/** Attempts at games of the RL benchmark, and at one of Table 4. */
function played(): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "arigraph-rl", spec: {}, createdAt: 0 });
  const games: readonly (readonly [string, number | null, string?])[] = [
    ...[["rl-3-0", 1], ["rl-3-1", 0.5], ["rl-3-2", null], ["rl-3-0-gata", 0.25], ["rl-1-0", 1, "random"]] as const,
    ...[["rl-4-cook_3_6_1", 0.75], ["rl-2-0", 1], ["rl-2-0-gata", 0]] as const,
  ];
  for (const [label, score, condition = "arigraph"] of games) {
    putEpisode(store, samplePlan({ id: label, study: "arigraph-rl", lane: label, label, condition, backbone: "offline" }));
    if (score === null) continue;
    endEpisode(store, label, { status: "completed", passes: [{ kind: "only", score, maxScore: 1, steps: 1 }] }, 0);
  }
  return store;
}

Deno.test("rlBenchmarkFigure() puts the games of a level together, each variant by itself, and leaves out what is not done", () => {
  using store = played();
  const { figures, tables } = arigraphReport(store, "arigraph-rl");
  assert.deepEqual([...tables, ...figures].map(({ id }) => id), ["arigraph-rl-benchmark-offline", "arigraph-fig4-offline"]);
  const bars = rowsOf<Record<string, unknown>>(figures[0]?.frame ?? assert.fail());
  assert.deepEqual(bars.map(({ variant, level, condition, n, planned, mean }) => [variant, level, condition, n, planned, mean]), [
    ["doors open", 1, "Random actions", 1, 1, 1],
    ["doors open", 2, "AriGraph", 1, 1, 1],
    ["doors open", 3, "AriGraph", 2, 3, 0.75],
    ["doors closed", 2, "AriGraph", 1, 1, 0],
    ["doors closed", 3, "AriGraph", 1, 1, 0.25],
    ["the authors' files", 4, "AriGraph", 1, 1, 0.75],
  ]);
  const [intervals] = tables[0]?.caption.match(/95 % intervals: .*?\)\S*/) ?? assert.fail("no intervals");
  assert.ok(figures[0]?.caption.includes(intervals));
});

Deno.test("the ledger's Figure 4 has open doors alone, and no number of an incomplete cell", () => {
  using store = played();
  const { ledger = [] } = arigraphReport(store, "arigraph-rl");
  const level = (wanted: number) => ledger.find(({ row, column }) => row === "Ariadne" && column === `level ${wanted}`);
  assert.deepEqual([level(2)?.ours?.value, level(2)?.ours?.episodes], [1, ["rl-2-0"]]);
  assert.deepEqual([level(3)?.ours, level(3)?.why], [undefined, "incomplete, 2 of 3 episodes"]);
});
