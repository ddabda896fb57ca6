import assert from "node:assert/strict";
import { StoreError } from "../../../lib/core/errors.ts";
import { getArtefact, putArtefact } from "../../../lib/lab/store/artefacts.ts";
import { sha256 } from "../../../lib/core/text/canonical.ts";
import {
  deleteEpisode,
  endEpisode,
  findEpisode,
  getEpisode,
  listEpisodes,
  putEpisode,
  startEpisode,
} from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { listEvents, putEvents } from "../../../lib/lab/store/events.ts";
import {
  listGraphChanges,
  listTruths,
  observationHash,
  putTurn,
} from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "./samples.ts";

Deno.test("endEpisode() records the last pass as the result of a planned and started episode", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "s", spec: { chains: 2 }, createdAt: 5 });
  const plan = samplePlan({ id: "aa11", study: "s" });
  putEpisode(store, plan);
  assert.deepEqual(findEpisode(store, "aa11"), { ...plan, status: "planned" });

  startEpisode(store, "aa11", 10);
  endEpisode(store, "aa11", {
    status: "paused",
    failureKind: "quota",
    failureMessage: "no more today",
  }, 20);
  const paused = getEpisode(store, "aa11");
  assert.equal(paused.status, "paused");
  assert.equal(paused.failureKind, "quota");
  assert.equal(paused.score, undefined, "a paused episode has no score");

  startEpisode(store, "aa11", 30);
  const passes = [{ kind: "explore", score: 5, maxScore: 7, steps: 50 }, {
    kind: "exploit",
    score: 3,
    maxScore: 7,
    steps: 9,
    end: "won",
  }];
  endEpisode(store, "aa11", { status: "completed", passes, artefactOut: "h" }, 40);
  assert.deepEqual(findEpisode(store, "aa11"), {
    ...plan,
    status: "completed",
    passes,
    score: 3,
    maxScore: 7,
    steps: 9,
    ended: "won",
    artefactOut: "h",
    startedAt: 10,
    finishedAt: 40,
  });
});

Deno.test("getEpisode() finds an episode by a prefix, and throws if none or several match", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 0 });
  for (const id of ["ab12", "ab34", "c%56"]) putEpisode(store, samplePlan({ id }));
  assert.equal(getEpisode(store, "ab1").id, "ab12");
  const missing = (id: string, message: RegExp): void =>
    assert.throws(
      () => getEpisode(store, id),
      (error: unknown) => error instanceof StoreError && message.test(error.message),
    );
  missing("ab", /several/);
  missing("zz", /no episode zz/);
  missing("%", /no episode %/);
});

Deno.test("putTurn() keeps changes, events and truth, and deleteEpisode() deletes them", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "study", spec: {}, createdAt: 0 });
  putEpisode(store, samplePlan({ id: "e" }));
  const place = { episode: "e", pass: 0, step: 2 };
  const change = {
    ...place,
    ordinal: 0,
    op: "add" as const,
    subject: "key 1",
    relation: "is in",
    object: "inventory",
  };
  const event = { ...place, ordinal: 0, kind: "fallback", detail: "look" };
  putTurn(store, sampleTurn(place), { changes: [change], truth: { rooms: 12 } });
  putEvents(store, [event]);
  putEvents(store, [{ ...event, detail: "the same event, reported again by a resumed run" }]);
  assert.deepEqual(listGraphChanges(store, "e"), [change]);
  assert.deepEqual(listEvents(store, "e"), [event]);
  assert.deepEqual(listTruths(store, "e"), [{ ...place, truth: { rooms: 12 } }]);
  assert.throws(
    () => putTurn(store, sampleTurn(place)),
    /UNIQUE/,
    "a recorded step is never written over",
  );
  deleteEpisode(store, "e");
  assert.deepEqual([
    listGraphChanges(store, "e"),
    listEvents(store, "e"),
    listTruths(store, "e"),
    listEpisodes(store),
  ], [[], [], [], []]);
});

Deno.test("observationHash() depends on observation, sections, score and end, not on their order", () => {
  const turn = { observation: "a", sections: { x: "1", y: "2" }, score: 1 };
  const hash = observationHash(turn);
  assert.equal(hash, sha256('["a",{"x":"1","y":"2"},1,null]'));
  assert.equal(observationHash({ ...turn, sections: { y: "2", x: "1" } }), hash);
  for (
    const other of [{ observation: "b" }, { sections: { x: "1" } }, { score: 2 }, { end: "won" }]
  ) {
    assert.notEqual(observationHash({ ...turn, ...other }), hash);
  }
});

Deno.test("putArtefact() stores content once, by a hash over kind and body", () => {
  using store = openStore(":memory:");
  const artefact = { kind: "arigraph", body: { triplets: ["ä, is in, b"], z: 1, a: 2 } };
  const hash = putArtefact(store, artefact);
  assert.equal(putArtefact(store, structuredClone(artefact)), hash);
  assert.notEqual(putArtefact(store, { ...artefact, kind: "other" }), hash);
  assert.deepEqual(getArtefact(store, hash), artefact);
  assert.deepEqual(
    Object.keys(getArtefact(store, hash).body as object),
    ["triplets", "z", "a"],
    "key order survives",
  );
  assert.throws(() => getArtefact(store, "0".repeat(64)), StoreError);
});
