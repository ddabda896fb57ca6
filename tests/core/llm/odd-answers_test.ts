/**
 * Answers as servers really give them: broken off, against their own form, as another content type,
 * with thoughts beside the text.
 */

import assert from "node:assert/strict";
import type { ChatModel, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { withRetries } from "../../../lib/core/llm/retry.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { listCalls } from "../../../lib/lab/store/calls.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { getReplyRow } from "../../../lib/lab/store/replies.ts";
import {
  choice,
  completion,
  failure,
  failureOf,
  fakeClock,
  type FakeEndpoint,
  passedOn,
  plainCompletion,
  startFakeEndpoint,
  TOOLS as tools,
} from "./fake-endpoint.ts";

const request: ChatRequest = { role: "demo/ask", messages: [{ role: "user", content: "Hi" }] };
const schema = {
  name: "demo",
  schema: { type: "object", properties: { act: { type: "string" } } },
};

const modelAt = ({ baseUrl }: FakeEndpoint, more: object = {}): ChatModel =>
  createOpenAIModel("m", { baseUrl, env: () => undefined, ...more });

for (
  const reason of ["error", "abort", "cancelled", "insufficient_system_resource", "network_error"]
) {
  Deno.test(`an answer that ended with ${reason} is none, and is asked for again`, async () => {
    await using endpoint = startFakeEndpoint();
    const broken = (): Response =>
      completion("", { choices: [choice("You co", { finish_reason: reason })] });
    endpoint.behave(broken);
    const { kind, message, usage } = await failureOf(modelAt(endpoint).chat(request));
    assert.deepEqual([kind, usage?.completion, message.includes(reason)], ["server", 5, true]);
    endpoint.behave(broken, () => completion("look"));
    assert.equal(
      (await withRetries(modelAt(endpoint), { clock: fakeClock() }).chat(request)).choices[0].text,
      "look",
    );
  });
}

/**
 * How servers word it that the model's own answer was none: Groq, Ollama, llama.cpp, Cloudflare.
 */
const MISSES: Record<string, () => Response> = {
  json_validate_failed: () =>
    failure(
      400,
      "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
      {
        code: "json_validate_failed",
      },
    ),
  "another schema": () =>
    failure(
      400,
      "Generated JSON does not match the expected schema. See 'failed_generation' for more details.",
    ),
  tool_use_failed: () =>
    failure(400, "tool call validation failed: parameters for tool path did not match schema", {
      code: "tool_use_failed",
    }),
  output_parse_failed: () => failure(400, "Parsing failed.", { code: "output_parse_failed" }),
  ollama: () =>
    failure(500, "error parsing tool call: raw='{\"to\": kitchen}', err=invalid character"),
  "llama.cpp": () => failure(500, "Failed to parse tool call arguments as JSON: parse error"),
  cloudflare: () => failure(400, "AiError: JSON Mode couldn't be met"),
  OpenRouter: () => passedOn('{"error": {"message": "no", "code": "json_validate_failed"}}'),
};

Deno.test("a model that misses its endpoint's form is asked again at once, and after two misses for the form in words alone", async () => {
  for (const [name, miss] of Object.entries(MISSES)) {
    await using endpoint = startFakeEndpoint();
    using store = openStore(":memory:");
    endpoint.behave(miss, miss, () => completion("{}"));
    const clock = fakeClock();
    const map = { "*": { model: "m", baseUrl: endpoint.baseUrl } };
    const models = createModels({ map, store, codeVersion: "1", episode: "e1", clock });
    assert.equal((await models.chat({ ...request, schema })).choices[0].text, "{}", name);
    assert.deepEqual([endpoint.asked.map(({ body }) => "response_format" in body), clock.slept], [[
      true,
      true,
      false,
    ], [0, 0]], name);
    const [missed] = listCalls(store, "e1");
    assert.deepEqual(
      [missed?.error, missed?.boundTokens !== undefined],
      ["protocol", true],
      "the answer was made, and may be charged",
    );
    await models.chat({ ...request, schema, sample: { step: 2 } });
    assert.equal(
      "response_format" in (endpoint.asked[3]?.body ?? {}),
      true,
      "the next question has its form",
    );
  }
});

const CHUNK = { id: "c", object: "chat.completion.chunk", model: "fake-model-0001" };
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const delta = (delta: object, more: object = {}): object => ({
  ...CHUNK,
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const call = (index: number, fn: object, more: object = {}): object =>
  delta({ tool_calls: [{ index, function: fn, ...more }] });

/** A stream of events. */
function stream(events: readonly object[], end = "data: [DONE]\n\n"): Response {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") + end;
  return new Response(`: keep-alive\n\n${text}`, {
    headers: { "content-type": "text/event-stream" },
  });
}

Deno.test("the chunks of a stream that nobody asked for are one answer", async () => {
  await using endpoint = startFakeEndpoint();
  const said = [
    delta({ role: "assistant", content: "" }),
    delta({ reasoning_content: "H" }),
    delta({ reasoning_content: "m" }),
  ];
  const text = [
    delta({ content: "go " }),
    delta({ content: "north" }),
    delta({}, { finish_reason: "length" }),
  ];
  const calls = [
    call(0, { name: "path", arguments: "" }, { id: "c1", type: "function" }),
    call(0, { arguments: '{"to":' }),
    call(1, { name: "path", arguments: "{}" }, { id: "c2" }),
    call(0, { arguments: '"hall"}' }),
  ];
  endpoint.behave(
    () => stream([...said, ...text, { ...CHUNK, choices: [], usage: USAGE }]),
    () => stream(calls),
  );
  const usage = { prompt: 10, cached: 0, completion: 5, reasoning: 0 };
  assert.deepEqual(await modelAt(endpoint).chat(request), {
    model: "fake-model-0001",
    choices: [{ text: "go north", thought: "Hm", finish: "length" }],
    usage,
  });
  assert.deepEqual((await modelAt(endpoint).chat({ ...request, tools })).choices[0].toolCalls, [
    { id: "c1", name: "path", arguments: '{"to":"hall"}' },
    { id: "c2", name: "path", arguments: "{}" },
  ]);
  const unnumbered = (delta: object): object => ({ ...CHUNK, choices: [{ delta }] }); // as Gemini's compatible API gives calls
  const whole = (id: string): object =>
    unnumbered({ tool_calls: [{ id, function: { name: "path", arguments: "{}" } }] });
  endpoint.behave(() =>
    stream([unnumbered({ content: "a" }), whole("c1"), whole("c2"), unnumbered({ content: "b" })])
  );
  const [{ text: joined, toolCalls = [] }, ...others] =
    (await modelAt(endpoint).chat({ ...request, tools })).choices;
  assert.deepEqual([joined, toolCalls.map(({ id }) => id), others], ["ab", ["c1", "c2"], []]);
  const other = { ...CHUNK, choices: [{ index: 1, delta: { content: "b" } }] };
  endpoint.behave(() => stream([delta({ content: "a" }), other, delta({ content: "A" })]));
  assert.deepEqual(
    (await modelAt(endpoint).chat({ ...request, n: 2 })).choices.map(({ text }) => text),
    ["aA", "b"],
  );
});

Deno.test("a stream without its end, and one with an error in it, are no answers", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => stream([delta({ content: "go no" })], ""));
  assert.equal((await failureOf(modelAt(endpoint).chat(request))).kind, "protocol");
  endpoint.behave(() =>
    stream([delta({ content: "go no" }), { error: { message: "worker died" } }], "")
  );
  assert.match(
    (await failureOf(modelAt(endpoint).chat(request))).message,
    /answered with an error: worker died/,
  );
});

Deno.test("a whole completion is read as whatever content type, and with the marks of a stream around it", async () => {
  const whole = await completion("look").json();
  const bodies = {
    "text/plain": JSON.stringify(whole),
    "text/html": `\n${JSON.stringify(whole, null, 2)}\n`,
    "text/event-stream": `${JSON.stringify(whole, null, 2)}\n\ndata: [DONE]\n\n`,
    "text/event-stream; charset=utf-8": `event: message\r\ndata: ${
      JSON.stringify(whole)
    }\r\n\r\ndata: [DONE]\r\n\r\n`,
    "application/json": `data: ${JSON.stringify(whole)}\n`,
  };
  for (const [type, body] of Object.entries(bodies)) {
    await using endpoint = startFakeEndpoint();
    endpoint.behave(() => new Response(body, { headers: { "content-type": type } }));
    assert.equal((await modelAt(endpoint).chat(request)).choices[0].text, "look", type);
  }
  await using plain = startFakeEndpoint("/completions");
  const text = await plainCompletion("north").text();
  plain.behave(() => new Response(text, { headers: { "content-type": "text/plain" } }));
  assert.equal(
    (await modelAt(plain, { style: "completion" }).chat(request)).choices[0].text,
    "north",
  );
});

Deno.test("a thought beside the text stays in the record, and never enters the text", async () => {
  const messages: Record<string, object> = {
    reasoning_content: { content: "look", reasoning_content: "Hm." },
    reasoning: {
      content: "look",
      reasoning: "Hm.",
      reasoning_details: [{ type: "reasoning.text", text: "Hm." }],
    },
    thinking: { content: "look", thinking: "Hm." },
    "both fields": { content: "look", reasoning_content: "", reasoning: "Hm." },
    "parts of Mistral": {
      content: [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }, {
        type: "text",
        text: "look",
      }],
    },
    "parts of others": {
      content: [{ type: "reasoning", text: "Hm." }, { type: "output_text", text: "look" }],
    },
  };
  for (const [name, message] of Object.entries(messages)) {
    await using endpoint = startFakeEndpoint();
    using store = openStore(":memory:");
    endpoint.behave(() => completion("", { choices: [choice("", { message })], usage: null }));
    const models = createModels({
      map: { "*": { model: "m", baseUrl: endpoint.baseUrl } },
      store,
      codeVersion: "1",
      episode: "e1",
    });
    const { choices, usage } = await models.chat(request);
    assert.deepEqual(choices, [{ text: "look", thought: "Hm.", finish: "stop" }], name);
    assert.deepEqual([usage.completion, usage.reasoning], [3, 2], "counted here");
    const recorded = getReplyRow(store, listCalls(store, "e1")[0]?.key ?? "")?.reply as {
      choices: unknown;
    };
    assert.deepEqual(recorded.choices, choices);
  }
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() =>
    completion("", {
      choices: [
        choice(null, { message: { content: null, reasoning: { effort: 1 }, thinking: "" } }),
      ],
    })
  );
  assert.deepEqual((await modelAt(endpoint).chat(request)).choices, [{ text: "", finish: "stop" }]);
});
