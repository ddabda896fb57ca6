import assert from "node:assert/strict";
import { GRAPHMIND_PROMPTS, parseExecute, parsePlan, parseVerdict } from "../../lib/agent/graphmind.prompts.ts";
import { ROOM_GRAPH_PROMPTS } from "../../lib/memory/room-graph.prompts.ts";
import { parseVote } from "../../lib/memory/room-graph-replies.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";

const VIEW = "Wall; Red_Closed_Door; Wall\nEmpty; Agent; Empty\nYou are facing east.";
const DSL = "find_door(): look for a door of the current room\npass_door(x): go through door x into the next room";

/** The prompts of GraphMind in one order, as a model gets them, by role. */
function shown(order: "paper" | "cacheable"): Record<string, string> {
  const { plan, verify: check, execute } = GRAPHMIND_PROMPTS[order];
  const { verify, extract, locate, locateOnMap, update } = ROOM_GRAPH_PROMPTS[order];
  const goal = "Open the red door.";
  const memory = "Graph information:\nKnown rooms: 1.\nYou are in room 1.";
  const seen = { inventory: "nothing", observation: VIEW };
  const rooms = "Room 1 contains red closed door (east). Passed doors: none known.";
  const entities = "Entities: red closed door\nDistances: none\nDirections: red closed door: east";
  const located = { rooms, previous: "Room 1", passage: "The agent has passed no door since then.", entities, observation: VIEW };
  return {
    plan: shownPrompt(plan, { goal, dsl: DSL, memory, ...seen, lastPlan: "find_door()", completion: "find_door(): completed" }),
    "verify-completion": shownPrompt(check, {
      ...seen,
      dsl: DSL,
      graph: "You are in room 1; 1 is known.",
      previousPlans: "",
      lastPlan: "find_door()",
      repeats: "1",
      passedDoor: "",
    }),
    execute: shownPrompt(execute, { goal, memory, ...seen, actions: "left: turn left", subplan: "pass_door(red door)" }),
    "verify-transition": shownPrompt(verify, { trajectory: `Observation 0\n${VIEW}` }),
    extract: shownPrompt(extract, { observation: VIEW }),
    "locate-map": shownPrompt(locateOnMap, located),
    locate: shownPrompt(locate, { ...located, rooms: "Room 1", previous: rooms }),
    "update-entities": shownPrompt(update, { stored: entities, seen: entities, doorChange: "", inventoryChange: "" }),
  };
}

Deno.test("GraphMind's prompts are worded as they were: another wording is another experiment", () => {
  for (const [name, text] of Object.entries(shown("paper"))) assertSnapshot(import.meta.url, `graphmind-${name}`, text);
});

Deno.test("GraphMind's prompts have the order that the paper prints", () => {
  const titles = Object.fromEntries(
    Object.entries(shown("paper")).map(([name, text]) => [name, [...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title).join(" | ")]),
  );
  const known =
    "Mission | Memory | How to choose the target | How to plan | Inventory | Last plan | Last plan completion | Observation | DSL list";
  assert.deepEqual(titles, {
    plan: known,
    "verify-completion":
      "Graph information | Inventory | Passed door | Observation | DSL list | How to check | Previous plans | Last plan | " +
      "Times the last plan was tried | What to answer",
    execute: "Actions | Mission | Memory | Instruction | Observation | Inventory | How the agent moves",
    "verify-transition": "Trajectory | How to judge",
    extract: "Observation | What to write",
    "locate-map": "Observation | Observed entities | Previous room | Rooms list | Passage | How to tell",
    locate: "Observation | Observed entities | Previous room and those connected with it | Rooms list | Passage | How to tell",
    "update-entities": "Current room entities | Partial observation entities | Door change | Inventory change | How to merge",
  });
});

Deno.test("the cacheable order says the same, what never changes first and what changes with every step last", () => {
  const lines = (text: string): string[] => text.replaceAll(/^#+ /gm, "").split("\n").filter((line) => line !== "").sort();
  const [paper, cacheable] = [shown("paper"), shown("cacheable")];
  for (const [name, text] of Object.entries(cacheable)) assert.deepEqual(lines(text), lines(paper[name] ?? ""), name);
  for (const name of ["plan", "verify-completion", "execute", "extract", "locate"]) {
    assert.match(cacheable[name] ?? "", /### Observation\n[^#]*$/, name);
  }
});

Deno.test("no prompt but the one with the whole map says that rooms are squares", () => {
  for (const [name, text] of Object.entries(shown("paper"))) assert.equal(/square|side by side/.test(text), name === "locate-map", name);
});

Deno.test("parsePlan() reads known instructions alone, without numbers after names", () => {
  const parse = parsePlan(["find_door", "pass_door"]);
  const read = (subplans: unknown): unknown => {
    const parsed = parse(JSON.stringify({ subplan_target_entity: "red door", subplans }));
    return parsed.kind === "ok" ? parsed.value.instructions : parsed.problem;
  };
  assert.deepEqual(read(["`find_door()`", " Pass_Door (red door 2)"]), ["find_door()", "Pass_Door (red door)"]);
  assert.match(String(read(["fly(home)"])), /"fly\(home\)" is no instruction; those are find_door, pass_door/);
  for (const bad of [[], [""], "find_door()", undefined, [7], Array(101).fill("find_door()")]) assert.equal(typeof read(bad), "string");
  const free = parsePlan([])('{"subplans": ["go north"]}');
  assert.deepEqual(free, { kind: "ok", value: { target: "", instructions: ["go north"] } });
});

Deno.test("parseVerdict() reads both answers; what is complete needs no other plan", () => {
  const read = (value: unknown): unknown => {
    const parsed = parseVerdict(JSON.stringify(value));
    return parsed.kind === "ok" ? [parsed.value.complete, parsed.value.adjust] : parsed.kind;
  };
  assert.deepEqual(read({ is_complete: true, need_to_adjust: true }), [true, false]);
  assert.deepEqual(read({ is_complete: "False", need_to_adjust: "yes" }), [false, true]);
  assert.deepEqual(read({ is_complete: false }), [false, false]);
  for (const bad of [{}, { is_complete: "perhaps" }, { is_complete: null, need_to_adjust: true }]) assert.equal(read(bad), "malformed");
});

Deno.test("parseExecute() reads at most ten primitive actions", () => {
  const read = (actions: unknown): unknown => {
    const parsed = parseExecute(JSON.stringify({ actions_rationale: "", actions }));
    return parsed.kind === "ok" ? parsed.value.length : parsed.kind;
  };
  assert.deepEqual([read(["left"]), read(Array(12).fill("left")), read([]), read("left")], [1, 10, "malformed", "malformed"]);
});

Deno.test("parseVote() wants a door for a passage and reads confidence as it comes", () => {
  const read = (value: unknown): unknown => {
    const parsed = parseVote(JSON.stringify(value));
    return parsed.kind === "ok" ? parsed.value : parsed.kind;
  };
  assert.deepEqual(
    read({ connected_door: "Red_Open_Door", door_direction: "East", check_pass_door: true, answer_confidence_score: "0.7" }),
    {
      passed: true,
      door: "red open door",
      direction: "east",
      confidence: 0.7,
    },
  );
  assert.deepEqual(read({ connected_door: null, door_direction: "up", check_pass_door: "no", answer_confidence_score: 9 }), {
    passed: false,
    door: undefined,
    direction: undefined,
    confidence: 0.5,
  });
  for (const bad of [{ connected_door: "wall", check_pass_door: true }, { check_pass_door: 1 }, {}]) assert.equal(read(bad), "malformed");
});
