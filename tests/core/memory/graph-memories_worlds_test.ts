/**
 * HippoRAG 2 and Graphiti in real worlds with the stand-in: they play, resume, are priced, and
 * exchange modules as factors of an experiment.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import {
  experiment,
  type ExperimentOptions,
  playStudy,
  priceStudy,
  type Study,
} from "../../../lib/lab/mod.ts";
import "../../../lib/offline/mod.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { rowsOf } from "../../lab/played.ts";
import { ownFolder } from "../../folder.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

const MEMORIES = ["hipporag", "graphiti"];

function study(options: Partial<ExperimentOptions>): Study {
  return experiment({
    id: "graph-memories",
    worlds: ["textworld/hunt"],
    memories: MEMORIES,
    steps: 6,
    ...options,
  });
}

function countOf(store: Store, table: "graph_changes" | "events", where = "true"): number {
  return Number(store.prepare(`select count(*) as n from ${table} where ${where}`).get()?.["n"]);
}

const GAMES = [
  "textworld/hunt",
  "textworld/cooking",
  { world: "alfworld", params: { game: 3 } },
  { world: "babyai", params: { layout: "2x2-d1-0", seed: 0 } },
];

for (const game of GAMES) {
  const name = typeof game === "string" ? game : game.world;
  Deno.test(`hipporag and graphiti play ${name} and read their models' replies`, async () => {
    using store = openStore(":memory:");
    const { completed } = await playStudy(study({ worlds: [game] }), { store, worlds });
    assert.equal(completed, MEMORIES.length);
    assert.equal(countOf(store, "events", "kind = 'malformed-reply'"), 0);
    if (name.startsWith("textworld")) assert.ok(countOf(store, "graph_changes") > 20);
  });
}

Deno.test("hipporag and graphiti read the paragraphs of a question, and answer it", async () => {
  using store = openStore(":memory:");
  const asked = study({
    worlds: [{ world: "questions/encyclopedia", params: { index: 0 } }],
    methods: ["answer"],
    factors: { texts: ["paragraphs"] },
  });
  assert.equal((await playStudy(asked, { store, worlds })).completed, MEMORIES.length);
  assert.equal(countOf(store, "events"), 0);
  assert.deepEqual(store.prepare("select score from episodes").all().map(({ score }) => score), [
    1,
    1,
  ]);
});

Deno.test("an interrupted hunt of either memory resumes as if it had not been interrupted", async () => {
  using own = ownFolder();
  const folder = own.path;
  const [whole, parts] = [join(folder, "whole.sqlite"), join(folder, "parts.sqlite")];
  const hunt = study({ steps: 8 });
  {
    using store = openStore(whole);
    await playStudy(hunt, { store, worlds, concurrency: 1 });
  }
  for (const stepsFirst of [11, Infinity]) { // in the midst of the second episode
    using store = openStore(parts);
    const [stop, turns] = [
      new AbortController(),
      () => Number(store.prepare("select count(*) as n from turns").get()?.["n"]),
    ];
    const onProgress = (): void => void (turns() >= stepsFirst && stop.abort());
    const { completed } = await playStudy(hunt, {
      store,
      worlds,
      concurrency: 1,
      onProgress,
      signal: stop.signal,
    });
    assert.equal(completed, stepsFirst === Infinity ? MEMORIES.length : 1);
  }
  assert.deepEqual(rowsOf(parts), rowsOf(whole));
});

Deno.test("a free play prices a paid one of the same memories", async () => {
  using store = openStore(":memory:");
  await playStudy(study({ steps: 3 }), { store, worlds });
  const paid = { ...study({ steps: 3 }), id: "paid", models: { "*": "gpt-4o" } };
  const { unknown, callsToPay, dollars, unpriced } = await priceStudy(paid, { store, worlds });
  assert.deepEqual([unknown, unpriced], [0, []]);
  assert.ok(callsToPay >= 2 * 3 * 4 && (dollars ?? 0) > 0, `${callsToPay} calls, $${dollars}`);
});

Deno.test("AriGraph's extraction with HippoRAG's retrieval is a level of a factor", async () => {
  using store = openStore(":memory:");
  const swap = study({
    memories: ["hipporag"],
    factors: { extraction: ["openie", "arigraph"] },
    steps: 4,
  });
  const { completed } = await playStudy(swap, { store, worlds });
  assert.equal(completed, 2);
  const roles = (condition: string): string[] =>
    store.prepare(
      "select distinct role from calls join episodes on episodes.id = episode where condition like ? order by role",
    ).all(
      `%${condition}`,
    )
      .map(({ role }) => String(role)).filter((role) => !role.startsWith("ariadne/"));
  assert.deepEqual(roles("arigraph"), ["arigraph/extract", "hipporag/recognise"]);
  assert.deepEqual(roles("openie"), ["hipporag/names", "hipporag/recognise", "hipporag/triplets"]);
});
