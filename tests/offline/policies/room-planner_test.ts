/**
 * How the offline backbone plans in rooms: prompts of a memory that is a stack of observations,
 * told by hand.
 */

import assert from "node:assert/strict";
import { createOfflineBackbone } from "../../../lib/offline/backbone.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";

async function plan(sections: Record<string, string>): Promise<string[]> {
  const model = createOfflineBackbone({ responders: offlineResponders });
  const { choices: [{ text }] } = await model.chat({
    role: "graphmind/plan",
    messages: [{ role: "user", content: renderSections(sections) }],
  });
  return JSON.parse(text).subplans;
}

const stack = (...seen: readonly string[]): string =>
  `Stacked memory:\n${
    seen.map((names, i) =>
      `Observation ${i + 1}\nEntities: ${names}\nDistances: none\nDirections: none`
    ).join("\n\n")
  }`;
/** A room in which nothing is in view. */
const EMPTY = [
  ...Array(6).fill(Array(7).fill("Wall").join("; ")),
  "Wall; Wall; Wall; Agent; Wall; Wall; Wall",
  "You are facing north.",
]
  .join("\n");
const MISSION = { Mission: "Put the purple box next to the yellow ball.", Observation: EMPTY };
const after = (step: string): Record<string, string> => ({
  "Last plan": `Target: a thing\n${step}`,
  "Last plan completion": `${step}: completed`,
});

Deno.test("without notes on rooms the thing of the mission is put down for the key of a door that is in the way, and fetched again after it", async () => {
  const seen = ["blue locked door", "grey box", "grey box", "blue key"];
  const carrying = { ...MISSION, Inventory: "You are carrying: purple box." };
  assert.deepEqual(await plan({ ...carrying, ...after("find_door()"), Memory: stack(...seen) }), [
    "drop_entity(purple box)",
    "pick_up_entity(blue key)",
  ]);
  const withKey = { ...MISSION, Inventory: "You are carrying: blue key." };
  const beside = {
    ...withKey,
    ...after("pick_up_entity(blue key)"),
    Memory: stack(...seen, "purple box"),
  };
  assert.deepEqual(await plan(beside), ["find_door()"]); // the key is for the door, not to be exchanged for the box at once
  const through = {
    ...withKey,
    ...after("pass_door(blue locked door)"),
    Memory: stack(...seen, "grey box", "purple box"),
  };
  assert.deepEqual(await plan(through), ["drop_entity(blue key)", "pick_up_entity(purple box)"]);
  const again = {
    ...carrying,
    ...after("drop_entity(blue key)\npick_up_entity(purple box)"),
    Memory: stack(...seen, "blue key, grey box"),
  };
  assert.deepEqual(await plan(again), ["find_door()"]); // what was put down just now is not picked up again
});
