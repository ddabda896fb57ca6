/** Trials: which are played, what a failed one leaves, and what the next is shown. */

import assert from "node:assert/strict";
import {
  type ChatRequest,
  createRag,
  createReflexion,
  type Outcome,
  type ReflexionOptions,
} from "../../../lib/mod.ts";
import { reflectPrompt } from "../../../lib/core/agent/reflexion.prompts.ts";
import { sectionsOf as sections } from "../memory/house.ts";
import { testWordings } from "../memory/snapshot.ts";
import { type Played, playTiny } from "./play-tiny.ts";

/** Waits for ever, unless a lesson says where to go: then it goes there and waits. */
async function play(
  options: Partial<ReflexionOptions> & { lesson?: string; artefact?: Outcome["artefact"] } = {},
): Promise<Played> {
  const { lesson = "Nothing comes to the hall.", artefact, ...rest } = options;
  let lessons = 0;
  return await playTiny(createReflexion({ memory: createRag(), maxSteps: 4, ...rest }), {
    "ariadne/plan": () => '{"plan_steps": [{"sub_goal_1": "wait", "reason": ""}]}',
    "ariadne/act": (request) => {
      const { "Lessons from earlier trials": learnt = "", "Possible actions": actions = "" } =
        sections(request);
      return JSON.stringify({
        action_to_take: learnt.includes("attic") && actions.includes("north") ? "go north" : "wait",
      });
    },
    "reflexion/reflect": () => `${lesson} (${++lessons})`,
  }, { artefact });
}

function lessonsShown({ requests }: Played): (string | undefined)[] {
  return requests.filter(({ role }) => role === "ariadne/plan").map((request) =>
    sections(request)["Lessons from earlier trials"]
  );
}

Deno.test("reflexion plays trial after trial in fresh worlds, and keeps the score of each", async () => {
  const played = await play();
  assert.deepEqual(
    played.outcome.passes,
    Array.from(
      { length: 3 },
      () => ({ kind: "trial", score: 0, maxScore: 1, steps: 4, end: "limit" }),
    ),
  );
  assert.equal(played.worlds.length, 3);
  assert(played.worlds.every((world) => world.closed()));
  assert.deepEqual(
    played.steps.map(({ pass, step }) => `${pass}/${step}`),
    [0, 1, 2].flatMap((pass) => [0, 1, 2, 3, 4].map((step) => `${pass}/${step}`)),
  );
});

Deno.test("reflexion writes a lesson after each failed trial but the last, and shows it in the next", async () => {
  const played = await play();
  const reflected = played.requests.filter(({ role }) => role === "reflexion/reflect").map(
    sections,
  );
  assert.equal(reflected.length, 2);
  assert.equal(reflected[0]?.["Result"], "0 of 1 points after 4 steps: the steps were used up");
  assert.deepEqual(
    reflected[0]?.["Record of the trial"]?.match(/Game step #\d|observation: wait/g),
    [
      "Game step #1",
      ...[2, 3, 4, 5].flatMap((
        step,
      ) => [`Game step #${step}`, ...(step < 5 ? ["observation: wait"] : [])]),
    ],
  );
  assert.equal(reflected[1]?.["Lessons from earlier trials"], "Nothing comes to the hall. (1)");
  assert.deepEqual(lessonsShown(played), [
    ...Array.from({ length: 4 }, () => undefined),
    ...Array.from({ length: 4 }, () => "Nothing comes to the hall. (1)"),
    ...Array.from(
      { length: 4 },
      () => "Nothing comes to the hall. (1)\n\nNothing comes to the hall. (2)",
    ),
  ]);
  assert.deepEqual(played.events, ["0 lesson", "1 lesson"]);
});

Deno.test("reflexion stops at the trial that wins", async () => {
  const { outcome, worlds } = await play({ lesson: "Wait in the attic, to the north." });
  assert.deepEqual(outcome.passes.map(({ score, steps, end }) => [score, steps, end]), [[
    0,
    4,
    "limit",
  ], [1, 3, "won"]]);
  assert.equal(worlds.length, 2);
});

Deno.test("reflexion begins each trial with an empty memory, and marks its draws with the trial", async () => {
  const { requests } = await play({ maxSteps: 8, slide: 1 });
  const plans = requests.filter(({ role }) => role === "ariadne/plan");
  assert.deepEqual(
    plans.map(({ sample }) => [sample?.pass, sample?.step]),
    [0, 1, 2].flatMap((pass) => Array.from({ length: 8 }, (_, i) => [pass, i + 1])),
  );
  assert.equal(sections(plans[8] as ChatRequest)["Relevant past observations"], "");
  assert.notEqual(sections(plans[7] as ChatRequest)["Relevant past observations"], "");
});

Deno.test("reflexion shows the last lessons only, and takes those that an earlier episode left", async () => {
  const artefact = { kind: "reflexion", body: { lessons: ["Old.", "Older than new."] } };
  const played = await play({ trials: 2, lessons: 2, artefact });
  assert.deepEqual([lessonsShown(played)[0], lessonsShown(played).at(-1)], [
    "Old.\n\nOlder than new.",
    "Older than new.\n\nNothing comes to the hall. (1)",
  ]);
  assert.deepEqual(played.outcome.artefact, {
    kind: "reflexion",
    body: { lessons: ["Old.", "Older than new.", "Nothing comes to the hall. (1)"] },
  });
  await assert.rejects(
    play({ artefact: { kind: "rag", body: [] } }),
    /wanted the lessons of reflexion, got "rag"/,
  );
});

testWordings({ "reflexion-reflect": reflectPrompt });
