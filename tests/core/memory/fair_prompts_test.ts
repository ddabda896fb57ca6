/**
 * What the games hide stands in no prompt: a memory that names it would play with the answer before
 * it.
 */

import assert from "node:assert/strict";
import { METHODS } from "../../../lib/core/agent/registry.ts";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { MEMORIES } from "../../../lib/core/memory/registry.ts";

const GAMES = [
  "hunt",
  "hunt-hard",
  "hunt-hardest",
  "cooking",
  "cooking-hard",
  "cooking-hardest",
  "cleaning",
];

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

Deno.test("prompts name no thing of the seven games", async () => {
  const things = new Set((await Promise.all(GAMES.map(thingsOf))).flat());
  for (const known of ["key 2", "white locker", "golden key", "toothbrush", "stove"]) {
    assert.ok(things.has(known), `${known} is not found`);
  }
  const prompts = [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap((entry) =>
    entry.prompts
  );
  const named = prompts.flatMap(({ role, instructions }) =>
    [...things].filter((thing) => new RegExp(`\\b${thing}\\b`, "i").test(instructions)).map((
      thing,
    ) => `${role}: ${thing}`)
  );
  assert.deepEqual([...new Set(named)], []);
});

/** Whatever lies, stands or hangs somewhere, in lower case. */
async function thingsOf(game: string): Promise<string[]> {
  const env = await worlds.open(`textworld/${game}`);
  await env.reset();
  const { facts } = await env.truth() as {
    readonly facts: readonly (readonly [string, string, string])[];
  };
  await env.close();
  return facts.filter(([, relation]) => relation === "in" || relation === "on").map(([thing]) =>
    thing.toLowerCase()
  );
}
