import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { createBudget } from "../../../lib/lab/llm/budget.ts";
import type { ChatModel, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { systemClock, unlessAborted } from "../../../lib/core/platform.ts";
import { closeLeftAttempts, openAttempt } from "../../../lib/lab/store/attempts.ts";
import { chargedCalls, listCalls } from "../../../lib/lab/store/calls.ts";
import { ask, optionsFor, storeWithEpisode } from "./asking.ts";
import { choice, completion, failure, startFakeEndpoint } from "./fake-endpoint.ts";
import { listAttempts } from "../../lab/store/listed.ts";

Deno.test("createModels() writes an attempt before it is sent; one that is left counts as unknown at its bound", async () => {
  using store = storeWithEpisode();
  await using endpoint = startFakeEndpoint();
  let during: unknown;
  endpoint.behave(() => {
    during = store.prepare("select * from attempts").get();
    return completion("hello");
  });
  await createModels(optionsFor(store, endpoint.baseUrl)).chat(ask(1));
  const { role, key, model, bound_tokens: bound } = during as {
    role: string;
    key: string;
    model: string;
    bound_tokens: number;
  };
  assert.ok(role === "demo/act" && bound >= 15, "the attempt was on record while it was under way");
  openAttempt(store, { episode: "e1", step: 1, role, model, key, boundTokens: bound, at: 1 }); // as a kill leaves it
  assert.equal(closeLeftAttempts(store, 5), 1);
  assert.equal(closeLeftAttempts(store, 5), 0);
  const left = listCalls(store, "e1").at(-1);
  assert.deepEqual([left?.kind, left?.error, left?.boundTokens, left?.step], [
    "wasted",
    "unknown",
    bound,
    1,
  ]);
  assert.equal(chargedCalls(store, "s").tokens, 15 + bound);
});

Deno.test("createModels() lets a request go out whose attempt is on record when it is aborted, and keeps what is answered within a second", async () => {
  await using endpoint = startFakeEndpoint();
  for (const isAnswered of [true, false]) {
    using store = storeWithEpisode();
    const from = endpoint.asked.length;
    endpoint.behave(() => isAnswered ? completion("hello") : "hang");
    const stop = new AbortController();
    const budget = createBudget({ tokens: 1e9 });
    const call = createModels(optionsFor(store, endpoint.baseUrl, { budget, clock: systemClock }))
      .chat({ ...ask(1), signal: stop.signal });
    while (listAttempts(store, "e1").length === 0) await setImmediate();
    stop.abort(new Error("stopped"));
    if (isAnswered) assert.equal((await call).choices[0].text, "hello");
    else await assert.rejects(call, /stopped/);
    assert.equal(endpoint.asked.length - from, 1);
    assert.deepEqual(listAttempts(store, "e1").map(({ outcome }) => outcome), [
      isAnswered ? "answered" : "unknown",
    ]);
    assert.equal(budget.spent.tokens, chargedCalls(store, "s").tokens);
  }
});

Deno.test("createModels() keeps no attempt of a request that has not gone out a second after it was aborted", async () => {
  using store = storeWithEpisode();
  const slow: ChatModel = {
    id: "slow",
    chat: async ({ ticket, signal }) => {
      if (ticket) ticket.isSent = false;
      return await unlessAborted(new Promise(() => {}), signal);
    },
  };
  const stop = new AbortController();
  const budget = createBudget({ tokens: 1e9 });
  const provider = {
    id: "slow",
    serves: () => true,
    open: () => ({ model: slow, host: "slow.example" }),
  };
  const call = createModels({
    map: { "*": "slow" },
    store,
    codeVersion: "0",
    episode: "e1",
    providers: [provider],
    budget,
  })
    .chat({ ...ask(1), signal: stop.signal });
  while (listAttempts(store, "e1").length === 0) await setImmediate();
  stop.abort(new Error("stopped"));
  await assert.rejects(call, /stopped/);
  assert.deepEqual([listAttempts(store, "e1"), listCalls(store, "e1"), budget.spent.tokens], [
    [],
    [],
    0,
  ]);
});

Deno.test("createModels() keeps no attempt of a request that cannot be sent, and charges nothing for it", async () => {
  using store = storeWithEpisode();
  const budget = createBudget({ tokens: 1e9 });
  const binding = { model: "m", baseUrl: "http://127.0.0.1:9/v1", keyEnv: "NO_SUCH_KEY" };
  const call = createModels({
    map: { "*": binding },
    store,
    codeVersion: "0",
    episode: "e1",
    budget,
  }).chat(ask(1));
  await assert.rejects(call, { kind: "no-endpoint", message: /NO_SUCH_KEY/ });
  assert.deepEqual([listAttempts(store, "e1"), listCalls(store, "e1"), budget.spent.tokens], [
    [],
    [],
    0,
  ]);
});

Deno.test("createModels() sends an Idempotency-Key for each attempt where the endpoint takes one, the same in another run", async () => {
  await using endpoint = startFakeEndpoint();
  const keys = async (idempotencyKey: boolean): Promise<(string | null)[]> => {
    using store = storeWithEpisode();
    const from = endpoint.asked.length;
    endpoint.behave(() => failure(500, "oops"), () => completion("hello"));
    const map = { "*": { model: "m", baseUrl: endpoint.baseUrl, idempotencyKey } };
    await createModels(optionsFor(store, endpoint.baseUrl, { map })).chat(ask(1));
    return endpoint.asked.slice(from).map(({ headers }) => headers.get("idempotency-key"));
  };
  const first = await keys(true);
  assert.equal(new Set(first).size, 2);
  assert.match(first[0] ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(await keys(true), first);
  assert.deepEqual(await keys(false), [null, null]);
});

Deno.test("createBudget() reserves twice the longest answer of a role once 30 are known", async () => {
  const request: ChatRequest = {
    role: "demo/act",
    messages: [{ role: "user", content: "Hi" }],
    sampling: { maxTokens: 4000 },
  };
  const stop = AbortSignal.timeout(20);
  const isFull = async (call: Promise<unknown>): Promise<void> =>
    await assert.rejects(call, { name: "TimeoutError" });
  const budget = createBudget({ tokens: 5_000 });
  await budget.reserve("m", undefined, request);
  await isFull(budget.reserve("m", undefined, { ...request, signal: stop }));
  const learned = createBudget({ tokens: 5_000 }, undefined, [{
    role: "demo/act",
    model: "m",
    calls: 30,
    completion: 100,
  }]);
  for (let n = 0; n < 10; n++) await learned.reserve("m", undefined, request);
  await isFull(
    learned.reserve("m", undefined, {
      ...request,
      role: "demo/other",
      signal: AbortSignal.timeout(20),
    }),
  );
});

Deno.test("createModels() asks for no longer answer than the cap has left, and parks where it is cut", async () => {
  using store = storeWithEpisode();
  await using endpoint = startFakeEndpoint();
  const usage = (completion_tokens: number): Record<string, unknown> => ({
    usage: { prompt_tokens: 10, completion_tokens, total_tokens: 10 + completion_tokens },
  });
  const long = { choices: [choice("I would", { finish_reason: "length" })] };
  endpoint.behave(
    () => completion("go", usage(200)),
    ({ body }) => completion("", { ...long, ...usage(Number(body["max_tokens"])) }),
  );
  const budget = createBudget({ tokens: 900 });
  const model = createModels(optionsFor(store, endpoint.baseUrl, { budget }));
  const request = (step: number): ChatRequest => ({ ...ask(step), sampling: { maxTokens: 600 } });
  await model.chat(request(1));
  await assert.rejects(model.chat(request(2)), {
    name: "BudgetError",
    message: /left \d+ tokens for an answer/,
  });
  const [, sent] = endpoint.asked.map(({ body }) => Number(body["max_tokens"]));
  assert.ok(sent !== undefined && sent < 600 && sent > 400, `${sent}`);
  const cut = listCalls(store, "e1").at(-1);
  assert.deepEqual([cut?.kind, cut?.error, cut?.completionTokens], ["wasted", "budget", sent]);
  assert.ok(budget.spent.tokens <= 900 && budget.spent.tokens > 700, `${budget.spent.tokens}`);
  assert.deepEqual(listAttempts(store, "e1").map(({ outcome }) => outcome), ["answered", "budget"]);
});

Deno.test("createModels() counts a failed attempt as unknown where the endpoint reported no usage, also of choices asked for one by one", async () => {
  await using endpoint = startFakeEndpoint();
  const refusal = [{ message: { content: null, refusal: "I cannot" }, finish_reason: "stop" }];
  for (const choices of [[], refusal]) {
    using store = storeWithEpisode();
    endpoint.behave(() => completion("", { choices, usage: undefined }));
    const budget = createBudget({ tokens: 1e9 });
    const model = createModels(
      optionsFor(store, endpoint.baseUrl, { budget, retry: { attempts: 1 } }),
    );
    await assert.rejects(model.chat(ask(1)), { name: "ModelError" });
    const [call] = listCalls(store, "e1");
    assert.ok((call?.boundTokens ?? 0) > 100, "its bound is charged");
    assert.equal(budget.spent.tokens, call?.boundTokens);
  }
  using store = storeWithEpisode();
  endpoint.behave(({ body }) =>
    body["n"] === undefined ? completion("go", { usage: undefined }) : failure(400, "'n' must be 1")
  );
  await createModels(optionsFor(store, endpoint.baseUrl)).chat({ ...ask(1), n: 5 });
  const paid = listCalls(store, "e1").filter(({ kind }) => kind === "paid");
  assert.ok(
    paid.length === 5 && paid.every(({ boundTokens = 0 }) => boundTokens > 100),
    "each has a bound of its own",
  );
});
