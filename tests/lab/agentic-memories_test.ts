/** A-MEM, Mem0 with and without its graph, MemGPT and the notebook in real games: played, interrupted and resumed, and priced. */

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectWorlds } from "../../lib/env/worlds.ts";
import { playStudy, priceStudy } from "../../lib/lab/lab.ts";
import { matrixLanes, type Study } from "../../lib/lab/study.ts";
import { openStore } from "../../lib/store/open.ts";
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

const STUDY: Study = {
  id: "agentic",
  title: "Memories that a model keeps",
  models: { "*": "offline" },
  lanes: matrixLanes({
    worlds: [{ world: "textworld/hunt", params: { stepLimit: 10_000 } }, { world: "textworld/cooking" }],
    conditions: MEMORIES.map(({ memory, options, label }) => ({
      label: label ?? memory,
      method: "ariadne",
      memory,
      options: { method: { maxSteps: 40 }, memory: options },
    })),
    attempts: 1,
  }),
};

const ROLES = ["a-mem/evolve", "a-mem/note"]
  .concat(["conflicts", "entities", "extract", "relations", "summarise", "update"].map((name) => `mem0/${name}`))
  .concat(["memgpt/manage", "memgpt/summarise"]);

Deno.test("the agentic memories play a hunt and cook a meal, go on where they were interrupted, and are priced", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-agentic-"));
  const [whole, parted] = [join(folder, "whole.sqlite"), join(folder, "parted.sqlite")];
  const worlds = connectWorlds();
  try {
    {
      using store = openStore(whole);
      const { completed, episodes } = await playStudy(STUDY, { store, worlds, concurrency: 2 });
      assert.equal(completed, 10);
      for (const { label, world, score = 0, ended } of episodes) {
        assert(world === "textworld/cooking" ? ended === "won" : score >= 2, `${label} in ${world}: ${score}, ${ended}`);
      }
      const asked = store.prepare("select distinct role from calls where role not like 'ariadne/%' order by role").all();
      assert.deepEqual(asked.map(({ role }) => role), ROLES);
      const rows = Number(store.prepare("select count(*) as n from calls").get()?.["n"]);
      const { callsToPay, dollars, unknown } = await priceStudy(
        { ...STUDY, id: "dear", models: { "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } } } },
        { store, worlds },
      );
      assert.deepEqual([callsToPay, unknown], [rows, 0]);
      assert((dollars ?? 0) > 0);
    }
    using store = openStore(parted);
    const stop = new AbortController();
    let steps = 0;
    await playStudy(STUDY, { store, worlds, concurrency: 2, signal: stop.signal, onProgress: () => ++steps === 150 && stop.abort() })
      .catch((error) => assert(stop.signal.aborted, String(error)));
    const before = Number(store.prepare("select count(*) as n from turns").get()?.["n"]);
    assert.equal((await playStudy(STUDY, { store, worlds, concurrency: 2 })).completed, 10);
    assert(before > 50 && before < rowsOf(whole).turns.length, `${before} turns before the interruption`);
    assert.deepEqual(rowsOf(parted), rowsOf(whole));
  } finally {
    await worlds.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
