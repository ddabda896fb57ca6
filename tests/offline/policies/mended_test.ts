/** Faults of the stand-in that once decided results, and stay mended. */

import assert from "node:assert/strict";
import { parseMove } from "../../../lib/core/agent/text-agent.prompts.ts";
import { renderSections } from "../../../lib/core/text/sections.ts";
import { offlineResponders } from "../../../lib/offline/responders/mod.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";

async function answer(role: string, sections: Record<string, string>): Promise<string> {
  const model = createStandIn({ responders: offlineResponders });
  const content = renderSections(sections);
  return (await model.chat({ role, messages: [{ role: "user", content }] })).choices[0].text;
}

Deno.test("households: a closed fridge that holds the thing is opened, and what it refused is tried again", async () => {
  const next = async (...history: string[]): Promise<unknown> => {
    const text = await answer("act/act", {
      "Task": "cool some zolbit and put it in gorf.",
      "What can be done": "go to {place}: walk\nopen {place}: open\n" +
        "take {thing} from {place}: pick up\ncool {thing} with {place}: cool",
      "What has happened so far": [...history, ">"].join("\n"),
      "What exploring has found out": "zolbit 3, is in, fridge 1",
    });
    const move = parseMove(text);
    return move.kind === "ok" && move.value.action;
  };
  const history = [
    "You are in the middle of a room. Looking quickly around you, you see a gorf 1 and a fridge 1.",
    "> go to fridge 1\nYou arrive at fridge 1. The fridge 1 is closed.",
    "> take zolbit 3 from fridge 1\nNothing happens.",
  ];
  assert.equal(await next(...history.slice(0, 2)), "open fridge 1");
  assert.equal(await next(...history), "open fridge 1");
  const opened =
    "> open fridge 1\nYou open the fridge 1. The fridge 1 is open. In it, you see a zolbit 3.";
  assert.equal(await next(...history, opened), "take zolbit 3 from fridge 1");
});

Deno.test("rooms: the mission's thing is put down for the key of a locked door", async () => {
  const walls = Array(6).fill(Array(7).fill("Wall").join("; "));
  const plan = await answer("graphmind/plan", {
    "Mission": "Put the purple box next to the yellow ball.",
    "Observation": [...walls, "Wall; Wall; Wall; Agent; Wall; Wall; Wall", "You are facing north."]
      .join("\n"),
    "Inventory": "You are carrying: purple box.",
    "Last plan": "Target: a thing\nfind_door()",
    "Last plan completion": "find_door(): completed",
    "Memory": `Stacked memory:\n${
      ["blue locked door", "blue key"].map((name, i) =>
        `Observation ${i + 1}\nEntities: ${name}\nDistances: none\nDirections: none`
      ).join("\n\n")
    }`,
  });
  assert.deepEqual(JSON.parse(plan).subplans, [
    "drop_entity(purple box)",
    "pick_up_entity(blue key)",
  ]);
});
