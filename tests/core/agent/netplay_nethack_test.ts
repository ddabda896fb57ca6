/**
 * The real NetHack: scripted calls through the real prompts and parsers reach the third level, by
 * NetPlay and by Ariadne.
 */

import assert from "node:assert/strict";
import { createAriadne } from "../../../lib/core/agent/ariadne.ts";
import type { Method, Outcome } from "../../../lib/core/agent/method.ts";
import { createNetPlay } from "../../../lib/core/agent/netplay.ts";
import { withoutTruth } from "../../../lib/core/env/session.ts";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { createAsker } from "../../../lib/core/llm/asker.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { scripted, type ScriptedModel } from "../../../lib/core/llm/scripted.ts";
import { createAriGraph } from "../../../lib/core/memory/arigraph.ts";
import { arigraphResponders } from "../../../lib/offline/responders/arigraph.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";
import { separateObservation } from "../../../lib/offline/reading/belief.ts";
import { sectionsOf } from "../memory/house.ts";
import { type Recording, recording } from "./recording.ts";

const worlds = connectWorlds();
Deno.test.afterAll(() => worlds.close());

const repeated = (call: string, times: number): string[] =>
  Array.from({ length: times }, () => call);

/** Calls that lead from the start of seed 3 to the third level. */
const TO_LEVEL_3 = [
  ...repeated("explore_level()", 2),
  "melee_attack(x=65, y=7)",
  ...repeated("explore_level()", 2),
  "down()",
  "explore_level()",
  "melee_attack(x=20, y=5)",
  ...repeated("explore_level()", 2),
  "melee_attack(x=37, y=4)",
  "melee_attack(x=38, y=5)",
  ...repeated("explore_level()", 2),
  "melee_attack(x=70, y=7)",
  ...repeated("explore_level()", 2),
  "down()",
];

/**
 * The calls as a model answers them: NetPlay's JSON, Ariadne's JSON; memories are answered by the
 * stand-in.
 */
function caller(calls: readonly string[]): ScriptedModel {
  const offline = createStandIn({ responders: arigraphResponders });
  let at = 0;
  return scripted({
    "netplay/skill": () => {
      const [, name, given = ""] = calls[at++]?.match(/^(\w+)\((.*)\)$/) ?? [];
      const params = [...given.matchAll(/(\w+)=(\d+)/g)].map((
        [, key = "", value],
      ) => [key, Number(value)]);
      return JSON.stringify({
        thoughts: { observations: "", reasoning: "", speak: "" },
        skill: { name, ...Object.fromEntries(params) },
      });
    },
    "ariadne/plan": () =>
      JSON.stringify({
        main_goal: "down",
        plan_steps: [{ sub_goal_1: "Find the stairs down.", reason: "" }],
      }),
    "ariadne/act": () => JSON.stringify({ reason_for_action: "next", action_to_take: calls[at++] }),
    "*": async (request) => (await offline.chat(request)).choices[0].text,
  });
}

async function play(
  method: Method,
  mode: "level" | "room",
): Promise<
  {
    outcome: Outcome;
    record: Recording;
    truth: Readonly<Record<string, unknown>>;
    model: ScriptedModel;
  }
> {
  const world = await worlds.open("nethack", { seed: 3, mode, maxCalls: TO_LEVEL_3.length });
  const record = recording();
  const model = caller(TO_LEVEL_3);
  let truth: Readonly<Record<string, unknown>> = {};
  const outcome = await method.run({
    world: () => Promise.resolve(withoutTruth(world)),
    ask: createAsker({ model }),
    embedder: createLexicalEmbedder(),
    recorder: {
      ...record.recorder,
      step: async (step) => {
        truth = await world.truth();
        await record.recorder.step(step);
      },
    },
    seed: 1,
  });
  return { outcome, record, truth, model };
}

for (const mode of ["level", "room"] as const) {
  Deno.test(`scripted calls through NetPlay's prompt and parser reach dungeon level 3, ${mode} observations`, async () => {
    const { outcome, record, truth } = await play(createNetPlay(), mode);
    assert.deepEqual([truth["depth"], truth["deepest"], truth["levelsCompleted"]], [3, 3, 2]);
    assert.deepEqual(record.steps.slice(1).map(({ action }) => action), TO_LEVEL_3);
    assert.deepEqual(record.events, []);
    assert.equal(outcome.passes[0]?.score, record.steps.at(-1)?.turn.score);
    assert.ok(
      (outcome.passes[0]?.score ?? 0) > 100,
      "50 for each level and four times the experience",
    );
  });
}

Deno.test("createAriadne() reaches dungeon level 3 by scripted calls, and remembers the rooms", async () => {
  const { record, truth, model } = await play(
    createAriadne({ memory: createAriGraph(), actions: "forms", maxSteps: 100 }),
    "room",
  );
  assert.equal(truth["deepest"], 3);
  assert.deepEqual(record.events, []);
  const triplets =
    record.steps.at(-1)?.graph?.triplets().map(({ subject, relation, object }) =>
      `${subject}, ${relation}, ${object}`
    ) ??
      [];
  // where the first steps led from, and what lay there, as the world's own test has it
  for (
    const fact of [
      "corridor 2, can be achieved from, room 1",
      "room 1, contains, gold pieces 75 16",
      "room 1, is at, depth 1",
    ]
  ) {
    assert.ok(triplets.includes(fact), `${fact}: ${triplets.join("; ")}`);
  }
  // the door between them was seen, then gone through: it is no exit any more
  assert.ok(
    triplets.includes("corridor 2, has passage, doorway 74 14") &&
      !triplets.includes("room 1, has exit, doorway 74 14"),
  );
  assert.ok(
    triplets.includes("corridor 5, has passage, doorway 75 6") &&
      !triplets.includes("room 3, has exit, doorway 75 6"),
  );
  const act = model.requests.find(({ role }) => role === "ariadne/act");
  const sections = sectionsOf(act);
  assert.match(
    sections["Possible actions"] ?? "",
    /^explore_level\(\): explore.*\nsearch\(x=\{x\}, y=\{y\}, count=\{count\}\): /,
  );
  assert.equal(
    separateObservation(sections)["Current observation"]?.match(/a \+1 long sword/g)?.length,
    1,
    "the inventory is told once",
  );
});
