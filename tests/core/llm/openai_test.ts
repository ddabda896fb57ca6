import assert from "node:assert/strict";
import type { ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { hostAt } from "../../../lib/core/llm/endpoint-connection.ts";
import { createOpenAIModel, OPENAI } from "../../../lib/core/llm/openai.ts";
import {
  choice,
  commonFailures,
  completion,
  failure,
  failureOf,
  type Failures,
  type FakeEndpoint,
  KEY,
  startFakeEndpoint,
  TOOLS as tools,
} from "./fake-endpoint.ts";

const request: ChatRequest = { role: "demo/ask", messages: [{ role: "user", content: "Hi" }] };
const env = (values: Record<string, string>) => (name: string): string | undefined => values[name];

function modelAt(
  endpoint: { readonly baseUrl: string },
  model = "fake-model",
  timeoutSeconds = 5,
): ReturnType<typeof createOpenAIModel> {
  return createOpenAIModel(model, {
    baseUrl: endpoint.baseUrl,
    timeoutSeconds,
    env: env({ OPENAI_API_KEY: KEY }),
  });
}

async function askOnce(
  endpoint: FakeEndpoint,
  model: string,
  more: Partial<ChatRequest>,
): Promise<Record<string, unknown>> {
  await modelAt(endpoint, model).chat({ ...request, ...more });
  const asked = endpoint.asked.at(-1)?.body;
  assert(asked);
  return asked;
}

Deno.test("createOpenAIModel() sends messages and sampling, and reads text, finish and usage", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() =>
    completion("", {
      choices: [choice("look", { finish_reason: "length" })],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 40,
        total_tokens: 140,
        prompt_tokens_details: { cached_tokens: 64 },
        completion_tokens_details: { reasoning_tokens: 30 },
      },
    })
  );
  const reply = await modelAt(endpoint).chat({
    ...request,
    messages: [{ role: "system", content: "You play." }, { role: "user", content: "What now?" }],
    sampling: { temperature: 0.2, topP: 0.9, maxTokens: 50, stop: ["\n"] },
  });
  assert.deepEqual(reply, {
    model: "fake-model-0001",
    choices: [{ text: "look", finish: "length" }],
    usage: { prompt: 100, cached: 64, completion: 40, reasoning: 30 },
  });
  assert.deepEqual(endpoint.asked, [{
    authorization: `Bearer ${KEY}`,
    body: {
      model: "fake-model",
      messages: [{ role: "system", content: "You play." }, { role: "user", content: "What now?" }],
      temperature: 0.2,
      top_p: 0.9,
      max_tokens: 50,
      stop: ["\n"],
    },
  }]);
});

Deno.test("createOpenAIModel() reads cached tokens by the names of other makers, and no more of them than the prompt has", async () => {
  await using endpoint = startFakeEndpoint();
  for (
    const [usage, cached] of [[{ prompt_cache_hit_tokens: 64 }, 64], [{ cached_tokens: 32 }, 32], [{
      cached_tokens: 400,
    }, 100]] as const
  ) {
    endpoint.behave(() =>
      completion("look", { usage: { prompt_tokens: 100, completion_tokens: 4, ...usage } })
    );
    assert.equal((await modelAt(endpoint).chat(request)).usage.cached, cached);
  }
  const details = { cached_tokens: 70, cache_write_tokens: 70 };
  endpoint.behave(() =>
    completion("look", {
      usage: { prompt_tokens: 100, completion_tokens: 4, prompt_tokens_details: details },
    })
  );
  assert.equal((await modelAt(endpoint).chat(request)).usage.written, 30, "a price below zero");
});

Deno.test("createOpenAIModel() sends seed, effort, further fields and headers", async () => {
  await using endpoint = startFakeEndpoint();
  const headers = { "x-project": "memory" };
  const model = createOpenAIModel("fake-model", {
    baseUrl: endpoint.baseUrl,
    headers,
    env: env({ OPENAI_API_KEY: KEY }),
  });
  await model.chat({
    ...request,
    sampling: {
      seed: 7,
      effort: "low",
      extraBody: { chat_template_kwargs: { enable_thinking: false } },
    },
  });
  const [asked] = endpoint.asked;
  assert.equal(asked?.headers.get("x-project"), "memory");
  const { messages: _, ...body } = asked.body;
  assert.deepEqual(body, {
    model: "fake-model",
    seed: 7,
    reasoning_effort: "low",
    chat_template_kwargs: { enable_thinking: false },
  });
});

Deno.test("createOpenAIModel() sends tools and their results, and reads tool calls", async () => {
  await using endpoint = startFakeEndpoint();
  const call = {
    id: "c1",
    type: "function",
    function: { name: "path", arguments: '{"to": "kitchen"}' },
  };
  endpoint.behave(() =>
    completion("", {
      choices: [
        choice(null, {
          message: { role: "assistant", content: null, tool_calls: [call] },
          finish_reason: "tool_calls",
        }),
      ],
    })
  );
  const reply = await modelAt(endpoint).chat({
    ...request,
    tools,
    messages: [
      ...request.messages,
      { role: "assistant", content: "", toolCalls: [{ id: "c0", name: "path", arguments: "{}" }] },
      { role: "tool", content: "no way", toolCallId: "c0" },
    ],
  });
  assert.deepEqual(reply.choices, [{
    text: "",
    toolCalls: [{ id: "c1", name: "path", arguments: '{"to": "kitchen"}' }],
    finish: "tools",
  }]);
  const { body } = endpoint.asked[0] ?? {};
  assert.deepEqual(body?.tools, [{ type: "function", function: tools[0] }]);
  assert.deepEqual(body?.messages.slice(1), [
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "c0", type: "function", function: { name: "path", arguments: "{}" } }],
    },
    { role: "tool", content: "no way", tool_call_id: "c0" },
  ]);
});

Deno.test("createOpenAIModel() sends images, a schema and n", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => completion("", { choices: [choice("a"), choice("b", { index: 1 })] }));
  const schema = { name: "answer", schema: { type: "object" } };
  const reply = await modelAt(endpoint).chat({
    ...request,
    messages: [{
      role: "user",
      content: [{ kind: "text", text: "What is this?" }, {
        kind: "image",
        png: new Uint8Array([1, 2, 3]),
      }],
    }],
    schema,
    n: 2,
  });
  assert.deepEqual(reply.choices.map(({ text }) => text), ["a", "b"]);
  const { body } = endpoint.asked[0] ?? {};
  assert.deepEqual(body?.messages[0]?.content, [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
  ]);
  assert.deepEqual(body?.response_format, {
    type: "json_schema",
    json_schema: { ...schema, strict: true },
  });
  assert.equal(body?.n, 2);
});

Deno.test("createOpenAIModel() sends no sampling parameters to reasoning models", async () => {
  await using endpoint = startFakeEndpoint();
  const more = {
    sampling: { temperature: 0, topP: 1, maxTokens: 50, stop: ["x"] },
    tools: [{ name: "f", description: "", parameters: {} }],
  };
  for (const model of ["gpt-6-luna", "openai/gpt-6.1-sol"]) {
    const body = await askOnce(endpoint, model, more);
    assert.deepEqual(Object.keys(body).sort(), [
      "max_completion_tokens",
      "messages",
      "model",
      "reasoning_effort",
      "tools",
    ], model);
    assert.deepEqual([body.max_completion_tokens, body.reasoning_effort], [25_050, "none"]);
  }
  for (const model of ["o3", "o4-mini", "gpt-5-mini"]) {
    assert.deepEqual(
      Object.keys(await askOnce(endpoint, model, more)).sort(),
      ["max_completion_tokens", "messages", "model", "tools"],
      model,
    );
  }
  for (
    const model of [
      ..."gpt-4o gpt-4-0125-preview gpt-35-turbo gpt-5-chat-latest gpt-oss-20b llama-3-70b-instruct gemini-2.5-flash"
        .split(" "),
    ]
  ) {
    const body = await askOnce(endpoint, model, more);
    assert.deepEqual([body.max_tokens, body.temperature, body.stop], [50, 0, ["x"]], model);
  }
});

Deno.test("createOpenAIModel() throws server with the words and the usage of an error that has the status 200", async () => {
  await using endpoint = startFakeEndpoint();
  const error = { code: 502, message: "The provider\nis down" };
  endpoint.behave(
    () => Response.json({ error }),
    () => completion("", { choices: [choice("You co", { finish_reason: "error", error })] }),
  );
  for (const prompt of [undefined, 10]) {
    const { kind, message, usage } = await failureOf(modelAt(endpoint).chat(request));
    assert.deepEqual([kind, usage?.prompt], ["server", prompt]);
    assert.match(message, /answered with an error: The provider is down$/);
  }
});

Deno.test("createOpenAIModel() throws ModelError with the kind of each failure of the endpoint", async (t) => {
  await using endpoint = startFakeEndpoint();
  const cases: Failures = {
    ...commonFailures(failure),
    "429 quota": [
      () => failure(429, "You exceeded your quota", { code: "insufficient_quota" }),
      "quota",
      /fill up/,
    ],
    "500 picture": [
      () => failure(500, "image input is not supported"),
      "bad-request",
      /images=false/,
    ],
    "408": [() => failure(408, "too slow"), "timeout", /408/],
    "404": [
      () => failure(404, "The model does not exist", { code: "model_not_found" }),
      "no-endpoint",
      /that this endpoint serves/,
    ],
    "400 filter": [
      () => failure(400, "The prompt was filtered", { code: "content_filter" }),
      "refused",
      /filtered/,
    ],
    "HTML": [
      () => new Response("<html>hello</html>", { headers: { "content-type": "text/html" } }),
      "protocol",
      /not a chat completion/,
    ],
    "another schema": [
      () => Response.json({ result: "hello" }),
      "protocol",
      /not a chat completion at choices/,
    ],
    "a number for a text": [
      () => completion("", { choices: [choice("", { message: { content: 3 } })] }),
      "protocol",
      /message\.content/,
    ],
    "no choices": [() => completion("", { choices: [] }), "protocol", /has no choice/],
    "a refusal": [
      () =>
        completion("", {
          choices: [
            choice(null, {
              message: { role: "assistant", content: null, refusal: "I will\nnot." },
            }),
          ],
        }),
      "refused",
      /refused: I will not\./,
    ],
    "a filtered answer": [
      () => completion("", { choices: [choice("", { finish_reason: "content_filter" })] }),
      "refused",
      /filter/,
    ],
  };
  for (const [name, [response, kind, message]] of Object.entries(cases)) {
    await t.step(name, async () => {
      endpoint.behave(response);
      const error = await failureOf(modelAt(endpoint).chat(request));
      assert.equal(error.kind, kind);
      assert.match(error.message, message);
      assert.match(error.message, /^fake-model at 127\.0\.0\.1:\d+: /);
    });
  }
});

Deno.test("createOpenAIModel() returns a partly filtered text, and reports the cost of a refused call", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() =>
    completion("", { choices: [choice("You could", { finish_reason: "content_filter" })] })
  );
  assert.deepEqual((await modelAt(endpoint).chat(request)).choices, [{
    text: "You could",
    finish: "filter",
  }]);
  endpoint.behave(() =>
    completion("", { choices: [choice("", { finish_reason: "content_filter" })] })
  );
  assert.deepEqual((await failureOf(modelAt(endpoint).chat(request))).usage, {
    prompt: 10,
    cached: 0,
    completion: 5,
    reasoning: 0,
  });
});

Deno.test("createOpenAIModel() throws bad-request where an endpoint gives fewer choices, or refuses several", async () => {
  const refusal = (): Response =>
    failure(400, "Field 'n': Value must be between 1 <= value <= 2, but got 3");
  for (const [first, prompt] of [[() => completion("a"), 10], [refusal, 0]] as const) {
    await using endpoint = startFakeEndpoint();
    endpoint.behave(first);
    const { kind, usage } = await failureOf(modelAt(endpoint).chat({ ...request, n: 3 }));
    assert.deepEqual([kind, usage?.prompt], ["bad-request", prompt]);
    assert.equal(endpoint.asked.length, 1, "each call is one request");
  }
});

Deno.test("createOpenAIModel() removes the key in a header, and a password in a wrong address", async () => {
  await using endpoint = startFakeEndpoint();
  const { baseUrl } = endpoint;
  const headers = { "x-auth": `Bearer ${KEY}` };
  endpoint.behave(() => failure(400, `no such token: ${KEY}`));
  await failureOf(createOpenAIModel("m", { baseUrl, headers, env: env({}) }).chat(request));
  await failureOf(
    createOpenAIModel("m", { baseUrl: `htps://user:${KEY}@host/v1`, env: env({}) }).chat(request),
  );
});

Deno.test("createOpenAIModel() removes keys, passwords and the values of headers that an endpoint echoes", async () => {
  await using endpoint = startFakeEndpoint();
  const baseUrl = `${endpoint.baseUrl.replace("//", "//user:pass-of-mine@")}?token=token-of-mine`;
  const model = createOpenAIModel("m", {
    baseUrl,
    headers: { "x-team": "team-of-mine" },
    env: env({ OPENAI_API_KEY: KEY }),
  });
  const echo = `${"x".repeat(285)} ${KEY} pass-of-mine ${
    btoa("user:pass-of-mine")
  } token-of-mine team-of-mine`; // messages are cut at 300
  endpoint.behave(() => failure(400, echo), () => completion(echo.slice(286)));
  const { message } = await failureOf(model.chat(request));
  const { choices: [{ text }] } = await model.chat(request);
  assert.match(message, /x …/);
  assert.equal(text, "… … … … …");
  assert.doesNotMatch(message, /sk-|mine/);
  const gated = createOpenAIModel("m", {
    baseUrl: endpoint.baseUrl,
    headers: { "x-gate": "gate/of+mine" },
    env: env({ OPENAI_API_KEY: KEY }),
  });
  endpoint.behave(() => failure(400, `cannot take ?gate=${encodeURIComponent("gate/of+mine")}`));
  assert.match((await failureOf(gated.chat(request))).message, /\?gate=…$/);
});

Deno.test("createOpenAIModel() reads Retry-After as seconds or as a date on the endpoint's clock, and not where a request was refused", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(
    () => failure(429, "slow down", { headers: { "retry-after": "7" } }),
    () =>
      failure(503, "busy", {
        headers: {
          date: "Wed, 21 Oct 2015 07:28:00 GMT",
          "retry-after": "Wed, 21 Oct 2015 07:29:30 GMT",
        },
      }),
    () => failure(503, "busy", { headers: { "retry-after": "later" } }),
    () => failure(400, "bad parameter", { headers: { "retry-after": "0" } }),
  );
  const model = modelAt(endpoint);
  for (const wait of [7000, 90_000, undefined, undefined]) {
    assert.equal((await failureOf(model.chat(request))).retryAfterMs, wait);
  }
});

Deno.test("createOpenAIModel() times out before the headers and in the middle of the body", async () => {
  await using endpoint = startFakeEndpoint();
  const stop = new AbortController();
  const stalled = (): Response =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('{"id":'));
          stop.signal.addEventListener("abort", () => controller.close());
        },
      }),
      { headers: { "content-type": "application/json" } },
    );
  for (const behaviour of [() => "hang" as const, stalled]) {
    endpoint.behave(behaviour);
    const error = await failureOf(modelAt(endpoint, "fake-model", 0.08).chat(request));
    assert.equal(error.kind, "timeout");
    assert.match(error.message, /within 0\.08 s/);
  }
  stop.abort();
});

Deno.test("createOpenAIModel() rejects with the signal's reason as soon as it is aborted", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() => "hang");
  const stop = new AbortController();
  const reason = new DOMException("interrupted by the user", "AbortError");
  const call = modelAt(endpoint).chat({ ...request, signal: stop.signal });
  setTimeout(() => stop.abort(reason), 30);
  assert.equal(await call.then(() => undefined, (error: unknown) => error), reason);
});

Deno.test("createOpenAIModel() names a key that cannot be sent, without it, and asks nothing again", async () => {
  await using endpoint = startFakeEndpoint();
  for (const key of [`${KEY}\n${KEY}`, `${KEY}\u0001`, `“${KEY}”`]) {
    const model = createOpenAIModel("m", {
      baseUrl: endpoint.baseUrl,
      keyEnv: "MY_KEY",
      env: env({ MY_KEY: key }),
    });
    const { kind, message, usage } = await failureOf(model.chat(request));
    assert.deepEqual([kind, usage?.prompt, message.includes(KEY)], ["no-endpoint", 0, false]);
    assert.match(
      message,
      /^the key in MY_KEY has a line break or another character that no header can have: set it again$/,
    );
  }
  assert.deepEqual(endpoint.asked, []);
});

Deno.test("createOpenAIModel() repeats nothing of an invalid address that may hold a key, and sends nothing there", async () => {
  for (
    const address of [
      "me:pass-of-mine@host/v1",
      "http://me:pass-of-mine@ho st/v1",
      "http://[bad/v1?key=pass-of-mine",
      KEY,
    ]
  ) {
    const options = { env: env({ OPENAI_BASE_URL: address }) };
    const { kind, message } = await failureOf(createOpenAIModel("mine", options).chat(request));
    assert.deepEqual(
      [
        kind,
        /^\(hidden\) is not the address of a model server: set OPENAI_BASE_URL /.test(message),
      ],
      ["no-endpoint", true],
      message,
    );
    assert.ok(!hostAt(OPENAI, options).includes("mine"), address);
  }
});

Deno.test("createOpenAIModel() needs no key for a user's own server, and names a retired model", async () => {
  await using endpoint = startFakeEndpoint();
  const model = createOpenAIModel("gpt-4-0125-preview", {
    env: env({ OPENAI_BASE_URL: endpoint.baseUrl }),
  });
  assert.equal((await model.chat(request)).choices[0].text, "hello");
  endpoint.behave(() => failure(404, "The model does not exist", { code: "model_not_found" }));
  assert.match(
    (await failureOf(model.chat(request))).message,
    /turned off by its maker on 2026-03-26/,
  );
});

Deno.test("createOpenAIModel() keeps an answer whose usage makes no sense, and counts its tokens itself", async () => {
  await using endpoint = startFakeEndpoint();
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  const odd = [-1, "many", {}, null].map((prompt_tokens) => ({
    prompt_tokens,
    completion_tokens: 2,
  }));
  for (
    const usage of [...odd, zeros, [], "many", 3, {
      prompt_tokens: 6,
      completion_tokens: 2,
      prompt_tokens_details: "none",
    }]
  ) {
    endpoint.behave(() => completion("hello world", { usage }));
    const messages = [{ role: "user" as const, content: "tiktoken is great!" }];
    const reply = await modelAt(endpoint).chat({ ...request, messages });
    assert.deepEqual([reply.choices[0].text, reply.usage], ["hello world", {
      prompt: 6,
      cached: 0,
      completion: 2,
      reasoning: 0,
    }]);
  }
});
