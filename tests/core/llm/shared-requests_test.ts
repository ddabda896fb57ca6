import assert from "node:assert/strict";
import type { ChatModel } from "../../../lib/core/llm/chat-model.ts";
import { createModels, type ModelsOptions } from "../../../lib/lab/llm/stack.ts";
import { type CallRow, listCalls } from "../../../lib/lab/store/calls.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import { type Behaviour, completion, failure, startFakeEndpoint } from "./fake-endpoint.ts";

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** Answers with the texts, as many as are asked for. */
function choices(...texts: string[]): Behaviour {
  const choice = (text: string, index: number): unknown => ({
    index,
    message: { role: "assistant", content: text },
    finish_reason: "stop",
  });
  return () => completion("", { choices: texts.map(choice), usage: USAGE });
}

function modelAt(
  baseUrl: string,
  model: string,
  store: Store,
  options: Partial<ModelsOptions> = {},
): ChatModel {
  return createModels({
    map: { "*": { model, baseUrl } },
    store,
    codeVersion: "1",
    episode: "e1",
    ...options,
  });
}

async function vote(model: ChatModel, step: number, votes = [0, 1, 2]): Promise<string[]> {
  const messages = [{ role: "user" as const, content: "Passed?" }];
  return await Promise.all(
    votes.map(async (vote) =>
      (await model.chat({ role: "demo/vote", messages, sample: { step, vote } })).choices[0].text
    ),
  );
}

const rowsOf = (calls: readonly CallRow[]): unknown[] =>
  calls.map((
    { kind, vote, promptTokens, completionTokens },
  ) => [kind, vote, promptTokens, completionTokens]);

Deno.test("createModels() asks an endpoint for votes in one call, and records and counts each of them", async () => {
  using store = openStore(":memory:");
  await using endpoint = startFakeEndpoint();
  endpoint.behave(choices("yes", "no", "maybe"));
  const open: number[] = [];
  const onCall = (): void =>
    void open.push(
      Number(store.prepare("select count(*) as n from attempts where outcome is null").get()?.n),
    );
  const model = modelAt(endpoint.baseUrl, "several", store, { onCall });
  assert.deepEqual(await vote(model, 1), ["yes", "no", "maybe"]);
  assert.deepEqual(endpoint.asked.map(({ body }) => body["n"]), [3]);
  assert.deepEqual(rowsOf(listCalls(store, "e1")), [["paid", 0, 100, 6], ["paid", 1, 0, 4], [
    "paid",
    2,
    0,
    10,
  ]]);
  assert.deepEqual(open, [1, 1, 0], "the attempt is over when the last vote is on record");
  assert.deepEqual(await vote(modelAt(endpoint.baseUrl, "several", store), 1), [
    "yes",
    "no",
    "maybe",
  ]);
  store.prepare(
    "delete from packed_replies where key in (select key from replies where reply like '%maybe%')",
  ).run();
  assert.deepEqual(
    await vote(modelAt(endpoint.baseUrl, "several", store), 1),
    ["yes", "no", "yes"],
    "one by itself",
  );
  assert.deepEqual(endpoint.asked.map(({ body }) => body["n"]), [3, undefined]);
});

for (
  const [how, refusal, wasted] of [
    ["refuses several choices", () => failure(400, "'n' : number must be at most 1"), 0],
    ["gives fewer choices", choices("yes"), 120],
  ] as const
) {
  Deno.test(`createModels() asks for each vote where the endpoint ${how}, from then on without trying`, async () => {
    using store = openStore(":memory:");
    await using endpoint = startFakeEndpoint();
    endpoint.behave(refusal, choices("no"));
    const model = modelAt(endpoint.baseUrl, `one: ${how}`, store);
    assert.deepEqual(await vote(model, 1), ["no", "no", "no"]);
    assert.deepEqual(await vote(model, 2), ["no", "no", "no"]);
    assert.deepEqual(endpoint.asked.map(({ body }) => body["n"] ?? 1), [3, 1, 1, 1, 1, 1, 1]);
    const [first, ...paid] = listCalls(store, "e1");
    assert.deepEqual([first?.kind, (first?.promptTokens ?? 0) + (first?.completionTokens ?? 0)], [
      "wasted",
      wasted,
    ]);
    assert.ok(paid.every(({ kind, promptTokens }) => kind === "paid" && promptTokens === 100));
    assert.equal(
      store.prepare("select count(*) as n from attempts where outcome is null").get()?.n,
      0,
    );
    using other = openStore(":memory:");
    await vote(modelAt(endpoint.baseUrl, `one: ${how}`, other), 1);
    assert.equal(endpoint.asked[7]?.body["n"], 3, "another store knows nothing of it");
  });
}

Deno.test("createModels() passes an error of a call for votes on to each of them, but asks again for one that a filter emptied", async () => {
  using store = openStore(":memory:");
  await using endpoint = startFakeEndpoint();
  const model = modelAt(endpoint.baseUrl, "several", store);
  endpoint.behave(() => failure(401, "who are you?"));
  for (const { status } of await Promise.allSettled([vote(model, 1, [0]), vote(model, 2)])) {
    assert.equal(status, "rejected");
  }
  assert.equal(endpoint.asked.length, 2);
  const filtered = [{ message: { content: "yes" }, finish_reason: "stop" }, {
    message: { content: "" },
    finish_reason: "content_filter",
  }];
  endpoint.behave(() => completion("", { choices: filtered, usage: USAGE }), choices("no"));
  assert.deepEqual(await vote(model, 3, [0, 1]), ["yes", "no"]);
  assert.equal(
    store.prepare("select count(*) as n from attempts where outcome is null").get()?.n,
    0,
  );
});

Deno.test("createModels() records the whole usage of votes, also where a filter emptied the first", async () => {
  using store = openStore(":memory:");
  await using endpoint = startFakeEndpoint();
  const emptied = { message: { content: "" }, finish_reason: "content_filter" };
  const filtered = [emptied, { message: { content: "yes" } }, { message: { content: "no" } }];
  endpoint.behave(() => completion("", { choices: filtered, usage: USAGE }), choices("maybe"));
  assert.deepEqual(await vote(modelAt(endpoint.baseUrl, "several", store), 1), [
    "maybe",
    "yes",
    "no",
  ]);
  const calls = listCalls(store, "e1");
  const sum = (count: (call: CallRow) => number): number =>
    calls.reduce((total, call) => total + count(call), 0);
  assert.deepEqual([sum((call) => call.promptTokens), sum((call) => call.completionTokens)], [
    200,
    40,
  ]);
});
