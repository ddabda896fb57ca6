/**
 * Arguments of tool calls: read in every form that servers write, and never sent back as anything
 * but an object.
 */

import assert from "node:assert/strict";
import type { ChatRequest, Message } from "../../../lib/core/llm/chat-model.ts";
import { createNativeModel } from "../../../lib/core/llm/native.ts";
import { createOpenAIModel } from "../../../lib/core/llm/openai.ts";
import { choice, completion, KEY, startFakeEndpoint } from "./fake-endpoint.ts";
import { WIRES } from "./native-wire.ts";

const request: ChatRequest = { role: "demo/ask", messages: [{ role: "user", content: "Hi" }] };

Deno.test("arguments of a tool call are one JSON text, however a server writes them", async () => {
  await using endpoint = startFakeEndpoint();
  const model = createOpenAIModel("m", { baseUrl: endpoint.baseUrl, env: () => undefined });
  const cases: readonly (readonly [unknown, string])[] = [
    ['{"to": "hall"}', '{"to": "hall"}'],
    [{ to: "hall" }, '{"to":"hall"}'],
    [JSON.stringify('{"to": "hall"}'), '{"to": "hall"}'],
    [JSON.stringify(JSON.stringify('{"to": "hall"}')), '{"to": "hall"}'],
    [null, "{}"],
    [undefined, "{}"],
    ["null", "{}"],
    ["", "{}"],
    [" ", "{}"],
    ['{"to": "ha', '{"to": "ha'],
    ['"hall"', "hall"],
  ];
  for (const [written, read] of cases) {
    const call = { id: "c1", type: "function", function: { name: "path", arguments: written } };
    endpoint.behave(() =>
      completion("", {
        choices: [choice(null, { message: { content: null, tool_calls: [call] } })],
      })
    );
    assert.deepEqual((await model.chat(request)).choices[0].toolCalls, [{
      id: "c1",
      name: "path",
      arguments: read,
    }], String(written));
  }
});

/**
 * A chat in which the same id stands for a broken call and later for a sound one, as at servers
 * that give no ids.
 */
function chatWith(broken: string): Message[] {
  const result = (content: string): Message => ({ role: "tool", toolCallId: "call_0", content });
  const called = (args: string): Message => ({
    role: "assistant",
    content: "",
    toolCalls: [{ id: "call_0", name: "path", arguments: args }],
  });
  return [
    ...request.messages,
    called(broken),
    result("cannot be read"),
    called('{"to":"hall"}'),
    result("no way"),
  ];
}

Deno.test("broken arguments are sent back as none, and quoted in the result of the call", async () => {
  for (const broken of ['{"to": "ha', "[1]", "5", "null", "hall"]) {
    await using endpoint = startFakeEndpoint();
    await createOpenAIModel("m", { baseUrl: endpoint.baseUrl, env: () => undefined }).chat({
      ...request,
      messages: chatWith(broken),
    });
    const [, first, told, second, last] = endpoint.asked[0]?.body.messages ?? [];
    const argumentsOf = (message: typeof first): unknown =>
      (message?.["tool_calls"] as readonly { function: { arguments: string } }[])[0]?.function
        .arguments;
    assert.deepEqual([argumentsOf(first), argumentsOf(second)], ["{}", '{"to":"hall"}']);
    assert.deepEqual([told?.content, last?.content], [
      `cannot be read\nThe arguments of this call were: ${broken}`,
      "no way",
    ]);
  }
  for (const { maker, model, path, keyEnv, reply } of WIRES) {
    await using endpoint = startFakeEndpoint(path);
    endpoint.behave(() => reply({ text: "ok" }));
    const env = (name: string): string | undefined => name === keyEnv ? KEY : undefined;
    await createNativeModel(maker, model, { baseUrl: endpoint.baseUrl, env }).chat({
      ...request,
      messages: chatWith('{"to": "ha'),
    });
    const body = JSON.stringify(endpoint.asked[0]?.body);
    assert.match(body, /The arguments of this call were: \{\\"to\\": \\"ha"/, maker);
  }
});
