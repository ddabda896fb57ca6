/**
 * A-MEM, Mem0 with and without its graph, MemGPT and the notebook in real games: played,
 * interrupted and resumed, and priced.
 */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { playStudy, priceStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import "../../lib/offline/mod.ts";
import { rowsOf } from "./played.ts";

/** Each memory with options that make all of its roles ask within the steps of a short game. */
const MEMORIES = [
  { memory: "plain-notes", options: {} },
  { memory: "a-mem", options: {} },
  { memory: "mem0", options: { refresh: 5 } },
  { memory: "mem0", options: { graph: true, updates: "step" }, label: "mem0 with a graph" },
  { memory: "memgpt", options: { window: 600 } },
];

/** One game of a world with each memory. */
function studyOf(world: string, models: Study["models"] = { "*": "offline" }): Study {
  return {
    id: "agentic",
    title: "Memories that a model keeps",
    models,
    chains: MEMORIES.map(({ memory, options, label = memory }) => ({
      id: label,
      episodes: [{
        world,
        method: "ariadne",
        memory,
        label,
        options: { method: { maxSteps: 16 }, memory: options },
        attempt: 1,
        seed: 1,
      }],
    })),
  };
}

const ROLES = ["a-mem/evolve", "a-mem/note"]
  .concat(
    ["conflicts", "entities", "extract", "relations", "summarise", "update"].map((name) =>
      `mem0/${name}`
    ),
  )
  .concat(["memgpt/manage", "memgpt/summarise"]);

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

Deno.test("the agentic memories cook a meal, which asks in all of their roles", async () => {
  using store = openStore(":memory:");
  const { completed, episodes } = await playStudy(studyOf("textworld/cooking"), { store, worlds });
  assert.equal(completed, MEMORIES.length);
  for (const { label, score = 0 } of episodes) assert(score >= 1, `${label}: ${score}`);
  const asked = store.prepare(
    "select distinct role from calls where role not like 'ariadne/%' order by role",
  ).all();
  assert.deepEqual(asked.map(({ role }) => role), ROLES);
});

Deno.test("the agentic memories hunt, go on where they were interrupted, and are priced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-agentic-"));
  const [whole, parted] = [join(folder, "whole.sqlite"), join(folder, "parted.sqlite")];
  const hunt = studyOf("textworld/hunt");
  try {
    {
      using store = openStore(whole);
      const { completed, episodes } = await playStudy(hunt, { store, worlds });
      assert.equal(completed, MEMORIES.length);
      for (const { label, score = 0 } of episodes) assert(score >= 1, `${label}: ${score}`);
      const paid = Number(
        store.prepare("select count(distinct episode || role || hex(key)) as n from calls").get()
          ?.["n"],
      ); // equal calls are one
      const dear = {
        ...studyOf("textworld/hunt", {
          "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } },
        }),
        id: "dear",
      };
      const { callsToPay, dollars = 0, unknown } = await priceStudy(dear, { store, worlds });
      assert.deepEqual([callsToPay, unknown, dollars > 0], [paid, 0, true]);
    }
    using store = openStore(parted);
    const stop = new AbortController();
    let steps = 0;
    await playStudy(hunt, {
      store,
      worlds,
      signal: stop.signal,
      onProgress: () => ++steps === 50 && stop.abort(),
    })
      .catch((error) => assert(stop.signal.aborted, String(error)));
    const before = Number(store.prepare("select count(*) as n from turns").get()?.["n"]);
    assert.equal((await playStudy(hunt, { store, worlds })).completed, MEMORIES.length);
    assert(
      before > 20 && before < rowsOf(whole).turns.length,
      `${before} turns before the interruption`,
    );
    assert.deepEqual(rowsOf(parted), rowsOf(whole));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
