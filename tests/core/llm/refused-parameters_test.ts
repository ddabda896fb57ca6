/**
 * What an endpoint refuses is left out of the next request, once for each model, and remembered.
 */

import assert from "node:assert/strict";
import type { ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createNativeModel } from "../../../lib/core/llm/native.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { withRetries } from "../../../lib/core/llm/retry.ts";
import type { Endpoint } from "../../../lib/core/llm/roles.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { listCalls } from "../../../lib/lab/store/calls.ts";
import { openStore, type Store } from "../../../lib/lab/store/open.ts";
import {
  completion,
  failure,
  failureOf,
  fakeClock,
  type FakeEndpoint,
  KEY,
  passedOn,
  startFakeEndpoint,
} from "./fake-endpoint.ts";
import { WIRES } from "./native-wire.ts";

const schema = {
  name: "demo",
  schema: { type: "object", properties: { act: { type: "string" } } },
};
const request: ChatRequest = {
  role: "demo/ask",
  messages: [{ role: "user", content: "Hi" }],
  sampling: { maxTokens: 50, temperature: 0 },
};

function modelAt(
  { baseUrl }: FakeEndpoint,
  model: string,
  more: Endpoint = {},
): ReturnType<typeof createOpenAIModel> {
  return withRetries(createOpenAIModel(model, { baseUrl, ...more, env: () => undefined }), {
    clock: fakeClock(),
  });
}

/** The fields of the requests so far that the tests look at. */
function sent({ asked }: FakeEndpoint): unknown[] {
  return asked.map((
    { body: { max_tokens, max_completion_tokens, temperature } },
  ) => [max_tokens, max_completion_tokens, temperature]);
}

Deno.test("a schema that is refused with 400, 422, 500 or 501 is left out at once, and from then on", async (t) => {
  const refusals = {
    "OpenAI": failure(
      400,
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    ),
    "llama.cpp": failure(500, "failed to parse grammar"),
    "gateway": failure(501, "response_format json_schema is not implemented"),
    "pydantic": Response.json({
      detail: [{ loc: ["body", "response_format"], msg: "Extra inputs are not permitted" }],
    }, { status: 422 }),
  };
  for (const [name, refusal] of Object.entries(refusals)) {
    await t.step(name, async () => {
      await using endpoint = startFakeEndpoint();
      endpoint.behave(() => refusal, () => completion("{}"));
      const model = modelAt(endpoint, `schema-${name}`);
      await model.chat({ ...request, schema });
      await model.chat({ ...request, schema });
      assert.deepEqual(endpoint.asked.map(({ body }) => "response_format" in body), [
        true,
        false,
        false,
      ]);
    });
  }
});

Deno.test("a server that fails for other reasons is asked for the schema again", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => failure(500, "worker died"), () => completion("{}"));
  await modelAt(endpoint, "schema-server").chat({ ...request, schema });
  assert.deepEqual(endpoint.asked.map(({ body }) => "response_format" in body), [true, true]);
});

const NEWER =
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
const GREEDY =
  "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";

Deno.test("a reasoning model that no list knows gets its limit with room to reason, and its own temperature, after one error for each", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => failure(400, NEWER), () => failure(400, GREEDY), () => completion("ok"));
  const model = modelAt(endpoint, "muse-9");
  await model.chat(request);
  const learned = [undefined, 25_050, undefined];
  assert.deepEqual(sent(endpoint), [[50, undefined, 0], [undefined, 25_050, 0], learned]);
  await model.chat(request);
  assert.deepEqual(sent(endpoint).at(-1), learned);
  await using other = startFakeEndpoint();
  await modelAt(other, "muse-9").chat(request);
  assert.deepEqual(sent(other), [[50, undefined, 0]], "another endpoint has refused nothing");
});

Deno.test("a server that does not know the newer limit gets the older one", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(
    () => failure(400, "Unrecognized request argument supplied: max_completion_tokens"),
    () => completion("ok"),
  );
  await modelAt(endpoint, "gateway/o9").chat(request);
  assert.deepEqual(sent(endpoint), [[undefined, 25_050, undefined], [
    25_050,
    undefined,
    undefined,
  ]]);
});

Deno.test("a temperature that an API of its maker refuses is left out, too", async () => {
  for (const { maker, model, path, keyEnv, failure, reply } of WIRES) {
    await using endpoint = startFakeEndpoint(path);
    endpoint.behave(
      () => failure(400, "`temperature` is deprecated for this model."),
      () => reply({ text: "ok" }),
    );
    const env = (name: string): string | undefined => name === keyEnv ? KEY : undefined;
    const named = maker === "openai" ? "gpt-4o" : model; // to the other one its client sends none
    const native = createNativeModel(maker, named, { baseUrl: endpoint.baseUrl, env });
    await withRetries(native, { clock: fakeClock() }).chat(request);
    assert.deepEqual(
      endpoint.asked.map(({ body }) => /"temperature":/.test(JSON.stringify(body))),
      [true, false],
      maker,
    );
  }
});

Deno.test("an error stands where the user set the temperature, where a value is out of range, and where it comes again", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => failure(400, GREEDY));
  const own = await failureOf(modelAt(endpoint, "muse-11", { temperature: 0 }).chat(request));
  assert.match(own.message, /'temperature' does not support 0/);
  endpoint.behave(() =>
    failure(
      400,
      "Invalid 'max_tokens': integer above maximum value. This model supports at most 16384.",
    )
  );
  await failureOf(modelAt(endpoint, "muse-12").chat(request));
  assert.equal(endpoint.asked.length, 2);
  endpoint.behave(() => failure(400, NEWER));
  assert.match(
    (await failureOf(modelAt(endpoint, "muse-13").chat(request))).message,
    /max_completion_tokens/,
  );
  assert.equal(endpoint.asked.length, 4);
});

const bounded = {
  name: "demo",
  schema: {
    type: "object",
    properties: {
      maxItems: { type: "string", maxLength: 80, enum: ["maxLength"] },
      steps: { type: "array", maxItems: 4, items: { type: "string", minLength: 1, pattern: "^a" } },
    },
    required: ["maxItems", "steps"],
  },
};
const unbounded = {
  type: "object",
  properties: {
    maxItems: { type: "string", enum: ["maxLength"] },
    steps: { type: "array", items: { type: "string" } },
  },
  required: ["maxItems", "steps"],
};

Deno.test("an endpoint that refuses bounds is sent the form without them, and one that refuses that, too, none", async () => {
  const refusals = {
    "OpenAI": failure(
      400,
      "Invalid schema for response_format 'demo': In context=('properties', 'maxItems'), 'maxLength' is not permitted.",
    ),
    "Anthropic": failure(
      400,
      "output_config.format.schema: For 'array' type, property 'maxItems' is not supported",
    ),
    "llama.cpp": failure(500, "failed to parse grammar"),
    "a gateway": failure(400, "keyword maxItems is unknown"),
  };
  for (const [name, refusal] of Object.entries(refusals)) {
    await using endpoint = startFakeEndpoint();
    const forms = (): unknown[] =>
      endpoint.asked.map(({ body }) =>
        (body["response_format"] as { json_schema: { schema: unknown } } | undefined)?.json_schema
          .schema
      );
    const model = modelAt(endpoint, "m");
    endpoint.behave(() => refusal.clone(), () => completion("{}"));
    await model.chat({ ...request, schema: bounded });
    await model.chat({ ...request, schema: bounded });
    assert.deepEqual(forms(), [bounded.schema, unbounded, unbounded], name);
    endpoint.behave(() => refusal.clone(), () => completion("{}"));
    await model.chat({ ...request, schema: bounded });
    assert.deepEqual(forms().slice(3), [unbounded, undefined], name);
  }
});

Deno.test("what an endpoint refuses is known to all models on a store, and forgotten with it", async () => {
  await using endpoint = startFakeEndpoint();
  const map = { "*": { model: "muse-14", baseUrl: endpoint.baseUrl } };
  const ask = async (store: Store, episode: string): Promise<void> => {
    const models = createModels({ map, store, codeVersion: "1", episode, clock: fakeClock() });
    await models.chat({ ...request, schema, sample: { attempt: Number(episode) } });
  };
  const words = "response_format is not supported";
  for (const [from, refusal] of [[0, failure(400, words)], [3, passedOn(words)]] as const) {
    using store = openStore(":memory:");
    endpoint.behave(() => refusal.clone(), () => completion("{}"));
    await ask(store, "1");
    await ask(store, "2");
    assert.deepEqual(endpoint.asked.slice(from).map(({ body }) => "response_format" in body), [
      true,
      false,
      false,
    ]);
  }
});

Deno.test("a model that has shown that it reasons may cost its reasoning from then on", async () => {
  await using endpoint = startFakeEndpoint();
  using store = openStore(":memory:");
  endpoint.behave(() => failure(400, NEWER), () => completion("ok", { usage: null }));
  const map = { "*": { model: "muse-15", baseUrl: endpoint.baseUrl } };
  await createModels({ map, store, codeVersion: "1", episode: "e1", clock: fakeClock() }).chat({
    ...request,
    sampling: { maxTokens: 50 },
  });
  const bounds = listCalls(store, "e1").map(({ boundTokens = 0 }) => boundTokens > 25_000);
  assert.deepEqual(bounds, [false, true]);
});
