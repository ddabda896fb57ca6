import assert from "node:assert/strict";
import { deleteEpisode, putEpisode } from "../../../lib/lab/store/episodes.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { getReplyRow, putReply, replyKey } from "../../../lib/lab/store/replies.ts";
import { putStudy } from "../../../lib/lab/store/studies.ts";
import { getTruth, putTurn } from "../../../lib/lab/store/turns.ts";
import { samplePlan, sampleTurn } from "./samples.ts";

const HISTORY = Array.from(
  { length: 200 },
  (_, n) => `Step ${n}: room ${n * 31 % 97} holds key ${n * 57 % 89}, the exit leads ${n % 3 ? "north" : "west"}.`,
);
const truthAt = (step: number): Record<string, unknown> => ({ facts: HISTORY.slice(0, 60), step });
const HALL = { pass: 0, step: 0 };

function ask(store: Store, steps: number, vote: number): string {
  const messages = [{ role: "user", content: HISTORY.slice(0, steps).join("\n") }];
  const request = { role: "demo/act", model: "mine", messages, sample: { step: steps, vote } };
  const key = replyKey(request);
  putReply(store, { key, request, reply: { text: `True ${vote}` }, endpoint: "local", codeVersion: "0", at: 1 });
  return key;
}

function bytesOf(store: Store): number {
  return Number(store.prepare("select total(length(body)) as n from bodies").get()?.n);
}

Deno.test("putReply() stores growing prompts in a tenth of their bytes, and a vote on the same prompt in less than 100", () => {
  using store = openStore(":memory:");
  const keys = Array.from({ length: 100 }, (_, n) => ask(store, n + 100, 0));
  const raw = Number(store.prepare("select total(length(request)) as n from replies").get()?.n);
  assert.ok(raw > 800_000 && bytesOf(store) < raw / 10, `${bytesOf(store)} of ${raw} bytes`);
  const before = bytesOf(store);
  for (const vote of [1, 2, 3, 4]) ask(store, 199, vote);
  assert.ok(bytesOf(store) - before < 400, `${bytesOf(store) - before} bytes for four votes`);
  for (const [n, key] of keys.entries()) {
    const [message] = getReplyRow(store, key)?.request["messages"] as { content: string }[];
    assert.equal(message?.content, HISTORY.slice(0, n + 100).join("\n"));
  }
});

Deno.test("putReply() stores votes on one prompt once, whatever letters and quotes stand before their sample", () => {
  using store = openStore(":memory:");
  const messages = [{ role: "user", content: `"sample":{"vote":9} é 漢 🗝 ${HISTORY.join("\n")}` }];
  const requests = [0, 1].map((vote) => ({ role: "demo/act", model: "m", messages, sample: { step: 1, vote }, tools: [{ sample: {} }] }));
  for (const request of requests) {
    putReply(store, { key: replyKey(request), request, reply: "True", endpoint: "local", codeVersion: "0", at: 1 });
  }
  assert.deepEqual(requests.map((request) => getReplyRow(store, replyKey(request))?.request), requests);
  assert.equal(store.prepare("select count(*) as n from bodies").get()?.n, 1);
});

Deno.test("a text that resembles one of a transaction that was rolled back, or of a deleted episode, is read back as it was", () => {
  using store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 1 });
  const plan = samplePlan({ id: "e", study: "s" });
  const write = (step: number): void => putTurn(store, sampleTurn({ episode: "e", step }), { truth: truthAt(step) });
  putEpisode(store, plan);
  assert.throws(() =>
    store.transaction(() => {
      write(0);
      throw new Error("cut off");
    }), /cut off/);
  putTurn(store, sampleTurn({ episode: "e", step: 9 }), { truth: { other: HISTORY.slice(100).reverse() } }); // takes the place of what is gone
  write(1);
  assert.deepEqual(getTruth(store, { episode: "e", pass: 0, step: 1 }), truthAt(1));
  assert.ok(bytesOf(store) > 0);
  deleteEpisode(store, "e");
  assert.equal(bytesOf(store), 0);
  putEpisode(store, plan);
  write(0);
  assert.deepEqual(getTruth(store, { episode: "e", ...HALL }), truthAt(0));
});
