/** The memory stream by hand: which memories come back, and when and from what it reflects. */

import assert from "node:assert/strict";
import { createSimulacra, type Memory, type SimulacraOptions } from "../../../lib/mod.ts";
import { SIMULACRA_PAPER } from "../../../lib/core/memory/simulacra.ts";
import {
  parseImportance,
  parseInsights,
  parseQuestions,
} from "../../../lib/core/memory/simulacra.prompts.ts";
import type { ScriptedResponder } from "../../../lib/core/llm/scripted.ts";
import { context, section, shown, walk } from "./house.ts";
import { byWord } from "./vectors.ts";

const VECTORS = byWord({ apple: [1, 0], pear: [3, 4], nut: [0, 1], cue: [1, 0] });

/** A stream that rates each memory by the number in its text. */
function stream(
  options: SimulacraOptions,
  replies: Readonly<Record<string, ScriptedResponder>> = {},
): { readonly memory: Memory; readonly asked: ReturnType<typeof context> } {
  const asked = context({
    "simulacra/importance": (request) =>
      section(request, "Memory").match(/worth (\d+)/)?.[1] ?? "1",
    "simulacra/questions": () => "1. Where is the apple?\n2. What for?\n3. And then?\n4. Too much?",
    "simulacra/insights": () => "The apple is far away (because of 2, 1, 99)",
    ...replies,
  }, VECTORS);
  return { memory: createSimulacra(options)(asked), asked };
}

async function recalled(memory: Memory, step: number): Promise<string[]> {
  const { sections } = await memory.recall({
    step,
    goal: "Eat.",
    observation: "Fog.",
    plan: "the cue",
  });
  const observations = (sections["Relevant past observations"] ?? "").split("\n\n").filter(Boolean)
    .map((text) => text.split("\n")[1] ?? "");
  return [
    ...observations,
    ...(sections["Insights from reflection"] ?? "").split("\n").filter(Boolean),
  ];
}

Deno.test("createSimulacra() ranks by recency, importance and relevance together", async () => {
  const { memory } = stream({ nPrev: 0, k: 4, decay: 0.5 });
  // At step 5, decay 1/2: recency 1/16, 1/8, 1/4, 1/2 → scaled 0, 1/7, 3/7, 1; importance 9, 1, 5,
  // 1 → 1, 0, 1/2, 0; cosines 0, 1, 3/5, 0 → 0, 1, 3/5, 0. Sums: nut 1, apple 8/7, pear 3/7 + 1/2 +
  // 3/5 ≈ 1.529, fog 1: of equal ones the younger first.
  await walk(memory, [
    "nut worth 9",
    "apple worth 1",
    "pear worth 5",
    "fog worth 1",
    "now worth 1",
  ]);
  assert.deepEqual(await recalled(memory, 5), [
    "pear worth 5",
    "apple worth 1",
    "fog worth 1",
    "nut worth 9",
  ]);
});

Deno.test("createSimulacra() compares an observation together with the plan of its step", async () => {
  // Recency, scaled, is 0, about a half and 1, so that without the plan the third would be the
  // best. With it the second has a cosine of 1 as well.
  const { memory } = stream({ k: 1 }, { "simulacra/importance": () => "1" });
  for (const [step, plan] of [[1, ""], [2, "eat an apple"], [3, ""], [4, ""]] as const) {
    const seen = { step, goal: "Eat.", observation: `fog ${step}` };
    await memory.observe(seen);
    if (step < 4) await memory.recall({ ...seen, plan });
  }
  const { sections } = await memory.recall({
    step: 4,
    goal: "Eat.",
    observation: "Fog.",
    plan: "the cue",
  });
  assert.equal(sections["Relevant past observations"], "Game step #2\nfog 2");
  assert.equal(
    (memory.save().body as { stream: { plan?: string }[] }).stream[1]?.plan,
    "eat an apple",
  );
});

Deno.test("createSimulacra() decays recency by 0.99 a step", async () => {
  assert.equal(SIMULACRA_PAPER.decay, 0.99);
  // Ages 11, 2 and 1 of a, b and c; importance 10, 3 and 2 of 1 … 10, scaled 1, 2/9 and 1/9. c
  // scores 1 + 1/9 ≈ 1.111. The recency of b, scaled, is (0.99² − 0.99¹¹)/(0.99 − 0.99¹¹) ≈ 0.895,
  // which makes 1.118; with 0.9 it is ≈ 0.846, which makes 1.069.
  const fillers = Array.from({ length: 8 }, (_, i) => `filler ${i}`);
  const course = ["a worth 10", ...fillers, "b worth 3", "c worth 2", "now"];
  const { memory } = stream({ nPrev: 0, k: 3 });
  await walk(memory, course);
  assert.deepEqual((await recalled(memory, 12)).slice(0, 2), ["b worth 3", "c worth 2"]);
  const faster = stream({ nPrev: 0, k: 3, decay: 0.9 }).memory;
  await walk(faster, course);
  assert.deepEqual((await recalled(faster, 12)).slice(0, 2), ["c worth 2", "b worth 3"]);
});

Deno.test("createSimulacra() ages memories from their last recall when ageFrom is recalled", async () => {
  // Two memories alike but for age. After a step on which the older one alone was recalled it is
  // the fresher one.
  const replies = { "simulacra/importance": () => "1" };
  const { memory } = stream({ nPrev: 0, k: 1, decay: 0.5, ageFrom: "recalled" }, replies);
  await walk(memory, ["apple", "now"]);
  const before = JSON.stringify(memory.save());
  assert.deepEqual(await recalled(memory, 2), ["apple"]);
  assert.equal(JSON.stringify(memory.save()), before);
  await walk(memory, ["fog", "now"], 3);
  const times =
    (memory.save().body as { stream: { text: string; time: number; recalled: number }[] }).stream;
  assert.deepEqual(times.map(({ time, recalled }) => [time, recalled]), [[1, 2], [2, 2], [3, 3], [
    4,
    4,
  ]]);
});

Deno.test("createSimulacra() reflects when summed importance reaches the threshold, then restarts", async () => {
  const { memory, asked } = stream({ threshold: 10, nPrev: 0 });
  const questions = (): number =>
    asked.requests.filter(({ role }) => role === "simulacra/questions").length;
  await walk(memory, ["apple worth 4", "nut worth 5"]);
  assert.equal(questions(), 0, "4 + 5 < 10");
  await walk(memory, ["pear worth 1"], 3);
  assert.equal(questions(), 1, "4 + 5 + 1 = 10");
  assert.deepEqual(
    shown(asked, "simulacra/insights", "Question"),
    ["Where is the apple?", "What for?", "And then?"],
    "three, unnumbered",
  );
  assert.match(
    shown(asked, "simulacra/insights", "Statements")[0] ?? "",
    /^Statement 1:\nGame step #1\napple worth 4\n\nStatement 2:\nGame step #2\nnut worth 5/,
  );

  type Kept = { kind: string; text: string; evidence: number[]; time: number };
  const { stream: kept, sinceReflection } = memory.save().body as {
    stream: Kept[];
    sinceReflection: number;
  };
  assert.equal(sinceReflection, 0, "an insight does not count towards the next reflection");
  assert.deepEqual(
    kept.filter(({ kind }) => kind === "insight").map((
      { text, evidence, time },
    ) => [text, evidence, time]),
    [["The apple is far away", [1, 0], 3]],
    "once, with the statements it rests on; number 99 does not exist",
  );
  assert(
    (await recalled(memory, 3)).includes("The apple is far away"),
    "it is recalled from the step it was made on",
  );
});

Deno.test("createSimulacra() counts an unreadable importance as 5 and reports it", async () => {
  const asked = context({ "simulacra/importance": () => "very important" });
  const memory = createSimulacra()(asked);
  await walk(memory, ["fog"]);
  assert.deepEqual(
    (memory.save().body as { stream: { importance: number }[] }).stream.map(({ importance }) =>
      importance
    ),
    [5],
  );
  assert.deepEqual(asked.events, [
    "malformed-reply: simulacra/importance: there is no whole number from 1 to 10 in it",
  ]);
});

Deno.test("parseImportance(), parseQuestions() and parseInsights() read good and bad replies", () => {
  const ok = <T>(value: T): { kind: "ok"; value: T } => ({ kind: "ok", value });
  for (const [text, value] of [["7", 7], ["Rating: 10", 10], [" 1.\n", 1], ["8/10", 8]] as const) {
    assert.deepEqual(parseImportance(text), ok(value));
  }
  for (const text of ["", "eleven", "11", "0", "7.5", "-3"]) {
    assert.equal(parseImportance(text).kind, "malformed", text);
  }
  assert.deepEqual(parseQuestions(2)("- Why?\n\n2) How?\nWho?"), ok(["Why?", "How?"]));
  assert.equal(parseQuestions(2)(" \n").kind, "malformed");
  const insights = parseInsights({ statements: 3, most: 2 });
  const one = ok([{ text: "Go north.", evidence: [1, 2] }]);
  for (const before of ["insight ", "Insight 1: ", "<insight in one sentence> ", ""]) {
    assert.deepEqual(insights(`${before}(because of 1, 2) Go north.`), one, before);
  }
  for (const said of ["**Insight 1:** Go north.", "[Go north.]"]) {
    assert.deepEqual(insights(`${said} (because of 1, 2)`), one, said);
  }
  assert.equal(insights("insight (because of 1, 2)").kind, "malformed");
  assert.deepEqual(
    insights(
      "1. Keys open lockers (because of 1, 3, 1)\nGuess (because of 9)\nNo reason\nB (Because of 2)\nC (because of 2)",
    ),
    ok([
      { text: "Keys open lockers", evidence: [1, 3] },
      { text: "B", evidence: [2] },
    ]),
  );
  assert.deepEqual(insights("None."), ok([]));
  assert.equal(insights("Keys open lockers").kind, "malformed");
});
