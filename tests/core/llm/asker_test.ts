import assert from "node:assert/strict";
import { z } from "zod";
import { type AskOptions, createAsker } from "../../../lib/core/llm/asker.ts";
import type { ChatModel, ChatReply, ChatRequest } from "../../../lib/core/llm/chat-model.ts";
import type { Prompt } from "../../../lib/core/llm/prompt.ts";
import { scripted } from "../../../lib/core/llm/scripted.ts";
import { parseJson } from "../../../lib/core/text/json.ts";
import { parseList, soundText } from "../../../lib/core/text/read-lists.ts";

const prompt = {
  role: "demo/act",
  instructions: "Answer in JSON.",
  sections: { seen: "Observation", plan: "Plan" },
} as const;
const parse = parseJson(z.object({ action: z.string() }));
const usage = { prompt: 10, cached: 4, completion: 3, reasoning: 1 };

Deno.test("createAsker() asks the sections that have a value and parses the answer", async () => {
  const model = scripted(['{"action": "look"}'], { usage });
  const answer = await createAsker({ model, sample: { step: 4 } })(prompt, { seen: "A door." }, {
    parse,
    extra: { Memory: "door, is, red" },
    vote: 2,
  });
  assert.deepEqual(answer, {
    kind: "ok",
    value: { action: "look" },
    text: '{"action": "look"}',
    asked: 1,
    usage,
  });
  const [asked] = model.requests;
  assert.deepEqual(asked?.messages, [
    { role: "system", content: "Answer in JSON." },
    { role: "user", content: "### Observation\nA door.\n\n### Memory\ndoor, is, red" },
  ]);
  assert.deepEqual([asked?.role, asked?.sample], ["demo/act", { step: 4, vote: 2 }]);
});

Deno.test("createAsker() asks again, names the problem and draws another sample", async () => {
  const model = scripted(["look", '{"action": "look"}'], { usage });
  const answer = await createAsker({ model, sample: { step: 1 } })(prompt, { seen: "A door." }, {
    parse,
  });
  assert.equal(answer.kind, "ok");
  assert.deepEqual([answer.asked, answer.usage], [2, {
    prompt: 20,
    cached: 8,
    completion: 6,
    reasoning: 2,
  }]);
  const again = model.requests[1];
  assert.deepEqual(again?.sample, { step: 1, reAsk: 1 });
  assert.deepEqual(again?.messages[2], { role: "assistant", content: "look" });
  assert.match(String(again?.messages[3]?.content), /there is no JSON in it/);
});

Deno.test("createAsker() shortens a malformed reply of 100 kB when it asks again", async () => {
  const model = scripted(["x".repeat(100_000), '{"action": "look"}']);
  await createAsker({ model })(prompt, {}, { parse });
  assert.equal(String(model.requests[1]?.messages[2]?.content).length, 4000);
});

Deno.test("createAsker() adds to its sample with at(), and shows images after the text", async () => {
  const model = scripted(['{"action": "look"}']);
  const png = new Uint8Array([1]);
  await createAsker({ model, sample: { pass: 1, step: 2 } }).at({ step: 3 })(prompt, {
    plan: "Go.",
  }, { parse, images: [png] });
  assert.deepEqual(model.requests[0]?.sample, { pass: 1, step: 3 });
  assert.deepEqual(model.requests[0]?.messages[1]?.content, [{
    kind: "text",
    text: "### Plan\nGo.",
  }, { kind: "image", png }]);
});

Deno.test("createAsker() sends the form of the answer as a strict schema, and says when a reply was cut", async () => {
  const prompt: Prompt<"sky"> = {
    role: "demo/act",
    instructions: "Answer with JSON.",
    sections: { sky: "Sky" },
    form: z.object({
      action: z.string(),
      why: z.array(z.object({ reason: z.string(), sure: z.boolean() })),
    }),
  };
  const cut = { text: '{"action": "lo', finish: "length" as const };
  const usage = { prompt: 1, cached: 0, completion: 1, reasoning: 0 };
  const asked: ChatRequest[] = [];
  const model: ChatModel = {
    id: "mine",
    chat: (request) => {
      asked.push(request);
      const choice = asked.length === 1
        ? cut
        : { text: '{"action": "look"}', finish: "stop" as const };
      return Promise.resolve({ model: "mine", choices: [choice], usage });
    },
  };
  const answer = await createAsker({ model })(prompt, { sky: "grey" }, {
    parse: parseJson(z.object({ action: z.string() })),
  });
  assert.equal(answer.kind, "ok");
  assert.deepEqual(asked[0]?.schema, {
    name: "demo_act",
    schema: {
      type: "object",
      properties: {
        action: { type: "string" },
        why: {
          type: "array",
          items: {
            type: "object",
            properties: { reason: { type: "string" }, sure: { type: "boolean" } },
            required: ["reason", "sure"],
            additionalProperties: false,
          },
        },
      },
      required: ["action", "why"],
      additionalProperties: false,
    },
  });
  assert.match(asked[1]?.messages.at(-1)?.content as string, /too long and has been cut off/);
});

/** A reply that was cut at its ceiling of tokens. */
const cut = (text: string): Partial<ChatReply> => ({ choices: [{ text, finish: "length" }] });
const cool: Prompt<"seen"> = {
  ...prompt,
  sections: { seen: "Observation" },
  sampling: { temperature: 0.2, maxTokens: 50 },
};

Deno.test("createAsker() leaves the bad reply out of the second re-ask, and draws it at a higher temperature", async () => {
  const model = scripted([
    "<think>Hm.</think>look",
    "<think>Hm.</think>look",
    '{"action": "look"}',
  ]);
  const answer = await createAsker({ model })(cool, { seen: "A door." }, { parse });
  assert.deepEqual([answer.kind, answer.asked], ["ok", 3]);
  const [, first, second] = model.requests;
  assert.deepEqual(
    first?.messages[2],
    { role: "assistant", content: "look" },
    "the thought is not sent back",
  );
  assert.deepEqual([first?.sampling?.temperature, second?.sampling?.temperature], [0.2, 0.7]);
  assert.deepEqual(second?.messages.map(({ role }) => role), ["system", "user"]);
  assert.equal(
    second?.messages[1]?.content,
    "### Observation\nA door.\n\nAn earlier answer could not be read: there is no JSON in it. Answer in the required format only.",
  );
  for (const [temperature, warmer] of [[1.5, 1.5], [undefined, undefined]]) {
    const model = scripted(["no", "no", "no"]);
    await createAsker({ model })({ ...cool, sampling: { temperature } }, {}, { parse });
    assert.equal(model.requests[2]?.sampling?.temperature, warmer, "what is not lower stays");
  }
});

Deno.test("createAsker() asks for less where a reply was cut, and for more room where it held no answer yet", async () => {
  const model = scripted([
    cut('{"reason": "It is'),
    cut('{"reason": "It is'),
    '{"action": "look"}',
  ]);
  assert.equal((await createAsker({ model })(cool, { seen: "A door." }, { parse })).kind, "ok");
  assert.match(
    String(model.requests[1]?.messages[3]?.content),
    /too long and has been cut off.*fewer and shorter entries/,
  );
  assert.match(
    String(model.requests[2]?.messages[1]?.content),
    /too long and has been cut off.*fewer and shorter entries/,
  );
  assert.deepEqual(model.requests.map(({ sampling }) => sampling?.maxTokens), [50, 50, 50]);
  const thinking = scripted([cut("<think>Well, "), cut(""), '{"action": "look"}']);
  assert.equal(
    (await createAsker({ model: thinking })(cool, { seen: "A door." }, { parse })).kind,
    "ok",
  );
  assert.deepEqual(thinking.requests.map(({ sampling }) => sampling?.maxTokens), [50, 100, 200]);
  assert.deepEqual(thinking.requests.map(({ messages }) => messages.length), [2, 2, 2]);
});

Deno.test("createAsker() never takes what was cut for an answer, but keeps the complete entries of a list", async () => {
  const word: AskOptions<string>["parse"] = (text) => ({ kind: "ok", value: text });
  const model = scripted([cut("go no"), "go north"]);
  assert.equal((await createAsker({ model })(cool, {}, { parse: word })).asked, 2);
  const list = parseList("facts", soundText);
  const answer = await createAsker({ model: scripted([cut('{"facts": ["a", "b", "c')]) })(
    cool,
    {},
    { parse: list },
  );
  assert.deepEqual([answer.kind === "ok" && answer.value, answer.kind === "ok" && answer.dropped], [
    ["a", "b"],
    1,
  ]);
});

Deno.test("createAsker() sends the form of the one question, and gives the values of all choices that can be read", async () => {
  const form = z.object({ action: z.enum(["look", "wait"]) });
  const choices = ["no", '{"action": "look"}', '{"action": "wait"}'].map((text) => ({
    text,
    finish: "stop" as const,
  }));
  const model = scripted([{ choices: choices as unknown as ChatReply["choices"] }]);
  const answer = await createAsker({ model })(
    { ...cool, form: z.object({ action: z.string() }) },
    {},
    { parse, form, n: 3 },
  );
  assert.deepEqual(answer.values, [{ action: "look" }, { action: "wait" }]);
  assert.deepEqual((model.requests[0]?.schema?.schema as { properties: unknown }).properties, {
    action: { type: "string", enum: ["look", "wait"] },
  });
});
