import assert from "node:assert/strict";
import { ariadnePrompts } from "../../../lib/core/agent/ariadne.prompts.ts";
import type { ChatModel, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createNativeModel } from "../../../lib/core/llm/native.ts";
import { renderPrompt } from "../../../lib/core/llm/prompt.ts";
import { providerOf } from "../../../lib/core/llm/providers.ts";
import type { Endpoint } from "../../../lib/core/llm/roles.ts";
import {
  commonFailures,
  failureOf,
  type Failures,
  type FakeEndpoint,
  KEY,
  startBreakingEndpoint,
  startFakeEndpoint,
  TOOLS as tools,
} from "./fake-endpoint.ts";
import { bodyOf, USAGE, type Wire, wireOf, WIRES } from "./native-wire.ts";

const request: ChatRequest = { role: "demo/ask", messages: [{ role: "user", content: "Hi" }] };
const schema = {
  name: "demo",
  schema: {
    type: "object",
    properties: { act: { type: "string" } },
    required: ["act"],
    additionalProperties: false,
  },
};
const chat: ChatRequest["messages"] = [
  { role: "system", content: "You play." },
  {
    role: "user",
    content: [{ kind: "text", text: "Where?" }, {
      kind: "image",
      png: new Uint8Array([137, 80, 78, 71]),
    }],
  },
  {
    role: "assistant",
    content: "Hm.",
    toolCalls: [{ id: "c0", name: "path", arguments: '{"to":"hall"}' }],
  },
  { role: "tool", content: "no way", toolCallId: "c0" },
];

function modelAt(
  wire: Wire,
  { baseUrl }: { readonly baseUrl: string },
  timeoutSeconds = 5,
): ChatModel {
  const env = (name: string): string | undefined => name === wire.keyEnv ? KEY : undefined;
  return createNativeModel(wire.maker, wire.model, {
    baseUrl,
    timeoutSeconds,
    headers: { "x-project": "memory" },
    env,
  });
}

async function ask(
  wire: Wire,
  endpoint: FakeEndpoint,
  more: Partial<ChatRequest>,
): Promise<Record<string, unknown>> {
  await modelAt(wire, endpoint).chat({ ...request, ...more });
  return bodyOf(endpoint.asked);
}

/** A model of Anthropic's by its id. */
function claude(model: string, { baseUrl }: FakeEndpoint): ChatModel {
  return createNativeModel("anthropic", model, { baseUrl, env: () => KEY });
}

for (const wire of WIRES) {
  const { maker } = wire;
  const thought = maker === "openai" ? {} : { thought: "Hm." }; // whose reasoning is not shown

  Deno.test(`createNativeModel() reads text, finish and usage of ${maker}, and sends key and headers`, async () => {
    await using endpoint = startFakeEndpoint(wire.path);
    for (const finish of ["stop", "length", "filter"] as const) {
      endpoint.behave(() => wire.reply({ text: "look", finish }));
      assert.deepEqual(await modelAt(wire, endpoint).chat(request), {
        model: `${wire.model}-0001`,
        choices: [{ text: "look", ...thought, finish }],
        usage: USAGE,
      });
    }
    const headers = endpoint.asked[0]?.headers ?? new Headers();
    assert.equal(wire.keyOf(headers), KEY);
    assert.equal(headers.get("x-project"), "memory");
  });

  Deno.test(`createNativeModel() reads the tool calls of ${maker}`, async () => {
    await using endpoint = startFakeEndpoint(wire.path);
    const toolCalls = [{ id: "c1", name: "path", arguments: '{"to":"kitchen"}' }, {
      id: "c2",
      name: "path",
      arguments: "{}",
    }];
    endpoint.behave(() => wire.reply({ text: "I look.", toolCalls, finish: "tools" }));
    const reply = await modelAt(wire, endpoint).chat({ ...request, tools, schema });
    assert.deepEqual(reply.choices, [{ text: "I look.", ...thought, toolCalls, finish: "tools" }]);
    assert.doesNotMatch(JSON.stringify(bodyOf(endpoint.asked)), /"act"/, "a schema beside tools");
  });

  Deno.test(`createNativeModel() throws ModelError with the kind of each failure of ${maker}`, async (t) => {
    await using endpoint = startFakeEndpoint(wire.path);
    const cases: Failures = {
      ...commonFailures(wire.failure),
      "529": [
        () => wire.failure(529, "Overloaded", { type: "overloaded_error" }),
        "server",
        /529 Overloaded/,
      ],
      "another schema": [
        () => Response.json({ candidates: 3, content: 3, output: 3 }),
        "protocol",
        /that its API does not know/,
      ],
      "a refusal": [() => wire.reply({ finish: "filter" }), "refused", /filter/],
    };
    for (const [name, [response, kind, message]] of Object.entries(cases)) {
      await t.step(name, async () => {
        endpoint.behave(response);
        const error = await failureOf(modelAt(wire, endpoint).chat(request));
        assert.deepEqual([error.kind, message.test(error.message) || error.message], [kind, true]);
        assert.ok(error.message.startsWith(`${wire.model} at 127.0.0.1:`), error.message);
        if (name === "a refusal") assert.deepEqual(error.usage, USAGE);
      });
    }
    assert.equal(endpoint.asked.length, Object.keys(cases).length, "each call is one attempt");
  });

  Deno.test(`createNativeModel() tells timeouts and broken connections of ${maker} apart`, async () => {
    await using endpoint = startFakeEndpoint(wire.path);
    endpoint.behave(() => "hang");
    const late = await failureOf(modelAt(wire, endpoint, 0.08).chat(request));
    assert.deepEqual([late.kind, /within 0\.08 s/.test(late.message)], ["timeout", true]);
    const stop = new AbortController();
    const reason = new DOMException("interrupted by the user", "AbortError");
    const call = modelAt(wire, endpoint).chat({ ...request, signal: stop.signal });
    setTimeout(() => stop.abort(reason), 30);
    assert.equal(await call.then(() => undefined, (error: unknown) => error), reason);

    await using breaking = startBreakingEndpoint();
    assert.equal((await failureOf(modelAt(wire, breaking).chat(request))).kind, "server");
    await using cutting = startBreakingEndpoint(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"id": "m',
    );
    assert.equal((await failureOf(modelAt(wire, cutting).chat(request))).kind, "protocol");
    const gone = Deno.listen({ port: 0, hostname: "127.0.0.1" });
    const baseUrl = `http://127.0.0.1:${gone.addr.port}/v1`;
    gone.close();
    const missing = await failureOf(modelAt(wire, { baseUrl }).chat(request));
    assert.deepEqual([
      missing.kind,
      /nothing listens there: start the server/.test(missing.message),
    ], ["no-endpoint", true]);
  });

  Deno.test(`createNativeModel() sends a schema to ${maker} until it is refused`, async () => {
    await using endpoint = startFakeEndpoint(wire.path);
    endpoint.behave(() => wire.reply({ text: '{"act":"look"}' }));
    const model = modelAt(wire, endpoint);
    const sent = async (): Promise<
      string
    > => (await model.chat({ ...request, schema }), JSON.stringify(bodyOf(endpoint.asked)));
    assert.match(await sent(), /"act"/);
    endpoint.behave(
      () => wire.failure(400, "json_schema is not supported by this model"),
      () => wire.reply({ text: '{"act":"look"}' }),
    );
    assert.equal((await failureOf(model.chat({ ...request, schema }))).retryAfterMs, 0);
    assert.doesNotMatch(await sent(), /"act"/);
    assert.match(
      JSON.stringify(await ask(wire, endpoint, { schema })),
      /"act"/,
      "another model remembers nothing",
    );
  });
}

Deno.test("createNativeModel() sends a chat with tools and images to Anthropic, with cache marks on the stable prefix", async () => {
  const wire = wireOf("anthropic");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: "ok" }));
  const mark = { cache_control: { type: "ephemeral" } };
  const sampling = {
    temperature: 0.2,
    maxTokens: 50,
    stop: ["\n\n"],
    extraBody: { metadata: { user_id: "lab" } },
  };
  assert.deepEqual(await ask(wire, endpoint, { messages: chat, tools, sampling }), {
    model: wire.model,
    max_tokens: 50,
    temperature: 0.2,
    stop_sequences: ["\n\n"],
    metadata: { user_id: "lab" },
    system: [{ type: "text", text: "You play.", ...mark }],
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Where?" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw==" } },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "text", text: "Hm." }, {
          type: "tool_use",
          id: "c0",
          name: "path",
          input: { to: "hall" },
        }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c0", content: "no way", ...mark }],
      },
    ],
    tools: [{ name: "path", description: "A way", input_schema: tools[0]?.parameters }],
  });
  assert.equal(endpoint.asked[0]?.headers.get("anthropic-version"), "2023-06-01");
});

Deno.test("createNativeModel() marks where Ariadne's prompts begin to change, in parts that the next request repeats", async () => {
  const wire = wireOf("anthropic");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: "ok" }));
  const { plan, act } = ariadnePrompts("cacheable", { fixed: false, goTo: true });
  type Part = { readonly text: string; readonly cache_control?: unknown };
  async function parts(
    prompt: typeof plan,
    seen: readonly string[],
    memory: string,
  ): Promise<Part[]> {
    const values = {
      goal: "Win.",
      history: seen.slice(0, -1),
      observation: seen.at(-1),
      plan: `Plan ${seen.length}`,
      actions: "look",
    };
    const messages = renderPrompt(prompt, values, { extra: { Triplets: memory } });
    const body = await ask(wire, endpoint, { messages });
    assert.equal((body.system as Part[])[0]?.cache_control !== undefined, true);
    const [{ content }] = body.messages as [{ content: Part[] }];
    assert.equal(content.map(({ text }) => text).join(""), messages[1]?.content);
    return content;
  }
  const marked = (content: readonly Part[]): number[] =>
    content.flatMap((part, index) => part.cache_control ? [index] : []);
  const textsOf = (content: readonly Part[], end: number): string[] =>
    content.slice(0, end).map(({ text }) => text);

  const first = await parts(plan, ["### One", "Two"], "a, is, b");
  assert.deepEqual(textsOf(first, 4), [
    "### Main goal\nWin.",
    `\n\n### ${plan.sections.history}\n ### One`,
    "\n\nTwo",
    "\n\n### Triplets\na, is, b",
  ]);
  assert.deepEqual(marked(first), [2, 3], "the history, and what planner and actor share");
  const second = await parts(act, ["### One", "Two"], "a, is, b");
  assert.deepEqual(textsOf(second, 4), textsOf(first, 4));
  const third = await parts(plan, ["### One", "Two", "Three"], "a, is, c");
  assert.deepEqual(textsOf(third, 3), textsOf(first, 3));
  assert.deepEqual(marked(third), [3, 4]);
});

Deno.test("createNativeModel() enforces a schema at Anthropic by the output format, or by a tool where a model has none", async () => {
  const wire = wireOf("anthropic");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: '{"act":"look"}' }));
  const body = await ask(wire, endpoint, { schema });
  assert.deepEqual(body.output_config, { format: { type: "json_schema", schema: schema.schema } });
  endpoint.behave(() =>
    wire.reply({
      toolCalls: [{ id: "c1", name: "json", arguments: '{"act":"look"}' }],
      finish: "tools",
    })
  );
  const old = claude("claude-3-haiku-20240307", endpoint);
  assert.deepEqual((await old.chat({ ...request, schema })).choices, [{
    text: '{"act":"look"}',
    thought: "Hm.",
    finish: "stop",
  }]);
  assert.deepEqual((bodyOf(endpoint.asked).tools as unknown[]).length, 1);
});

Deno.test("createNativeModel() gives Claude room to reason beside the answer, never more than a budget sets aside", async () => {
  const wire = wireOf("anthropic");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: "ok" }));
  const body = async (
    model: string,
    effort?: "none" | "high",
    messages = request.messages,
  ): Promise<unknown[]> => {
    await claude(model, endpoint).chat({
      ...request,
      messages,
      sampling: { maxTokens: 100, temperature: 0, effort },
    });
    const { max_tokens, temperature, thinking } = bodyOf(endpoint.asked) as Record<
      string,
      Record<string, unknown>
    >;
    return [max_tokens, temperature, thinking?.type, thinking?.budget_tokens];
  };
  assert.deepEqual(await body("claude-sonnet-4-6"), [100, 0, undefined, undefined]);
  assert.deepEqual(await body("claude-sonnet-4-6", "high"), [
    25_100,
    undefined,
    "adaptive",
    undefined,
  ]);
  assert.deepEqual(await body("claude-haiku-4-5", "high"), [25_100, undefined, "enabled", 25_000]);
  assert.deepEqual(await body("claude-haiku-4-5", "high", chat), [
    25_100,
    undefined,
    undefined,
    undefined,
  ]);
  assert.deepEqual(await body("claude-sonnet-5-5"), [25_100, undefined, undefined, undefined]);
  assert.deepEqual(await body("claude-haiku-4-5", "none"), [100, 0, "disabled", undefined]);
});

Deno.test("createNativeModel() sends the ceiling that is on record, or nothing where the client would lower it", async () => {
  const wire = wireOf("anthropic");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: "ok" }));
  const chat = (model: string, sampling: ChatRequest["sampling"]): Promise<unknown> =>
    claude(model, endpoint).chat({
      ...request,
      sampling,
    });
  const { kind, message, usage } = await failureOf(
    chat("claude-3-haiku-20240307", { maxTokens: 5000 }),
  );
  assert.deepEqual([kind, usage?.completion, endpoint.asked.length], ["bad-request", 0, 0]);
  assert.equal(
    message,
    "maxTokens 5000 is more than claude-3-haiku-20240307 answers with: set at most 4096",
  );
  await chat("claude-3-haiku-20240307", { maxTokens: 4096 });
  assert.equal(bodyOf(endpoint.asked).max_tokens, 4096);
  await chat("claude-opus-4-1", { maxTokens: 20_000, effort: "high" });
  const { max_tokens, thinking } = bodyOf(endpoint.asked);
  assert.deepEqual(
    [max_tokens, thinking],
    [32_000, { type: "enabled", budget_tokens: 12_000 }],
    "what is left of the window is for reasoning",
  );
  const provider = providerOf("claude-3-haiku-20240307", {});
  const early = provider.ignores?.("claude-3-haiku-20240307", { maxTokens: 5000 });
  await assert.rejects(Promise.resolve(early), { name: "UsageError", message });
});

Deno.test("createNativeModel() sends a chat with tools and images to Google, with room for reasoning", async () => {
  const wire = wireOf("google");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: "ok" }));
  const sampling = {
    ...{
      temperature: 0.2,
      topP: 0.9,
      maxTokens: 50,
      seed: 7,
      stop: ["\n\n"],
      effort: "none" as const,
    },
    extraBody: { generationConfig: { candidateCount: 1 }, cachedContent: "cachedContents/1" },
  };
  const generation = {
    ...{
      maxOutputTokens: 25_050,
      temperature: 0.2,
      topP: 0.9,
      seed: 7,
      stopSequences: ["\n\n"],
      candidateCount: 1,
    },
    thinkingConfig: { thinkingBudget: 0 },
  };
  assert.deepEqual(await ask(wire, endpoint, { messages: chat, tools, sampling }), {
    systemInstruction: { parts: [{ text: "You play." }] },
    contents: [
      {
        role: "user",
        parts: [{ text: "Where?" }, { inlineData: { mimeType: "image/png", data: "iVBORw==" } }],
      },
      {
        role: "model",
        parts: [{ text: "Hm." }, {
          functionCall: { id: "c0", name: "path", args: { to: "hall" } },
        }],
      },
      {
        role: "user",
        parts: [{
          functionResponse: {
            id: "c0",
            name: "path",
            response: { name: "path", content: "no way" },
          },
        }],
      },
    ],
    tools: [{
      functionDeclarations: [{
        name: "path",
        description: "A way",
        parametersJsonSchema: tools[0]?.parameters,
      }],
    }],
    generationConfig: generation,
    cachedContent: "cachedContents/1",
  });
  const { generationConfig } = await ask(wire, endpoint, { schema });
  assert.deepEqual(generationConfig, {
    responseMimeType: "application/json",
    responseJsonSchema: schema.schema,
  });
});

Deno.test("createNativeModel() reads Google's blocked prompts, wrong keys, waits in the body and empty answers", async () => {
  const wire = wireOf("google");
  await using endpoint = startFakeEndpoint(wire.path);
  const usageMetadata = { promptTokenCount: 9, totalTokenCount: 9 };
  const wait = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" };
  const exhausted = {
    code: 429,
    message: "You exceeded your current quota",
    status: "RESOURCE_EXHAUSTED",
    details: [wait],
  };
  endpoint.behave(
    () => Response.json({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata }),
    () =>
      wire.failure(400, "API key not valid. Please pass a valid API key.", {
        type: "INVALID_ARGUMENT",
      }),
    () => Response.json({ error: exhausted }, { status: 429 }),
    () =>
      Response.json({
        candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", content: {} }],
        usageMetadata,
      }),
    () =>
      Response.json({
        candidates: [{
          finishReason: "STOP",
          content: { parts: [{ text: "hello world" }], role: "model" },
        }],
      }),
  );
  const model = modelAt(wire, endpoint);
  const blocked = await failureOf(model.chat(request));
  assert.deepEqual([blocked.kind, blocked.usage?.prompt], ["refused", 9]);
  assert.equal((await failureOf(model.chat(request))).kind, "authentication");
  const limited = await failureOf(model.chat(request));
  assert.deepEqual([limited.kind, limited.retryAfterMs], ["rate-limit", 34_500]);
  const empty = await failureOf(model.chat(request));
  assert.deepEqual([empty.kind, empty.usage?.prompt], ["protocol", 9]);
  assert.deepEqual((await model.chat(request)).usage, {
    prompt: 1,
    cached: 0,
    completion: 2,
    reasoning: 0,
  }, "counted here");
});

Deno.test("createNativeModel() sends a chat with tools and images to OpenAI's Responses, which keeps nothing", async () => {
  const wire = wireOf("openai");
  await using endpoint = startFakeEndpoint(wire.path);
  endpoint.behave(() => wire.reply({ text: "ok" }));
  const { store, input, max_output_tokens, reasoning, temperature } = await ask(wire, endpoint, {
    messages: chat,
    tools,
    sampling: { temperature: 0, maxTokens: 50, effort: "low" },
  });
  assert.deepEqual([store, max_output_tokens, reasoning, temperature], [false, 25_050, {
    effort: "low",
  }, undefined]);
  assert.deepEqual(input, [
    { role: "developer", content: "You play." },
    {
      role: "user",
      content: [{ type: "input_text", text: "Where?" }, {
        type: "input_image",
        image_url: "data:image/png;base64,iVBORw==",
      }],
    },
    { role: "assistant", content: "Hm." },
    { type: "function_call", call_id: "c0", name: "path", arguments: '{"to":"hall"}' },
    { type: "function_call_output", call_id: "c0", output: "no way" },
  ]);
});

Deno.test("createNativeModel() tells a refusal of OpenAI's Responses from an answer, and says why one failed", async () => {
  const wire = wireOf("openai");
  await using endpoint = startFakeEndpoint(wire.path);
  const model = createNativeModel("openai", wire.model, {
    baseUrl: endpoint.baseUrl,
    env: () => KEY,
  });
  const content = [{ type: "refusal", refusal: "I will not." }];
  const answered = await wire.reply({ text: "I will not." }).json();
  const message = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  endpoint.behave(
    () => Response.json({ ...answered, output: [message] }),
    () =>
      Response.json({
        ...answered,
        status: "failed",
        output: [],
        usage: null,
        error: { code: "server_error", message: "It broke." },
      }),
  );
  const refused = await failureOf(model.chat(request));
  assert.deepEqual([refused.kind, refused.usage], ["refused", USAGE]);
  assert.match(refused.message, /refused: I will not\.$/);
  assert.match(
    (await failureOf(model.chat(request))).message,
    /answered with an error \(It broke\.\)$/,
  );
});

Deno.test("providerOf() checks a temperature against what the maker's own API takes", () => {
  const check = (model: string, endpoint: Endpoint): void =>
    providerOf(model, endpoint).check?.(model, { ...endpoint, keyEnv: "PATH" }, { attempt: 1 });
  for (const [model, highest] of [["claude-opus-5-5", 1], ["gemini-2.5-flash", 2]] as const) {
    check(model, { temperature: highest });
    const message = new RegExp(
      `the temperature 2.5 of ${model} is too high: the provider \\w+ takes 0 to ${highest}$`,
    );
    assert.throws(() => check(model, { temperature: 2.5 }), { name: "UsageError", message });
  }
  assert.throws(() => check("gpt-4o", { temperature: 2.5, baseUrl: "https://api.openai.com/v1" }), {
    message: /openai takes 0 to 2$/,
  });
  check("llama", { temperature: 2.5, baseUrl: "http://localhost:8000/v1" });
});

Deno.test("providerOf() finds the maker by the model's id, unless the binding names a provider, an address or a style", () => {
  const provider = (model: string, endpoint: Endpoint = {}): string =>
    providerOf(model, endpoint).id;
  assert.deepEqual(
    [
      provider("claude-opus-5-5"),
      provider("gemini-2.5-flash"),
      provider("gpt-6-sol"),
      provider("gemini-2.5-flash", {
        baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/",
      }),
      provider("claude-opus-5-5", { provider: "openai" }),
      provider("mine", { provider: "anthropic", baseUrl: "http://localhost:1/v1" }),
      provider("gpt-6-sol", { style: "responses" }),
      provider("gpt-6-sol", { provider: "openai", style: "chat" }),
    ],
    [
      ..."anthropic google openai openai openai anthropic openai-responses openai".split(" "),
    ],
  );
  const check = (): void =>
    providerOf("claude-x", { provider: "anthropic" }).check?.("claude-x", { style: "completion" }, {
      attempt: 1,
    });
  const noKey = { keyEnv: "NO_SUCH_KEY" };
  assert.throws(() => providerOf("claude-x", {}).check?.("claude-x", noKey, { attempt: 1 }), {
    message: /no key for claude-x: set NO_SUCH_KEY/,
  });
  assert.throws(check, { name: "UsageError", message: /style completion of claude-x/ });
});
