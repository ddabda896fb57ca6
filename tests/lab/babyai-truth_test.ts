/**
 * The true map of BabyAI is for measuring: nothing of it reaches a method, its memory or a model
 * before it was seen.
 */

import assert from "node:assert/strict";
import type { Episode } from "../../lib/core/agent/method.ts";
import { createGraphMind } from "../../lib/core/agent/graphmind.ts";
import type { Environment } from "../../lib/core/env/environment.ts";
import { asBabyAiTruth } from "../../lib/core/graph/babyai-truth.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import { createRoomGraph } from "../../lib/core/memory/room-graph.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { getReplyRow } from "../../lib/lab/store/replies.ts";
import { listTruths, listTurns } from "../../lib/lab/store/turns.ts";
import "../../lib/offline/mod.ts";
import { listAnswered } from "../../lib/lab/store/calls.ts";

/** An example in the planner's instructions, which speaks of no room. */
const EXAMPLE = "by colour and type (red key)";

Deno.test("a BabyAI run names nothing that the agent has not seen, in prompts, turns or details", async () => {
  using store = openStore(":memory:");
  const handed: string[][] = [];
  const nosy = {
    id: "nosy",
    version: "1",
    create: () => ({
      id: "nosy",
      run: async (episode: Episode) => {
        const world = async (): Promise<Environment> => {
          const env = await episode.world();
          handed.push([...Object.keys(env), ...Object.keys(episode)].sort());
          // @ts-expect-error: what a method is handed has no truth by its type
          assert.equal(env.truth, undefined);
          return env;
        };
        return await createGraphMind({ memory: createRoomGraph({ votes: 1 }), maxSteps: 6 }).run({
          ...episode,
          world,
        });
      },
    }),
  };
  const params = { layout: "3x3-d3-0", mission: "put-next-to" };
  const { episodes: [row] } = await playStudy({
    id: "nosy",
    title: "What a method is handed",
    models: { "*": "offline" },
    truth: true,
    chains: [{
      id: "only",
      episodes: [{ world: "babyai", params, method: nosy, attempt: 1, seed: 1 }],
    }],
  }, { store });
  assert.equal(row?.status, "completed", row?.failureMessage ?? "");
  const shown = ["close", "reset", "spec", "step", "validActions"];
  assert.deepEqual(handed, [
    [...shown, "ask", "embedder", "recorder", "seed", "signal", "world"].sort(),
  ]);

  const id = row?.id ?? "";
  const turns = listTurns(store, id);
  const goal = turns[0]?.goal.toLowerCase() ?? "";
  const truths = new Map(
    listTruths(store, id).map(({ step, truth }) => [step, asBabyAiTruth(truth) ?? assert.fail()]),
  );
  const unseenAt = (step: number): string[] => {
    const { objects = [] } = truths.get(step) ?? {};
    const seen = new Set(
      objects.filter(({ seen }) => seen).map(({ colour, type }) => `${colour} ${type}`),
    );
    return [...new Set(objects.map(({ colour, type }) => `${colour} ${type}`))].filter((name) =>
      !seen.has(name) && !goal.includes(name)
    );
  };
  let held = 0;
  const silent = (text: string, step: number, where: string): void => {
    const plain = text.replaceAll(EXAMPLE, "").toLowerCase().replaceAll("_", " ");
    for (const name of unseenAt(step)) {
      held++;
      assert.ok(
        !plain.includes(name),
        `${where} of step ${step} names the ${name}, which was not seen`,
      );
    }
    assert.ok(
      !/goldpath|min_?rooms|"visited"/i.test(text),
      `${where} of step ${step} holds a part of the truth`,
    );
  };
  for (const turn of turns) silent(JSON.stringify(turn), turn.step, "the turn");
  const calls = listAnswered(store, id);
  // the verifier is asked after the step's primitives, everybody else before them
  for (const { key, role, step = 0 } of calls) {
    const known = role === "graphmind/verify-completion" ? step : Math.max(0, step - 1);
    silent(
      JSON.stringify(getReplyRow(store, key)?.request.messages),
      known,
      `the prompt of ${role}`,
    );
  }
  assert.ok(
    calls.length > 20 && held > 500,
    `${calls.length} prompts, ${held} names held against them`,
  );
});
