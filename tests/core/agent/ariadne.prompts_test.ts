import assert from "node:assert/strict";
import { ariadnePrompts } from "../../../lib/core/agent/ariadne.prompts.ts";
import { actForm, parseAct, parsePlan } from "../../../lib/core/agent/ariadne-replies.ts";
import { formSchema } from "../../../lib/core/llm/prompt.ts";
import { entitiesForm } from "../../../lib/core/memory/arigraph-replies.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";

const SHOWN = {
  goal: "Find the treasure.",
  history:
    "Game step #1\n-= Room A =-\nThere is an exit to the west.\nInventory: You are carrying nothing.\nAction taken: go west",
  observation:
    "Game step #2\n-= Room B =-\nYou see a red locker.\nInventory: You are carrying nothing.",
  plan: '{"plan_steps": [{"sub_goal_1": "Find the red locker", "reason": "It holds a key."}]}',
  exits: "room b: south",
};
const MEMORY = { "Relevant triplets from memory": "room a, has exit, west" };

Deno.test("the prompts are worded as they were: another wording is another experiment", () => {
  const actions = "go east\ngo south\ngo to room a";
  const paper = ariadnePrompts("paper", { fixed: false, goTo: true });
  assertSnapshot("ariadne-plan", shownPrompt(paper.plan, SHOWN, MEMORY));
  assertSnapshot("ariadne-act", shownPrompt(paper.act, { ...SHOWN, actions }, MEMORY));
  const cacheable = ariadnePrompts("cacheable", { fixed: false, goTo: true });
  assertSnapshot("ariadne-plan-cacheable", shownPrompt(cacheable.plan, SHOWN, MEMORY));
  assertSnapshot(
    "ariadne-act-cacheable",
    shownPrompt(cacheable.act, { ...SHOWN, actions, lessons: "Go south." }, MEMORY),
  );
  const forms = ariadnePrompts("cacheable", { fixed: true, goTo: false });
  assertSnapshot(
    "ariadne-plan-forms",
    shownPrompt(forms.plan, { ...SHOWN, actions: "search()" }, MEMORY),
  );
});

Deno.test("parsePlan() reads sub-goals however they are keyed, and leaves out entries without one", () => {
  const read = (steps: unknown): unknown => {
    const reading = parsePlan(JSON.stringify({ main_goal: "win", plan_steps: steps }));
    return reading.kind === "ok"
      ? [reading.value.steps.map(({ subGoal }) => subGoal), reading.dropped ?? 0]
      : reading.kind;
  };
  assert.deepEqual(
    read([{ sub_goal: "a b" }, { "Sub-Goal 2": "c d", reason: "e" }, { subgoal3: "f" }]),
    [["a b", "c d", "f"], 0],
  );
  assert.deepEqual(read([{ sub_goal_1: "a", sub_goal_2: "b", reason: "c" }]), [["a", "b"], 0]);
  assert.deepEqual(read(["1. Find the key", "Open the locker"]), [[
    "Find the key",
    "Open the locker",
  ], 0]);
  assert.deepEqual(read([{ sub_goal_1: "..." }, null, { reason: "a" }, { sub_goal_1: "b" }]), [[
    "b",
  ], 3]);
  assert.equal(read([{ sub_goal_1: null }]), "malformed");
});

Deno.test("the forms bound every length and count", () => {
  const unbounded = (schema: unknown): number => {
    if (typeof schema !== "object" || schema === null) return 0;
    const { type, maxLength, maxItems, enum: choices } = schema as Record<string, unknown>;
    const isOpen = type === "string" && maxLength === undefined && !choices ||
      type === "array" && maxItems === undefined;
    return (isOpen ? 1 : 0) +
      Object.values(schema).reduce((sum: number, part) => sum + unbounded(part), 0);
  };
  const { plan, act } = ariadnePrompts("paper", { fixed: false, goTo: true });
  for (const form of [plan.form, act.form, actForm(["look"]), entitiesForm(2)]) {
    assert.equal(form && unbounded(formSchema(form)), 0);
  }
  const many = Array.from({ length: 300 }, (_, at) => `take ${at}`);
  assert.equal(
    actForm(many).safeParse({ reason_for_action: "", action_to_take: "sing" }).success,
    true,
    "too many to list",
  );
  assert.equal(
    actForm(many.slice(0, 9)).safeParse({ reason_for_action: "", action_to_take: "sing" }).success,
    false,
  );
});

Deno.test("parseAct() reads a decision, also with the comma missing as in the paper's own format", () => {
  const wanted = { kind: "ok", value: { reason: "It is near.", action: "go west" } };
  assert.deepEqual(
    parseAct('{"reason_for_action": "It is near.", "action_to_take": " go west "}'),
    wanted,
  );
  assert.deepEqual(
    parseAct('{ "reason_for_action": "It is near."\n "action_to_take": "go west" }'),
    wanted,
  );
  assert.deepEqual(parseAct('{"action_to_take": "look"}'), {
    kind: "ok",
    value: { reason: "", action: "look" },
  });
});
