import assert from "node:assert/strict";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { asBabyAiTruth } from "../../../lib/core/graph/babyai-truth.ts";
import {
  type BabyAiTruth,
  connectWorlds,
  createGraphMind,
  createNoMemory,
  createRoomGraph,
  createStacked,
  scripted,
} from "../../../lib/mod.ts";
import { loadTokenCounter } from "../../../lib/core/text/tokens.ts";
import { walkthrough } from "./rooms-walkthrough.ts";
import { worldless } from "./recording.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

const MEMORIES = {
  "dynamic graph": createRoomGraph({ votes: 1 }),
  "static graph": createRoomGraph({ votes: 1, access: "static" }),
  "stacked": createStacked(),
  "none": createNoMemory(),
};

Deno.test("createGraphMind() asks the verifier prompts of equal length, within 10 %, whatever the memory", async () => {
  const standIn = createStandIn({ responders: offlineResponders });
  const count = await loadTokenCounter();
  const lengths = new Map<string, number>();
  for (const [name, memory] of Object.entries(MEMORIES)) {
    const world = await worlds.open("babyai", { layout: "3x3-d3-0", mission: "put-next-to" });
    const { goal } = await world.reset();
    const way = walkthrough(asBabyAiTruth(await world.truth()) as BabyAiTruth, goal);
    const model = scripted({
      "graphmind/plan": () =>
        JSON.stringify({ subplan_target_entity: "", subplans: [way.shift()] }),
      "*": (request) => standIn.chat(request),
    });
    await createGraphMind({ memory }).run({
      world: () => Promise.resolve(world),
      ...worldless(model),
    });
    const prompts = model.requests.filter(({ role }) => role === "graphmind/verify-completion");
    assert.ok(prompts.length > 10, `${prompts.length} steps`);
    const tokens = prompts.map(({ messages }) =>
      messages.reduce((sum, { content }) => sum + count(String(content)), 0)
    );
    lengths.set(name, tokens.reduce((sum, length) => sum + length, 0) / tokens.length);
  }
  const middle = [...lengths.values()].reduce((sum, length) => sum + length, 0) / lengths.size;
  for (const [name, length] of lengths) {
    assert.ok(Math.abs(length / middle - 1) < 0.1, `${name}: ${length} of ${middle} tokens`);
  }
});
