/**
 * Scripted replies through the real prompts and worlds: WESE solves a household of each type, a
 * question and a claim.
 */

import assert from "node:assert/strict";
import { connectWorlds, createWese, type Pass, scripted } from "../../../lib/mod.ts";
import { worldless } from "./recording.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

interface Script {
  readonly explore: readonly string[];
  readonly act: readonly string[];
}

async function play(
  world: string,
  params: Record<string, unknown>,
  script: Script,
): Promise<readonly Pass[]> {
  const model = scripted({
    "wese/explore": [...script.explore, "enough"],
    "wese/extract": () => "thing, is in, place",
    "wese/task-entities": () => "thing",
    "wese/act": script.act,
  });
  const { passes } = await createWese({ base: "react" }).run({
    world: () => worlds.open(world, params),
    ...worldless(model),
  });
  model.assertDone();
  return passes;
}

/** What is known to solve a world, from its truth. */
async function truthOf(
  world: string,
  params: Record<string, unknown>,
): Promise<Readonly<Record<string, unknown>>> {
  const env = await worlds.open(world, params);
  try {
    await env.reset();
    return await env.truth();
  } finally {
    await env.close();
  }
}

for (const type of ["put", "examine", "clean", "heat", "cool", "puttwo"]) {
  Deno.test(`wese solves a household of the type ${type}: the plan of its maker, thought and done`, async () => {
    const params = { set: "fresh", type, seed: 17, dialect: type === "clean" ? "put" : "move" };
    const plan = (await truthOf("alfworld", params))["plan"] as string[];
    const walks = plan.filter((action) => action.startsWith("go to ")).slice(0, 2);
    const passes = await play("alfworld", params, {
      explore: walks,
      act: ["think: I know what to do.", ...plan],
    });
    assert.deepEqual(passes.map(({ kind, score, steps, end }) => [kind, score, steps, end]), [
      ["explore", 0, walks.length, "limit"],
      ["exploit", 1, plan.length + 1, "won"],
    ]);
  });
}

for (const ask of ["questions", "comparisons", "claims"]) {
  Deno.test(`wese answers one of the ${ask} of the encyclopedia`, async () => {
    const params = { seed: 11, ask, index: 5 };
    const { answer, supporting } = await truthOf("wiki/encyclopedia", params) as {
      answer: string;
      supporting: string[];
    };
    const passes = await play("wiki/encyclopedia", params, {
      explore: [`search[${supporting[0]}]`],
      act: [`think: So that is it.\nfinish[${answer}]`],
    });
    assert.deepEqual(passes.map(({ score, steps, end }) => [score, steps, end]), [[0, 1, "limit"], [
      1,
      1,
      "won",
    ]]);
  });
}
