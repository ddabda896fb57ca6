import assert from "node:assert/strict";
import { WorldError } from "../../lib/core/errors.ts";
import { type Estimate, type EstimateOptions, estimateStudy } from "../../lib/lab/estimate.ts";
import type { RoleMap } from "../../lib/core/llm/roles.ts";
import { planOf, resolveStudy } from "../../lib/lab/plan.ts";
import type { RunPorts } from "../../lib/lab/plan.ts";
import type { CustomMethod, Study } from "../../lib/lab/study.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { endEpisode, type EpisodeRecord, listEpisodes, putEpisode } from "../../lib/lab/store/episodes.ts";
import { putStudy } from "../../lib/lab/store/studies.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { putTurn } from "../../lib/lab/store/turns.ts";
import { countingMethod, countingStudy, countingWorld, noEmbedder } from "./doubles.ts";

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
  assert.deepEqual([nothing.unknown, nothing.callsToPay, nothing.dollars], [2, 0, undefined]);
  await record(store, countingStudy({ id: "free", models: { "*": "offline" } }), { lane: 0, calls: 3, completed: true });
  const unpriced = await price(store, study);
  assert.deepEqual([unpriced.unknown, unpriced.callsToPay, unpriced.dollars, unpriced.unpriced], [0, 6, undefined, [
    "a model without a price",
  ]]);
});

Deno.test("estimateStudy() gives no sum where a condition has no measure, and prices the others", async () => {
  using store = openStore(":memory:");
  const models = { "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } } };
  const known = relabelled(countingStudy({ id: "a", models, attempts: 2 }), "known");
  await record(store, relabelled(countingStudy({ id: "free", models: { "*": "offline" } }), "known"), {
    lane: 0,
    calls: 10,
    completed: true,
  });
  const other = relabelled(countingStudy({ id: "b", models, attempts: 1 }), "other");
  const lanes = other.lanes.map((lane) => ({
    ...lane,
    id: "other",
    episodes: lane.episodes.map((episode) => ({ ...episode, method: { ...countingMethod, id: "never played" } })),
  }));
  const { dollars, unknown, conditions } = await price(store, { ...known, lanes: [...known.lanes, ...lanes] });
  assert.deepEqual([dollars, unknown], [undefined, 1]);
  assert.deepEqual(conditions, [
    { condition: "known", toPlay: 2, unknown: 0, dollars: 2 * 10 * (1000 * 2 + 50 * 10) / 1e6 },
    { condition: "other", toPlay: 1, unknown: 1, dollars: undefined },
  ]);
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

Deno.test("estimateStudy() counts the pictures of a study with pictures by the steps of one played without", async () => {
  using store = openStore(":memory:");
  const seeing = (pictures: "view" | "steps", image: boolean): Study => {
    const study = countingStudy({ id: `${pictures} ${image}`, models: { "*": "offline" } });
    const prompts = [{ role: "counting/act", instructions: "", sections: {}, pictures }];
    const episodes = study.lanes.flatMap(({ episodes }) =>
      episodes.map((episode) => ({
        ...{ ...episode, params: { ...episode.params, image }, condition: pictures },
        method: { ...(episode.method as CustomMethod), prompts },
      }))
    );
    return { ...study, lanes: [{ id: "lane 1", episodes }] };
  };
  for (const pictures of ["view", "steps"] as const) {
    await record(store, seeing(pictures, false), { lane: 0, calls: 10, completed: true });
    const [{ id: episode }] = listEpisodes(store, { study: `${pictures} false` }) as [EpisodeRecord];
    const turn = { goal: "", observation: "", observationHash: "", sections: {}, score: 0, maxScore: 1, details: {}, episode, pass: 0 };
    const frame = { action: "add 1", observation: "", sections: {} };
    putTurn(store, { ...turn, step: 0, frames: [] });
    putTurn(store, { ...turn, step: 1, frames: [frame, frame] });
    putTurn(store, { ...turn, step: 2, frames: [frame, frame, frame, frame] });
  }
  assert.equal((await price(store, seeing("view", false))).pictures, 0);
  assert.equal((await price(store, seeing("view", true))).pictures, 10);
  assert.equal((await price(store, seeing("steps", true))).pictures, 10 * (3 + 5) / 2);

  // 10 calls of 1000 and 50 tokens, each with 4 pictures on average
  const asked = async (models: RoleMap, more = {}): Promise<Estimate> => await price(store, { ...seeing("steps", true), models }, more);
  const own = { prompt: 2, cached: 1, completion: 10 };
  const { promptTokens, dollars, unpricedPictures } = await asked({ "*": "gpt-4o" });
  assert.deepEqual([promptTokens, dollars, unpricedPictures], [10 * (1000 + 4 * 255), (20_200 * 2.5 + 500 * 10) / 1e6, []]);
  assert.equal((await asked({ "*": { model: "gpt-4o", price: own } })).promptTokens, 20_200);
  assert.equal((await asked({ "*": { model: "mine", price: { ...own, picture: 100 } } })).dollars, (14_000 * 2 + 500 * 10) / 1e6);
  const blind = await asked({ "*": { model: "mine", price: own } });
  assert.deepEqual([blind.dollars, blind.unpricedPictures, blind.unpriced], [undefined, ["mine"], []]);
  assert.deepEqual(blind.conditions.map(({ dollars }) => dollars), [undefined]);
});

Deno.test("estimateStudy() adds no picture to the tokens of episodes that were played with pictures", async () => {
  using store = openStore(":memory:");
  const models = { "*": { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } } };
  const prompts = [{ role: "counting/act", instructions: "", sections: {}, pictures: "view" as const }];
  const seeing = (id: string, image: boolean): Study => {
    const study = countingStudy({ id, models });
    const episodes = study.lanes.flatMap(({ episodes }) =>
      episodes.map((episode) => ({
        ...{ ...episode, params: { ...episode.params, image } },
        method: { ...(episode.method as CustomMethod), prompts },
      }))
    );
    return { ...study, lanes: [{ id: "lane 1", episodes }] };
  };
  await record(store, seeing("seen", true), { lane: 0, calls: 10, completed: true });
  await record(store, seeing("read", false), { lane: 0, calls: 4, completed: true }); // goes behind those with pictures
  const { pictures, promptTokens, dollars, unpricedPictures } = await price(store, seeing("new", true));
  assert.deepEqual([pictures, promptTokens, dollars, unpricedPictures], [10, 10_000, (10_000 * 2 + 500 * 10) / 1e6, []]);
});

Deno.test("estimateStudy() takes no episode that a lower limit of steps cut short for a measure", async () => {
  using store = openStore(":memory:");
  const limited = (maxSteps: number, most: number): Study => {
    const study = countingStudy({ id: `${maxSteps} of ${most}`, models: { "*": "offline" } });
    const method = { ...countingMethod, options: { maxSteps } };
    return { ...study, lanes: study.lanes.map((lane) => ({ ...lane, episodes: lane.episodes.map((one) => ({ ...one, method })) })) };
  };
  await record(store, limited(2, 150), { lane: 0, calls: 7, completed: true });
  assert.equal((await price(store, limited(150, 150))).callsToPay, 7, "it ended by itself after one step");
  await record(store, limited(1, 150), { lane: 0, calls: 3, completed: true });
  const { unknown, dollars } = await price(store, limited(150, 150));
  assert.deepEqual([unknown, dollars], [1, undefined]);
  assert.equal((await price(store, limited(1, 1))).callsToPay, 5, "for one as short both are a measure");
});

function relabelled(study: Study, condition: string): Study {
  return {
    ...study,
    id: condition,
    lanes: study.lanes.map((lane) => ({ ...lane, episodes: lane.episodes.map((episode) => ({ ...episode, condition })) })),
  };
}

async function price(store: Store, study: Study, options: EstimateOptions = {}): Promise<ReturnType<typeof estimateStudy>> {
  const episodes = await resolveStudy(study, { worlds: countingWorld(), embedder: noEmbedder });
  return estimateStudy(store, study, episodes.flat(), options);
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

Deno.test("estimateStudy() prices a probed study by one episode of each condition, with an interval from their spread", async () => {
  using store = openStore(":memory:");
  const binding = { model: "mine", price: { prompt: 2, cached: 1, completion: 10 } };
  const plain = countingStudy({ models: { "*": binding }, attempts: 3, episodes: 1 });
  const lanes = ["a", "b", "c"].flatMap((condition) =>
    ["x", "y"].flatMap((label) =>
      plain.lanes.map(({ id, episodes }) => ({
        id: `${condition}|${label}|${id}`,
        episodes: episodes.map((episode) => ({ ...episode, condition, label })),
      }))
    )
  );
  const study = { ...plain, lanes };
  const dollarsOf = (calls: number): number => calls * (1000 * 2 + 50 * 10) / 1e6;
  for (const [lane, calls] of [[0, 10], [6, 20], [12, 60]] as const) await record(store, study, { lane, calls, completed: true });
  const before = await price(store, study);
  assert.deepEqual([before.toPlay, before.unknown, before.dollars], [15, 9, undefined], "the other world has no measure");

  const { unknown, dollars = NaN, interval, conditions } = await price(store, study, { probed: true });
  assert.equal(unknown, 0);
  assert.equal(dollars.toFixed(6), (5 * dollarsOf(10 + 20 + 60)).toFixed(6));
  assert.deepEqual(conditions.map(({ toPlay }) => toPlay), [5, 5, 5]);
  // relative variance of 10, 20, 60: 700/900; each condition's five to play are kinds of 2 and 3; t(0.975, 2) = 4.3027
  const variance = [10, 20, 60].reduce((sum, calls) => sum + (700 / 900) * dollarsOf(calls) ** 2 * (2 + 2 ** 2 + 3 + 3 ** 2), 0);
  assert.equal(interval?.high.toFixed(4), (dollars + 4.30265 * Math.sqrt(variance)).toFixed(4));
});
