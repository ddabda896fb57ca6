/** The engine under the responders: what it sees, what its modelOptions do, what it counts. */

import assert from "node:assert/strict";
import { type ChatRequest, ModelError } from "../../lib/mod.ts";
import { cutSections, renderSections } from "../../lib/core/text/sections.ts";
import { createStandIn, type OfflinePrompt, type Responder } from "../../lib/offline/stand-in.ts";

const echo: Responder = { role: "demo/echo", answer: ({ sections }) => sections["Said"] ?? "" };
const roll: Responder = { role: "demo/roll", answer: ({ draw }) => String(draw.next()) };

function ask(
  role: string,
  sections: Record<string, string>,
  more: Partial<ChatRequest> = {},
): ChatRequest {
  return {
    role,
    messages: [{ role: "system", content: "Answer." }, {
      role: "user",
      content: renderSections(sections),
    }],
    ...more,
  };
}

Deno.test("stand-in: it is called offline, answers by role and counts tokens of what it got and gave", async () => {
  const model = createStandIn({ responders: [echo] });
  const reply = await model.chat(ask("demo/echo", { Said: "hello world" }));
  assert.equal(model.id, "offline");
  assert.equal(reply.model, "offline");
  assert.equal(reply.choices[0].text, "hello world");
  assert.equal(reply.choices[0].finish, "stop");
  assert.deepEqual(reply.usage, { prompt: 2 + 5, cached: 0, completion: 2, reasoning: 0 }); // Answer . / ### Said ⏎ hello world
});

Deno.test("stand-in: a responder is given nothing but the prompt, the modelOptions and draws", async () => {
  const seen: OfflinePrompt[] = [];
  const spy: Responder = { role: "demo/spy", answer: (prompt) => (seen.push(prompt), "") };
  await createStandIn({ responders: [spy] }).chat(ask("demo/spy", { Said: "x" }));
  assert.deepEqual(Object.keys(seen[0] ?? {}).sort(), [
    ..."draw errs modelOptions role sections system tools".split(" "),
  ]);
  assert.equal(seen[0]?.system, "Answer.");
});

Deno.test("createStandIn() replies alike to equal requests; seed, attempt and choice differ", async () => {
  const request = ask("demo/roll", { Said: "x" });
  const text = async (seed: number, more: Partial<ChatRequest> = {}): Promise<string> => {
    const model = createStandIn({ responders: [roll], modelOptions: { seed } });
    await model.chat(ask("demo/roll", { Said: "something else" }));
    return (await model.chat({ ...request, ...more })).choices[0].text;
  };
  assert.equal(await text(0), await text(0));
  assert.notEqual(await text(0), await text(1));
  assert.notEqual(await text(0), await text(0, { sample: { attempt: 1 } }));
  const { choices } = await createStandIn({ responders: [roll] }).chat({
    ...request,
    n: 3,
  });
  assert.equal(new Set(choices.map((choice) => choice.text)).size, 3);
});

Deno.test("stand-in: calls of tools come out as an endpoint would give them", async () => {
  const caller: Responder = {
    role: "demo/tools",
    answer: ({ tools }) => ({
      calls: tools.map(({ name }) => ({ name, arguments: { depth: 2 } })),
    }),
  };
  const model = createStandIn({ responders: [caller] });
  const { choices } = await model.chat(
    ask("demo/tools", {}, { tools: [{ name: "search", description: "", parameters: {} }] }),
  );
  assert.equal(choices[0].finish, "tools");
  assert.deepEqual(choices[0].toolCalls, [{
    id: "call-0",
    name: "search",
    arguments: '{"depth":2}',
  }]);
});

Deno.test("stand-in: a reply longer than maxTokens is cut and says so", async () => {
  const model = createStandIn({ responders: [echo] });
  const { choices, usage } = await model.chat(
    ask("demo/echo", { Said: "one two three four five six" }, { sampling: { maxTokens: 3 } }),
  );
  assert.equal(choices[0].finish, "length");
  assert(usage.completion <= 3);
});

Deno.test("stand-in: an unknown role is a typed error that names the known ones", async () => {
  const model = createStandIn({ responders: [echo] });
  await assert.rejects(
    () => model.chat(ask("other/role", {})),
    (error: unknown) =>
      error instanceof ModelError && error.kind === "unknown-role" &&
      /other\/role.*demo\/echo/.test(error.message),
  );
});
const words = (text: string): number => text.split(/\s+/).filter((word) => word !== "").length;

Deno.test("window: the longest section loses its oldest lines, the others stay", () => {
  assert.deepEqual(
    cutSections({ Goal: "find it", Past: "one two\nthree four\nfive six\nseven eight" }, 6, words),
    {
      Goal: "find it",
      Past: "five six\nseven eight",
    },
  );
});
