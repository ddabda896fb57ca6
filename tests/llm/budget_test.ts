import assert from "node:assert/strict";
import { BudgetError } from "../../lib/errors.ts";
import { createBudget, mostTokens } from "../../lib/llm/budget.ts";
import type { ChatRequest } from "../../lib/llm/chat-model.ts";
import { dollarsFor, listPrices, priceOf } from "../../lib/llm/prices.ts";
import { countTokens } from "../../lib/text/tokens.ts";

const request: ChatRequest = { role: "demo/act", messages: [{ role: "user", content: "Hi" }], sampling: { maxTokens: 100 } };
const price = { prompt: 1000, cached: 1000, completion: 1000 }; // a tenth of a cent a token

Deno.test("createBudget() reserves for calls in flight and releases what they did not use", () => {
  const most = mostTokens(request, "m");
  const one = most.prompt + most.completion;
  const budget = createBudget({ tokens: 2 * one });
  const first = budget.reserve("m", undefined, request);
  const second = budget.reserve("m", undefined, request);
  assert.throws(() => budget.reserve("m", undefined, request), BudgetError);
  first.settle({ prompt: 3, cached: 0, completion: 2, reasoning: 0 });
  first.settle({ prompt: 3, cached: 0, completion: 2, reasoning: 0 }); // once is enough
  assert.deepEqual(budget.spent, { tokens: 5, dollars: 0 });
  assert.throws(() => budget.reserve("m", undefined, request), BudgetError);
  second.settle();
  budget.reserve("m", undefined, request);
});

Deno.test("createBudget() never exceeds the cap in dollars, whatever the calls use", () => {
  const budget = createBudget({ dollars: 1 }, { dollars: 0.5, tokens: 10 });
  let calls = 0;
  assert.throws(() => {
    for (;; calls++) budget.reserve("m", price, request).settle({ prompt: 5, cached: 0, completion: 100, reasoning: 0 });
  }, (error: Error) => {
    assert(error instanceof BudgetError);
    assert.match(error.message, /cap of \$1\.0000 .*spent \$0\.\d+.*raise the cap/);
    return true;
  });
  assert(calls >= 1 && budget.spent.dollars <= 1, `${calls} calls, $${budget.spent.dollars}`);
});

Deno.test("createBudget() needs a price for a cap in dollars, none for one in tokens", () => {
  assert.throws(() => createBudget({ dollars: 5 }).reserve("my-llama", undefined, request), {
    name: "BudgetError",
    message: /my-llama has none/,
  });
  createBudget({ tokens: 10_000 }).reserve("my-llama", undefined, request);
  createBudget({}).reserve("my-llama", undefined, request);
  assert.throws(() => createBudget({ dollars: NaN }), RangeError);
});

Deno.test("mostTokens() bounds the tokens of texts in several scripts from above", async () => {
  for (
    const text of [
      "You are in the kitchen. ".repeat(200),
      '{"a": [1, 2, {"b": null}]}'.repeat(50),
      "見る。".repeat(300),
      "Иди на север. ".repeat(100),
      "¯\\_(ツ)_/¯ 😀".repeat(100),
      Array.from({ length: 500 }, (_, i) => String.fromCodePoint(0x12000 + i)).join(""), // cuneiform: nearly a token a byte
    ]
  ) {
    const { prompt } = mostTokens({ role: "r/r", messages: [{ role: "user", content: text }] }, "m");
    assert(prompt >= await countTokens(text), `${text.slice(0, 20)}: ${prompt} < ${await countTokens(text)}`);
  }
  assert.equal(mostTokens({ ...request, n: 3 }, "m").completion, 300);
  assert.equal(mostTokens({ role: "r/r", messages: [] }, "m").completion, 4096);
  assert.equal(mostTokens(request, "gpt-6-sol").completion, 25_100); // it may reason before it answers
});

Deno.test("listPrices() names the papers' models, each with a source and a month", () => {
  for (
    const model of ["gpt-4-0125-preview", "gpt-4o", "gpt-4o-mini", "gpt-4-turbo", "text-davinci-003", "gemini-2.5-flash", "gemini-2.5-pro"]
  ) {
    assert(priceOf(model), model);
  }
  for (const [model, line] of Object.entries(listPrices())) {
    assert(line.prompt >= line.cached && (line.completion >= line.prompt || /embedding/.test(model)), model);
    assert.match(line.date, /^20\d\d-(0[1-9]|1[0-2])$/);
    assert(line.source.length > 3);
    if (line.retires) assert.match(line.retires, /^20\d\d-\d\d-\d\d$/);
  }
});

Deno.test("priceOf() finds snapshots and offline models, and no unknown model", () => {
  assert.equal(priceOf("gpt-4o-2024-08-06"), priceOf("gpt-4o"));
  assert.equal(priceOf("offline")?.completion, 0);
  assert.equal(priceOf("gguf:tiny")?.completion, 0);
  assert.equal(priceOf("gpt-4-0125-preview")?.completion, 30);
  assert.equal(priceOf("toString"), undefined);
  assert.equal(dollarsFor({ prompt: 1, cached: 0, completion: 1, reasoning: 0 }, priceOf("my-llama")), null);
});
