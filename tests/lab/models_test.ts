/** What is checked and told of a study's models before the first call. */

import assert from "node:assert/strict";
import { withVariables } from "../environment.ts";
import {
  checkModels,
  ineffectiveParameters,
  type StudyModelsOptions,
} from "../../lib/lab/models.ts";
import { matrixChains, type Study } from "../../lib/lab/study.ts";
import type { ModelBinding } from "../../lib/core/llm/roles.ts";
import "../../lib/offline/mod.ts";
import { openStore } from "../../lib/lab/store/open.ts";

const variables = withVariables({ LABYRINTH_MODELS_KEY: "sk-secret-0123456789" });
Deno.test.afterAll(() => variables[Symbol.dispose]());

const conditions = [{ method: "ariadne", memory: "full-history" }];
const study = (binding: ModelBinding, more: Partial<Study> = {}): Study => ({
  id: "priced",
  title: "Priced",
  models: { "*": binding },
  chains: matrixChains({ worlds: [{ world: "textworld/hunt" }], conditions, attempts: 1 }),
  ...more,
});

Deno.test("checkModels() wants a price or a cap in tokens for a model that is served elsewhere", () => {
  using store = openStore(":memory:");
  const check = (
    baseUrl: string,
    binding: object = {},
    options: Partial<StudyModelsOptions> = {},
  ): void =>
    checkModels(study({ model: "llama-9", baseUrl, keyEnv: "LABYRINTH_MODELS_KEY", ...binding }), {
      store,
      ...options,
    });
  const far = "https://api.example.com/v1";
  assert.throws(() => check(far), {
    name: "UsageError",
    message:
      'cannot play the study priced: no price is known for llama-9 at api.example.com: give it a "price" (dollars per million tokens) in the role map, or cap tokens with --budget tokens:N',
  });
  for (
    const host of [
      ..."172.32.0.1 11.0.0.1:80 100.128.0.1 [2001:db8::1]:80 local.example.com 127.0.0.1.example.com"
        .split(" "),
    ]
  ) {
    assert.throws(() => check(`http://${host}/v1`), /no price is known/, host);
  }
  check(far, { price: { prompt: 1, cached: 1, completion: 1 } });
  check(far, { model: "gpt-4o" }); // data/prices.json has its price
  assert.throws(
    () => check(far, { model: "qwen" }),
    /no price is known for qwen at api.example.com/,
  ); // not the one on this machine
  check(far, {}, { cap: { tokens: 100 } });
  check(far, {}, { cacheMode: "replay" });
  const near = [
    ..."localhost:8000 127.0.0.1 [::1]:1 [fd12::1]:1 10.0.0.5:80 172.16.0.1 192.168.1.9 100.64.0.1 gpu-node:8000"
      .split(" "),
  ];
  for (const host of [...near, "box.local", "a.b.svc.cluster.local", "llm.internal"]) {
    check(`http://${host}/v1`);
  }
  assert.throws(
    () => check("http://localhost:1/v1", {}, { cap: { dollars: 1 } }),
    /a cap in dollars needs a price, and llama-9 at localhost:1/,
  );
  assert.throws(
    () => check(far, {}, { cap: { dollars: 1, tokens: 100 } }),
    /a cap in dollars needs a price/,
  );
});

Deno.test("checkModels() offers for an embeddings model without a price the one remedy there is", () => {
  using store = openStore(":memory:");
  using _key = withVariables({ OPENAI_API_KEY: "x", OPENAI_BASE_URL: undefined });
  const check = (cap?: StudyModelsOptions["cap"]): void =>
    checkModels(study("offline", { embedder: "openai:embed-9" }), { store, cap });
  const message =
    /^cannot play the study priced: no price is known for embed-9 at \S+ \(embeddings\): cap tokens with --budget tokens:N$/;
  assert.throws(() => check(), { name: "UsageError", message });
  check({ tokens: 100 });
});

Deno.test("checkModels() wants no price for models in this process", () => {
  using store = openStore(":memory:");
  for (const model of ["offline", "offline-weak", "sim:perfect"]) {
    checkModels(study(model), { store });
  }
});

Deno.test("ineffectiveParameters() names what changes nothing of a request, by role, field and model", async () => {
  using store = openStore(":memory:");
  const told = async (binding: object): Promise<string[]> =>
    await ineffectiveParameters(study({ model: "offline", ...binding }), { store });
  const all = { temperature: 0.5, topP: 0.9, seed: 1, maxTokens: 100, extraBody: { top_k: 5 } };
  const cases: [object, string[]][] = [
    [all, ["temperature, topP, seed, extraBody have no effect on offline (every role)"]],
    [{ timeoutSeconds: 5, images: true }, ["timeoutSeconds has no effect on offline (every role)"]],
    [{ model: "gpt-4o", ...all, effort: "low" }, []],
    [{ model: "gpt-6-sol", ...all, effort: "low" }, [
      "temperature, topP have no effect on gpt-6-sol (every role)",
    ]],
    [{ model: "text-davinci-003", ...all, effort: "low" }, [
      "effort has no effect on text-davinci-003 (every role)",
    ]],
    [{ model: "gpt-4o", style: "responses", seed: 1, effort: "high" }, [
      "seed, effort have no effect on gpt-4o (every role)",
    ]],
    [{ model: "claude-haiku-4-5", seed: 1, temperature: 1 }, [
      "seed has no effect on claude-haiku-4-5 (every role)",
    ]],
    [{ model: "claude-haiku-4-5", temperature: 1, effort: "low" }, [
      "temperature has no effect on claude-haiku-4-5 (every role)",
    ]],
    [{ model: "claude-sonnet-5", temperature: 1 }, [
      "temperature has no effect on claude-sonnet-5 (every role)",
    ]],
    [{ model: "gemini-2.5-flash", ...all, effort: "low" }, []],
    [{ model: "smollm2", ...all, keyEnv: "SOME_KEY" }, [
      "keyEnv has no effect on smollm2 (every role)",
    ]],
  ];
  for (const [binding, lines] of cases) {
    assert.deepEqual(await told(binding), lines, JSON.stringify(binding));
  }

  const models = {
    "*": "offline",
    "ariadne/act": { model: "offline", seed: 3 },
    "wese/*": { model: "offline", seed: 4 },
  };
  assert.deepEqual(await ineffectiveParameters(study("offline", { models }), { store }), [
    "seed has no effect on offline (ariadne/act)",
  ]);
});
