/** The lab's ledger against the endpoint's, whatever share of the requests fails. */

import assert from "node:assert/strict";
import { createBudget } from "../../lib/llm/budget.ts";
import { createModels } from "../../lib/llm/stack.ts";
import { chargedCalls, listCalls } from "../../lib/store/calls.ts";
import { ask, optionsFor, storeWithEpisode } from "../llm/asking.ts";
import { completion, startFakeEndpoint } from "../llm/fake-endpoint.ts";
import { chaosDraw, FAULTS, FULL, TOKENS } from "./generators.ts";

const STEPS = FULL ? 400 : 20;

for (const share of [0.01, 0.1, 0.5]) {
  Deno.test(`chaos: each of the endpoint's requests has one row, and its bill is bounded, when ${100 * share} % fail`, async () => {
    using store = storeWithEpisode();
    await using endpoint = startFakeEndpoint();
    const draw = chaosDraw(`faults ${share}`);
    const seen = new Map<string, number>();
    let billed = 0;
    endpoint.behave((asked) => {
      if (draw.next() >= share) {
        billed += TOKENS;
        return completion("hello");
      }
      const [name, [fault, cost]] = draw.pick(Object.entries(FAULTS));
      seen.set(name, 1 + (seen.get(name) ?? 0));
      billed += cost;
      return fault(asked);
    });
    const budget = createBudget({ tokens: 1e9 });
    const model = createModels(optionsFor(store, endpoint.baseUrl, { budget }));
    for (let step = 1; step <= STEPS; step++) await model.chat(ask(step));

    const calls = listCalls(store, "e1");
    assert.equal(calls.length, endpoint.asked.length, "one row for each request");
    const { tokens } = chargedCalls(store, "s");
    assert.ok(tokens >= billed, `charged ${tokens}, billed ${billed}`);
    assert.equal(budget.spent.tokens, tokens, "the budget is charged what the record says");
    const wellFormed = calls.filter(({ kind, boundTokens }) => kind === "paid" && boundTokens === undefined);
    assert.ok(wellFormed.every(({ promptTokens, completionTokens }) => promptTokens + completionTokens === TOKENS));
    assert.equal(store.prepare("select count(*) as n from attempts").get()?.n, 0);
    if (FULL && share === 0.5) assert.equal(seen.size, Object.keys(FAULTS).length, "every kind of fault came");
    if (FULL) console.log(`  ${calls.length} requests, ${[...seen.values()].reduce((sum, n) => sum + n, 0)} faults of ${seen.size} kinds`);
  });
}
