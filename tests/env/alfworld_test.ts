import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";
import { ALFWORLD_HOUSEHOLDS, ALFWORLD_TASKS, connectWorlds } from "../../lib/env/mod.ts";

delete process.env.LAB_WORLDS;
const worlds = connectWorlds();
const problem = (await worlds.list()).find(({ id }) => id === "alfworld")?.problem;
Deno.test.afterAll(() => worlds.close());
if (problem) process.stdout.write(`skipped: households in the running world, which ${problem}\n`);

Deno.test("the table is that of the frozen file, with the shares of the unseen official games", () => {
  const file = new URL("../../envs/src/labyrinth_envs/alfworld/households.jsonl", import.meta.url);
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line) as { type: string; sha256: string });
  assert.deepEqual(
    ALFWORLD_HOUSEHOLDS.map(({ index, task, sha256 }) => [index, task, sha256]),
    lines.map((line, at) => [at, line.type, line.sha256]),
  );
  for (const [task, { games }] of Object.entries(ALFWORLD_TASKS)) {
    assert.equal(ALFWORLD_HOUSEHOLDS.filter((household) => household.task === task).length, games);
  }
  assert.equal(new Set(ALFWORLD_HOUSEHOLDS.map(({ sha256 }) => sha256)).size, 134);
});

Deno.test({
  name: "a household is the one of the table, and its known plan wins after a reset too",
  ignore: problem !== undefined,
  fn: async () => {
    const env = await worlds.open("alfworld", { game: 1 });
    assert.equal(env.spec.identity, ALFWORLD_HOUSEHOLDS[1]?.sha256);
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
