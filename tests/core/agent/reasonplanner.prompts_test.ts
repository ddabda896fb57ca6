import assert from "node:assert/strict";
import {
  actorPrompt,
  criticPrompt,
  parseCommands,
  parsePredictAction,
  parsePredictState,
  predictActionPrompt,
  predictStatePrompt,
  reflectPrompt,
} from "../../../lib/core/agent/reasonplanner.prompts.ts";
import { formatTrajectory } from "../../../lib/core/agent/reasonplanner-trajectory.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";

const SITUATION = {
  task: "Your task is to melt tin.",
  subtask: "",
  reflections: "The furnace is broken.",
};
const TRAJECTORY = formatTrajectory(
  [{
    before: { observation: "", inventory: "" },
    action: "pick up cup",
    response: "You move the cup\nto the inventory.",
    score: 5,
  }],
  {
    observation: "This room is called the workshop.",
    inventory: "In your inventory, you see: a cup",
  },
  [{
    action: "go to kitchen",
    response: "You are there.",
    state: { observation: "The kitchen.", inventory: "a cup" },
  }],
);
const EXPECTED = "Command: go to kitchen\nResponse: You are there.\nState: The kitchen.";
const ACTUAL =
  "Response: The door is closed.\nScore: 5 before, 5 now\nState: This room is called the workshop.";
const FORMS = "go to {place}: walk to an adjoining place";

Deno.test("the prompts are worded as they were: another wording is another experiment", () => {
  const prediction = {
    ...SITUATION,
    trajectory: TRAJECTORY,
    answers: "Query: Where is tin?\nAnswer: In the kitchen.",
    queries: "2",
  };
  const shown = {
    "predict-action": shownPrompt(predictActionPrompt({ mayAsk: true }), prediction),
    "predict-state": shownPrompt(predictStatePrompt({ mayAsk: true }), prediction),
    "predict-action-alone": shownPrompt(predictActionPrompt({ mayAsk: false }), {
      ...SITUATION,
      trajectory: TRAJECTORY,
    }),
    "predict-state-alone": shownPrompt(predictStatePrompt({ mayAsk: false }), {
      ...SITUATION,
      trajectory: TRAJECTORY,
    }),
    "actor": shownPrompt(actorPrompt, {
      ...SITUATION,
      trajectory: TRAJECTORY,
      action: "go to the kitchen",
      commands: FORMS,
    }),
    "critic": shownPrompt(criticPrompt, {
      ...SITUATION,
      commands: FORMS,
      expected: EXPECTED,
      actual: ACTUAL,
    }),
    "reflect": shownPrompt(reflectPrompt, {
      ...SITUATION,
      reason: "The door is closed.",
      expected: EXPECTED,
      actual: ACTUAL,
    }),
  };
  for (const [name, text] of Object.entries(shown)) {
    assertSnapshot(`reasonplanner-${name}`, text);
  }
});

Deno.test("a prediction is read from talk and fences; a question only where one may still be asked", () => {
  const predicted = parsePredictAction(true)(
    'I think:\n```json\n{"action": " go to kitchen ", "response": "You go."}\n```',
  );
  assert.deepEqual(predicted, {
    kind: "ok",
    value: { kind: "predicted", value: { action: "go to kitchen", response: "You go." } },
  });
  assert.deepEqual(parsePredictAction(true)('{"query": "Where is tin?"}'), {
    kind: "ok",
    value: { kind: "query", question: "Where is tin?" },
  });
  assert.deepEqual(parsePredictAction(false)('{"query": "Where is tin?"}'), {
    kind: "malformed",
    problem: "no query is left",
  });
  const both = '{"query": "Where is tin?", "action": "look around"}';
  const value = { action: "look around", response: "" };
  assert.deepEqual([true, false].map((mayAsk) => parsePredictAction(mayAsk)(both)), [
    { kind: "ok", value: { kind: "query", question: "Where is tin?", beside: value } },
    { kind: "ok", value: { kind: "predicted", value } },
  ]);
  for (
    const bad of [
      "",
      "go to kitchen",
      '{"action": ""}',
      '{"query": " "}',
      '{"action": ["go"]}',
      `{"action": "${"x".repeat(30_000)}"}`,
    ]
  ) {
    const read = parsePredictAction(true)(bad);
    assert.ok(read.kind === "malformed" && !read.problem.includes("\n"), bad.slice(0, 30));
  }
});

Deno.test("a state may be told in two parts or as one text; the end has to be told", () => {
  const state = { observation: "The kitchen.", inventory: "" };
  const wanted = { kind: "ok", value: { kind: "predicted", value: { state, done: false } } };
  assert.deepEqual(
    parsePredictState(false)('{"state": {"observation": "The kitchen."}, "done": false}'),
    wanted,
  );
  assert.deepEqual(parsePredictState(false)('{"state": "The kitchen.", "done": false}'), wanted);
  assert.equal(parsePredictState(false)('{"state": "The kitchen."}').kind, "malformed");
  const carried = (inventory: unknown): unknown => {
    const read = parsePredictState(true)(
      JSON.stringify({
        query: null,
        state: { observation: ["A hall.", "..."], inventory },
        done: null,
      }),
    );
    return read.kind === "ok" && read.value.kind === "predicted" && read.value.value;
  };
  const read = (inventory: string): unknown => ({
    state: { observation: "A hall.", inventory },
    done: false,
  });
  assert.deepEqual(carried(["tin cup", { thermometer: 1 }, null]), read("tin cup, thermometer: 1"));
  assert.deepEqual(carried("..."), read(""));
});

Deno.test("commands come with or without a state, as words or as the number of a choice; ten at most", () => {
  assert.deepEqual(
    parseCommands(
      '{"commands": [{"command": "go to kitchen", "state": "there"}, "look around", {"command": 2}]}',
    ),
    {
      kind: "ok",
      value: [{ command: "go to kitchen", state: "there" }, { command: "look around", state: "" }, {
        command: "2",
        state: "",
      }],
    },
  );
  const many = parseCommands(
    JSON.stringify({ commands: Array.from({ length: 40 }, () => "look around") }),
  );
  assert.equal(many.kind === "ok" && many.value.length, 10);
  for (
    const bad of [
      '{"commands": []}',
      '{"commands": [""]}',
      '{"commands": ["look\\naround"]}',
      "look around",
    ]
  ) {
    assert.equal(parseCommands(bad).kind, "malformed", bad);
  }
});
