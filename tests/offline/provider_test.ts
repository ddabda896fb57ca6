import "../../lib/offline/mod.ts";
import assert from "node:assert/strict";
import { createBudget } from "../../lib/lab/llm/budget.ts";
import { createModels } from "../../lib/lab/llm/stack.ts";
import { listCalls } from "../../lib/lab/store/calls.ts";
import {
  createOfflineProvider,
  offlineSettings,
  WEAK_OPTIONS,
} from "../../lib/offline/provider.ts";
import { openStore, type Study } from "../../lib/mod.ts";
import { studyModels } from "../../lib/lab/models.ts";

const request = { role: "demo/act", messages: [{ role: "user" as const, content: "Hi" }] };

Deno.test("createOfflineProvider() serves offline ids alone, for nothing, keyed by its modelOptions", async () => {
  using store = openStore(":memory:");
  const of = (recall: number): ReturnType<typeof createModels> =>
    createModels({
      map: { "*": "offline" },
      store,
      codeVersion: "1",
      episode: "e1",
      budget: createBudget({ dollars: 0 }),
      modelOptions: { recall },
      providers: [createOfflineProvider({
        responders: [{
          role: "demo/act",
          answer: ({ modelOptions }) => `recall ${modelOptions.recall}`,
        }],
      })],
    });
  assert.equal(createOfflineProvider().serves("gpt-4o"), false);
  assert.equal((await of(1).chat(request)).choices[0].text, "recall 1");
  assert.equal((await of(0.5).chat(request)).choices[0].text, "recall 0.5");
  assert.equal(Number(store.prepare("select count(*) as n from replies").get()?.n), 2);
  assert.deepEqual(
    listCalls(store, "e1").map(({ model, kind, dollars }) => [model, kind, dollars]),
    [["offline", "paid", 0], [
      "offline",
      "paid",
      0,
    ]],
  );
});

Deno.test("offlineSettings() reads the settings that a model's name has, over those given", () => {
  assert.deepEqual(offlineSettings("offline", { recall: 0.5, seed: 3 }), { recall: 0.5, seed: 3 });
  assert.deepEqual(offlineSettings("offline-weak", { recall: 0.5, seed: 3 }), {
    ...WEAK_OPTIONS,
    seed: 3,
  });
  assert.deepEqual(offlineSettings("offline-weak-p100"), { ...WEAK_OPTIONS, precision: 1 });
  assert.deepEqual(offlineSettings("offline-r0-p7-w12"), {
    recall: 0,
    precision: 0.07,
    window: 12,
  });
});

Deno.test("offlineSettings() refuses names that set nothing it knows", () => {
  for (
    const name of [
      ..."offline-strong offline-r101 offline-w0 offline-p50-r50 offlineweak offline-".split(" "),
    ]
  ) {
    assert.throws(() => offlineSettings(name), {
      name: "UsageError",
      message: /choose offline or offline-weak/,
    }, name);
  }
});

Deno.test("offline-weak finds fewer of the same facts than offline when one study binds both", async () => {
  using store = openStore(":memory:");
  const study: Study = {
    id: "mine",
    title: "Mine",
    chains: [],
    models: { "*": "offline", "wese/*": "offline-weak-r50-p100" },
  };
  const model = studyModels(study, { store }).models({ id: "e1", attempt: 1 });
  const things = Array.from({ length: 100 }, (_, i) => `a pen ${i + 1}`).join(", ");
  const content =
    `### Action\ngo to desk 1\n\n### Observation\nYou arrive at desk 1. On the desk 1, you see ${things}.`;
  const count = async (role: string): Promise<number> =>
    (await model.chat({ role, messages: [{ role: "user", content }] })).choices[0].text.split(";")
      .length;
  assert.equal(await count("sese/extract"), 100);
  const weak = await count("wese/extract");
  assert(weak > 30 && weak < 70, `${weak} of 100`);
});
