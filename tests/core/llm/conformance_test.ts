/** What holds for every chat model, whoever serves it. A new one is one line in `MODELS`. */

import assert from "node:assert/strict";
import { ModelError } from "../../../lib/core/errors.ts";
import type { ChatModel, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createStandIn } from "../../../lib/offline/stand-in.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { localProvider } from "../../../lib/core/llm/providers.ts";
import { withRetries } from "../../../lib/core/llm/retry.ts";
import { createRouter } from "../../../lib/core/llm/roles.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { choice, completion, fakeClock, startFakeEndpoint } from "./fake-endpoint.ts";
import { WIRES } from "./native-wire.ts";

const usage = { prompt: 10, cached: 4, completion: 5, reasoning: 1 };
const choices = [{ text: "look", finish: "stop" }, { text: "wait", finish: "stop" }] as const;
const script = (): ChatModel =>
  scripted({ "*": ({ n = 1 }) => ({ choices: n === 2 ? choices : [choices[0]] }) }, {
    id: "script",
    usage,
  });

/** Each makes a model, hands it to the check, and clears up. */
const MODELS: Record<string, (check: (model: ChatModel) => Promise<void>) => Promise<void>> = {
  scripted: (check) => check(script()),
  router: (check) => check(createRouter({ "*": "script" }, script)),
  retries: (check) => check(withRetries(script(), { clock: fakeClock() })),
  offline: (check) =>
    check(createStandIn({ responders: [{ role: "demo/act", answer: () => "look" }] })),
  openai: async (check) => {
    await using endpoint = startFakeEndpoint();
    endpoint.behave(({ body }) =>
      completion("", { choices: Array.from({ length: Number(body.n ?? 1) }, () => choice("look")) })
    );
    await check(
      createOpenAIModel("fake-model", { baseUrl: endpoint.baseUrl, env: () => undefined }),
    );
  },
  ...Object.fromEntries(
    WIRES.map(({ maker, model, path, reply }) => [`native ${maker}`, async (check) => {
      await using endpoint = startFakeEndpoint(path);
      endpoint.behave(() => reply({ text: "look" }));
      using store = openStore(":memory:");
      const style = maker === "openai" ? "responses" as const : undefined;
      const map = { "*": { model, provider: maker, baseUrl: endpoint.baseUrl, style } };
      await check(createModels({ map, store, codeVersion: "1" })); // they give one choice at a time
    }]),
  ),
  stack: async (check) => {
    using store = openStore(":memory:");
    await check(
      createModels({
        map: { "*": "script" },
        store,
        codeVersion: "1",
        providers: [localProvider(script())],
      }),
    );
  },
};

const request: ChatRequest = frozen({
  role: "demo/act",
  messages: [{ role: "system", content: "You play." }, {
    role: "user",
    content: [{ kind: "text", text: "What now?" }],
  }],
  sampling: { temperature: 0, maxTokens: 100, stop: ["\n\n"] },
  sample: { attempt: 0, step: 1 },
});

for (const [name, using] of Object.entries(MODELS)) {
  Deno.test(`${name}: a reply has a text, tokens that add up, and leaves the request alone`, () =>
    using(async (model) => {
      assert(model.id.length > 0);
      const reply = await model.chat(request);
      assert(reply.model.length > 0);
      assert.deepEqual(reply.choices.map(({ text, finish }) => [text, finish]), [["look", "stop"]]);
      const { prompt, cached, completion, reasoning } = reply.usage;
      for (const count of [prompt, cached, completion, reasoning]) {
        assert(Number.isInteger(count) && count >= 0);
      }
      assert(prompt > 0 && completion > 0 && cached <= prompt && reasoning <= completion);
      assert.deepEqual(JSON.parse(JSON.stringify(reply)), reply, "a reply is plain JSON");
    }));

  Deno.test(`${name}: n choices come as asked for, and calls side by side do not mix`, () =>
    using(async (model) => {
      const replies = await Promise.all(
        [1, 2, 1, 2].map((n, step) => model.chat({ ...request, n, sample: { step } })),
      );
      assert.deepEqual(replies.map((reply) => reply.choices.length), [1, 2, 1, 2]);
    }));
}

Deno.test("a model without an answer throws a ModelError, never an empty reply", async () => {
  const unknown: ChatRequest = { ...request, role: "nobody/knows" };
  for (
    const model of [
      createRouter({ "demo/*": "script" }, script),
      createStandIn({ responders: [] }),
      scripted([]),
    ]
  ) {
    await assert.rejects(model.chat(unknown), ModelError);
  }
});

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(Object.freeze(value)).forEach(frozen);
  }
  return value;
}
