import assert from "node:assert/strict";
import { METHODS } from "../../lib/core/agent/registry.ts";
import { ModelError } from "../../lib/core/errors.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import type { Responder } from "../../lib/offline/stand-in.ts";
import { localProvider } from "../../lib/core/llm/providers.ts";
import "../../lib/offline/mod.ts";
import { createOfflineProvider } from "../../lib/offline/provider.ts";
import type { RoleMap } from "../../lib/core/llm/roles.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import type { Memory, MemoryContext } from "../../lib/core/memory/memory.ts";
import { listCalls } from "../../lib/lab/store/calls.ts";
import { listEpisodes } from "../../lib/lab/store/episodes.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import { countingMethod, countingStudy, countingWorld, worldsBy } from "./doubles.ts";
const worlds = worldsBy();
const untouched = worldsBy(() => assert.fail("a world was opened"));
Deno.test("playStudy() parks at the cap, and completes under a higher one without paying twice", async () => {
  using store = openStore(":memory:");
  const study = countingStudy({ attempts: 3 });
  const usage = { prompt: 90, cached: 0, completion: 50, reasoning: 0 };
  const model = scripted({ "*": () => "add 2" }, { id: "counter", usage });
  const options = { store, worlds, providers: [localProvider(model)], concurrency: 1 };
  const paused = await playStudy(study, { ...options, cap: { tokens: 650 } });
  assert.deepEqual(paused.episodes.map((row) => [row.status, row.failureKind]), [
    ["paused", "budget"],
    ["planned", undefined],
    ["planned", undefined],
  ], "nothing is begun that could not be paid");
  assert.match(paused.episodes[0]?.failureMessage ?? "", /cap of 650 tokens/);
  const paid = model.requests.length;
  assert.ok(paid > 1, "some steps were paid for");
  await playStudy(study, { ...options, cap: { tokens: 650 } });
  assert.equal(model.requests.length, paid, "what earlier runs have spent counts");

  const done = await playStudy(study, { ...options, cap: { tokens: 50_000 } });
  assert.deepEqual(
    [done.completed, model.requests.length],
    [3, 15],
    "five steps an episode, each paid once",
  );
});

Deno.test("playStudy() plays Ariadne with a user-defined memory", async () => {
  using store = openStore(":memory:");
  const cues: string[] = [];
  const notes = (): Memory => ({
    id: "notes",
    observe: () => Promise.resolve(),
    recall: ({ observation }) => {
      cues.push(observation);
      return Promise.resolve({ sections: { "My notes": `I have looked ${cues.length} times` } });
    },
    save: () => ({ kind: "notes", body: cues.length }),
    load: () => {},
  });
  const prompts: string[] = [];
  const responders: Responder[] = ["ariadne/plan", "ariadne/act"].map((role) => ({
    role,
    answer: ({ sections }) => {
      prompts.push(sections["My notes"] ?? "");
      return '{"main_goal": "Count", "plan_steps": [], "your_emotion": {}, "reason_for_action": "why not", "action_to_take": "add 2"}';
    },
  }));
  const study: Study = {
    id: "notebook",
    title: "A memory of one's own",
    models: { "*": "offline" },
    chains: [{
      id: "notes",
      episodes: [{
        world: "counting",
        method: "ariadne",
        memory: { id: "notes", version: "1", create: notes },
        attempt: 1,
        seed: 1,
      }],
    }],
  };
  const { episodes: [episode] } = await playStudy(study, {
    store,
    worlds,
    providers: [createOfflineProvider({ responders })],
  });
  assert.deepEqual([episode?.status, episode?.score, episode?.condition, episode?.memory], [
    "completed",
    10,
    "notes",
    "notes",
  ]);
  const { source, ...identity } = episode?.identity.memory as Record<string, unknown>;
  assert.deepEqual(identity, { id: "notes", version: "1" });
  assert.match(String(source), /^[0-9a-f]{16}$/);
  assert.equal(cues.length, 5);
  assert.equal(prompts[0], "I have looked 1 times");
  assert.deepEqual(
    new Set(listCalls(store, episode?.id ?? "").map((call) => call.role)),
    new Set(["ariadne/plan", "ariadne/act"]),
  );
});

Deno.test("playStudy() aborts a user-defined memory with the run, under every method with a memory", async () => {
  const told: (AbortSignal | undefined)[] = [];
  const deaf = ({ signal }: MemoryContext): Memory => {
    told.push(signal);
    throw new Error("enough");
  };
  const memory = { id: "deaf", version: "1", create: deaf };
  const open = countingWorld().open;
  const papers = worldsBy(async (id, params) => {
    const world = await open(id, params);
    return { ...world, reset: async () => ({ ...await world.reset(), documents: [] }) };
  });
  const methods = Object.keys(METHODS).filter((method) => METHODS[method]?.takesMemory);
  const chains = methods.map((method) => ({
    id: method,
    episodes: [{ world: "counting", method, memory, attempt: 1, seed: 1 }],
  }));
  using store = openStore(":memory:");
  const { signal } = new AbortController();
  await playStudy(countingStudy({ models: { "*": "offline" }, chains }), {
    store,
    worlds: papers,
    signal,
  });
  assert.deepEqual([told.length, methods.length], [6, 6], methods.join());
  assert.ok(told.every((signal) => signal instanceof AbortSignal), methods.join());
});

Deno.test("playStudy() throws for an unbound role or a model without key before any episode", async () => {
  using store = openStore(":memory:");
  const planned = { world: "counting", method: "ariadne", memory: "summary", attempt: 1, seed: 1 };
  const play = (
    models: RoleMap,
    options: Partial<Parameters<typeof playStudy>[1]> = {},
  ): Promise<unknown> =>
    playStudy(countingStudy({ models, chains: [{ id: "x", episodes: [planned] }] }), {
      store,
      worlds: untouched,
      ...options,
    });
  const refusals: readonly (readonly [RoleMap, RegExp])[] = [
    [
      { "ariadne/*": "offline" },
      /role summary\/rewrite; the role map binds ariadne\/\*; add the role/,
    ],
    [{ "*": "offline-strong" }, /no offline model offline-strong: choose offline/],
    [
      { "*": "offline", "ariadne/act": { model: "mine", keyEnv: "LABYRINTH_NO_SUCH_KEY" } },
      /no key for mine: set LABYRINTH_NO_SUCH_KEY/,
    ],
    [
      { "*": { model: "mine", baseUrl: "gpu-box" } },
      /wrong at \*\.baseUrl: it must be an address like http/,
    ],
  ];
  for (const [models, message] of refusals) {
    await assert.rejects(play(models), { name: "UsageError", message });
    assert.deepEqual(listEpisodes(store), [], "nothing was begun");
  }
  const keyless = { "*": { model: "mine", keyEnv: "LABYRINTH_NO_SUCH_KEY" } };
  await assert.rejects(
    play({ "ariadne/*": "mine" }, { cacheMode: "replay" }),
    /role summary\/rewrite/,
  );
  await assert.rejects(
    play(keyless, { cacheMode: "replay" }),
    /a world was opened/,
    "the record of replies needs no key",
  );
});

Deno.test("playStudy() needs no model for a role that a memory's options never ask", async () => {
  using store = openStore(":memory:");
  const exact = {
    "ariadne/*": "offline",
    "arigraph/extract": "offline",
    "arigraph/entities": "offline",
    "arigraph/explore": "offline",
  };
  const play = (memory: Record<string, unknown>): Promise<unknown> => {
    const planned = {
      world: "counting",
      method: "ariadne",
      memory: "arigraph",
      options: { memory },
      attempt: 1,
      seed: 1,
    };
    return playStudy(countingStudy({ models: exact, chains: [{ id: "x", episodes: [planned] }] }), {
      store,
      worlds: untouched,
    });
  };
  await assert.rejects(play({}), {
    name: "UsageError",
    message: /no model is bound to the role arigraph\/outdate/,
  });
  await assert.rejects(play({ texts: "paragraphs", stale: false }), {
    message: /no model is bound to the role arigraph\/extract-paragraph/,
  });
  await assert.rejects(play({ stale: false }), /a world was opened/);
  await assert.rejects(play({ stale: "no" }), {
    name: "UsageError",
    message: /arigraph cannot take these options: stale/,
  });
});

const prompts = [{ role: "counting/act", instructions: "Count.", sections: {} }];
/** An episode of a method that asks a model without a key. */
const planned = {
  world: "counting",
  method: { ...countingMethod, prompts },
  attempt: 1,
  seed: 1,
};
const models = { "*": { model: "mine", keyEnv: "LABYRINTH_NO_SUCH_KEY" } };

Deno.test("playStudy() needs no key for a completed study", async () => {
  using store = openStore(":memory:");
  const study = countingStudy({ models, chains: [{ id: "x", episodes: [planned] }] });
  await assert.rejects(playStudy(study, { store, worlds }), {
    name: "UsageError",
    message: /no key for mine/,
  });
  const mine = scripted({ "*": () => "add 5" }, { id: "mine" });
  assert.equal(
    (await playStudy(study, { store, worlds, providers: [localProvider(mine)] })).completed,
    1,
  );
  assert.equal((await playStudy(study, { store, worlds })).completed, 1);
});

Deno.test("playStudy() needs no key where only retries are left", async () => {
  using store = openStore(":memory:");
  const chains = [{ id: "x", episodes: [planned, { ...planned, attempt: 2 }] }, {
    id: "y",
    after: "x",
    episodes: [planned],
  }];
  const study = countingStudy({ models, chains });
  const refusing = scripted({ "*": () => Promise.reject(new ModelError("refused", "not this")) }, {
    id: "mine",
  });
  assert.equal(
    (await playStudy(study, { store, worlds, providers: [localProvider(refusing)] })).failed,
    1,
  );
  assert.equal((await playStudy(study, { store, worlds })).failed, 1, "it is shown as it stands");
  await assert.rejects(playStudy(study, { store, worlds, retry: true }), {
    name: "UsageError",
    message: /no key for mine/,
  });
});
