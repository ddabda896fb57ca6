import assert from "node:assert/strict";
import { createReasonPlanner } from "../../../lib/core/agent/reasonplanner.ts";
import type { Outcome } from "../../../lib/core/agent/method.ts";
import type { MeasuredEnvironment } from "../../../lib/core/env/environment.ts";
import { withoutTruth } from "../../../lib/core/env/session.ts";
import { connectWorlds } from "../../../lib/core/env/worlds.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { scripted, type ScriptedModel } from "../../../lib/core/llm/scripted.ts";
import { temporalGraphResponders } from "../../../lib/offline/responders/temporal-graph.ts";
import { type Recording, recording, worldless } from "./recording.ts";
import { wantsSlow } from "../../slow.ts";

const worlds = connectWorlds();
const offline = createStandIn({ responders: temporalGraphResponders });

/** The first test variation of a task, and the gold path that the world knows of it. */
async function open(
  task: string,
): Promise<{ world: MeasuredEnvironment; gold: readonly string[] }> {
  const world = await worlds.open("scienceworld", {
    task,
    split: "test",
    index: 0,
    stepLimit: 400,
  });
  const { goldPath } = await world.truth();
  return { world, gold: goldPath as readonly string[] };
}

/**
 * A model that plans a gold path by the look-ahead, and acts on it through the actor's and the
 * critic's own formats: five actions a plan, each broken down into itself; what the world model
 * asks is answered by the stand-in.
 */
function goldPlayer(gold: readonly string[]): ScriptedModel {
  let done = 0;
  let ahead = 0;
  const answers: Record<string, () => unknown> = {
    "predict-action": () => ({
      action: gold[done + ahead++] ?? "look around",
      response: "as the world does",
    }),
    "predict-state": () => ({
      state: { observation: "as before", inventory: "as before" },
      done: done + ahead >= gold.length,
    }),
    "actor": () => {
      ahead = 0;
      return { commands: [{ command: gold[done++] ?? "look around", state: "a step further" }] };
    },
    "critic": () => ({ replan: false, reason: "It went as predicted." }),
  };
  return scripted({
    "*": async (request) => {
      const answer = answers[request.role.replace("reasonplanner/", "")];
      return answer ? JSON.stringify(answer()) : (await offline.chat(request)).choices[0].text;
    },
  });
}

async function play(
  world: MeasuredEnvironment,
  gold: readonly string[],
  options = {},
): Promise<{ outcome: Outcome; record: Recording; model: ScriptedModel }> {
  const record = recording();
  const model = goldPlayer(gold);
  const outcome = await createReasonPlanner(options).run({
    world: () => Promise.resolve(withoutTruth(world)),
    ...worldless(model, record),
  });
  return { outcome, record, model };
}

const QUICK = ["find-plant"];
const LONG = [
  "find-living-thing",
  "lifespan-longest-lived",
  "chemistry-mix",
  "power-component",
  "melt",
  "identify-life-stages-2",
  "use-thermometer",
];

for (
  const task of [
    ...QUICK,
    ...(wantsSlow("seven of eight tasks of ScienceWorld by scripted replies") ? LONG : []),
  ]
) {
  Deno.test(`scripted replies through the real prompts complete ${task} in ScienceWorld`, async () => {
    const { world, gold } = await open(task);
    const { outcome, record } = await play(world, gold);
    assert.deepEqual(
      [outcome.passes[0]?.score, outcome.passes[0]?.end],
      [100, "won"],
      JSON.stringify(record.steps.at(-1)?.turn),
    );
    const graph = record.steps.at(-1)?.graph;
    assert.ok((graph?.size ?? 0) > 20, "the world model has taken the laboratory in");
    assert.deepEqual(record.events.filter(({ kind }) => kind === "malformed-reply"), []);
  });
}
