import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  BudgetError,
  ModelError,
  StoreError,
  UsageError,
  WorldError,
} from "../../lib/core/errors.ts";
import type { Method } from "../../lib/core/agent/method.ts";
import type { EnvSpec } from "../../lib/core/env/environment.ts";
import type { Progress } from "../../lib/lab/progress.ts";
import type { RunOptions, RunPorts } from "../../lib/lab/run-options.ts";
import { resultOf, runStudy, type StudyResult } from "../../lib/lab/runner.ts";
import type { Study } from "../../lib/lab/study.ts";
import { scripted } from "../../lib/core/llm/scripted.ts";
import { createLexicalEmbedder } from "../../lib/core/retrieval/lexical.ts";
import { getArtefact } from "../../lib/lab/store/artefacts.ts";
import { putCall } from "../../lib/lab/store/calls.ts";
import { getStudy } from "../../lib/lab/store/studies.ts";
import { openStore, type Store } from "../../lib/lab/store/open.ts";
import { listEvents } from "../../lib/lab/store/events.ts";
import { listGraphChanges, listTruths, listTurns } from "../../lib/lab/store/turns.ts";
import {
  countingMethod,
  countingModels,
  countingStudy,
  countingWorld,
  noEmbedder,
  tickingClock,
} from "./doubles.ts";
import { totalCalls } from "./store/listed.ts";
import { ownFolder } from "../folder.ts";

Deno.test("runStudy() plays every episode and writes turns, changes, events and the score", async () => {
  using store = openStore(":memory:");
  const worlds = countingWorld();
  const result = await run(store, countingStudy(), { worlds });
  assert.deepEqual([result.planned, result.completed, result.failed, result.paused], [1, 1, 0, 0]);
  const [episode] = result.episodes;
  assert.ok(episode);
  const turns = listTurns(store, episode.id);
  const sums = turns.map((turn) => Number(turn.observation.split(" ").at(-1)));
  assert.equal(sums[0], 0);
  assert.ok((sums.at(-1) ?? 0) >= 10);
  const { score, maxScore, ended, steps } = episode;
  assert.deepEqual([score, maxScore, ended, steps], [10, 10, "won", turns.length - 1]);
  assert.equal(turns.at(-1)?.graphSize, turns.length - 1);
  assert.equal(listGraphChanges(store, episode.id).length, turns.length - 1);
  assert.equal(listEvents(store, episode.id).length, turns.length - 2);
  assert.deepEqual(listTruths(store, episode.id), []); // the study does not ask for the truth
  assert.equal(worlds.left(), 0, "every world is closed");
  assert.equal((getStudy(store, "counting") as { title: string }).title, "Counting");
});

Deno.test("runStudy() records the ground truth where the study asks, hidden from the method", async () => {
  using store = openStore(":memory:");
  let seen: string[] = [];
  const nosy = {
    ...countingMethod,
    create: () => ({
      id: "nosy",
      run: async (episode: Parameters<ReturnType<typeof countingMethod.create>["run"]>[0]) => {
        const env = await episode.world();
        seen = Object.keys(env).sort();
        await env.close();
        return await countingMethod.create().run(episode);
      },
    }),
  };
  const study = countingStudy({
    truth: true,
    chains: [{ id: "x", episodes: [{ world: "counting", method: nosy, attempt: 1, seed: 1 }] }],
  });
  const { episodes } = await run(store, study);
  assert.deepEqual(seen, ["close", "reset", "spec", "step", "validActions"]);
  const truths = listTruths(store, episodes[0]?.id ?? "");
  assert.deepEqual(
    truths.map(({ truth }) => `The sum is ${truth.sum}`),
    listTurns(store, episodes[0]?.id ?? "").map((turn) => turn.observation),
  );
});

Deno.test("runStudy() passes an artefact on by its hash, which is part of the next identity", async () => {
  using store = openStore(":memory:");
  const { episodes } = await run(store, countingStudy({ episodes: 3 }));
  assert.deepEqual(episodes.map((row) => row.status), ["completed", "completed", "completed"]);
  assert.deepEqual(episodes.map((row) => listTurns(store, row.id)[0]?.details.played), [0, 1, 2]);
  const [first, second, third] = episodes;
  const left = [undefined, first?.artefactOut, second?.artefactOut];
  assert.deepEqual(episodes.map(({ artefactIn }) => artefactIn), left);
  assert.equal(second?.identity.artefact, first?.artefactOut);
  assert.deepEqual(getArtefact(store, third?.artefactOut ?? ""), {
    kind: "counting",
    body: { played: 3 },
  });
});

Deno.test("resolveStudy() opens each world once, and a few at a time", async () => {
  using store = openStore(":memory:");
  const worlds = countingWorld();
  let most = 0;
  const open: typeof worlds.open = async (...asked) => {
    const world = await worlds.open(...asked);
    most = Math.max(most, worlds.left());
    await new Promise((resolve) => setTimeout(resolve, 1));
    return world;
  };
  const study = countingStudy({ episodes: 200 });
  const stopped = AbortSignal.abort(new DOMException("stopped", "AbortError")); // nothing is played
  assert.equal((await run(store, study, { worlds: { open } }, { signal: stopped })).planned, 200);
  assert.deepEqual([worlds.opened(), worlds.left()], [200, 0]);
  assert.ok(most > 1 && most <= 8, `${most} were open at once`);
  const chain = firstOf(study);
  const broken = {
    ...study,
    chains: [{
      ...chain,
      episodes: chain.episodes.map((episode) => ({ ...episode, world: "gone" })),
    }],
  };
  let asked = 0;
  const counted: typeof open = (...words) => {
    asked += 1;
    return open(...words);
  };
  await rejects(
    run(store, broken, { worlds: { open: counted } }),
    WorldError,
    /unknown world "gone"/,
  );
  await new Promise((resolve) => setTimeout(resolve, 10)); // what still waits might be opened behind the refusal
  assert.ok(asked <= 8, `${asked} were asked for`);
});

Deno.test("runStudy() plays a chain after the one it names, from that one's last artefact", async () => {
  using store = openStore(":memory:");
  const training = firstOf(countingStudy({ episodes: 2 }));
  const study = countingStudy({
    chains: [
      training,
      ...["a", "b", "c"].map((id) => ({
        id,
        after: training.id,
        episodes: training.episodes.map((one) => ({ ...one, attempt: 2 })),
      })),
      { id: "beside", episodes: training.episodes.slice(0, 1) },
    ],
  });
  const { episodes } = await run(store, study, {}, { concurrency: 3 });
  const played = episodes.map(({ chain, ordinal, id }) =>
    `${chain} ${ordinal}: ${listTurns(store, id)[0]?.details.played}`
  );
  const wanted = ["chain 1 0: 0", "chain 1 1: 1", "beside 0: 0"].concat(
    ...["a", "b", "c"].map((id) => [`${id} 0: 2`, `${id} 1: 3`]),
  );
  assert.deepEqual(played.sort(), wanted.sort());
  const again = await run(store, study, { models: () => assert.fail("no model is asked") });
  assert.deepEqual(again.episodes.map((row) => row.id), episodes.map((row) => row.id));
});

Deno.test("runStudy() does not start a chain after one that is not completed", async () => {
  using store = openStore(":memory:");
  const training = firstOf(countingStudy());
  const study = countingStudy({
    chains: [training, { id: "then", after: training.id, episodes: training.episodes }],
  });
  let fails = true;
  const { models } = countingModels(store, () => {
    if (fails) throw new ModelError("server", "500");
    return "add 2";
  });
  const first = await run(store, study, { models });
  assert.deepEqual(first.episodes.map((row) => row.status), ["paused", "planned"]);
  fails = false;
  assert.equal((await run(store, study, { models })).completed, 2);
});

Deno.test("runStudy() starts an episode when the one before it in the chain is completed", async () => {
  using store = openStore(":memory:");
  const study = countingStudy({ episodes: 2 });
  let budget = 3;
  const models = countingModels(store, (asked) => {
    if (asked > budget) throw new BudgetError("the cap is reached");
    return "add 2";
  });
  const paused = await run(store, study, { models: models.models });
  assert.deepEqual(paused.episodes.map((row) => [row.status, row.failureKind, row.score]), [
    ["paused", "budget", undefined],
    ["planned", undefined, undefined],
  ]);
  assert.equal(listTurns(store, paused.episodes[0]?.id ?? "").length, 4); // paid for, and kept

  budget = Infinity;
  const resumed = await run(store, study, { models: models.models });
  assert.equal(resumed.completed, 2);
  assert.equal(resumed.planned, 2);
  using undisturbed = openStore(":memory:");
  await run(undisturbed, study, { models: countingModels(undisturbed, () => "add 2").models });
  assert.deepEqual(trajectories(store), trajectories(undisturbed));
  assert.equal(models.asked(), 10 + 1); // ten steps and a call that was refused
});

Deno.test("runStudy() parks or fails an episode after an infrastructure error, without a score", async () => {
  const cases: [unknown, string, string, boolean][] = [
    [new ModelError("no-endpoint", "nobody there"), "paused", "no-endpoint", true],
    [new ModelError("server", "500"), "paused", "server", false],
    [new ModelError("refused", "no"), "failed", "refused", false],
    [new WorldError("internal", "bug"), "failed", "internal", false],
    [new TypeError("x is undefined"), "failed", "error", false],
  ];
  for (const [error, status, kind, halts] of cases) {
    using store = openStore(":memory:");
    const models = countingModels(store, (asked) => {
      if (asked === 2) throw error;
      return "add 2";
    });
    const result = await run(store, countingStudy({ attempts: 2 }), { models: models.models }, {
      concurrency: 1,
      retryPasses: 0,
    });
    const [first, second] = result.episodes;
    assert.deepEqual([first?.status, first?.failureKind, first?.score, first?.passes], [
      status,
      kind,
      undefined,
      undefined,
    ]);
    assert.equal(second?.status, halts ? "planned" : "completed", `after ${kind}`);
  }
});

Deno.test("runStudy() fails the episodes of a broken game only, and plays them once it is repaired", async () => {
  using store = openStore(":memory:");
  const { open } = countingWorld();
  const broken = new Set([1]);
  const worlds: RunPorts["worlds"] = {
    open: (id, params) =>
      broken.has(params?.game as number)
        ? Promise.reject(new WorldError("bad-game", `cannot play game ${params?.game}; mend it`))
        : open(id, params),
  };
  const { episodes: games } = firstOf(countingStudy({ episodes: 3 }));
  const study = countingStudy({
    chains: games.map((one, k) => ({ id: `game ${k}`, episodes: [one] })),
  });
  const first = await run(store, study, { worlds });
  assert.deepEqual([first.planned, first.completed, first.failed], [3, 2, 1]);
  const failed = first.episodes[1];
  assert.deepEqual([failed?.failureKind, failed?.failureMessage], [
    "bad-game",
    "cannot play game 1; mend it",
  ]);
  assert.ok(
    failed && !("score" in failed) && !("game" in failed) &&
      listTurns(store, failed.id).length === 0,
  );

  broken.clear();
  broken.add(2); // one is mended, another broke
  const second = await run(store, study, { worlds });
  assert.equal(second.completed, 3, "the mended one is played unasked");
  assert.deepEqual([second.episodes[0], second.episodes[2]], [
    first.episodes[0],
    first.episodes[2],
  ]);
  assert.deepEqual(await run(store, study, { worlds: { open } }), second); // the same game
});

Deno.test("runStudy() keeps the record of an episode whose game breaks, for --retry", async () => {
  using store = openStore(":memory:");
  const { open } = countingWorld();
  const { episodes: games } = firstOf(countingStudy({ episodes: 2 }));
  const study = countingStudy({
    chains: games.map((one, k) => ({ id: `game ${k}`, episodes: [{ ...one, seed: k + 1 }] })),
  });
  let fails = true;
  const { models, asked } = countingModels(store, (asked) => {
    if (fails && asked > 2) throw new ModelError("server", "500");
    return "add 2";
  });
  assert.deepEqual(
    (await run(store, study, { models }, { concurrency: 1 })).episodes.map(({ status }) => status),
    ["paused", "paused"],
  );
  fails = false;
  const refusing: RunPorts["worlds"] = {
    open: (id, params) =>
      params?.game === 0
        ? Promise.reject(new WorldError("worker-died", "the worker died"))
        : open(id, params),
  };
  const broken = await run(store, study, { models, worlds: refusing }, { concurrency: 1 });
  assert.deepEqual(broken.episodes.map(({ status, failureKind }) => failureKind ?? status), [
    "worker-died",
    "completed",
  ]);
  const before = asked();
  assert.equal((await run(store, study, { models }, { retry: true })).completed, 2);
  assert.equal(asked() - before, 3, "of five calls two are on record");
});

Deno.test("runStudy() throws when all games of a study are broken, or its world is missing", async () => {
  using store = openStore(":memory:");
  const refuses = (kind: "bad-game" | "bad-parameter") => ({
    open: () => Promise.reject(new WorldError(kind, `${kind}, mend it`)),
  });
  await rejects(
    run(store, countingStudy({ episodes: 2 }), { worlds: refuses("bad-game") }),
    WorldError,
    /^bad-game, mend it$/,
  );
  const { open } = countingWorld();
  const oneOff: RunPorts["worlds"] = {
    open: (id, params) => (params?.game === 1 ? refuses("bad-parameter").open() : open(id, params)),
  };
  await rejects(
    run(store, countingStudy({ episodes: 2 }), { worlds: oneOff }),
    WorldError,
    /^bad-parameter, mend it$/,
  );
});

Deno.test("runStudy() reopens a lost world once, and fails its episode when it is lost again", async () => {
  using undisturbed = openStore(":memory:");
  await run(undisturbed, countingStudy());
  for (const losses of [1, 2]) {
    using store = openStore(":memory:");
    let left = losses;
    const worlds = countingWorld({ crash: (step) => step === 4 && left-- > 0 });
    const models = countingModels(store);
    const { episodes } = await run(store, countingStudy(), { worlds, models: models.models }, {
      retryPasses: 0,
    });
    assert.equal(episodes[0]?.status, losses === 1 ? "completed" : "failed");
    assert.equal(worlds.left(), 0);
    if (losses === 1) assert.deepEqual(trajectories(store), trajectories(undisturbed));
    else assert.equal(episodes[0]?.failureKind, "worker-died");
  }
});

Deno.test("runStudy() reopens a world that is lost now and then, at most five times", async () => {
  const study = countingStudy();
  const slow = (store: Store): ReturnType<typeof countingModels> =>
    countingModels(store, () => "add 0");
  using undisturbed = openStore(":memory:");
  await run(undisturbed, study, {
    worlds: countingWorld({ limit: 100 }),
    models: slow(undisturbed).models,
  });
  for (const losses of [5, 6]) {
    using store = openStore(":memory:");
    let [lost, left] = [0, losses];
    const worlds = countingWorld({
      limit: 100,
      crash: (step) => step > 15 * lost + 10 && left-- > 0 && ++lost > 0,
    });
    const { episodes } = await run(store, study, { worlds, models: slow(store).models }, {
      retryPasses: 0,
    });
    assert.equal(worlds.left(), 0);
    assert.equal(
      episodes[0]?.status,
      losses === 5 ? "completed" : "failed",
      `${episodes[0]?.failureMessage}`,
    );
    if (losses === 5) assert.deepEqual(trajectories(store), trajectories(undisturbed));
  }
});

Deno.test("runStudy() fails a resumed episode as diverged, and plays it again with retry", async () => {
  using store = openStore(":memory:");
  const models = countingModels(store, (asked) => {
    if (asked === 5) throw new ModelError("quota", "empty");
    return "add 1";
  });
  await run(store, countingStudy(), { models: models.models });
  const drifting = countingWorld({ drift: () => 100 });
  const result = await run(store, countingStudy(), { worlds: drifting, models: models.models });
  const [episode] = result.episodes;
  assert.deepEqual([episode?.status, episode?.failureKind], ["failed", "diverged"]);
  assert.match(
    episode?.failureMessage ?? "",
    /step 0.*The sum is 100.*instead of.*The sum is 0.*--retry/,
  );
  const retried = await run(store, countingStudy(), { worlds: drifting, models: models.models }, {
    retry: true,
  });
  assert.equal(retried.completed, 1);
  assert.equal(listTurns(store, retried.episodes[0]?.id ?? "")[0]?.observation, "The sum is 100");
});

Deno.test("runStudy() starts an interrupted episode again when replies are not recorded", async () => {
  using store = openStore(":memory:");
  let asked = 0;
  const unrecorded = (answer: string) => (): ReturnType<RunPorts["models"]> => ({
    id: "counter",
    chat: () => {
      if (++asked === 4) return Promise.reject(new ModelError("quota", "empty"));
      return Promise.resolve({
        model: "counter",
        choices: [{ text: answer, finish: "stop" }],
        usage: { prompt: 0, cached: 0, completion: 0, reasoning: 0 },
      });
    },
  });
  await run(store, countingStudy(), { models: unrecorded("add 1") }, { recorded: false });
  const { episodes } = await run(store, countingStudy(), { models: unrecorded("add 2") }, {
    recorded: false,
  });
  assert.deepEqual([episodes[0]?.status, episodes[0]?.steps], ["completed", 5]);
});

Deno.test("runStudy() parks episodes at an abort, and the next run completes them unchanged", async () => {
  using store = openStore(":memory:");
  const study = countingStudy({ attempts: 4 });
  const stop = new AbortController();
  const onProgress = ({ kind, step }: Progress): void => {
    if (kind === "step" && step === 3) stop.abort();
  };
  const stopped = await run(store, study, {}, { signal: stop.signal, onProgress, concurrency: 2 });
  assert.equal(stopped.completed, 0);
  assert.equal(stopped.paused, 2);
  assert.deepEqual(
    stopped.episodes.filter((row) => row.status === "paused").map((row) => row.failureKind),
    ["interrupted", "interrupted"],
  );
  await run(store, study);
  await assertUndisturbed(store, study);
});

Deno.test("runStudy() gives the same trajectories for any order and number of workers", async () => {
  const study = countingStudy({ attempts: 5, episodes: 2 });
  const recorded = [];
  for (
    const [concurrency, chains] of [[1, study.chains], [3, study.chains.toReversed()]] as const
  ) {
    using store = openStore(":memory:");
    await run(store, { ...study, chains }, {}, { concurrency });
    recorded.push(trajectories(store));
  }
  assert.deepEqual(recorded[0], recorded[1]);
});

Deno.test("runStudy() opens no world of a study that is played, where the worlds are known", async () => {
  using store = openStore(":memory:");
  const worlds = countingWorld();
  await run(store, countingStudy({ attempts: 2 }), { worlds });
  const specOf = async (id: string, params?: object): Promise<EnvSpec> =>
    (await worlds.open(id, { ...params })).spec;
  const open = (): Promise<never> => Promise.reject(new Error("a world was opened"));
  assert.equal(
    (await run(store, countingStudy({ attempts: 2 }), { worlds: { open, specOf } })).completed,
    2,
  );
});

Deno.test("runStudy() waits for a world's place only where the episode holds no other", async () => {
  using store = openStore(":memory:");
  const queued: unknown[] = [];
  const method: Method = {
    id: "two",
    run: async ({ world }) => {
      const [first, second] = [await world(), await world()];
      await Promise.all([first.close(), first.close(), second.close()]);
      await (await world()).close();
      return { passes: [{ kind: "only", score: 0, maxScore: 1, steps: 0 }] };
    },
  };
  const inner = countingWorld();
  const open: RunPorts["worlds"]["open"] = (id, params, options) => {
    queued.push(options?.queue);
    return inner.open(id, params);
  };
  const episode = {
    world: "counting",
    method: { id: "two", version: "1", create: () => method },
    attempt: 1,
    seed: 1,
  };
  const { completed } = await run(
    store,
    countingStudy({ chains: [{ id: "only", episodes: [episode] }] }),
    { worlds: { open } },
  );
  assert.equal(completed, 1);
  assert.deepEqual(queued.slice(1), [true, false, true]); // the first is opened to learn its game
});

Deno.test("runStudy() throws conflict for an edited study and names what differs, unless fresh", async () => {
  using store = openStore(":memory:");
  await run(store, countingStudy({ attempts: 2 }));
  const edited = countingStudy({ attempts: 2, models: { "*": "another" } });
  await rejects(
    run(store, edited),
    StoreError,
    /counting.*models: \{"\*":"counter"\} → \{"\*":"another"\}.*another id.*fresh: true/,
  );
  await rejects(run(store, countingStudy({ attempts: 1 })), StoreError, /no longer plans/);
  assert.equal(
    (await run(store, countingStudy({ attempts: 3 }))).completed,
    3,
    "more of the same is no conflict",
  );
  const fresh = await run(store, edited, {}, { fresh: true });
  assert.deepEqual([fresh.planned, fresh.completed], [2, 2]);
  assert.deepEqual(new Set(fresh.episodes.map((row) => row.backbone)), new Set(["another"]));
});

Deno.test("runStudy() throws for an invalid study before anything is played", async () => {
  using store = openStore(":memory:");
  const chain = firstOf(countingStudy());
  const [episode] = chain.episodes;
  const of = (more: object): unknown[] => [{ id: "x", episodes: [{ ...episode, ...more }] }];
  const cases: [unknown[], new (...args: never[]) => Error, RegExp][] = [
    [of({ world: "nowhere" }), WorldError, /unknown world "nowhere"/],
    [of({ method: "nothing" }), UsageError, /method "nothing".*ariadne/],
    [of({ memory: "nothing" }), UsageError, /memory "nothing".*arigraph/],
    [[], UsageError, /no episode/],
    [[chain, chain], UsageError, /two chains are called chain 1/],
    [[{ ...chain, after: "later" }], UsageError, /after later, which is no chain before it/],
  ];
  for (const [chains, kind, message] of cases) {
    await rejects(run(store, countingStudy({ chains: chains as Study["chains"] })), kind, message);
  }
  await rejects(run(store, countingStudy(), {}, { concurrency: 0 }), RangeError, /concurrency/);
  assert.equal(store.prepare("select count(*) as n from turns").get()?.n, 0);
});

Deno.test("runStudy() shows a gold path in a chain that has one, and in no other", async () => {
  using store = openStore(":memory:");
  const chain = firstOf(countingStudy());
  const { episodes } = await run(
    store,
    countingStudy({ chains: [chain, { ...chain, id: "gold", gold: [["add 2", "add 2"]] }] }),
  );
  assert.deepEqual(episodes.map((row) => [row.chain, listTurns(store, row.id)[0]?.details.gold]), [
    ["chain 1", 0],
    ["gold", 2],
  ]);
});

Deno.test("runStudy() parks ReasonPlanner while its CoreNLP server does not answer", async () => {
  using store = openStore(":memory:");
  const server = createServer((_, response) => response.end('{"sentences": [], "corefs": {}}'));
  const listening = async (port: number): Promise<number> => {
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    return (server.address() as AddressInfo).port;
  };
  const port = await listening(0);
  await new Promise((resolve) => server.close(resolve));
  const study = trainedThrough(`http://127.0.0.1:${port}`);
  const [paused] = (await run(store, study, { models, embedder })).episodes;
  assert.deepEqual([paused?.status, paused?.failureKind, paused?.score], [
    "paused",
    "no-endpoint",
    undefined,
  ]);
  assert.match(
    paused?.failureMessage ?? "",
    /^the CoreNLP server at [^\n]* does not answer[^\n]*$/,
  );
  await listening(port);
  try {
    const [done] = (await run(store, study, { models, embedder })).episodes;
    assert.deepEqual([done?.status, done?.score, done?.steps], ["completed", 10, 2]);
    assert.equal(
      listEvents(store, done?.id ?? "").filter(({ kind }) => kind === "coreference-asked").length,
      3,
    );
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** ReasonPlanner in training, with coreference by a CoreNLP server. */
function trainedThrough(coreference: string): Study {
  const planned = {
    world: "counting",
    method: "reasonplanner",
    attempt: 1,
    seed: 1,
    options: { method: { coreference } },
  };
  return countingStudy({ chains: [{ id: "x", gold: [["add 5", "add 5"]], episodes: [planned] }] });
}

const models = (): ReturnType<typeof scripted> =>
  scripted({ "*": () => '{"entities": [], "relations": []}' });
const embedder = createLexicalEmbedder();

Deno.test("runStudy() throws disk when the disk is full, and resumes when there is space", async () => {
  using own = ownFolder();
  const folder = own.path;
  using store = openStore(join(folder, "lab.sqlite"));
  const study = countingStudy({ attempts: 3 });
  const onProgress = ({ kind, step }: Progress): void => {
    if (kind !== "step" || step !== 4) return;
    const pages = Number(store.database.prepare("pragma page_count").get()?.page_count);
    store.database.exec(`pragma max_page_count = ${pages}`);
  };
  const error = await rejects(run(store, study, {}, { onProgress }), StoreError, /disk is full/);
  assert.equal(error.kind, "disk");
  store.database.exec("pragma max_page_count = 1000000");
  assert.equal((await run(store, study)).completed, 3);
  await assertUndisturbed(store, study);
});

Deno.test("onProgress() reports what the store holds, through failures, interrupts and retries", async () => {
  using store = openStore(":memory:");
  const study = countingStudy({ attempts: 4, episodes: 2 });
  const bare = countingModels(store).models({ id: "any", attempt: 1 });
  const models: RunPorts["models"] = ({ id: episode }) => ({
    ...bare,
    chat: async (request) => {
      const tokens = {
        promptTokens: 3,
        cachedTokens: 0,
        completionTokens: 1,
        reasoningTokens: 0,
        dollars: 0.5,
      };
      const row = {
        episode,
        role: request.role,
        model: "counter",
        key: "k",
        kind: "paid",
        ...tokens,
        latencyMs: 0,
        at: 0,
      } as const;
      putCall(store, row);
      if (++asked === 9) {
        setTimeout(() => putCall(store, row)); // of several questions at once, one is answered when its episode is over
        throw new ModelError("refused", "no");
      }
      return await bare.chat(request);
    },
  });
  let asked = 0;
  const ends: string[] = [];
  function check({ kind, planned, completed, failed, paused, tokens, dollars }: Progress): void {
    if (kind === "step") return;
    const now = resultOf(store, study.id);
    assert.deepEqual([planned, completed, failed, paused], [
      8,
      now.completed,
      now.failed,
      now.paused,
    ], kind);
    if (kind === "end") {
      assert.deepEqual({ tokens, dollars }, pick(totalCalls(store, study.id).paid));
    }
    ends.push(`${now.completed} ${now.failed} ${now.paused}`);
  }
  const pick = ({ tokens, dollars }: { tokens: number; dollars: number }): object => ({
    tokens,
    dollars,
  });
  const stop = new AbortController();
  const onProgress = (progress: Progress): void => {
    if (progress.completed >= 4 && progress.kind === "step" && progress.step === 1) stop.abort(); // in the midst of an episode
    check(progress);
  };
  const first = await run(store, study, { models }, {
    concurrency: 2,
    signal: stop.signal,
    onProgress,
  });
  assert.deepEqual([first.completed >= 4, first.failed, first.paused > 0], [true, 1, true]);
  await run(store, study, { models }, { concurrency: 2, retry: true, onProgress: check });
  assert.equal(ends.at(-1), "8 0 0");
});

async function run(
  store: Store,
  study: Study,
  ports: Partial<RunPorts> = {},
  options: RunOptions = {},
): Promise<StudyResult> {
  return await runStudy(study, {
    store,
    worlds: countingWorld(),
    models: countingModels(store).models,
    embedder: noEmbedder,
    clock: tickingClock(),
    ...ports,
  }, options);
}

function firstOf({ chains: [chain] }: Study): Study["chains"][number] {
  return chain ?? assert.fail();
}

/** All that was recorded, without times. */
function trajectories(store: Store): unknown {
  const all = (table: string, columns = "*"): unknown[] =>
    store.prepare(`select ${columns} from ${table} order by 1, 2, 3, 4`).all();
  return {
    episodes: all(
      "episodes",
      "id, chain, ordinal, status, score, max_score, ended, steps, passes, artefact_in, artefact_out, identity",
    ),
    turns: all("turns"),
    changes: all("graph_changes"),
    events: all("events"),
  };
}

/** Asserts that a store holds what one holds in which a study was played without disturbance. */
async function assertUndisturbed(store: Store, study: Study): Promise<void> {
  using undisturbed = openStore(":memory:");
  await run(undisturbed, study);
  assert.deepEqual(trajectories(store), trajectories(undisturbed));
}

async function rejects<E extends Error>(
  promise: Promise<unknown>,
  kind: new (...args: never[]) => E,
  message: RegExp,
): Promise<E> {
  const error = await promise.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error,
  );
  assert.ok(error instanceof kind, `a ${kind.name}, not ${error}`);
  assert.match(error.message, message);
  return error;
}
