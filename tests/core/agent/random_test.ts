/** The floor: only possible actions, drawn from the seed. */

import assert from "node:assert/strict";
import {
  connectWorlds,
  createAsker,
  createRandom,
  type Episode,
  scripted,
  UsageError,
} from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { recording } from "./recording.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

async function play(
  seed: number,
): Promise<
  {
    readonly actions: (string | undefined)[];
    readonly possible: string[][];
    readonly steps: number;
  }
> {
  const record = recording();
  const possible: string[][] = [];
  const outcome = await createRandom({ maxSteps: 25 }).run({
    world: async () => {
      const world = await worlds.open("textworld/hunt", {});
      return {
        spec: world.spec,
        reset: () => world.reset(),
        step: (action) => world.step(action),
        validActions: async () => {
          const valid = await world.validActions();
          possible.push([...valid ?? []]);
          return valid;
        },
        close: () => world.close(),
      };
    },
    ...rest(seed),
    recorder: record.recorder,
  });
  return {
    actions: record.steps.slice(1).map((step) => step.action),
    possible,
    steps: outcome.passes[0]?.steps ?? 0,
  };
}

function rest(seed: number): Pick<Episode, "ask" | "embedder" | "seed"> {
  return { ask: createAsker({ model: scripted([]) }), embedder: createLexicalEmbedder(), seed };
}

Deno.test("random: every action was possible, and no model was asked", async () => {
  const { actions, possible, steps } = await play(1);
  assert.equal(steps, 25);
  assert.equal(actions.length, 25);
  for (const [index, action] of actions.entries()) {
    assert(possible[index]?.includes(action ?? ""), `${action} was not possible`);
  }
});

Deno.test("random: the seed decides", async () => {
  const [first, again, other] = [await play(1), await play(1), await play(2)];
  assert.deepEqual(first.actions, again.actions);
  assert.notDeepEqual(first.actions, other.actions);
});

Deno.test("random: a world of free text is refused with the reason", async () => {
  const turn = { goal: "", observation: "", sections: {}, frames: [], score: 0, maxScore: 1 };
  const spec = {
    id: "free/text",
    version: "1",
    parameters: {},
    sections: [],
    actions: [],
    fallback: "look",
    identity: "",
  };
  const world = {
    spec,
    reset: () => Promise.resolve(turn),
    step: () => Promise.resolve(turn),
    validActions: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  await assert.rejects(
    () =>
      createRandom().run({
        world: () => Promise.resolve(world),
        ...rest(0),
        recorder: recording().recorder,
      }),
    (error: unknown) => error instanceof UsageError && /free\/text/.test(error.message),
  );
});
