/**
 * Usages that are written oddly, or stand in an error: the endpoint's own ledger counts them, and
 * so does our record.
 */

import assert from "node:assert/strict";
import { usageIn } from "../../../lib/core/llm/usage.ts";
import { listCalls } from "../../../lib/lab/store/calls.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { completion, KEY, plainCompletion, startFakeEndpoint } from "./fake-endpoint.ts";
import { USAGE, wireOf } from "./native-wire.ts";
import { askOnce, assertWasted, CHAT_USAGE } from "./asking.ts";
import { withVariables } from "../../environment.ts";

const GATE = "LABYRINTH_ODD_USAGE_KEY";
const PRICE = { prompt: 3, cached: 0.3, completion: 15 };
/** What `USAGE` costs by that price. */
const DOLLARS = (36 * 3 + 64 * 0.3 + 40 * 15) / 1e6;

const PROTOCOLS = [
  {
    name: "chat completions",
    path: "/chat/completions",
    binding: { model: "gpt-4o" },
    answer: () => completion("look", { usage: CHAT_USAGE }),
  },
  {
    ...{ name: "plain text", path: "/completions", binding: { model: "davinci-002" } },
    answer: () => plainCompletion("look", { usage: CHAT_USAGE }),
  },
  ...(["anthropic", "google", "openai"] as const).map((provider) => {
    const { model, path, reply } = wireOf(provider);
    const binding = {
      model,
      provider,
      ...(provider === "openai" && { style: "responses" as const }),
    };
    return {
      name: `the native API of ${provider}`,
      path,
      binding,
      answer: () => reply({ text: "look" }),
    };
  }),
];

type Json = Record<string, unknown>;

/** Rewrites each number of a usage; other fields stay. */
function rewritten(usage: Json, write: (tokens: number) => unknown): Json {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [
      name,
      typeof value === "number"
        ? write(value)
        : typeof value === "object" && value
        ? rewritten(value as Json, write)
        : value,
    ]),
  );
}

const FORMS: Readonly<Record<string, (usage: Json) => Json>> = {
  "as texts": (usage) => rewritten(usage, String),
  "as texts of floats": (usage) => rewritten(usage, (tokens) => tokens.toFixed(1)),
  "beside nulls": (usage) => ({ ...usage, cost: null, service_tier: null, prompt_audio: null }),
  "with the total alone for the answer": (
    { completion_tokens: _, output_tokens: __, ...usage },
  ) => ({ ...usage, total_tokens: "140" }),
};

for (const { name, path, binding, answer } of PROTOCOLS) {
  Deno.test(`${name}: an answer is played, and charged by the endpoint's ledger, however its usage is written`, async () => {
    await using endpoint = startFakeEndpoint(path);
    using _key = withVariables({ [GATE]: KEY });
    for (const [form, write] of Object.entries(FORMS)) {
      using store = openStore(":memory:");
      const { usage, usageMetadata, ...said } = await answer().json();
      const odd = usage ? { usage: write(usage) } : { usageMetadata: write(usageMetadata) };
      endpoint.behave(() => Response.json({ ...said, ...odd }));
      const map = { "*": { ...binding, baseUrl: endpoint.baseUrl, keyEnv: GATE, price: PRICE } };
      const reply = await askOnce(map, store);
      assert.deepEqual(
        [reply.choices[0].text, reply.usage],
        ["look", USAGE],
        `${form}: ${JSON.stringify(odd)}`,
      );
      const [row] = listCalls(store, "e1");
      assert.ok(Math.abs((row?.dollars ?? 0) - DOLLARS) < 1e-12, form);
    }
  });

  Deno.test(`${name}: an error that tells a usage is charged by it, whatever its status`, async () => {
    await using endpoint = startFakeEndpoint(path);
    using _key = withVariables({ [GATE]: KEY });
    const { usage, usageMetadata } = await answer().json();
    const told = usage ? { usage } : { usageMetadata };
    const bodies = [
      { error: { message: "it failed", type: "api_error", code: 1 }, ...told },
      { error: { message: "it failed", type: "api_error", code: 1, metadata: told } },
      { type: "error", error: "it failed", detail: [told] },
    ];
    for (const status of [500, 429, 400, 503]) {
      for (const body of bodies) {
        using store = openStore(":memory:");
        endpoint.behave(() => Response.json(body, { status }));
        const map = { "*": { ...binding, baseUrl: endpoint.baseUrl, keyEnv: GATE, price: PRICE } };
        await assert.rejects(askOnce(map, store), {
          name: "ModelError",
          message: new RegExp(`answered ${status} it failed`),
        });
        assertWasted(store, JSON.stringify([status, body]));
        const [row] = listCalls(store, "e1");
        assert.ok(Math.abs((row?.dollars ?? 0) - DOLLARS) < 1e-12);
      }
    }
  });
}

Deno.test("usageIn() reads other makers' names and places of a usage", () => {
  const wanted = { prompt: 100, cached: 64, completion: 40, reasoning: 0 };
  const [{ cached: _, ...plain }, none] = [wanted, { cached: 0 }];
  for (
    const [answer, usage] of [
      [
        { usage: { promptTokens: 100, completionTokens: 40, totalTokens: 140, cachedTokens: 64 } },
        wanted,
      ],
      [{ usage: { inputTokens: 36, outputTokens: 40, cacheReadInputTokens: 64 } }, wanted], // Bedrock counts the cache apart
      [{
        usage: {
          billed_units: { input_tokens: 100, output_tokens: 40 },
          tokens: { input_tokens: 999 },
        },
      }, { ...plain, ...none }],
      [{ x_groq: { usage: { prompt_tokens: 100, completion_tokens: 40 } } }, { ...plain, ...none }],
      [{ usage: null, choices: [{ usage: { prompt_tokens: 100, completion_tokens: 40 } }] }, {
        ...plain,
        ...none,
      }],
      [{ usage: { prompt_tokens: null, completion_tokens: 40, total_tokens: 140 } }, {
        ...plain,
        ...none,
      }],
      [
        {
          usage: {
            prompt_tokens: 100,
            completion_tokens: 40,
            cache_read_input_tokens: 64,
            cache_creation_input_tokens: 10,
          },
        }, // LiteLLM
        { ...wanted, written: 10 },
      ],
      [{ usage: { prompt_tokens: 1e30, completion_tokens: 40 } }, undefined],
      [{ usage: { prompt_tokens: -100, completion_tokens: "many" } }, undefined],
      [{ usage: { prompt_tokens: 0, completion_tokens: 0 } }, undefined],
      // What the model says is no usage of the endpoint.
      [{
        choices: [{
          message: {
            content: '{"usage": 1}',
            tool_calls: [{ arguments: { usage: { prompt_tokens: 1, total_tokens: 2 } } }],
          },
        }],
      }, undefined],
    ] as const
  ) assert.deepEqual(usageIn(answer), usage, JSON.stringify(answer));
});
