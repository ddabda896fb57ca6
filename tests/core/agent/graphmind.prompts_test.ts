import assert from "node:assert/strict";
import { GRAPHMIND_PROMPTS } from "../../../lib/core/agent/graphmind.prompts.ts";
import { parsePlan } from "../../../lib/core/agent/graphmind-replies.ts";
import { ROOM_GRAPH_PROMPTS } from "../../../lib/core/memory/room-graph.prompts.ts";
import {
  parseExtracted,
  parseUpdated,
  parseVote,
} from "../../../lib/core/memory/room-graph-replies.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";

const VIEW = "Wall; Red_Closed_Door; Wall\nEmpty; Agent; Empty\nYou are facing east.";
const DSL =
  "find_door(): look for a door of the current room\npass_door(x): go through door x into the next room";

/** The prompts of GraphMind in one order, as a model gets them, by role. */
function shown(order: "paper" | "cacheable"): Record<string, string> {
  const { plan, verify: check, execute } = GRAPHMIND_PROMPTS[order];
  const { verify, extract, locate, locateOnMap, update } = ROOM_GRAPH_PROMPTS[order];
  const goal = "Open the red door.";
  const memory = "Graph information:\nKnown rooms: 1.\nYou are in room 1.";
  const seen = { inventory: "nothing", observation: VIEW };
  const rooms = "Room 1 contains red closed door (east). Passed doors: none known.";
  const entities = "Entities: red closed door\nDistances: none\nDirections: red closed door: east";
  const located = {
    rooms,
    previous: "Room 1",
    passage: "The agent has passed no door since then.",
    entities,
    observation: VIEW,
  };
  return {
    plan: shownPrompt(plan, {
      goal,
      dsl: DSL,
      memory,
      ...seen,
      lastPlan: "find_door()",
      completion: "find_door(): completed",
    }),
    "verify-completion": shownPrompt(check, {
      ...seen,
      dsl: DSL,
      graph: "You are in room 1; 1 is known.",
      previousPlans: "",
      lastPlan: "find_door()",
      repeats: "1",
      passedDoor: "",
    }),
    execute: shownPrompt(execute, {
      goal,
      memory,
      ...seen,
      actions: "left: turn left",
      subplan: "pass_door(red door)",
    }),
    "verify-transition": shownPrompt(verify, { trajectory: `Observation 0\n${VIEW}` }),
    extract: shownPrompt(extract, { observation: VIEW }),
    "locate-map": shownPrompt(locateOnMap, located),
    locate: shownPrompt(locate, { ...located, rooms: "Room 1", previous: rooms }),
    "update-entities": shownPrompt(update, {
      stored: entities,
      seen: entities,
      doorChange: "",
      inventoryChange: "",
    }),
  };
}

Deno.test("GraphMind's prompts are worded as they were: another wording is another experiment", () => {
  for (const [name, text] of Object.entries(shown("paper"))) {
    assertSnapshot(`graphmind-${name}`, text);
  }
});

Deno.test("GraphMind's prompts have the order that the paper prints", () => {
  const titles = Object.fromEntries(
    Object.entries(shown("paper")).map((
      [name, text],
    ) => [name, [...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title).join(" | ")]),
  );
  const known =
    "Mission | Memory | How to choose the target | How to plan | Inventory | Last plan | Last plan completion | Observation | DSL list";
  assert.deepEqual(titles, {
    plan: known,
    "verify-completion":
      "Graph information | Inventory | Passed door | Observation | DSL list | How to check | Previous plans | Last plan | " +
      "Times the last plan was tried | What to answer",
    execute:
      "Actions | Mission | Memory | Instruction | Observation | Inventory | How the agent moves",
    "verify-transition": "Trajectory | How to judge",
    extract: "Observation | What to write",
    "locate-map":
      "Observation | Observed entities | Previous room | Rooms list | Passage | How to tell",
    locate:
      "Observation | Observed entities | Previous room and those connected with it | Rooms list | Passage | How to tell",
    "update-entities":
      "Current room entities | Partial observation entities | Door change | Inventory change | How to merge",
  });
});

Deno.test("no prompt but the one with the whole map says that rooms are squares", () => {
  for (const [name, text] of Object.entries(shown("paper"))) {
    assert.equal(/square|side by side/.test(text), name === "locate-map", name);
  }
});

const FORMS = ["find_door()", "pass_door({x})", "drop_next_to_entity({x}, {y})"];

/**
 * The instructions that are read of a reply, with the number of those left out; else the problem.
 */
function readPlan(reply: unknown): unknown {
  const read = parsePlan(FORMS)(typeof reply === "string" ? reply : JSON.stringify(reply));
  return read.kind === "ok"
    ? [...read.value.instructions, ...(read.dropped ? [read.dropped] : [])]
    : read.problem;
}

Deno.test("parsePlan() reads instructions in the world's form, without numbers after names", () => {
  const reply = {
    subplan_target_entity: "red door",
    subplans: ["`find_door()`", " Pass_Door (red door 2)"],
  };
  assert.deepEqual(readPlan(reply), ["find_door()", "pass_door(red door)"]);
  assert.deepEqual(readPlan("find_door()\npass_door(red door)"), readPlan(reply));
  assert.match(
    String(readPlan({ subplans: ["fly(home)"] })),
    /"fly\(home\)\\?" is no instruction; those are find_door, pass_door, drop_next_to_entity/,
  );
  for (const bad of [[], [""], undefined, [7], [null], ["pass_door()"], "I would go home."]) {
    assert.equal(typeof readPlan({ subplans: bad }), "string", JSON.stringify(bad));
  }
  const targets = ["red key", "pass_door(red door)", "find_door()", "null", 7].map(
    (subplan_target_entity) => {
      const read = parsePlan(FORMS)(
        JSON.stringify({ subplan_target_entity, subplans: ["find_door()"] }),
      );
      return read.kind === "ok" && read.value.target;
    },
  );
  assert.deepEqual(targets, ["red key", "red door", undefined, undefined, "7"]);
  const free = parsePlan([])('{"subplans": ["go north"]}');
  assert.deepEqual(free, { kind: "ok", value: { instructions: ["go north"] } });
});

Deno.test("parsePlan() reads calls however a small model writes them, drops odd ones and counts them", () => {
  const call = { name: "find_door", arguments: null };
  for (
    const [subplans, ...wanted] of [
      [
        [call, { name: "pass_door", arguments: { x: "red door", why: "it is near" } }],
        "find_door()",
        "pass_door(red door)",
      ],
      [
        ["find_door();", 'pass_door("red door", "east")', "find_door(now)"],
        "find_door()",
        "pass_door(red door)",
        "find_door()",
      ],
      [
        ["find door", "pass_door(x=red door)", "fly(home)", null],
        "find_door()",
        "pass_door(red door)",
        2,
      ],
      ["find_door(); pass_door(red door)", "find_door()", "pass_door(red door)"],
      [
        ["pass_door(null)", "drop_next_to_entity(grey ball 2, red key)"],
        "drop_next_to_entity(grey ball, red key)",
        1,
      ],
      [Array(102).fill("find_door()"), ...Array(100).fill("find_door()"), 2],
    ] as const
  ) assert.deepEqual(readPlan({ subplans }), wanted, JSON.stringify(subplans).slice(0, 80));
  assert.deepEqual(readPlan(call), ["find_door()"]);
  assert.deepEqual(readPlan([call, "pass_door(red door)"]), ["find_door()", "pass_door(red door)"]);
  assert.deepEqual(readPlan("1. find_door()\n2. pass_door(red door)"), [
    "find_door()",
    "pass_door(red door)",
  ]);
  assert.deepEqual(readPlan("find_door();"), ["find_door()"]);
});

Deno.test("parseVote() wants a door for a passage and reads confidence as it comes", () => {
  const read = (value: unknown): unknown => {
    const parsed = parseVote(JSON.stringify(value));
    return parsed.kind === "ok" ? parsed.value : parsed.kind;
  };
  assert.deepEqual(
    read({
      connected_door: "Red_Open_Door",
      door_direction: "East",
      check_pass_door: true,
      answer_confidence_score: "0.7",
    }),
    {
      passed: true,
      door: "red open door",
      direction: "east",
      confidence: 0.7,
    },
  );
  assert.deepEqual(
    read({
      connected_door: null,
      door_direction: "up",
      check_pass_door: "no",
      answer_confidence_score: 9,
    }),
    {
      passed: false,
      door: undefined,
      direction: undefined,
      confidence: 0.5,
    },
  );
  const passed = { passed: true, door: "red open door", direction: "east", confidence: 0.5 };
  assert.deepEqual(
    read({ connected_door: "red open door", door_direction: "east wall", check_pass_door: "yes" }),
    passed,
  );
  const stayed = { passed: false, door: undefined, direction: undefined, confidence: 0.5 };
  assert.deepEqual(
    read({ connected_door: "null", door_direction: "null", check_pass_door: false }),
    stayed,
  );
  assert.deepEqual(
    read({ connected_door: ["red door"], door_direction: {}, check_pass_door: false }),
    stayed,
  );
  for (
    const bad of [{ connected_door: "wall", check_pass_door: true }, {
      connected_door: "null",
      check_pass_door: true,
    }, {
      check_pass_door: 1,
    }, {}]
  ) {
    assert.equal(read(bad), "malformed");
  }
});

Deno.test("a list that says that nothing is there is empty", () => {
  for (const said of [["none"], ["Nothing"], [], "none"]) {
    const read = parseUpdated(JSON.stringify({ graph_entities: said }));
    assert.deepEqual(read.kind === "ok" && read.value.contents.entities, [], JSON.stringify(said));
  }
  assert.equal(parseUpdated('{"graph_entities": [null, {}]}').kind, "malformed");
});

Deno.test("parseExtracted() keeps the things and drops walls, the agent and what has no name", () => {
  const read = parseExtracted(JSON.stringify({
    current_room_entities: [
      "Red_Closed_Door",
      "Wall",
      "agent",
      "the empty cell",
      null,
      ["grey ball"],
      "...",
      "grey ball",
      "Unseen",
      "wall 2",
    ],
    entities_relationships: [{
      from: "grey ball",
      relation: "are_apart",
      to: "red closed door",
      cells: "2",
    }, {
      from: "grey ball",
      to: "wall",
    }, null],
    direction_of_entities: [{ entity: "red closed door", direction: "east wall" }, {
      entity: "grey ball",
      direction: null,
    }],
  }));
  assert.ok(read.kind === "ok");
  assert.deepEqual(read.value.contents, {
    entities: [{ name: "red closed door", direction: "east" }, {
      name: "grey ball",
      direction: undefined,
    }],
    distances: [{ a: "grey ball", b: "red closed door", cells: 2 }],
  });
  assert.equal(read.dropped, 3, "null, a list and a placeholder");
  assert.deepEqual(read.value.dropped.map((line) => line.split(" ")[0]), [
    ...Array(5).fill("entity"),
    "direction",
    "relation",
    "relation",
  ]);
  const map = parseExtracted(
    '{"current_room_entities": ["red key"], "direction_of_entities": {"Red_Key": "north"}}',
  );
  assert.deepEqual(map.kind === "ok" && map.value.contents.entities, [{
    name: "red key",
    direction: "north",
  }]);
});
