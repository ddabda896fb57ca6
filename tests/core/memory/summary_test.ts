import assert from "node:assert/strict";
import { createSummary } from "../../../lib/mod.ts";
import { parseSummary } from "../../../lib/core/memory/summary.prompts.ts";
import { context, section } from "./house.ts";

Deno.test("createSummary() writes from goal, last five observations, present one and old summary", async () => {
  let written = 0;
  const asked = context({ "summary/rewrite": () => `Summary ${++written}.` });
  const memory = createSummary({ order: "paper" })(asked);
  for (let step = 1; step <= 7; step++) {
    await memory.observe({
      step,
      goal: "Win.",
      observation: `Room ${step}.`,
      ...(step > 1 ? { action: `go ${step}` } : {}),
    });
  }
  const last = asked.requests.at(-1);
  assert(last);
  assert.equal(asked.requests.length, 7, "rewritten at every step");
  assert.equal(section(last, "Main goal"), "Win.");
  assert.equal(section(last, "Previous summary"), "Summary 6.");
  assert.equal(
    section(last, "Current observation"),
    "Game step #7\nRoom 7.\nAction that led to this observation: go 7",
  );
  assert.deepEqual(section(last, "History of observations and actions").match(/Room \d/g), [
    "Room 2",
    "Room 3",
    "Room 4",
    "Room 5",
    "Room 6",
  ]);
  assert.deepEqual(
    (await memory.recall({ step: 7, goal: "Win.", observation: "", plan: "" })).sections,
    {
      "Summary of what has happened": "Summary 7.",
    },
  );
  assert.equal(last.sample?.step, 7);
});

Deno.test("createSummary() keeps a longer summary whole; without one the old stays", async () => {
  const four = "One.\n\nTwo.\n\nThree.\n\nFour.";
  const asked = context({
    "summary/rewrite": (request) => request.sample?.step === 1 ? four : "<think>Hm.</think>",
  });
  const memory = createSummary()(asked);
  for (const step of [1, 2]) await memory.observe({ step, goal: "Win.", observation: "Fog." });
  assert.equal(asked.requests.length, 1 + 3);
  assert.deepEqual(asked.requests[0]?.sampling?.stop, [
    ...["\n###", "\n-= ", "\nAction that led to this observation"],
  ]);
  assert.equal(parseSummary("Game step #3\nA hall.").kind, "malformed", "the history goes on");
  assert.deepEqual(asked.events, ["malformed-reply: summary/rewrite: it is empty"]);
  assert.deepEqual(memory.save().body, { summary: four });
});
