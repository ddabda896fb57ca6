import assert from "node:assert/strict";
import { ModelError } from "../../../lib/core/errors.ts";
import { type CacheOptions, keyedRequest, withCache } from "../../../lib/lab/llm/cache.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { getPicture } from "../../../lib/lab/store/artefacts.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { getReplyRow, replyKey } from "../../../lib/lab/store/replies.ts";
import { fakeClock } from "../../core/llm/fake-endpoint.ts";

const request: ChatRequest = {
  role: "demo/ask",
  messages: [{ role: "user", content: "Hi" }],
  sample: { attempt: 0, step: 3 },
};

function cached(
  model: ChatModel,
  store: Store,
  options: Partial<CacheOptions> = {},
): ChatModel & { readonly answers: string[] } {
  const answers: string[] = [];
  const onAnswer = (kind: string): number => answers.push(kind);
  return {
    ...withCache(model, {
      store,
      clock: fakeClock(),
      endpoint: "h",
      codeVersion: "1",
      onAnswer,
      ...options,
    }),
    answers,
  };
}

function countReplies(store: Store): number {
  return Number(store.prepare("select count(*) as n from replies").get()?.n);
}

Deno.test("withCache() asks once and then answers from the record, also in another cache", async () => {
  using store = openStore(":memory:");
  const whole: ChatReply = {
    model: "m-0001",
    choices: [{ text: "ж", finish: "tools", toolCalls: [{ id: "1", name: "f", arguments: "{" }] }, {
      text: "b",
      finish: "length",
    }],
    usage: { prompt: 1, cached: 2, completion: 3, reasoning: 4 },
    latencyMs: 12.5,
  };
  const first = cached(scripted([whole], { id: "m" }), store);
  assert.deepEqual(await first.chat(request), whole);
  const second = cached(scripted([], { id: "m" }), store, {
    codeVersion: "2",
    endpoint: "elsewhere",
  });
  assert.deepEqual(await second.chat(request), whole);
  assert.deepEqual([first.answers, second.answers], [["paid"], ["replayed"]]);
});

Deno.test("withCache() keys what decides a reply, and nothing else", () => {
  const key = (change: Partial<ChatRequest>, model = "m"): string =>
    replyKey(keyedRequest(model, { ...request, ...change }));
  const image = (byte: number): ChatRequest["messages"] => [{
    role: "user",
    content: [{ kind: "image", png: new Uint8Array([byte]) }],
  }];
  const same = key({});
  assert.equal(same.length, 64);
  // Absent and default are the same; so is the order of keys; a signal decides nothing.
  for (
    const change of [
      { n: 1 },
      { tools: [] },
      { sampling: {} },
      { sample: { step: 3, attempt: 0 } },
      { signal: new AbortController().signal },
    ]
  ) {
    assert.equal(key(change), same, JSON.stringify(change));
  }
  const keys = [
    same,
    key({}, "m2"),
    key({ role: "demo/other" }),
    key({ messages: [{ role: "user", content: "Hi!" }] }),
    key({ messages: [{ role: "system", content: "Hi" }] }),
    key({ messages: image(1) }),
    key({ messages: image(2) }),
    key({ tools: [{ name: "f", description: "", parameters: {} }] }),
    key({ schema: { name: "s", schema: {} } }),
    key({ sampling: { temperature: 0 } }),
    key({ sampling: { temperature: 0.2 } }),
    key({ n: 2 }),
    ...(["attempt", "pass", "step", "vote", "reAsk"] as const).map((part) =>
      key({ sample: { ...request.sample, [part]: 9 } })
    ),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

Deno.test("withCache() records request, endpoint, version and time, and an image by its hash, with the image itself", async () => {
  using store = openStore(":memory:");
  const png = new TextEncoder().encode("abc");
  const messages = [{
    role: "user" as const,
    content: [{ kind: "text" as const, text: "See" }, { kind: "image" as const, png }],
  }];
  await cached(scripted(["a picture"], { id: "m" }), store).chat({ ...request, messages });
  const row = getReplyRow(store, replyKey(keyedRequest("m", { ...request, messages })));
  assert.deepEqual(row?.request.messages, [{
    role: "user",
    // SHA-256 of "abc", FIPS 180-4
    content: [{ text: "See" }, {
      image: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    }],
  }]);
  assert.deepEqual([row?.endpoint, row?.codeVersion, row?.at], ["h", "1", 1_000_000]);
  assert.deepEqual(
    getPicture(store, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    png,
  );
});

Deno.test("withCache() neither reads nor writes in mode off", async () => {
  using store = openStore(":memory:");
  const model = scripted(["1", "2"], { id: "m" });
  const off = cached(model, store, { mode: "off" });
  assert.equal((await off.chat(request)).choices[0].text, "1");
  assert.equal((await off.chat(request)).choices[0].text, "2");
  assert.deepEqual([off.answers, countReplies(store)], [["paid", "paid"], 0]);
});

Deno.test("withCache() throws cache-miss in replay mode and names the nearest request", async () => {
  using store = openStore(":memory:");
  const long = "You are in the kitchen. ".repeat(20);
  const record = cached(scripted({ "*": () => "hello" }, { id: "m" }), store);
  const of = (
    content: string,
    sample: ChatRequest["sample"],
    role = request.role,
  ): ChatRequest => ({
    role,
    messages: [{ role: "user", content }],
    ...(sample ? { sample } : {}),
  });
  await record.chat(of("something else altogether", { attempt: 0, step: 4 }));
  await record.chat(of(`${long}A door is shut.`, { attempt: 0, step: 3 }));
  await record.chat(of(`${long}A door is open.`, { attempt: 0, step: 4 }, "demo/other"));

  const never = scripted([], { id: "m" });
  const replay = cached(never, store, { mode: "replay" });
  assert.equal(
    (await replay.chat(of(`${long}A door is shut.`, { attempt: 0, step: 3 }))).choices[0].text,
    "hello",
  );
  await assert.rejects(
    replay.chat(of(`${long}A door is open.`, { attempt: 0, step: 4 })),
    (error: ModelError) => {
      assert.equal(error.kind, "cache-miss");
      assert.match(
        error.message,
        /no recorded reply of m for demo\/ask at \{"attempt":0,"step":4\} in replay mode/,
      );
      assert.match(error.message, /sample\.step \(recorded 3, asked 4\)/);
      assert.match(
        error.message,
        /messages\.0\.content \(from character \d+: recorded ".*shut.*", asked ".*open.*"\)/,
      );
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
  await assert.rejects(replay.chat(of("Hi", {}, "demo/new")), {
    kind: "cache-miss",
    message: /nothing is recorded for this role/,
  });
  assert.equal(never.requests.length, 0);
});

Deno.test("withCache() does not record a reply that a filter stopped or cut", async () => {
  using store = openStore(":memory:");
  const filtered: Partial<ChatReply> = { choices: [{ text: "You could", finish: "filter" }] };
  const refused = (): never => {
    throw new ModelError("refused", "no");
  };
  const model = cached(scripted([filtered, refused, "whole"], { id: "m" }), store);
  assert.equal((await model.chat(request)).choices[0].finish, "filter");
  await assert.rejects(model.chat(request), { kind: "refused" });
  assert.equal(countReplies(store), 0);
  assert.equal((await model.chat(request)).choices[0].text, "whole");
  assert.deepEqual([countReplies(store), model.answers], [1, ["paid", "paid"]]);
});

Deno.test("withCache() sends one of several equal requests in flight", async () => {
  using store = openStore(":memory:");
  const gate = Promise.withResolvers<string>();
  const inner = scripted([() => gate.promise, "other"], { id: "m" });
  const pending: NonNullable<CacheOptions["pending"]> = new Map();
  const [a, b] = [cached(inner, store, { pending }), cached(inner, store, { pending })];
  const calls = [
    a.chat(request),
    b.chat(request),
    a.chat(request),
    b.chat({ ...request, sample: { step: 4 } }),
  ];
  gate.resolve("once");
  assert.deepEqual((await Promise.all(calls)).map((reply) => reply.choices[0].text), [
    "once",
    "once",
    "once",
    "other",
  ]);
  assert.equal(inner.requests.length, 2);
  assert.deepEqual([a.answers.sort(), b.answers.sort()], [["paid", "replayed"], [
    "paid",
    "replayed",
  ]]);
});

Deno.test("withCache() shares a failure, but sends its own call when only the other was aborted", async () => {
  using store = openStore(":memory:");
  const gate = Promise.withResolvers<string>();
  const failing = cached(scripted([() => gate.promise], { id: "m" }), store);
  const both = [failing.chat(request), failing.chat(request)];
  gate.reject(new ModelError("quota", "empty"));
  for (const result of await Promise.allSettled(both)) {
    assert(result.status === "rejected" && result.reason.kind === "quota");
  }

  const stop = new AbortController();
  const slow = ({ signal }: ChatRequest): Promise<string> =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
  const model = cached(scripted([slow, "for myself"], { id: "m" }), store);
  const stopped = model.chat({ ...request, signal: stop.signal });
  const other = model.chat(request);
  stop.abort(new Error("stopped"));
  await assert.rejects(stopped, /stopped/);
  assert.equal((await other).choices[0].text, "for myself");
});

Deno.test("withCache() lets a waiting request abort while the shared call goes on", async () => {
  using store = openStore(":memory:");
  const gate = Promise.withResolvers<string>();
  const model = cached(scripted([() => gate.promise], { id: "m" }), store);
  const first = model.chat(request);
  const stop = new AbortController();
  const waiting = model.chat({ ...request, signal: stop.signal });
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /stopped/);
  gate.resolve("done");
  assert.equal((await first).choices[0].text, "done");
});

Deno.test("withCache() computes a pure model's replies anew and records the latest", async () => {
  using store = openStore(":memory:");
  const model = cached(scripted(["old", "new"], { id: "offline" }), store, {
    pure: true,
    identity: "offline {}",
  });
  assert.equal((await model.chat(request)).choices[0].text, "old");
  assert.equal((await model.chat(request)).choices[0].text, "new");
  const replay = cached(scripted([], { id: "offline" }), store, {
    pure: true,
    identity: "offline {}",
    mode: "replay",
  });
  assert.equal((await replay.chat(request)).choices[0].text, "new");
  await assert.rejects(
    cached(scripted([]), store, { identity: 'offline {"recall":0.5}', mode: "replay" }).chat(
      request,
    ),
    { kind: "cache-miss" },
  );
});

Deno.test("withCache() records no reply when the row of its call cannot be written", async () => {
  using store = openStore(":memory:");
  const fails = (): never => {
    throw new Error("no room for the row");
  };
  await assert.rejects(
    cached(scripted(["paid for"], { id: "m" }), store, { onAnswer: fails }).chat(request),
    /no room/,
  );
  assert.equal(countReplies(store), 0);
});
