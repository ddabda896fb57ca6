import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { StoreError } from "../../lib/errors.ts";
import { createDraw } from "../../lib/random.ts";
import { episodeRows, stepRows } from "../../lib/report/frame.ts";
import { putCall } from "../../lib/store/calls.ts";
import { episodeCosts } from "../../lib/store/costs.ts";
import { excludeBroken } from "../../lib/store/damage.ts";
import { endEpisode, eraseRecord, listEpisodes, putEpisode, startEpisode } from "../../lib/store/episodes.ts";
import { putEvents } from "../../lib/store/events.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { repairStore } from "../../lib/store/repair.ts";
import { getReply, putReply, replyKey } from "../../lib/store/replies.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { listTurns, putTurn } from "../../lib/store/turns.ts";
import { verifyStore } from "../../lib/store/verify.ts";
import { samplePlan, sampleTurn } from "./samples.ts";

const STUDY = "study";
const REQUEST = { role: "demo/greet", model: "mine", messages: ["hello ".repeat(50)] };
const PASS = { kind: "only", score: 3, maxScore: 5, steps: 6, end: "limit" };

/** Makes a small store with every kind of row. */
function fill(store: Store): void {
  putStudy(store, { id: STUDY, spec: { title: "A study" }, createdAt: 1 });
  for (const [ordinal, id] of ["aaaa", "bbbb", "cccc", "dddd"].entries()) {
    putEpisode(store, samplePlan({ id, study: STUDY, ordinal }));
    startEpisode(store, id, 1);
    for (let step = 0; step <= 6; step++) {
      const place = { episode: id, pass: 0, step };
      const change = { ...place, ordinal: 0, op: "add" as const, subject: `key ${step}`, relation: "is in", object: `room ${ordinal}` };
      const turn = sampleTurn({ ...place, score: step / 2, observation: `Room ${ordinal}: ${"a long view ".repeat(20)}` });
      putTurn(store, turn, { changes: [change], truth: { rooms: step, note: "x".repeat(200) } });
      putEvents(store, [{ ...place, ordinal: 0, kind: "fallback", detail: "looked" }]);
      putCall(store, call(id, step));
    }
    if (id !== "dddd") endEpisode(store, id, { status: "completed", passes: [PASS] }, 2);
  }
  for (let n = 0; n < 20; n++) putReply(store, { ...replyRow(n), reply: { text: `reply ${n} ${"words ".repeat(30)}` } });
}

function call(episode: string, step: number): Parameters<typeof putCall>[1] {
  const tokens = { promptTokens: 100 + step, cachedTokens: 0, completionTokens: 10, reasoningTokens: 0 };
  return {
    episode,
    pass: 0,
    step,
    role: "a/b",
    model: "m",
    key: `k${step}`,
    kind: "paid",
    ...tokens,
    dollars: 0.25,
    latencyMs: 1.5,
    at: 1,
  };
}

function replyRow(n: number): Omit<Parameters<typeof putReply>[1], "reply"> {
  const request = { ...REQUEST, n };
  return { key: replyKey(request), request, endpoint: "local", codeVersion: "0", at: 1 };
}

/** Everything that tables are made of, as they read it. */
function numbersOf(store: Store): { readonly broken: readonly string[]; readonly rows: readonly unknown[] } {
  const broken = excludeBroken(store, STUDY);
  const costs = episodeCosts(store, STUDY);
  const rows = episodeRows(store, STUDY).map((row) => [
    { ...row },
    costs.get(row.episode),
    stepRows(store, STUDY).filter(({ episode }) => episode === row.episode).map((step) => ({ ...step })),
  ]);
  return { broken, rows };
}

function withFile(work: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-damage-"));
  try {
    const path = join(folder, "lab.sqlite");
    {
      using store = openStore(path);
      store.transaction(() => fill(store));
    }
    work(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What came of a damaged file: `same` numbers, or a problem that was `named`. Anything else is an error of the test. */
function held(path: string, wanted: readonly unknown[], replies: readonly unknown[]): "same" | "named" {
  try {
    using store = openStore(path);
    const { broken, rows } = numbersOf(store);
    const found = replies.map((_, n) => getReply(store, replyRow(n).key));
    for (const [n, reply] of found.entries()) if (reply !== undefined) assert.deepEqual(reply, replies[n], "a reply differs silently");
    if (broken.length === 0) {
      assert.deepEqual(rows, wanted, "a number differs silently");
      return "same";
    }
    const ids = broken.map((line) => line.match(/^the episode (\w+) /)?.[1]);
    for (const [index, row] of rows.entries()) {
      const [{ episode, status, normalised }] = row as [{ episode: string; status: string; normalised: number | null }];
      if (ids.includes(episode)) assert.deepEqual([status, normalised], ["failed", null]);
      else assert.deepEqual(row, wanted[index], "a number beside the broken one differs");
    }
    assert.equal(rows.length, wanted.length);
    return "named";
  } catch (error) {
    assert.ok(error instanceof StoreError, `a StoreError, not ${(error as Error).stack}`);
    assert.doesNotMatch(error.message, /\n/);
    assert.match(error.message, /\.\/lab (verify|repair)|--store|update Labyrinth/);
    return "named";
  }
}

const FLIPS = process.env.LAB_SLOW === "1" ? 12_000 : 150;

Deno.test(`no flip of a bit and no cut of ${FLIPS} changes a number without a word`, () =>
  withFile((path) => {
    const whole = readFileSync(path);
    let wanted: readonly unknown[];
    let replies: unknown[];
    {
      using store = openStore(path);
      wanted = numbersOf(store).rows;
      replies = Array.from({ length: 20 }, (_, n) => getReply(store, replyRow(n).key));
    }
    const draw = createDraw("flips 1");
    const counts = { same: 0, named: 0 };
    for (let n = 0; n < FLIPS; n++) {
      const bytes = Uint8Array.from(whole);
      const at = Math.floor(draw.next() * bytes.length);
      const bit = Math.floor(draw.next() * 8);
      const isCut = n % 20 === 0;
      if (!isCut) bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      writeFileSync(path, isCut ? bytes.subarray(0, at) : bytes);
      for (const more of ["-wal", "-shm"]) rmSync(path + more, { force: true });
      try {
        counts[held(path, wanted, replies)]++;
      } catch (error) {
        throw new Error(`${isCut ? "cut" : `bit ${bit} flipped`} at byte ${at} of ${bytes.length}`, { cause: error });
      }
    }
    console.log(`  ${counts.same} harmless, ${counts.named} named`);
    assert.ok(counts.same > 0 && counts.named > 0);
  }));

Deno.test("excludeBroken() names a changed row, and the episode counts as failed and has no rows", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update turns set score = 5 where episode = 'bbbb' and step = 6");
    const { broken, rows } = numbersOf(store);
    assert.match(broken.join(), /^the episode bbbb is not as it was recorded \(turns 0\.6 is not .*--retry.*\.\/lab repair$/);
    assert.deepEqual(listEpisodes(store).map(({ status, failureKind }) => failureKind ?? status), [
      "completed",
      "damaged",
      "completed",
      "running",
    ]);
    assert.equal(rows.length, 4);
    assert.deepEqual(listTurns(store, "bbbb"), []);
    eraseRecord(store, "bbbb");
    startEpisode(store, "bbbb", 3);
    putTurn(store, sampleTurn({ episode: "bbbb" }));
    endEpisode(store, "bbbb", { status: "completed", passes: [PASS] }, 4);
    assert.equal(listTurns(store, "bbbb").length, 1, "played anew, it is shown again");
    assert.deepEqual(excludeBroken(store, STUDY), []);
  }));

Deno.test("verifyStore() finds whole, open, broken and unsealed episodes, and a call after the end keeps the seal", () =>
  withFile((path) => {
    using store = openStore(path);
    putCall(store, call("aaaa", 9));
    store.database.exec("delete from graph_changes where episode = 'bbbb' and step = 3");
    store.database.exec("update episodes set hash = null where id = 'cccc'; delete from seals where episode = 'cccc'");
    const { episodes, problems, replies } = verifyStore(store);
    assert.deepEqual(episodes.map(({ state }) => state), ["whole", "broken", "unsealed", "open"]);
    assert.equal(episodes[1]?.problem, "6 of 7 rows of graph_changes are there");
    assert.deepEqual([problems, replies], [[], { whole: 20, broken: 0 }]);
  }));

Deno.test("excludeBroken() refuses a store whose episodes, studies or seals are not as they were recorded", () => {
  for (
    const damage of [
      "update episodes set study = 'other' where id = 'aaaa'",
      "update studies set created_at = 7",
      "delete from episodes where id = 'aaaa'",
    ]
  ) {
    withFile((path) => {
      using store = openStore(path);
      store.database.exec(`pragma foreign_keys = off; insert into studies (id, spec, created_at) values ('other', '{}', 2); ${damage}`);
      assert.throws(() => excludeBroken(store, STUDY), { name: "StoreError", kind: "damaged", message: /is damaged .*\.\/lab repair/ });
    });
  }
});

Deno.test("repairStore() copies what is whole beside the old store and names the rest", () =>
  withFile((path) => {
    using store = openStore(path);
    store.database.exec("update turns set goal = 'other' where episode = 'bbbb' and step = 2");
    store.database.exec(`update replies set reply = '{}' where key = '${replyRow(3).key}'`);
    const into = path.replace("lab", "repaired");
    const { saved, lost } = repairStore(store, into);
    assert.deepEqual(saved, { studies: 1, episodes: 3, replies: 19, artefacts: 0 });
    assert.deepEqual(lost, [
      "the episode bbbb of study, hunt/arigraph/1, 1: turns 0.2 is not as it was recorded",
      "1 replies, which are not as they were recorded",
    ]);
    using made = openStore(into);
    assert.deepEqual(verifyStore(made).episodes.map(({ episode, state }) => `${episode} ${state}`), [
      "aaaa whole",
      "cccc whole",
      "dddd open",
    ]);
    assert.deepEqual(listTurns(made, "aaaa"), listTurns(store, "aaaa"));
    assert.throws(() => repairStore(store, into), { name: "StoreError", kind: "conflict" });
  }));

Deno.test("repairStore() saves episodes and replies where a page of the file cannot be read", () =>
  withFile((path) => {
    const bytes = readFileSync(path);
    const size = bytes.readUInt16BE(16);
    const copy = `${path}.damaged`;
    let saved = 0;
    for (let page = 2; page < bytes.length / size; page += 3) {
      copyFileSync(path, copy);
      const damaged = Uint8Array.from(bytes);
      damaged.fill(0, page * size, (page + 1) * size);
      writeFileSync(copy, damaged);
      try {
        using store = openStore(copy);
        const result = repairStore(store, `${path}.${page}`);
        saved += result.saved.episodes;
      } catch (error) {
        assert.ok(error instanceof StoreError, `${(error as Error).stack}`);
      }
    }
    assert.ok(saved > 0);
  }));

Deno.test("openStore() reads a store that cannot be written, of this version and of the one before it sealed", () =>
  withFile((path) => {
    using store = openStore(path, { readOnly: true });
    assert.equal(store.readOnly, true);
    assert.deepEqual(excludeBroken(store, STUDY), []);
    assert.equal(episodeRows(store, STUDY).length, 4);
    assert.throws(() => putStudy(store, { id: "x", spec: {}, createdAt: 1 }), { name: "StoreError", kind: "disk" });
  }));
