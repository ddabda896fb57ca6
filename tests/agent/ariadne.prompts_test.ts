import assert from "node:assert/strict";
import { ariadnePrompts, formatPlan, parseAct, parsePlan } from "../../lib/agent/ariadne.prompts.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";

const SHOWN = {
  goal: "Find the treasure.",
  history: "Game step #1\n-= Room A =-\nThere is an exit to the west.\nInventory: You are carrying nothing.",
  observation:
    "Game step #2\n-= Room B =-\nYou see a red locker.\nInventory: You are carrying nothing.\nAction that led to this observation: go west",
  plan: '{"plan_steps": [{"sub_goal_1": "Find the red locker", "reason": "It holds a key."}]}',
  exits: "room b: south",
};
const MEMORY = { "Relevant triplets from memory": "room a, has exit, west" };

Deno.test("the prompts are worded as they were: another wording is another experiment", () => {
  const actions = "go east\ngo south\ngo to room a";
  const paper = ariadnePrompts("paper", "possible");
  assertSnapshot(import.meta.url, "ariadne-plan", shownPrompt(paper.plan, SHOWN, MEMORY));
  assertSnapshot(import.meta.url, "ariadne-act", shownPrompt(paper.act, { ...SHOWN, actions }, MEMORY));
  const cacheable = ariadnePrompts("cacheable", "possible");
  assertSnapshot(import.meta.url, "ariadne-plan-cacheable", shownPrompt(cacheable.plan, SHOWN, MEMORY));
  assertSnapshot(import.meta.url, "ariadne-act-cacheable", shownPrompt(cacheable.act, { ...SHOWN, actions, lessons: "Go south." }, MEMORY));
  const forms = ariadnePrompts("cacheable", "forms");
  assertSnapshot(import.meta.url, "ariadne-plan-forms", shownPrompt(forms.plan, { ...SHOWN, actions: "search()" }, MEMORY));
});

const REPLY = `Here is my plan:
\`\`\`json
{
  "main_goal": "Find the treasure",
  "plan_steps": [
    {"sub_goal_1": "Open the red locker", "reason": "Key 2 may be there"},
    {"sub_goal_2": "Go to \\"Room A\\"", "reason": ""},
  ],
  "your_emotion": {"your_current_emotion": "curious", "reason_behind_emotion": "much to see"}
}
\`\`\``;

Deno.test("parsePlan() reads a plan, and formatPlan() writes one that reads the same", () => {
  const read = parsePlan(REPLY);
  assert(read.kind === "ok");
  assert.deepEqual(read.value.steps, [
    { subGoal: "Open the red locker", reason: "Key 2 may be there" },
    { subGoal: 'Go to "Room A"', reason: "" },
  ]);
  assert.deepEqual(read.value.emotion, { current: "curious", reason: "much to see" });
  for (const order of ["cacheable", "paper"] as const) assert.deepEqual(parsePlan(formatPlan(read.value, order)), read);
});

Deno.test("parsePlan() does without what nothing depends on", () => {
  const read = parsePlan('{"plan_steps": [{"sub_goal": "Look around"}, {"reason": "no goal"}], "your_emotion": "fine"}');
  assert(read.kind === "ok");
  assert.deepEqual(read.value, { mainGoal: "", steps: [{ subGoal: "Look around", reason: "" }], emotion: { current: "", reason: "" } });
});

Deno.test("parsePlan() refuses what has no sub-goal", () => {
  const bad = [
    "",
    "Find the key.",
    "[]",
    '{"plan_steps": []}',
    '{"plan_steps": [{"goal": "x"}]}',
    '{"plan_steps": [{"sub_goal_1": 3}]}',
    "{".repeat(100_000),
  ];
  for (const text of bad) {
    const read = parsePlan(text);
    assert(read.kind === "malformed" && !read.problem.includes("\n") && read.problem.length < 400, text.slice(0, 40));
  }
});

Deno.test("parseAct() reads a decision, also with the comma missing as in the paper's own format", () => {
  const wanted = { kind: "ok", value: { reason: "It is near.", action: "go west" } };
  assert.deepEqual(parseAct('{"reason_for_action": "It is near.", "action_to_take": " go west "}'), wanted);
  assert.deepEqual(parseAct('{ "reason_for_action": "It is near."\n "action_to_take": "go west" }'), wanted);
  assert.deepEqual(parseAct('{"action_to_take": "look"}'), { kind: "ok", value: { reason: "", action: "look" } });
});

Deno.test("parseAct() refuses what names no action", () => {
  for (
    const text of ["", "go west", '{"reason_for_action": "x"}', '{"action_to_take": ["look"]}', `{"action_to_take": "${"x".repeat(5000)}"}`]
  ) {
    assert.equal(parseAct(text).kind, "malformed", text.slice(0, 40));
  }
});
