/** Answers that cannot be read whole, of which the endpoint says all the same what they took. */

import assert from "node:assert/strict";
import { openStore } from "../../../lib/lab/store/open.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { askOnce, assertWasted, CHAT_USAGE as CHAT, TOOK } from "./asking.ts";
import { completion, failure, failureOf, KEY, startFakeEndpoint } from "./fake-endpoint.ts";
import { withVariables } from "../../environment.ts";

/** `TOOK` as the other APIs tell it. */
const MESSAGES = {
  input_tokens: 26,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 64,
  output_tokens: 40,
  output_tokens_details: { thinking_tokens: 30 },
};
const GOOGLE = {
  promptTokenCount: 100,
  cachedContentTokenCount: 64,
  candidatesTokenCount: 10,
  thoughtsTokenCount: 30,
  totalTokenCount: 140,
};
const RESPONSES = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 64 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 30 },
};
const message = {
  id: "m",
  type: "message",
  role: "assistant",
  model: "c",
  content: [],
  stop_reason: "end_turn",
  usage: MESSAGES,
};
const response = {
  id: "r",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "g",
  output: [],
  usage: RESPONSES,
};

/** The text of a stream of events that nobody asked for. */
function events(...values: object[]): string {
  return values.map((value) => `event: e\ndata: ${JSON.stringify(value)}\n\n`).join("") +
    "data: [DONE]\n\n";
}

const APIS = [
  {
    name: "chat completions",
    path: "/chat/completions",
    binding: { model: "gpt-4o" },
    answers: [
      { choices: null, usage: CHAT },
      { usage: CHAT, error: { message: "the model behind it failed" } },
      { choices: [{ message: { tool_calls: [{ type: "custom", custom: {} }] } }], usage: CHAT },
      events({ choices: [{ delta: { content: "look" } }], usage: null }, {
        choices: [],
        usage: CHAT,
      }).replace("data: [DONE]", ""), // cut
    ],
  },
  {
    name: "Anthropic",
    path: "/messages",
    binding: { model: "claude-sonnet-4-6", provider: "anthropic" },
    answers: [
      { ...message, content: null },
      { ...message, content: [{ type: "hologram" }] },
      events({
        type: "message_start",
        message: { ...message, usage: { ...MESSAGES, output_tokens: 1 } },
      }, {
        usage: { output_tokens: 40 },
      }),
    ],
  },
  {
    name: "Google",
    path: "/models/gemini-2.5-flash:generateContent",
    binding: { model: "gemini-2.5-flash", provider: "google" },
    answers: [{ candidates: "none", usageMetadata: GOOGLE }, [{
      usageMetadata: { promptTokenCount: 100 },
    }, { usageMetadata: GOOGLE }]],
  },
  {
    name: "Responses",
    path: "/responses",
    binding: { model: "gpt-4.1", style: "responses" },
    answers: [
      { ...response, output: null },
      { ...response, status: "failed", error: { code: "server_error", message: "it failed" } },
      events({ type: "response.created", response: { ...response, usage: null } }, {
        type: "response.completed",
        response,
      }),
    ],
  },
] as const;

for (const { name, path, binding, answers } of APIS) {
  Deno.test(`${name}: an answer that cannot be read costs what the endpoint says`, async () => {
    await using endpoint = startFakeEndpoint(path);
    using _key = withVariables({ LABYRINTH_UNREADABLE_KEY: KEY });
    for (const answer of answers) {
      using store = openStore(":memory:");
      endpoint.behave(() =>
        typeof answer === "string" ? new Response(answer) : Response.json(answer)
      );
      const map = {
        "*": { ...binding, baseUrl: endpoint.baseUrl, keyEnv: "LABYRINTH_UNREADABLE_KEY" },
      };
      await assert.rejects(askOnce(map, store), {
        name: "ModelError",
        kind: /^(protocol|server)$/,
      });
      assertWasted(store, typeof answer === "string" ? answer : JSON.stringify(answer));
    }
  });
}

Deno.test("chat completions: a usage that is odd is read as far as it goes", async () => {
  await using endpoint = startFakeEndpoint();
  using _key = withVariables({ LABYRINTH_UNREADABLE_KEY: KEY });
  const at = { prompt_tokens: 100, completion_tokens: 40 };
  for (
    const [usage, wanted] of [
      [{ ...at, prompt_tokens_details: { cached_tokens: null }, prompt_cache_hit_tokens: 64 }, {
        ...TOOK,
        reasoning: 0,
      }],
      [{ prompt_tokens: 100, completion_tokens: null, total_tokens: 140 }, {
        ...TOOK,
        cached: 0,
        reasoning: 0,
      }],
      [{ ...at, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 30 } }, {
        ...TOOK,
        cached: 0,
      }],
    ] as const
  ) {
    using store = openStore(":memory:");
    endpoint.behave(() => completion("look", { usage }));
    const map = {
      "*": { model: "gpt-4o", baseUrl: endpoint.baseUrl, keyEnv: "LABYRINTH_UNREADABLE_KEY" },
    };
    const reply = await askOnce(map, store);
    assert.deepEqual([reply.choices[0].text, reply.usage], ["look", wanted], JSON.stringify(usage));
  }
});

Deno.test("chat completions: the wait in milliseconds that OpenAI and Azure ask for comes before Retry-After", async () => {
  await using endpoint = startFakeEndpoint();
  const model = createOpenAIModel("gpt-4o", { baseUrl: endpoint.baseUrl, env: () => undefined });
  for (const [milliseconds, wait] of [["1500", 1500], ["soon", 2000], ["", 2000]] as const) {
    endpoint.behave(() =>
      failure(429, "slow down", { headers: { "retry-after-ms": milliseconds, "retry-after": "2" } })
    );
    const { retryAfterMs } = await failureOf(
      model.chat({ role: "demo/ask", messages: [{ role: "user", content: "Hi" }] }),
    );
    assert.equal(retryAfterMs, wait, milliseconds);
  }
});
