import assert from "node:assert/strict";
import { completionPrompt, executePrompt, parseExecute, parsePlan, parseVerdict, planPrompt } from "../../lib/agent/graphmind.prompts.ts";
import {
  extractPrompt,
  locateOnMapPrompt,
  locatePrompt,
  parseVote,
  updatePrompt,
  verifyPrompt,
} from "../../lib/memory/room-graph.prompts.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";

const VIEW = "Wall; Red_Closed_Door; Wall\nEmpty; Agent; Empty\nYou are facing east.";
const DSL = "find_door(): look for a door of the current room\npass_door(x): go through door x into the next room";

Deno.test("GraphMind's prompts are worded as they were: another wording is another experiment", () => {
  const show = (name: string, text: string): void => assertSnapshot(import.meta.url, `graphmind-${name}`, text);
  const memory = "Graph information:\nKnown rooms: 1.\nYou are in room 1.";
  const goal = "Open the red door.";
  const seen = { dsl: DSL, memory, inventory: "nothing", observation: VIEW };
  show("plan", shownPrompt(planPrompt, { goal, ...seen, lastPlan: "find_door()", completion: "find_door(): completed" }));
  const { memory: _memory, ...verified } = { ...seen, graph: "You are in room 1; 1 is known." };
  show(
    "verify-completion",
    shownPrompt(completionPrompt, {
      ...verified,
      previousPlans: "",
      lastPlan: "find_door()",
      repeats: "1",
      result: "done",
      passedDoor: "",
    }),
  );
  const { dsl: _, ...shown } = seen;
  show("execute", shownPrompt(executePrompt, { goal, actions: "left: turn left", subplan: "pass_door(red door)", ...shown }));
  show("verify-transition", shownPrompt(verifyPrompt, { trajectory: `Observation 0\n${VIEW}` }));
  show("extract", shownPrompt(extractPrompt, { observation: VIEW }));
  const rooms = "Room 1 contains red closed door (east). Passed doors: none known.";
  const entities = "Entities: red closed door\nDistances: none\nDirections: red closed door: east";
  const located = { rooms, previous: "Room 1", passage: "The agent has passed no door since then.", entities, observation: VIEW };
  show("locate-map", shownPrompt(locateOnMapPrompt, located));
  show("locate", shownPrompt(locatePrompt, { ...located, rooms: "Room 1", previous: rooms }));
  show("update-entities", shownPrompt(updatePrompt, { stored: entities, seen: entities, doorChange: "", inventoryChange: "" }));
});

Deno.test("what changes with every step stands at the end of a prompt", () => {
  for (const prompt of [planPrompt, completionPrompt, executePrompt]) {
    assert.equal(Object.keys(prompt.sections).at(-1), "observation");
    assert(["goal", "dsl", "actions"].includes(Object.keys(prompt.sections)[0] ?? ""));
  }
});

Deno.test("parsePlan() reads known instructions alone, without numbers after names", () => {
  const parse = parsePlan(["find_door", "pass_door"]);
  const read = (subplans: unknown): unknown => {
    const parsed = parse(JSON.stringify({ subplan_target_entity: "red door", subplans }));
    return parsed.kind === "ok" ? parsed.value.instructions : parsed.problem;
  };
  assert.deepEqual(read(["`find_door()`", " Pass_Door (red door 2)"]), ["find_door()", "Pass_Door (red door)"]);
  assert.match(String(read(["fly(home)"])), /"fly\(home\)" is no instruction; those are find_door, pass_door/);
  for (const bad of [[], [""], "find_door()", undefined, [7], Array(21).fill("find_door()")]) assert.equal(typeof read(bad), "string");
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
