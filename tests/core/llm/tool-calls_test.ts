import assert from "node:assert/strict";
import { z } from "zod";
import { createAsker } from "../../../lib/core/llm/asker.ts";
import type { Reading } from "../../../lib/core/text/reply-text.ts";
import type { ChatReply, ToolCall } from "../../../lib/core/llm/chat-model.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import type { AskTools } from "../../../lib/core/llm/tool-calls.ts";

const prompt = {
  role: "demo/plan",
  instructions: "Plan.",
  sections: { seen: "Observation" },
} as const;
const usage = { prompt: 10, cached: 0, completion: 2, reasoning: 0 };
const parse = (text: string): Reading<string> =>
  text.startsWith("Plan:")
    ? { kind: "ok", value: text }
    : { kind: "malformed", problem: "there is no plan" };

function call(id: string, node: number): ToolCall {
  return { id, name: "look_up", arguments: JSON.stringify({ node }) };
}

/** A reply that calls. */
function calling(...toolCalls: ToolCall[]): Partial<ChatReply> {
  return { choices: [{ text: "", toolCalls, finish: "tools" }], usage };
}

function lookUp(
  options: Pick<AskTools, "most" | "onSpent"> = {},
): { readonly tools: AskTools; readonly made: string[] } {
  const made: string[] = [];
  return {
    made,
    tools: {
      specs: [{
        name: "look_up",
        description: "Looks a room up.",
        parameters: { type: "object", properties: { node: { type: "number" } } },
      }],
      call: ({ arguments: args }) => {
        made.push(args);
        return `answer ${made.length}`;
      },
      ...options,
    },
  };
}

Deno.test("createAsker() calls tools before the answer and returns each result under its id", async () => {
  const model = scripted([calling(call("a", 1), call("b", 2)), calling(call("c", 3)), "Plan: go"], {
    usage,
  });
  const { tools, made } = lookUp();
  const answer = await createAsker({ model })(prompt, { seen: "A door." }, { parse, tools });
  assert(answer.kind === "ok");
  assert.deepEqual([answer.asked, answer.usage.prompt], [1, 30]);
  assert.deepEqual(made, ['{"node":1}', '{"node":2}', '{"node":3}']);
  const last = model.requests.at(-1);
  assert.deepEqual(
    last?.messages.slice(2).map(({ role, content, toolCallId }) => [role, content, toolCallId]),
    [
      ["assistant", "", undefined],
      ["tool", "answer 1", "a"],
      ["tool", "answer 2", "b"],
      ["assistant", "", undefined],
      ["tool", "answer 3", "c"],
    ],
  );
  assert.equal(last?.tools?.[0]?.name, "look_up");
});

Deno.test("createAsker() ends a loop of tool calls: each has a result, then no tool is offered", async () => {
  let asked = 0;
  const model = scripted({
    "*": ({ tools }) => tools ? calling(call(`${asked++}`, 1), call(`${asked++}`, 1)) : "Plan: go",
  });
  let spent = 0;
  const { tools, made } = lookUp({ most: 5, onSpent: () => spent++ });
  const answer = await createAsker({ model })(prompt, {}, { parse, tools });
  assert.equal(answer.kind, "ok");
  assert.deepEqual([made.length, spent, model.requests.length], [5, 1, 4]);
  const { messages, tools: offered } = model.requests.at(-1) ?? { messages: [] };
  assert.equal(offered, undefined);
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
  assert.deepEqual(
    messages.flatMap(({ toolCallId }) => toolCallId ?? []),
    calls,
    "an endpoint refuses a call without an answer",
  );
  assert.match(String(messages.at(-1)?.content), /No function can be called any more/);
});

Deno.test("createAsker() re-asks after calls that are not offered or malformed replies, then gives up", async () => {
  const model = scripted({ "*": () => calling(call("x", 1)) });
  const { tools, made } = lookUp({ most: 1 });
  const answer = await createAsker({ model })(prompt, {}, { parse, tools, reAsks: 2 });
  assert.deepEqual([answer.kind, answer.asked, made.length], ["malformed", 3, 1]);
  const again = scripted([calling(call("x", 1)), "Hm.", calling(call("y", 1)), "Plan: go"]);
  const second = lookUp();
  assert.deepEqual(
    (await createAsker({ model: again })(prompt, {}, { parse, tools: second.tools })).asked,
    2,
  );
  assert.equal(second.made.length, 2);
});

const written = (
  text: string,
): string[] => [
  text,
  `<think>I look.</think>${text}`,
  `\`\`\`json\n${text}\n\`\`\``,
  `<tool_call>\n${text}\n</tool_call><|im_end|>`,
];

for (
  const text of [
    ...written('{"name": "look_up", "arguments": {"node": 1}}'),
    ...written('{{"name": "look_up", "arguments": {{"node": 1}}}}'),
    '[TOOL_CALLS][{"name": "look_up", "arguments": {"node": 1}}]',
    '{"name": "look_up", "parameters": {"node": 1}}',
    '{"name": "look_up", "arguments": 1}',
    '{"type": "function", "function": {"name": "look_up", "arguments": "{\\"node\\": 1}"}}',
  ]
) {
  Deno.test(`createAsker() reads a call that is written as text: ${JSON.stringify(text)}`, async () => {
    const model = scripted([text, "Plan: go"]);
    const { tools, made } = lookUp();
    assert.equal((await createAsker({ model })(prompt, {}, { parse, tools })).kind, "ok");
    assert.deepEqual(made, ['{"node":1}']);
    const [call, result] = model.requests[1]?.messages.slice(2) ?? [];
    assert.deepEqual([call?.content, call?.toolCalls?.[0]?.name, result?.toolCallId], [
      "",
      "look_up",
      call?.toolCalls?.[0]?.id,
    ]);
  });
}

Deno.test("createAsker() takes no other text for a call", async () => {
  for (
    const text of [
      "Plan: look_up(1)",
      'Plan: {"name": "other", "arguments": {}}',
      "Plan: []",
      'Plan: {"plan": {"name": "look_up"}}',
    ]
  ) {
    const { tools, made } = lookUp();
    const answer = await createAsker({ model: scripted([text]) })(prompt, {}, { parse, tools });
    assert.deepEqual([answer.kind, made], ["ok", []], text);
  }
});

Deno.test("createAsker() carries out calls with null for an absent argument, and those in Python's quotes", async () => {
  const given = ['{"node": 1, "page": null}', "{'node': 1}", "{}", '{"node": 1, "no'];
  const model = scripted([
    calling(...given.map((text, at) => ({ id: `${at}`, name: "look_up", arguments: text }))),
    "Plan: go",
  ]);
  const { tools, made } = lookUp();
  await createAsker({ model })(prompt, {}, { parse, tools });
  assert.deepEqual(
    made,
    ['{"node":1}', '{"node":1}', "{}", '{"node": 1, "no'],
    "what is broken is the tool's to refuse",
  );
  assert.deepEqual(model.requests[1]?.messages[2]?.toolCalls?.map((call) => call.arguments), made);
});

Deno.test("createAsker() offers no tools in a re-ask whose form can then be enforced", async () => {
  const form = z.object({ plan: z.string() });
  const model = scripted([calling(call("a", 1)), "Hm.", "Hm.", "Plan: go"]);
  const answer = await createAsker({ model })({ ...prompt, form }, {}, {
    parse,
    tools: lookUp().tools,
  });
  assert.equal(answer.asked, 3);
  assert.deepEqual(model.requests.map(({ tools, schema }) => [tools?.length, schema?.name]), [
    [1, "demo_plan"],
    [1, "demo_plan"],
    [undefined, "demo_plan"],
    [undefined, "demo_plan"],
  ]);
  assert.deepEqual(
    model.requests[3]?.messages.map(({ role }) => role),
    ["system", "user", "assistant", "tool", "user"],
    "the calls stay in the chat",
  );
});
