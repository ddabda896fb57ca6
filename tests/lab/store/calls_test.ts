import assert from "node:assert/strict";
import { type CallRow, listCalls, putCall, totalCallsAfter } from "../../../lib/lab/store/calls.ts";
import { putEpisode } from "../../../lib/lab/store/episodes.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import {
  getReply,
  getReplyRow,
  listReplies,
  putReply,
  replyKey,
} from "../../../lib/lab/store/replies.ts";
import { samplePlan } from "./samples.ts";
import { listAnswered } from "../../../lib/lab/store/calls.ts";
import { totalCalls } from "./listed.ts";

const call: CallRow = {
  episode: "e1",
  pass: 0,
  step: 1,
  role: "demo/act",
  model: "m",
  key: "k1",
  kind: "paid",
  promptTokens: 100,
  cachedTokens: 40,
  completionTokens: 10,
  reasoningTokens: 5,
  dollars: 0.5,
  latencyMs: 12.5,
  at: 1000,
};
const reply = {
  request: { role: "demo/act", model: "m", messages: [{ role: "user", content: "見る" }] },
  endpoint: "h",
  codeVersion: "1",
  at: 5,
};

Deno.test("putCall() and listCalls() give a row back as it was, by episode, pass and step", () => {
  using store = openStore(":memory:");
  const wasted: CallRow = {
    ...call,
    step: 2,
    vote: 1,
    reAsk: 2,
    kind: "wasted",
    error: "server",
    dollars: null,
  };
  const { episode: _episode, pass: _pass, step: _step, ...nowhere } = call;
  for (const row of [call, wasted, { ...call, pass: 1 }, { ...call, episode: "e2" }, nowhere]) {
    putCall(store, row);
  }
  assert.deepEqual(listCalls(store, "e1"), [call, wasted, { ...call, pass: 1 }]);
  assert.deepEqual(listCalls(store, "e1", { pass: 0 }), [call, wasted]);
  assert.deepEqual(listCalls(store, "e1", { pass: 0, step: 2 }), [wasted]);
  assert.deepEqual(listCalls(store, "e3"), []);
});

Deno.test("listAnswered() lists each request once when the episode was resumed", () => {
  using store = openStore(":memory:");
  const rows: CallRow[] = [
    { ...call, key: "k2", kind: "wasted", error: "server" },
    { ...call, key: "k2" },
    { ...call, key: "k1", step: 2 },
    { ...call, key: "k2", kind: "replayed" },
    { ...call, key: "k1", step: 2, kind: "replayed" },
    { ...call, key: "k3", step: 3 },
  ];
  for (const row of rows) putCall(store, row);
  assert.deepEqual(listAnswered(store, "e1").map(({ key, kind }) => `${key} ${kind}`), [
    "k2 paid",
    "k1 paid",
    "k3 paid",
  ]);
});

Deno.test("totalCalls() sums a study's calls by kind, and counts those without a price", () => {
  using store = openStore(":memory:");
  for (const study of ["s", "other"]) putStudy(store, { id: study, spec: {}, createdAt: 0 });
  putEpisode(store, samplePlan({ id: "e1", study: "s" }));
  putEpisode(store, samplePlan({ id: "e2", study: "s" }));
  putEpisode(store, samplePlan({ id: "e3", study: "other" }));
  const wasted: CallRow = {
    ...call,
    kind: "wasted",
    error: "server",
    promptTokens: 0,
    completionTokens: 0,
    dollars: 0,
  };
  for (
    const row of [
      call,
      { ...call, episode: "e2", dollars: null },
      { ...call, episode: "e3" },
      wasted,
    ]
  ) putCall(store, row);
  assert.deepEqual(totalCalls(store, "s"), {
    paid: { calls: 2, tokens: 220, dollars: 0.5, unpriced: 1 },
    replayed: { calls: 0, tokens: 0, dollars: 0, unpriced: 0 },
    wasted: { calls: 1, tokens: 0, dollars: 0, unpriced: 0 },
  });
  const { last } = totalCallsAfter(store, "s", 2); // all but e1's and e2's first, and e3's is another study's
  putCall(store, { ...call, episode: "e2", dollars: 0.25 });
  const { totals, last: end } = totalCallsAfter(store, "s", last);
  assert.deepEqual([last, end, totals.paid, totals.wasted.calls], [4, 5, {
    calls: 1,
    tokens: 110,
    dollars: 0.25,
    unpriced: 0,
  }, 0]);
  assert.equal(totalCallsAfter(store, "s", end).last, end);
});

Deno.test("putReply() keeps the first reply under a key, unless replace is set", () => {
  using store = openStore(":memory:");
  const key = replyKey(reply.request);
  putReply(store, { ...reply, key, reply: { text: "first" } });
  putReply(store, { ...reply, key, reply: { text: "second" } });
  assert.deepEqual(getReplyRow(store, key), { ...reply, key, reply: { text: "first" } });
  putReply(store, { ...reply, key, reply: { text: "third" } }, { replace: true });
  assert.deepEqual(getReply(store, key), { text: "third" });
  assert.equal(getReply(store, "absent"), undefined);
  assert.equal(getReplyRow(store, "absent"), undefined);
});

Deno.test("listReplies() yields the replies of a role, latest first", () => {
  using store = openStore(":memory:");
  const put = (at: number, role = "demo/act") => {
    const request = { ...reply.request, role, n: at };
    putReply(store, { ...reply, key: replyKey(request), request, reply: at, at });
  };
  for (const at of [1, 3, 2]) put(at);
  put(9, "demo/plan");
  assert.deepEqual([...listReplies(store, "demo/act")].map((row) => row.reply), [3, 2, 1]);
  assert.deepEqual([...listReplies(store, "demo/act", { limit: 2 })].map((row) => row.reply), [
    3,
    2,
  ]);
});
