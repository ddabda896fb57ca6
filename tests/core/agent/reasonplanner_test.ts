import assert from "node:assert/strict";
import type { Outcome } from "../../../lib/core/agent/method.ts";
import {
  type ReasonPlannerOptions,
  reasonPlannerOptions,
} from "../../../lib/core/agent/reasonplanner-options.ts";
import { createReasonPlanner } from "../../../lib/core/agent/reasonplanner.ts";
import type { Environment } from "../../../lib/core/env/environment.ts";
import {
  scripted,
  type ScriptedModel,
  type ScriptedResponder,
} from "../../../lib/core/llm/scripted.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import { type Recording, recording, under, worldless } from "./recording.ts";
import { tinyWorld } from "./tiny-world.ts";

type Replies = ScriptedResponder | readonly string[];

/** A world model that knows nothing, and a method that takes everything as it comes. */
const QUIET: Readonly<Record<string, Replies>> = {
  summarize: () => "Something was done.",
  coreference: (request) => readSections(String(request.messages.at(1)?.content))["Text"] ?? "",
  extract: () => '{"entities": [], "relations": []}',
  "predict-state": () => state(true),
  actor: () => commands("look"),
  critic: () => verdict(false),
};

const action = (name: string): string =>
  JSON.stringify({ action: name, response: "You are there." });
const state = (done = false): string =>
  JSON.stringify({ state: { observation: "A room.", inventory: "" }, done });
const commands = (...names: string[]): string =>
  JSON.stringify({ commands: names.map((command) => ({ command, state: "there" })) });
const verdict = (replan: boolean, reason = "as predicted"): string =>
  JSON.stringify({ replan, reason });

interface Ran {
  readonly outcome: Outcome;
  readonly record: Recording;
  readonly model: ScriptedModel;
}

async function run(
  script: Readonly<Record<string, Replies>>,
  options: ReasonPlannerOptions & {
    readonly world?: Environment;
    readonly goldPath?: readonly string[];
    readonly artefact?: Outcome["artefact"];
  } = {},
): Promise<Ran> {
  const { world = tinyWorld({ stepLimit: 12 }), goldPath, artefact, ...rest } = options;
  const record = recording();
  const model = scripted(under("reasonplanner", { ...QUIET, ...script }));
  const outcome = await createReasonPlanner(rest).run({
    world: () => Promise.resolve(world),
    ...worldless(model, record),
    ...(goldPath ? { goldPath } : {}),
    ...(artefact ? { artefact } : {}),
  });
  return { outcome, record, model };
}

/** The kinds of all events but that each text was given to coreference resolution. */
const kinds = (record: Recording): string[] =>
  record.events.map(({ kind }) => kind).filter((kind) => kind !== "coreference-asked");
const taken = (record: Recording): (string | undefined)[] =>
  record.steps.slice(1).map(({ action }) => action);
const asked = (model: ScriptedModel, role: string): Record<string, string>[] =>
  model.requests.filter((request) => request.role === `reasonplanner/${role}`).map(({ messages }) =>
    readSections(String(messages.at(1)?.content))
  );

const WON = [{ kind: "only", score: 1, maxScore: 1, steps: 3, end: "won" }];

Deno.test("createReasonPlanner() predicts L actions and states before the actor carries them out", async () => {
  const plan = ["walk up to the attic", "wait there"];
  const { outcome, record, model } = await run({
    "predict-action": plan.map(action),
    "predict-state": [state(), state(true)],
    actor: [commands("go north", "go north"), commands("wait")],
  }, { lookAhead: 2 });
  assert.deepEqual(outcome.passes, WON);
  assert.deepEqual(taken(record), ["go north", "go north", "wait"]);
  assert.deepEqual(
    model.requests.map(({ role }) => role.replace("reasonplanner/", "")).filter((role) =>
      !/extract|summarize|coreference/.test(role)
    ),
    [
      ..."predict-action predict-state predict-action predict-state actor critic critic actor critic"
        .split(" "),
    ],
  );
  const [, second] = asked(model, "predict-action");
  assert.match(
    second?.["Trajectory"] ?? "",
    /Predicted:\n1\. walk up to the attic -> You are there\.\nState: A room\./,
  );
  const [, later] = asked(model, "actor");
  assert.match(
    later?.["Trajectory"] ?? "",
    /1\. go north -> -= Kitchen =-[^>]*State: [^>]*\n2\. go north -> -= Attic =-/,
  ); // real in the place of predicted
  assert.deepEqual(kinds(record), []);
  assert.equal(asked(model, "coreference").length, record.steps.length);
  model.assertDone();
  assert.equal(record.steps[1]?.details?.["expected"], "State: there"); // the actor's
});

Deno.test("a critic who wants to replan after the last command is recorded, and nothing follows", async () => {
  const { outcome, record, model } = await run({
    "predict-action": ["walk up to the attic", "wait there"].map(action),
    "predict-state": [state(), state(true)],
    actor: [commands("go north", "go north"), commands("wait")],
    critic: [verdict(false), verdict(false), verdict(true)],
  }, { lookAhead: 2 });
  assert.equal(outcome.passes[0]?.end, "won");
  assert.ok(record.steps.at(-1)?.details?.["replan"]);
  assert.deepEqual(kinds(record), []);
  model.assertDone(); // no reflection, and no third prediction
});

Deno.test("createReasonPlanner() records the predicted state where the actor says none", async () => {
  const { record } = await run({
    "predict-action": [action("wait there")],
    "predict-state": [state()],
    actor: () => JSON.stringify({ commands: [{ command: "wait", state: "" }] }),
  }, { lookAhead: 1, maxSteps: 1 });
  assert.equal(record.steps[1]?.details?.["expected"], "Response: You are there.\nState: A room.");
});

Deno.test("a predicted end ends the look-ahead", async () => {
  const { model } = await run({
    "predict-action": () => action("look"),
    "predict-state": [state(), state(true), ...Array<string>(99).fill(state(true))],
  }, { lookAhead: 5, maxSteps: 2, endsEarly: true });
  assert.equal(asked(model, "predict-action").length, 2);
});

Deno.test("createReasonPlanner() passes the whole trajectory and looks L steps ahead unless told otherwise", async () => {
  const long = "word ".repeat(100).trim();
  const wordy = JSON.stringify({ action: "look", response: long });
  const { model } = await run({
    "predict-action": () => wordy,
    "predict-state": () =>
      JSON.stringify({ state: { observation: `A room.\n${long}`, inventory: "" }, done: true }),
    actor: () => commands("go north"),
    critic: () => verdict(true),
    reflect: () => '{"reflection": "It is so.", "subtask": "Go on."}',
  }, { lookAhead: 2, maxSteps: 2 });
  const trajectories = asked(model, "predict-action").map((sections) =>
    sections["Trajectory"] ?? ""
  );
  assert.equal(trajectories.length, 4); // two plans, whatever is predicted of the end
  assert.ok(trajectories[1]?.endsWith(`1. look -> ${long}\nState: A room.\n${long}`));
  assert.match(
    trajectories[2] ?? "",
    /^What has happened:\nState: -= Hall =-\n[^>]+\n1\. go north -> -= Kitchen =-\n[^]*\nPresent state:\n/,
  );
  assert.equal(asked(model, "actor")[1]?.["Trajectory"]?.includes("State: -= Hall =-\n"), true);
  const { trajectory, endsEarly, coreference } = reasonPlannerOptions.parse({});
  assert.deepEqual({ trajectory, endsEarly, coreference }, {
    trajectory: "whole",
    endsEarly: false,
    coreference: "model",
  });
});

const KNOWING = {
  extract: () =>
    JSON.stringify({
      entities: [],
      relations: [{ entity1: "attic", relation: "is above", entity2: "kitchen" }],
    }),
  "query-entities": () => '{"entities": ["attic"]}',
  answer: () => "Above the kitchen.",
};

Deno.test("createReasonPlanner() answers at most k queries before a prediction", async () => {
  const { model, record } = await run({
    ...KNOWING,
    "predict-action": [1, 2, 3, 4].map((n) => `{"query": "Where is the attic, ${n}?"}`).concat(
      action("look"),
      ...Array<string>(9).fill(action("look")),
    ),
  }, { queries: 3, lookAhead: 1, maxSteps: 1 });
  const shown = asked(model, "predict-action");
  assert.deepEqual(shown.map((sections) => sections["Queries left"]), ["3", "2", "1", "0", "0"]); // the fourth query is no answer
  const forms = model.requests.filter(({ role }) => role === "reasonplanner/predict-action").map((
    { schema },
  ) => schema?.schema["required"]);
  assert.deepEqual(forms.slice(2, 4), [["query", "action", "response"], ["action", "response"]]);
  assert.match(
    shown[3]?.["World model"] ?? "",
    /Query: Where is the attic, 3\?\nAnswer: Above the kitchen\./,
  );
  assert.deepEqual(kinds(record), ["query", "query", "query"]);
});

Deno.test("a query beside a prediction is asked; where it was asked before, the prediction counts", async () => {
  const both = JSON.stringify({ query: "Where is the attic?", ...JSON.parse(action("look")) });
  const { record, model } = await run(
    { ...KNOWING, "predict-action": () => both },
    { lookAhead: 1, maxSteps: 1 },
  );
  assert.equal(asked(model, "predict-action").length, 2);
  assert.deepEqual(taken(record), ["look"]);
  assert.deepEqual(kinds(record), ["query", "repeated-query"]);
});

Deno.test("createReasonPlanner() explores once per question when a query finds nothing (§3.4)", async () => {
  const { record, model } = await run({
    "predict-action": [
      '{"query": "Where is the attic?"}',
      '{"query": "Where is the attic?"}',
      action("look"),
    ],
  }, { maxSteps: 2, endsEarly: true });
  assert.match(
    asked(model, "actor")[0]?.["Planned action"] ?? "",
    /^explore: find out: Where is the attic\?/,
  );
  assert.equal(
    asked(model, "actor")[1]?.["Planned action"],
    "look\nPredicted response: You are there.",
  );
  assert.deepEqual(kinds(record), ["unanswered-query", "exploration", "unanswered-query"]);
});

Deno.test("the critic's word makes a new plan, with the reflection merged into R and the new sub-task", async () => {
  const { record, model } = await run({
    "predict-action": [
      action("fly"),
      action("climb"),
      action("look"),
      action("look"),
    ],
    "predict-state": () => state(),
    actor: [commands("look", "wait"), commands("go north")],
    critic: [verdict(true, "Nobody flies."), verdict(false)],
    reflect: ['{"reflection": "Flying fails.", "subtask": "Walk."}'],
  }, { lookAhead: 2, maxSteps: 2 });
  assert.deepEqual(taken(record), ["look", "go north"]); // the rest of the plan is dropped
  assert.deepEqual(
    record.events.filter(({ kind }) => kind === "replan").map(({ detail }) => detail),
    ["Nobody flies."],
  );
  assert.deepEqual(kinds(record), ["replan"]);
  const anew = asked(model, "predict-action")[2];
  assert.deepEqual([anew?.["Reflections"], anew?.["Present sub-task"]], ["Flying fails.", "Walk."]);
  assert.equal(record.steps[1]?.details?.["replan"], "Nobody flies.");
  const judged = asked(model, "critic")[0];
  assert.equal(judged?.["Predicted"], "Command: look\nState: there"); // "wait" ends the planned action
  const judgedLast = asked(model, "critic")[1]?.["Predicted"] ?? "";
  assert.match(judgedLast, /^Command: go north\nResponse: You are there\.\nState: there/);
  assert.match(
    judged?.["What happened"] ?? "",
    /Response: -= Hall =-[\s\S]*Score: 0 before, 0 now/,
  );
});

Deno.test("createReasonPlanner() carries plans to their end when maxReplans is used up", async () => {
  const { outcome, record, model } = await run({
    "predict-action": () => action("fly"),
    "predict-state": () => state(),
    critic: () => verdict(true, "Again."),
    reflect: () => '{"reflection": "Again.", "subtask": ""}',
  }, { maxReplans: 3, lookAhead: 1 });
  assert.equal(outcome.passes[0]?.steps, 12);
  assert.deepEqual(kinds(record), ["replan", "replan", "replan", "replans-used-up"]);
  assert.equal(asked(model, "critic").length, 3);
});

Deno.test("createReasonPlanner() takes one fallback step when a plan or its actor gives nothing", async () => {
  for (const reply of ["", "no JSON", '{"action": "  ", "response": ""}', '{"action": 7}']) {
    const { outcome, record } = await run({ "predict-action": () => reply }, { maxSteps: 2 });
    assert.equal(outcome.passes[0]?.steps, 2);
    assert.deepEqual(taken(record), ["look", "look"]);
    assert.deepEqual(kinds(record), [
      ..."malformed-reply empty-plan fallback malformed-reply empty-plan fallback".split(" "),
    ]);
  }
  for (
    const reply of [
      '{"commands": []}',
      '{"commands": [{"command": ""}]}',
      '{"commands": [{"command": "look\\nwait"}]}',
      "look",
    ]
  ) {
    const script = { "predict-action": () => action("look"), actor: () => reply };
    const { record } = await run(script, { maxSteps: 1 });
    assert.deepEqual(kinds(record), ["malformed-reply", "empty-plan", "fallback"]);
  }
});

Deno.test("a command that the world refuses to take is replaced by its fallback and counted", async () => {
  const { record } = await run({
    "predict-action": () => action("fly"),
    actor: () => commands("fly"),
  }, { maxSteps: 1 });
  assert.deepEqual([taken(record), kinds(record)], [["look"], ["invalid-action", "fallback"]]);
  assert.match(record.steps[1]?.turn.observation ?? "", /^"fly" was not possible: [^]*-= Hall =-/); // the next prompts tell the model
  assert.equal(record.steps[1]?.details?.["wanted"], "fly");
});

/** Any command is ambiguous; the number 1 wins. */
function asking(): Environment {
  const world = tinyWorld({ stepLimit: 6 });
  const turn = { goal: "Choose.", sections: {}, frames: [], maxScore: 1 };
  return {
    ...world,
    step: (command) =>
      Promise.resolve(
        command === "1" ? { ...turn, observation: "Right.", score: 1, end: "won" as const } : {
          ...turn,
          observation:
            "Ambiguous request: Please enter the number for the action you intended:\n0: red\n1: blue",
          score: 0,
        },
      ),
  };
}

Deno.test("createReasonPlanner() answers the world's question by a number or the next command", async () => {
  for (const replies of [[commands("take it"), commands("1")], [commands("take it", "1")]]) {
    const { outcome, record, model } = await run({
      "predict-action": () => action("take the blue one"),
      actor: replies,
    }, { world: asking() });
    assert.deepEqual([taken(record), outcome.passes[0]?.score], [["take it", "1"], 1]);
    assert.deepEqual(kinds(record), ["world-asked"]);
    if (replies.length === 2) {
      assert.match(
        asked(model, "actor")[1]?.["Trajectory"] ?? "",
        /The world has asked:\n[\s\S]*1: blue/,
      );
    }
  }
});

Deno.test("createReasonPlanner() takes the gold actions and leaves what it learnt when it trains", async () => {
  const told = (a: string, b: string): string =>
    JSON.stringify({ relations: [{ entity1: a, relation: "is near", entity2: b }] });
  const first = await run({
    extract: [
      told("hall", "kitchen"),
      told("kitchen", "attic"),
      told("attic", "sky"),
      told("x", "y"),
    ],
  }, { goldPath: ["go north", "go north", "wait", "look"] });
  assert.deepEqual(taken(first.record), ["go north", "go north", "wait"]);
  assert.deepEqual(first.outcome.passes, WON);
  assert.ok(first.model.requests.every(({ role }) => /extract|summarize|coreference/.test(role)));
  const artefact = JSON.parse(JSON.stringify(first.outcome.artefact));
  const next = await run({ "predict-action": () => "?" }, { artefact, maxSteps: 1 });
  assert.equal(next.record.steps[0]?.inherited, 4);
  assert.equal(next.record.steps[0]?.graph?.size, 4);
});
