import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS, connectWorlds } from "../../../lib/core/env/mod.ts";

const worlds = connectWorlds();
const problem = (await worlds.list()).find(({ id }) => id === "alfworld")?.problem;
Deno.test.afterAll(() => worlds.close());
if (problem) process.stdout.write(`skipped: households in the running world, which ${problem}\n`);

const file = new URL("../../../envs/src/labyrinth_envs/alfworld/households.jsonl", import.meta.url);
const frozen = readFileSync(file, "utf8").trim().split("\n").map((line) =>
  JSON.parse(line) as { type: string; sha256: string }
);

Deno.test("ALFWORLD_HOUSEHOLDS lists the types of the frozen file, in the shares of the official unseen games", () => {
  assert.deepEqual(ALFWORLD_HOUSEHOLDS, frozen.map(({ type }, index) => ({ index, task: type })));
  for (const [task, { games }] of Object.entries(ALFWORLD_TASKS)) {
    assert.equal(ALFWORLD_HOUSEHOLDS.filter((household) => household.task === task).length, games);
  }
  assert.equal(new Set(frozen.map(({ sha256 }) => sha256)).size, 134);
});

Deno.test({
  name: "a household is that of the frozen file, and its known plan wins after a reset too",
  ignore: problem !== undefined,
  fn: async () => {
    const env = await worlds.open("alfworld", { game: 1 });
    assert.equal(env.spec.identity, frozen[1]?.sha256);
    const first = await env.reset();
    const { plan, type } = await env.truth() as { plan: string[]; type: string };
    assert.equal(type, ALFWORLD_HOUSEHOLDS[1]?.task);
    for (const pass of [1, 2]) {
      const ends = [];
      for (const action of plan) ends.push((await env.step(action)).end);
      assert.equal(ends.at(-1), "won", `pass ${pass}`);
      assert.ok(ends.slice(0, -1).every((end) => !end));
      assert.deepEqual(await env.reset(), first);
    }
    await env.close();
  },
});
