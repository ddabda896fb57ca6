/** The agent's own map: exits from the possible actions, ways from its walks. */

import assert from "node:assert/strict";
import { createAriadne, createRag, scripted } from "../../../lib/mod.ts";
import { createOwnMap } from "../../../lib/core/agent/own-map.ts";
import { sectionsOf } from "../memory/house.ts";
import { recording, worldless } from "./recording.ts";
import { tinyWorld } from "./tiny-world.ts";

const seen = { goal: "", observation: "" };

Deno.test("createOwnMap() lists the exits not taken by place, and knows the paths between", () => {
  const map = createOwnMap();
  assert.deepEqual(map.exits(), []);
  map.follow({ ...seen, step: 1, location: "Hall" }, [
    "go north",
    "go east",
    "put lamp on north table",
    "look",
    "go to north attic",
  ]);
  assert.deepEqual(map.exits(), ["hall: north, east"]);
  map.follow({ ...seen, step: 2, location: "Kitchen", action: "go north" }, ["go south", "west"]);
  assert.deepEqual(map.exits(), ["hall: east", "kitchen: west"]);
  assert.deepEqual([map.destinations(), map.route("hall")], [["hall"], ["south"]]);
  map.follow({ ...seen, step: 3 }, ["go down"]);
  assert.deepEqual(
    map.exits(),
    ["hall: east", "kitchen: west"],
    "a world that tells no place tells no exit",
  );
});

Deno.test("createAriadne() offers go to and exits by its own map only when asked for", async () => {
  async function shown(
    options: { goTo?: boolean; exits?: boolean },
  ): Promise<{ exits: string | undefined; jumps: string[] }> {
    const actions = ["go north", "look"];
    const model = scripted({
      "ariadne/plan": () => '{"plan_steps": [{"sub_goal_1": "up", "reason": ""}]}',
      "ariadne/act": () => JSON.stringify({ action_to_take: actions.shift() ?? "look" }),
    });
    await createAriadne({ memory: createRag(), maxSteps: 2, ...options }).run({
      world: () => Promise.resolve(tinyWorld()),
      ...worldless(model, recording(), 0),
    });
    const last = sectionsOf(model.requests.at(-1));
    return {
      exits: last["Unexplored exits"],
      jumps: (last["Possible actions"] ?? "").split("\n").filter((line) =>
        line.startsWith("go to ")
      ),
    };
  }
  assert.deepEqual(await shown({}), { exits: undefined, jumps: [] });
  assert.deepEqual(await shown({ goTo: true }), { exits: undefined, jumps: ["go to hall"] });
  assert.deepEqual(await shown({ exits: true }), { exits: "kitchen: north", jumps: [] });
});
