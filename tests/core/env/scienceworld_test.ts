/** The table of tasks against the world itself, and a gold path played through the server. */

import assert from "node:assert/strict";
import { connectWorlds, SCIENCEWORLD_TASKS } from "../../../lib/core/env/mod.ts";
import { isOfKind } from "./conformance.ts";

Deno.test("SCIENCEWORLD_TASKS says what the world description: names, numbers of variations, and where each split begins and ends", async () => {
  const worlds = connectWorlds();
  try {
    const schema = (await worlds.list()).find(({ id }) => id === "scienceworld")?.parameters as {
      properties: { task: { enum: string[] } };
    };
    assert.deepEqual(SCIENCEWORLD_TASKS.map(({ name }) => name), schema.properties.task.enum);
    const open = async (
      params: Readonly<Record<string, unknown>>,
    ): Promise<Readonly<Record<string, unknown>>> => {
      const env = await worlds.open("scienceworld", params); // Java is not started before a reset
      await env.close();
      return env.spec.parameters;
    };
    for (const { name: task, variations, splits: { dev, test } } of SCIENCEWORLD_TASKS) {
      await Promise.all([
        assert.rejects(open({ task, variation: variations }), isOfKind("bad-parameter"), task),
        open({ task, split: "dev" }).then(({ variation }) =>
          assert.equal(variation, dev.from, task)
        ),
        open({ task, variation: variations - 1, split: "test" }).then(({ index }) =>
          assert.equal(index, test.to - 1 - test.from, task)
        ),
      ]);
    }
  } finally {
    await worlds.close();
  }
});

Deno.test("SCIENCEWORLD_TASKS holds what the papers count", () => {
  assert.equal(SCIENCEWORLD_TASKS.length, 30);
  assert.equal(SCIENCEWORLD_TASKS.reduce((sum, { variations }) => sum + variations, 0), 7207);
  const inSplit = (split: "train" | "dev" | "test"): number =>
    SCIENCEWORLD_TASKS.reduce((sum, { splits }) => sum + splits[split].to - splits[split].from, 0);
  assert.deepEqual([inSplit("train"), inSplit("dev"), inSplit("test")], [3592, 1796, 1819]);
  const ofLength = (wanted: string): number =>
    SCIENCEWORLD_TASKS.filter(({ length }) => length === wanted).length;
  assert.deepEqual([ofLength("S"), ofLength("M"), ofLength("L")], [11, 7, 12]);
});

Deno.test("a gold path asked of the world wins its game through the server", async () => {
  const worlds = connectWorlds();
  try {
    const env = await worlds.open("scienceworld", { task: "find-plant", split: "test" });
    const { goldPath } = await env.truth();
    assert.ok(Array.isArray(goldPath) && goldPath.length > 3);
    let turn = await env.reset();
    for (const action of goldPath) if (!turn.end) turn = await env.step(action);
    assert.deepEqual([turn.end, turn.score, turn.maxScore], ["won", 100, 100]);
    assert.deepEqual(await env.validActions(), []);
    await assert.rejects(env.step("look around"), isOfKind("ended"));
  } finally {
    await worlds.close();
  }
});
