import assert from "node:assert/strict";
import type { ChatModel, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import { createAsker } from "../../../lib/core/llm/asker.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { createModels } from "../../../lib/lab/llm/stack.ts";
import { openStore } from "../../../lib/lab/store/open.ts";
import { failure, type FakeEndpoint, plainCompletion, startFakeEndpoint } from "./fake-endpoint.ts";

const request: ChatRequest = { role: "demo/ask", messages: [{ role: "user", content: "Hi" }] };

function baseModel({ baseUrl }: FakeEndpoint, model = "mine"): ChatModel {
  return createOpenAIModel(model, { baseUrl, style: "completion", env: () => undefined });
}

Deno.test("completion style sends the messages as one text and reads text, finish and usage", async () => {
  await using endpoint = startFakeEndpoint("/completions");
  endpoint.behave(() =>
    plainCompletion(" look", { choices: [{ text: " look", index: 0, finish_reason: "length" }] })
  );
  const reply = await baseModel(endpoint).chat({
    ...request,
    messages: [{ role: "system", content: "You play." }, {
      role: "user",
      content: "### Task\nfind the key",
    }],
    sampling: { temperature: 0, topP: 0.9, maxTokens: 50, stop: ["END"] },
  });
  assert.deepEqual(reply, {
    model: "fake-model-0001",
    choices: [{ text: " look", finish: "length" }],
    usage: { prompt: 10, cached: 0, completion: 5, reasoning: 0 },
  });
  assert.deepEqual(endpoint.asked.map(({ body }) => body as unknown), [{
    model: "mine",
    prompt: "You play.\n\n### Task\nfind the key\n\n### Answer\n",
    max_tokens: 50,
    stop: ["END", "\n### "],
    temperature: 0,
    top_p: 0.9,
  }]);
});

Deno.test("completion style sends max_tokens of its own and at most four stop sequences", async () => {
  await using endpoint = startFakeEndpoint("/completions");
  endpoint.behave(() => plainCompletion("look"));
  await baseModel(endpoint).chat(request);
  await baseModel(endpoint).chat({ ...request, sampling: { stop: ["a", "b", "c", "d"] } });
  assert.deepEqual(endpoint.asked.map(({ body }) => [body.max_tokens, body.stop]), [[256, [
    "\n### ",
  ]], [256, ["a", "b", "c", "d"]]]);
});

Deno.test("completion style shows a malformed reply before it asks again", async () => {
  await using endpoint = startFakeEndpoint("/completions");
  endpoint.behave(() => plainCompletion("Hm."), () => plainCompletion("wet"));
  const ask = createAsker({ model: baseModel(endpoint) });
  const answer = await ask(
    { role: "demo/sky", instructions: "Wet or dry?", sections: { sky: "Sky" } },
    { sky: "grey" },
    {
      parse: (text) =>
        text === "wet"
          ? { kind: "ok", value: text }
          : { kind: "malformed", problem: "it is neither" },
    },
  );
  assert.equal(answer.kind, "ok");
  assert.deepEqual(answer.usage, { prompt: 20, cached: 0, completion: 10, reasoning: 0 });
  assert.match(
    String(endpoint.asked[1]?.body.prompt),
    /^Wet or dry\?\n\n### Sky\ngrey\n\n### Answer\nHm\.\n\nThat answer could not be read: it is neither\..*\n\n### Answer\n$/,
  );
});

Deno.test("styleOf() is completion for models without chat, unless the role map names a style", async () => {
  await using endpoint = startFakeEndpoint("/completions");
  await using chats = startFakeEndpoint();
  endpoint.behave(() => plainCompletion("hello"));
  const at = (
    model: string,
    options: { readonly baseUrl: string; readonly style?: "chat" },
  ): Promise<unknown> =>
    createOpenAIModel(model, { ...options, env: () => undefined }).chat(request);
  for (
    const model of [
      "text-davinci-003",
      "gpt-3.5-turbo-instruct",
      "openai/gpt-3.5-turbo-instruct-0914",
      "davinci-002",
    ]
  ) {
    await at(model, { baseUrl: endpoint.baseUrl });
  }
  for (const model of ["gpt-3.5-turbo", "llama-3-70b-instruct", "my-davinci-002-chat"]) {
    await at(model, { baseUrl: chats.baseUrl });
  }
  await at("text-davinci-003", { baseUrl: chats.baseUrl, style: "chat" });
  assert.deepEqual([endpoint.asked.length, chats.asked.length], [4, 4]);
});

Deno.test("a role map's style selects the API, and replies of the other style are not replayed", async () => {
  await using plain = startFakeEndpoint("/completions");
  await using chats = startFakeEndpoint();
  plain.behave(() => plainCompletion("in plain text"));
  using store = openStore(":memory:");
  const said = async (
    entry: { readonly baseUrl: string; readonly style?: "completion" },
  ): Promise<string> =>
    (await createModels({ map: { "*": { model: "mine", ...entry } }, store, codeVersion: "0" })
      .chat(request)).choices[0].text;
  assert.equal(await said({ baseUrl: chats.baseUrl }), "hello");
  assert.equal(await said({ baseUrl: plain.baseUrl, style: "completion" }), "in plain text");
  assert.equal(await said({ baseUrl: plain.baseUrl, style: "completion" }), "in plain text");
  assert.deepEqual([chats.asked.length, plain.asked.length], [1, 1]);
});

Deno.test("createOpenAIModel() names the remedy when a model has no chat", async () => {
  await using endpoint = startFakeEndpoint();
  endpoint.behave(() =>
    failure(
      404,
      "This is not a chat model and thus not supported in the v1/chat/completions endpoint.",
    )
  );
  const call = createOpenAIModel("mine", { baseUrl: endpoint.baseUrl, env: () => undefined }).chat(
    request,
  );
  await assert.rejects(call, { kind: "no-endpoint", message: /"style": "completion"/ });
});
