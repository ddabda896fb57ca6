/**
 * The examples in WESE's prompts are plays of games of our own: each can be played again, word for
 * word.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { connectWorlds, type MeasuredEnvironment } from "../../../lib/mod.ts";
import { checkoutRoot } from "../../../lib/core/platform.ts";

interface Example {
  readonly world: string;
  readonly where?: { readonly dialect?: string };
  readonly goal: string;
  readonly opening: string;
  readonly steps: readonly { readonly action: string; readonly observation: string }[];
}

/** Seeds of the two households of each type; no study plays them. */
const HOUSEHOLDS = {
  put: [900_001, 900_002],
  examine: [900_005, 900_006],
  clean: [900_003, 900_005],
  heat: [900_001, 900_002],
  cool: [900_006, 900_008],
  puttwo: [900_009, 900_014],
};
/** Of the encyclopedia. */
const SEED = 900_001;
const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

function examples(file: string): Example[] {
  return (JSON.parse(
    readFileSync(join(checkoutRoot(), "data", "examples", file), "utf8"),
  ) as Example[]).filter(({ world }) => world !== "cot");
}

/** The world among those with these parameters that opens as the example does. */
async function gameOf(
  { goal, opening }: Example,
  id: string,
  params: readonly Record<string, unknown>[],
): Promise<MeasuredEnvironment> {
  for (const one of params) {
    const world = await worlds.open(id, one);
    const turn = await world.reset();
    if (turn.goal === goal && (opening === "" || turn.observation.trim() === opening)) return world;
    await world.close();
  }
  throw new assert.AssertionError({ message: `no game of ours is "${goal}"` });
}

async function playsAgain({ steps }: Example, world: MeasuredEnvironment): Promise<void> {
  let end: unknown;
  for (const { action, observation } of steps) {
    const turn = await world.step(action);
    assert.equal(turn.observation.trim(), observation, action);
    end = turn.end;
  }
  assert.equal(end, "won");
  await world.close();
}

Deno.test("searches are those of our own encyclopedia", async () => {
  const tasks = ["questions", "comparisons", "claims"].flatMap((ask) =>
    Array.from({ length: 60 }, (_, index) => ({ seed: SEED, ask, index }))
  );
  const found = examples("wiki.json");
  assert.equal(found.length, 9);
  for (const example of found) {
    await playsAgain(example, await gameOf(example, "wiki/encyclopedia", tasks));
  }
});

for (const [number, [type, seeds]] of Object.entries(HOUSEHOLDS).entries()) {
  Deno.test(`households of the type ${type} are our own, in both dialects`, async () => {
    const found = examples("alfworld.json").slice(4 * number, 4 * number + 4);
    assert.deepEqual(found.map(({ where }) => where?.dialect), ["move", "put", "move", "put"]);
    for (const [at, example] of found.entries()) {
      const household = {
        set: "fresh",
        type,
        seed: seeds[Math.floor(at / 2)],
        dialect: example.where?.dialect,
      };
      await playsAgain(example, await gameOf(example, "alfworld", [household]));
    }
  });
}
