import assert from "node:assert/strict";
import { createBudget } from "../../lib/llm/budget.ts";
import type { ChatRequest } from "../../lib/llm/chat-model.ts";
import { createModels, type ModelsOptions } from "../../lib/llm/stack.ts";
import { createDraw } from "../../lib/random.ts";
import { closeLeftAttempts, openAttempt } from "../../lib/store/attempts.ts";
import { chargedCalls, listCalls } from "../../lib/store/calls.ts";
import { putEpisode } from "../../lib/store/episodes.ts";
import { openStore, type Store } from "../../lib/store/open.ts";
import { putStudy } from "../../lib/store/studies.ts";
import { samplePlan } from "../store/samples.ts";
import { type Behaviour, choice, completion, failure, fakeClock, startFakeEndpoint } from "./fake-endpoint.ts";

const PRICE = { prompt: 1000, cached: 1000, completion: 1000 };

function storeWithEpisode(): Store {
  const store = openStore(":memory:");
  putStudy(store, { id: "s", spec: {}, createdAt: 0 });
  putEpisode(store, samplePlan({ id: "e1", study: "s" }));
  return store;
}

function ask(step: number): ChatRequest {
  return { role: "demo/act", messages: [{ role: "user", content: `Step ${step}` }], sampling: { maxTokens: 50 }, sample: { step } };
}

function optionsFor(store: Store, baseUrl: string, more: Partial<ModelsOptions> = {}): ModelsOptions {
  const map = { "*": { model: "m", baseUrl, price: PRICE, timeoutSeconds: 1.5 } };
  return { map, store, codeVersion: "1", episode: "e1", clock: fakeClock(), retry: { attempts: 20, patienceMs: 1e9 }, ...more };
}

/** Ways to fail, each with what the endpoint charges for it. */
const FAULTS: readonly (readonly [Behaviour, number])[] = [
  [() => failure(429, "slow down"), 0],
  [() => failure(500, "oops"), 15], // a gateway that gave up after the answer had been made
  [() => "hang", 15],
  [() => new Response('{"choices": [{"mess', { headers: { "content-type": "application/json" } }), 15],
  [() => Response.json({ nonsense: true }), 15],
  [() => completion("hello", { usage: undefined }), 15],
  [() => completion("hello", { usage: { prompt_tokens: "many" } }), 15],
  [() => completion("hello", { choices: [] }), 15],
  [() => completion("", { choices: [choice(null, { finish_reason: "stop" })] }), 15],
];

for (const share of [0.01, 0.1, 0.5]) {
  Deno.test(`createModels() records each request and bounds the bill when ${100 * share} % fail`, async () => {
    using store = storeWithEpisode();
    await using endpoint = startFakeEndpoint();
    const draw = createDraw(`faults ${share}`);
    let billed = 0;
    endpoint.behave((asked) => {
      const [fault, cost] = draw.next() < share ? FAULTS[Math.floor(draw.next() * FAULTS.length)] as (typeof FAULTS)[number] : [];
      billed += cost ?? 15;
      return fault ? fault(asked) : completion("hello");
    });
    const budget = createBudget({ tokens: 1e9 });
    const model = createModels(optionsFor(store, endpoint.baseUrl, { budget }));
    for (let step = 1; step <= 20; step++) await model.chat(ask(step));
    const calls = listCalls(store, "e1");
    assert.equal(calls.length, endpoint.asked.length, "one row for each request");
    const { tokens } = chargedCalls(store, "s");
    assert.ok(tokens >= billed, `charged ${tokens}, billed ${billed}`);
    assert.equal(budget.spent.tokens, tokens, "the budget is charged what the record says");
    const wellFormed = calls.filter(({ kind, boundTokens }) => kind === "paid" && boundTokens === undefined);
    assert.ok(wellFormed.every(({ promptTokens, completionTokens }) => promptTokens + completionTokens === 15));
    assert.equal(store.prepare("select count(*) as n from attempts").get()?.n, 0);
  });
}

Deno.test("createModels() writes an attempt before it is sent; one that is left counts as unknown at its bound", async () => {
  using store = storeWithEpisode();
  await using endpoint = startFakeEndpoint();
  let during: unknown;
  endpoint.behave(() => {
    during = store.prepare("select * from attempts").get();
    return completion("hello");
  });
  await createModels(optionsFor(store, endpoint.baseUrl)).chat(ask(1));
  const { role, key, model, bound_tokens: bound } = during as { role: string; key: string; model: string; bound_tokens: number };
  assert.ok(role === "demo/act" && bound >= 15, "the attempt was on record while it was under way");
  openAttempt(store, { episode: "e1", step: 1, role, model, key, boundTokens: bound, at: 1 }); // as a kill leaves it
  assert.equal(closeLeftAttempts(store, 5), 1);
  assert.equal(closeLeftAttempts(store, 5), 0);
  const left = listCalls(store, "e1").at(-1);
  assert.deepEqual([left?.kind, left?.error, left?.boundTokens, left?.step], ["wasted", "unknown", bound, 1]);
  assert.equal(chargedCalls(store, "s").tokens, 15 + bound);
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

Deno.test("createBudget() reserves twice the longest answer of a role once 30 are known", () => {
  const price = undefined;
  const request: ChatRequest = { role: "demo/act", messages: [{ role: "user", content: "Hi" }], sampling: { maxTokens: 4000 } };
  const budget = createBudget({ tokens: 5_000 });
  assert.throws(() => {
    for (let n = 0; n < 2; n++) budget.reserve("m", price, request);
  }, { name: "BudgetError" });
  const learned = createBudget({ tokens: 5_000 }, undefined, [{ role: "demo/act", model: "m", calls: 30, completion: 100 }]);
  for (let n = 0; n < 10; n++) learned.reserve("m", price, request);
  assert.throws(() => learned.reserve("m", price, { ...request, role: "demo/other" }), { name: "BudgetError" });
});
