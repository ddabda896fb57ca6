/**
 * Shards are played over an endpoint of the test's own, merged, and compared with the same study in
 * one store.
 */

import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { chainsOfShard, type Shard } from "../../../lib/lab/shard.ts";
import type { RunPorts } from "../../../lib/lab/run-options.ts";
import { resultOf, runStudy } from "../../../lib/lab/runner.ts";
import type { Study } from "../../../lib/lab/study.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { episodes, steps } from "../../../lib/lab/frames.ts";
import { closeAttempt, openAttempt } from "../../../lib/lab/store/attempts.ts";
import { listCalls, putCall } from "../../../lib/lab/store/calls.ts";
import {
  endEpisode,
  eraseRecord,
  listEpisodes,
  startEpisode,
} from "../../../lib/lab/store/episodes.ts";
import { lockForRun } from "../../../lib/lab/store/lock.ts";
import { mergeStore } from "../../../lib/lab/store/merge.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { verifyStore } from "../../../lib/lab/store/verify.ts";
import {
  countingMethod,
  countingStudy,
  countingWorld,
  noEmbedder,
  tickingClock,
} from "../doubles.ts";
import { optionsFor } from "../../core/llm/asking.ts";
import { completion, startFakeEndpoint } from "../../core/llm/fake-endpoint.ts";
import { totalCalls } from "./listed.ts";
import { ownFolder } from "../../folder.ts";

const BASE = countingStudy({ attempts: 4, episodes: 2, truth: true });
/** Four chains, and one that starts from what the second of them leaves. */
const STUDY: Study = {
  ...BASE,
  chains: [...BASE.chains, {
    id: "later",
    after: "chain 2",
    episodes: [{ world: "counting", method: countingMethod, attempt: 9, seed: 9 }],
  }],
};

/** Plays the study or a shard of it, and returns the number of requests that the endpoint got. */
async function play(
  store: Store,
  shard?: Shard,
  answer = (length: number): string => `add ${1 + length % 2}`,
  clock: RunPorts["clock"] = tickingClock(),
): Promise<number> {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(({ body }) => completion(answer(String(body.messages[0]?.content).length)));
  const { completed, planned } = await runStudy(STUDY, {
    store,
    worlds: countingWorld(),
    models: ({ id, attempt }) =>
      createModels(optionsFor(store, endpoint.baseUrl, { episode: id, attempt, clock })),
    embedder: noEmbedder,
    clock,
  }, { shard });
  assert.equal(completed, planned);
  return endpoint.asked.length;
}

async function inStores(work: (made: (name: string) => Store) => Promise<void>): Promise<void> {
  using own = ownFolder();
  const folder = own.path;
  using open = new DisposableStack();
  try {
    await work((name) => open.use(openStore(join(folder, name))));
  } finally {
    open.dispose();
  }
}

/** What tables are made of, in the order in which they are made. */
function readings(store: Store): unknown {
  const rows = store.prepare(
    "select count(*) as n, count(distinct key) as keys, sum(attempt is not null) as sent from calls",
  ).get();
  return {
    episodes: episodes(store, STUDY.id).rows(),
    steps: steps(store, STUDY.id).rows(),
    traces: verifyStore(store).episodes.map(({ trace }) => trace),
    spent: totalCalls(store, STUDY.id),
    rows: { ...rows },
  };
}

Deno.test("chainsOfShard() gives each chain to one shard, the same everywhere, and keeps chains that are joined together", () => {
  const parts = [1, 2, 3].map((part) =>
    chainsOfShard(STUDY.chains, { part, count: 3 }).map(({ id }) => id)
  );
  assert.deepEqual(parts, [["chain 1", "chain 4"], ["chain 2", "later"], ["chain 3"]]);
  assert.deepEqual(chainsOfShard(STUDY.chains, { part: 9, count: 9 }), []);
});

Deno.test("mergeStore() makes of shards what one store would hold; merging again, or an unfinished one before, changes nothing", () =>
  inStores(async (made) => {
    const whole = made("whole.sqlite");
    await play(whole);
    const shards = [1, 2, 3].map((part) => made(`${part}.sqlite`));
    for (const [at, store] of shards.entries()) await play(store, { part: at + 1, count: 3 });
    assert.deepEqual(shards.map((store) => resultOf(store, STUDY.id).planned), [4, 3, 2]);
    const out = made("out.sqlite");
    for (const { path } of shards) assert.deepEqual(mergeStore(out, path).conflicts, []);
    assert.deepEqual(readings(out), readings(whole));
    const { problems, episodes, replies } = verifyStore(out);
    assert.deepEqual(
      [problems, episodes.filter(({ state }) => state !== "whole"), replies.broken],
      [[], [], 0],
    );
    for (const { path } of shards) {
      const { added, conflicts } = mergeStore(out, path);
      assert.deepEqual([added, conflicts], [
        { studies: 0, episodes: 0, replies: 0, artefacts: 0 },
        [],
      ]);
    }
    assert.deepEqual(readings(out), readings(whole));
    await play(out); // asks nothing: everything is completed
    assert.deepEqual(readings(out), readings(whole));

    const early = made("early.sqlite");
    mergeStore(early, shards[0]?.path ?? "");
    for (const { id } of listEpisodes(early).filter(({ chain }) => chain === "chain 4")) {
      eraseRecord(early, id);
      startEpisode(early, id, 1);
    }
    mergeStore(out, early.path);
    assert.deepEqual(readings(out), readings(whole));
    for (const { path } of [...shards]) mergeStore(early, path);
    assert.deepEqual(readings(early), readings(whole));
  }));

Deno.test("mergeStore() names what was played otherwise or is damaged, and keeps what is there", () =>
  inStores(async (made) => {
    const [first, other] = [made("first.sqlite"), made("other.sqlite")];
    await play(first, { part: 1, count: 3 });
    await play(other, { part: 1, count: 3 }, () => "add 2");
    const before = readings(first);
    const { conflicts, added } = mergeStore(first, other.path);
    assert.equal(added.episodes, 0);
    assert.match(
      conflicts[0] ?? "",
      /^the episode [0-9a-f]{16} of counting, chain 1, 0 was played otherwise: the one that is there is kept$/,
    );
    assert.match(conflicts.at(-1) ?? "", /^\d+ recorded replies are others/);
    assert.deepEqual(
      (readings(first) as { episodes: unknown }).episodes,
      (before as { episodes: unknown }).episodes,
    );

    other.database.exec("update packed_turns set score = 99 where step = 1");
    const out = made("out.sqlite");
    const damaged = mergeStore(out, other.path);
    assert.equal(damaged.added.episodes, 0);
    assert.match(
      damaged.conflicts[0] ?? "",
      /is left out: its rows are not those that were recorded/,
    );

    other.database.exec("update studies set spec = '{}'");
    assert.match(
      mergeStore(first, other.path).conflicts[1] ?? "",
      /^the study counting is described otherwise.*same options/,
    );
  }));

Deno.test("mergeStore() takes the newer state of an episode that failed again, and all that it cost", () =>
  inStores(async (made) => {
    const shard = made("shard.sqlite");
    await play(shard, { part: 1, count: 3 });
    const [first] = shard.prepare("select id from episodes order by chain, ordinal").all() as [
      { id: string },
    ];
    const failed = { status: "failed", failureKind: "model", failureMessage: "no answer" } as const;
    endEpisode(shard, first.id, failed, 5);
    const out = made("out.sqlite");
    mergeStore(out, shard.path);
    const [call] = listCalls(shard, first.id);
    assert.ok(call);
    putCall(shard, { ...call, attempt: undefined, kind: "wasted", error: "timeout", dollars: 3 });
    endEpisode(shard, first.id, failed, 6);
    assert.equal(mergeStore(out, shard.path).added.episodes, 1);
    assert.deepEqual(totalCalls(out, STUDY.id), totalCalls(shard, STUDY.id));
    assert.equal(mergeStore(out, shard.path).added.episodes, 0);
    assert.deepEqual(verifyStore(out).problems, []);
  }));

Deno.test("mergeStore() keeps an episode that two machines played once, with its own calls; a completed one before a failed one", () =>
  inStores(async (made) => {
    let now = 9_000_000;
    const later: RunPorts["clock"] = { ...tickingClock(), now: () => now += 1000 };
    const [one, two, out] = ["one", "two", "out"].map(made) as [Store, Store, Store];
    await play(one, { part: 1, count: 3 });
    await play(two, { part: 1, count: 3 }, undefined, later);
    const [{ id }] = one.prepare("select id from episodes order by chain, ordinal").all() as [
      { id: string },
    ];
    endEpisode(one, id, { status: "failed", failureKind: "model", failureMessage: "no answer" }, 5);
    for (const from of [one, two, one, two]) mergeStore(out, from.path);
    const callsIn = (store: Store, episode: string): unknown =>
      listCalls(store, episode).map(({ attempt: _, ...call }) => call);
    for (const episode of listEpisodes(out)) {
      assert.equal(episode.status, "completed");
      const from = episode.id === id ? two : one;
      assert.deepEqual(callsIn(out, episode.id), callsIn(from, episode.id), episode.chain);
    }
    const sent = out.prepare(`select count(*) as calls, count(a.id) as attempts from calls c
      left join attempts a on a.id = c.attempt and a.key = c.key`).get();
    assert.equal(sent?.["attempts"], sent?.["calls"], "each call has its attempt");
    const { problems, episodes } = verifyStore(out);
    assert.deepEqual([problems, episodes.filter(({ state }) => state !== "whole")], [[], []]);
  }));

Deno.test("mergeStore() follows links, refuses the store itself under any name, and is refused beside a run", () =>
  inStores(async (made) => {
    const [shard, out] = [made("shard.sqlite"), made("out.sqlite")];
    await play(shard, { part: 1, count: 3 });
    const [link, same] = [`${shard.path}.link`, `${out.path}.link`];
    symlinkSync(shard.path, link);
    symlinkSync(out.path, same);
    assert.throws(() => mergeStore(out, same), { name: "StoreError", kind: "conflict" });
    {
      using linked = openStore(same);
      using _run = lockForRun(linked);
      assert.throws(() => mergeStore(out, link), { name: "StoreError", kind: "locked" });
    }
    assert.equal(mergeStore(out, link).added.episodes, 4);
  }));

Deno.test("mergeStore() makes no altered call a whole one, and names it", () =>
  inStores(async (made) => {
    const [one, two, out, loose] = ["one", "two", "out", "loose"].map(made) as [
      Store,
      Store,
      Store,
      Store,
    ];
    openAttempt(loose, { role: "demo/act", model: "m", key: "k", boundTokens: 99, at: 1000 });
    putCall(loose, { ...CALL, role: "demo/act", model: "m", key: "k", at: 1001, attempt: 1 });
    closeAttempt(loose, 1, "answered", 1001);
    loose.database.exec("update calls set prompt_tokens = 7000");
    openAttempt(out, { role: "demo/act", model: "m", key: "other", boundTokens: 99, at: 1 }); // so that row ids are counted on
    assert.match(
      mergeStore(out, loose.path).conflicts.join(),
      /^the studies, or the calls outside of episodes, are not those .* such calls are left out$/,
    );
    assert.deepEqual(out.prepare("select count(*) as n from calls").get()?.["n"], 0);

    await play(one, { part: 1, count: 3 });
    let now = 9_000_000;
    await play(two, { part: 1, count: 3 }, undefined, {
      ...tickingClock(),
      now: () => now += 1000,
    });
    const [{ id }] = two.prepare("select id from episodes order by chain, ordinal").all() as [
      { id: string },
    ];
    endEpisode(two, id, { status: "failed", failureKind: "model", failureMessage: "no answer" }, 5);
    two.database.exec(
      `update calls set prompt_tokens = 7000 where id = (select min(id) from calls where episode = '${id}')`,
    );
    assert.match(
      mergeStore(two, one.path).conflicts.join(),
      /^the episode [0-9a-f]{16} that is there is replaced: its rows are not those/,
    );
    assert.deepEqual(
      listCalls(two, id).filter(({ promptTokens, kind }) =>
        promptTokens === 7000 || kind === "wasted"
      ),
      [],
    );
    assert.deepEqual(verifyStore(two).episodes.filter(({ state }) => state === "broken"), []);
  }));

const CALL = {
  kind: "paid",
  promptTokens: 3,
  cachedTokens: 0,
  completionTokens: 2,
  reasoningTokens: 0,
  dollars: null,
  latencyMs: 1,
} as const;
