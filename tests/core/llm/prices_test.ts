import assert from "node:assert/strict";
import { dollarsFor, listPrices, priceOf } from "../../../lib/core/llm/prices.ts";

Deno.test("listPrices() names the papers' models, each with a source and a month", () => {
  for (
    const model of [
      ..."gpt-4-0125-preview gpt-4o gpt-4o-mini gpt-4-turbo text-davinci-003 gemini-2.5-flash gemini-2.5-pro"
        .split(" "),
    ]
  ) {
    assert(priceOf(model), model);
  }
  for (const [model, line] of Object.entries(listPrices())) {
    assert(
      line.prompt >= line.cached && (line.completion >= line.prompt || /embedding/.test(model)),
      model,
    );
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
  assert.equal(
    dollarsFor({ prompt: 1, cached: 0, completion: 1, reasoning: 0 }, priceOf("my-llama")),
    null,
  );
});
