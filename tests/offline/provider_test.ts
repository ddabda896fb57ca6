import assert from "node:assert/strict";
import { createBudget } from "../../lib/llm/budget.ts";
import { createModels } from "../../lib/llm/stack.ts";
import { createOfflineProvider } from "../../lib/offline/provider.ts";
import { listCalls } from "../../lib/store/calls.ts";
import { openStore } from "../../lib/store/open.ts";

const request = { role: "demo/act", messages: [{ role: "user" as const, content: "Hi" }] };

Deno.test("createOfflineProvider() serves offline ids alone, for nothing, keyed by its knobs", async () => {
  using store = openStore(":memory:");
  const of = (recall: number): ReturnType<typeof createModels> =>
    createModels({
      map: { "*": "offline" },
      store,
      codeVersion: "1",
      episode: "e1",
      budget: createBudget({ dollars: 0 }),
      knobs: { recall },
      providers: [createOfflineProvider({ responders: [{ role: "demo/act", answer: ({ knobs }) => `recall ${knobs.recall}` }] })],
    });
  assert.equal(createOfflineProvider().serves("gpt-4o"), false);
  assert.equal((await of(1).chat(request)).choices[0].text, "recall 1");
  assert.equal((await of(0.5).chat(request)).choices[0].text, "recall 0.5");
  assert.equal(Number(store.prepare("select count(*) as n from replies").get()?.n), 2);
  assert.deepEqual(listCalls(store, "e1").map(({ model, kind, dollars }) => [model, kind, dollars]), [["offline", "paid", 0], [
    "offline",
    "paid",
    0,
  ]]);
});
