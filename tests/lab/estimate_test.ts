import assert from "node:assert/strict";
import { WorldError } from "../../lib/errors.ts";
import { estimateStudy } from "../../lib/lab/estimate.ts";
import { planOf, resolveStudy } from "../../lib/lab/plan.ts";
import type { RunPorts } from "../../lib/lab/plan.ts";
import type { Study } from "../../lib/lab/study.ts";
import { putCall } from "../../lib/store/calls.ts";
import { endEpisode, putEpisode } from "../../lib/store/episodes.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { countingStudy, countingWorld, noEmbedder } from "./doubles.ts";

Deno.test("estimateStudy() prices what is left by comparable episodes, whichever model replied", async () => {
  using store = openStore(":memory:");
  const free = countingStudy({ id: "free", models: { "*": "offline" }, attempts: 2 });
  await record(store, free, { lane: 0, calls: 10, completed: true });
  await record(store, free, { lane: 1, calls: 30, completed: true });

  const dear = countingStudy({
    id: "dear",
    models: { "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } } },
    attempts: 5,
  });
  const estimate = await price(store, dear);
  assert.deepEqual([estimate.planned, estimate.completed, estimate.toPlay, estimate.unknown], [5, 0, 5, 0]);
  assert.equal(estimate.callsToPay, 5 * 20);
  assert.equal(estimate.promptTokens, 5 * 20 * 1000);
  assert.equal(estimate.completionTokens, 5 * 20 * 50);
  assert.equal(estimate.dollars?.toFixed(6), (5 * 20 * (1000 * 2 + 50 * 10) / 1e6).toFixed(6));
  // two on record at $0.025 and $0.075: mean 0.05, variance 0.00125; five more vary by 0.00125·(5 + 25/2); t(0.975, 1) = 12.7062
  assert.equal(estimate.interval?.low, 0);
  assert.equal(estimate.interval?.high.toFixed(4), (0.25 + 12.7062 * Math.sqrt(0.00125 * 17.5)).toFixed(4));

  await record(store, dear, { lane: 0, calls: 20, completed: true });
  await record(store, dear, { lane: 1, calls: 5, completed: false });
  const later = await price(store, dear);
  assert.deepEqual([later.completed, later.toPlay, later.callsRecorded], [1, 4, 25]);
  assert.equal(later.callsToPay, 4 * 20 - 5, "the five of the parked episode are on record");
});

Deno.test("estimateStudy() prices a condition by its own episodes, where there are any", async () => {
  using store = openStore(":memory:");
  const plain = countingStudy({ id: "plain", models: { "*": "offline" }, attempts: 2 });
  await record(store, plain, { lane: 0, calls: 10, completed: true });
  const other = relabelled(countingStudy({ id: "other", models: { "*": "offline" }, attempts: 2 }), "dearer");
  await record(store, other, { lane: 0, calls: 90, completed: true });

  const silent = relabelled(countingStudy({ id: "silent", models: { "*": "offline" }, attempts: 2 }), "asks nobody");
  await record(store, silent, { lane: 0, calls: 0, completed: true });
  const { unknown, callsToPay } = await price(store, silent);
  assert.deepEqual([unknown, callsToPay], [0, 0], "an episode that asked no model is known to cost nothing");

  assert.equal((await price(store, plain)).callsToPay, 10);
  assert.equal((await price(store, other)).callsToPay, 90);
  assert.equal(
    (await price(store, relabelled(plain, "never played"))).callsToPay,
    Math.round(2 * 100 / 3),
    "all conditions stand in for it",
  );
});

Deno.test("estimateStudy() counts episodes without a comparable one and names unpriced models", async () => {
  using store = openStore(":memory:");
  const study = countingStudy({ id: "new", models: { "*": "a model without a price" }, attempts: 2 });
  const nothing = await price(store, study);
  assert.deepEqual([nothing.unknown, nothing.callsToPay, nothing.dollars], [2, 0, 0]);
  await record(store, countingStudy({ id: "free", models: { "*": "offline" } }), { lane: 0, calls: 3, completed: true });
  const unpriced = await price(store, study);
  assert.deepEqual([unpriced.unknown, unpriced.callsToPay, unpriced.dollars, unpriced.unpriced], [0, 6, undefined, [
    "a model without a price",
  ]]);
});

Deno.test("estimateStudy() prices no episode of a broken game, and gives the reason", async () => {
  using store = openStore(":memory:");
  await record(store, countingStudy({ id: "free", models: { "*": "offline" } }), { lane: 0, calls: 3, completed: true });
  const study = countingStudy({ id: "new", models: { "*": "offline" }, episodes: 3 });
  const { open } = countingWorld();
  const worlds: RunPorts["worlds"] = {
    open: (id, params) =>
      params?.game === 0 ? open(id, params) : Promise.reject(new WorldError("bad-game", `game ${params?.game} is cut; fetch it again`)),
  };
  const episodes = await resolveStudy(study, { worlds, embedder: noEmbedder });
  const { planned, toPlay, refused, refusals, callsToPay } = estimateStudy(store, study, episodes.flat());
  assert.deepEqual([planned, toPlay, refused, callsToPay], [3, 1, 2, 3]);
  assert.deepEqual(refusals, ["game 1 is cut; fetch it again", "game 2 is cut; fetch it again"]);
});

function relabelled(study: Study, condition: string): Study {
  return {
    ...study,
    id: condition,
    lanes: study.lanes.map((lane) => ({ ...lane, episodes: lane.episodes.map((episode) => ({ ...episode, condition })) })),
  };
}

async function price(store: Store, study: Study): Promise<ReturnType<typeof estimateStudy>> {
  const episodes = await resolveStudy(study, { worlds: countingWorld(), embedder: noEmbedder });
  return estimateStudy(store, study, episodes.flat());
}

/** An episode with so many calls of 1,000 tokens in and 50 out, each also replayed once. */
async function record(store: Store, study: Study, options: { lane: number; calls: number; completed: boolean }): Promise<void> {
  const episodes = await resolveStudy(study, { worlds: countingWorld(), embedder: noEmbedder });
  const resolved = episodes[options.lane]?.[0];
  assert.ok(resolved);
  const plan = planOf(study, resolved, undefined);
  putStudy(store, { id: study.id, spec: {}, createdAt: 0 });
  putEpisode(store, plan);
  for (let i = 0; i < options.calls; i++) {
    for (const kind of ["paid", "replayed"] as const) {
      putCall(store, {
        episode: plan.id,
        role: "counting/act",
        model: "any",
        key: `${plan.id} ${i}`,
        kind,
        promptTokens: 1000,
        cachedTokens: 0,
        completionTokens: 50,
        reasoningTokens: 0,
        dollars: null,
        latencyMs: 1,
        at: 0,
      });
    }
  }
  if (options.completed) {
    endEpisode(store, plan.id, { status: "completed", passes: [{ kind: "only", score: 1, maxScore: 1, steps: 1 }] }, 0);
  }
}
