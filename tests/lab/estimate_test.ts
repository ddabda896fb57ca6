import assert from "node:assert/strict";
import { estimateStudy } from "../../lib/lab/estimate.ts";
import { planOf, resolveStudy } from "../../lib/lab/plan.ts";
import type { PlannedEpisode, Study } from "../../lib/lab/study.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { endEpisode, putEpisode } from "../../lib/lab/store/episodes.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { countingMethod, countingStudy, countingWorld, noEmbedder } from "./doubles.ts";

Deno.test("estimateStudy() prices what is left by comparable episodes, whichever model replied", async () => {
  using store = openStore(":memory:");
  const free = countingStudy({ id: "free", models: { "*": "offline" }, attempts: 2 });
  await record(store, free, 10);
  await record(store, free, 30, { chain: 1 });

  const dear = countingStudy({
    id: "dear",
    models: { "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } } },
    attempts: 5,
  });
  const estimate = await price(store, dear);
  assert.deepEqual([estimate.planned, estimate.completed, estimate.toPlay, estimate.unknown], [
    5,
    0,
    5,
    0,
  ]);
  assert.equal(estimate.callsToPay, 5 * 20);
  assert.equal(estimate.promptTokens, 5 * 20 * 1000);
  assert.equal(estimate.completionTokens, 5 * 20 * 50);
  assert.equal(estimate.dollars?.toFixed(6), (5 * 20 * (1000 * 2 + 50 * 10) / 1e6).toFixed(6));

  await record(store, dear, 20);
  await record(store, dear, 5, { chain: 1, completed: false });
  const later = await price(store, dear);
  assert.deepEqual([later.completed, later.toPlay, later.callsRecorded], [1, 4, 25]);
  assert.equal(later.callsToPay, 4 * 20 - 5, "the five of the paused episode are on record");
});

Deno.test("estimateStudy() prices a condition by its own episodes, where there are any", async () => {
  using store = openStore(":memory:");
  const plain = countingStudy({ id: "plain", models: { "*": "offline" }, attempts: 2 });
  await record(store, plain, 10);
  const other = relabelled(
    countingStudy({ id: "other", models: { "*": "offline" }, attempts: 2 }),
    "dearer",
  );
  await record(store, other, 90);

  const silent = relabelled(
    countingStudy({ id: "silent", models: { "*": "offline" }, attempts: 2 }),
    "asks nobody",
  );
  await record(store, silent, 0);
  const { unknown, callsToPay } = await price(store, silent);
  assert.deepEqual(
    [unknown, callsToPay],
    [0, 0],
    "an episode that asked no model is known to cost nothing",
  );

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
  const study = countingStudy({
    id: "new",
    models: { "*": "a model without a price" },
    attempts: 2,
  });
  const nothing = await price(store, study);
  assert.deepEqual([nothing.unknown, nothing.callsToPay, nothing.dollars], [2, 0, undefined]);
  await record(store, countingStudy({ id: "free", models: { "*": "offline" } }), 3);
  const unpriced = await price(store, study);
  assert.deepEqual([unpriced.unknown, unpriced.callsToPay, unpriced.dollars, unpriced.unpriced], [
    0,
    6,
    undefined,
    ["a model without a price"],
  ]);
});

Deno.test("estimateStudy() gives no sum where a condition has no measure, and prices the others", async () => {
  using store = openStore(":memory:");
  const models = { "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } } };
  const known = relabelled(countingStudy({ id: "a", models, attempts: 2 }), "known");
  await record(
    store,
    relabelled(countingStudy({ id: "free", models: { "*": "offline" } }), "known"),
    10,
  );
  const other = relabelled(countingStudy({ id: "b", models, attempts: 1 }), "other");
  const method = { ...countingMethod, id: "never played" };
  const chains = changed(other, (one) => ({ ...one, method })).chains.map((chain) => ({
    ...chain,
    id: "other",
  }));
  const { dollars, unknown, conditions } = await price(store, {
    ...known,
    chains: [...known.chains, ...chains],
  });
  assert.deepEqual([dollars, unknown], [undefined, 1]);
  assert.deepEqual(conditions, [
    { condition: "known", toPlay: 2, unknown: 0, dollars: 2 * 10 * (1000 * 2 + 50 * 10) / 1e6 },
    { condition: "other", toPlay: 1, unknown: 1, dollars: undefined },
  ]);
});

Deno.test("estimateStudy() compares an episode with pictures with such alone, which a real model played", async () => {
  using store = openStore(":memory:");
  const seeing = (id: string, image: boolean, model: string): Study => {
    const study = countingStudy({ id, models: { "*": model } });
    return changed(study, (one) => ({ ...one, params: { ...one.params, image } }));
  };
  await record(store, seeing("read", false, "gpt-4o"), 4);
  await record(store, seeing("free", true, "offline"), 7);
  assert.equal((await price(store, seeing("new", true, "gpt-4o"))).unknown, 1);
  await record(store, seeing("seen", true, "gpt-4o"), 10);
  const { callsToPay, dollars } = await price(store, seeing("new", true, "gpt-4o"));
  assert.deepEqual([callsToPay, dollars], [10, (10_000 * 2.5 + 500 * 10) / 1e6]);
});

Deno.test("estimateStudy() takes no episode that a lower limit of steps cut short for a measure", async () => {
  using store = openStore(":memory:");
  const limited = (maxSteps: number, most: number): Study => {
    const study = countingStudy({ id: `${maxSteps} of ${most}`, models: { "*": "offline" } });
    const method = { ...countingMethod, options: { maxSteps } };
    return changed(study, (one) => ({ ...one, method }));
  };
  await record(store, limited(1, 150), 3);
  const { unknown, dollars } = await price(store, limited(150, 150));
  assert.deepEqual([unknown, dollars], [1, undefined]);
  await record(store, limited(150, 300), 7);
  assert.equal((await price(store, limited(150, 150))).callsToPay, 7);
  assert.equal(
    (await price(store, limited(1, 1))).callsToPay,
    5,
    "for one as short both are a measure",
  );
});

function relabelled(study: Study, condition: string): Study {
  return { ...changed(study, (episode) => ({ ...episode, condition })), id: condition };
}

function changed(study: Study, change: (episode: PlannedEpisode) => PlannedEpisode): Study {
  return {
    ...study,
    chains: study.chains.map((chain) => ({ ...chain, episodes: chain.episodes.map(change) })),
  };
}

async function price(store: Store, study: Study): Promise<ReturnType<typeof estimateStudy>> {
  const episodes = await resolveStudy(study, { worlds: countingWorld(), embedder: noEmbedder });
  return estimateStudy(store, study, episodes.flat());
}

/** An episode with so many calls of 1,000 tokens in and 50 out, each also replayed once. */
async function record(
  store: Store,
  study: Study,
  calls: number,
  { chain = 0, completed = true } = {},
): Promise<void> {
  const episodes = await resolveStudy(study, { worlds: countingWorld(), embedder: noEmbedder });
  const resolved = episodes[chain]?.[0];
  assert.ok(resolved);
  const plan = planOf(study, resolved, undefined);
  putStudy(store, { id: study.id, spec: {}, createdAt: 0 });
  putEpisode(store, plan);
  for (let i = 0; i < calls; i++) {
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
  if (completed) {
    endEpisode(store, plan.id, {
      status: "completed",
      passes: [{ kind: "only", score: 1, maxScore: 1, steps: 1 }],
    }, 0);
  }
}
