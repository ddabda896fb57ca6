import assert from "node:assert/strict";
import {
  type ChatModel,
  connectWorlds,
  createCot,
  type Document,
  scripted,
} from "../../../lib/mod.ts";
import type { CotOptions } from "../../../lib/core/agent/answer.ts";
import { readSections } from "../../../lib/core/text/sections.ts";
import { cotPrompt } from "../../../lib/core/agent/answer.prompts.ts";
import { testWordings } from "../memory/snapshot.ts";
import { recording, worldless } from "./recording.ts";

const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 }); // no server may be asked

async function answered(
  params: Record<string, unknown>,
  model: ChatModel,
  options: CotOptions = {},
): Promise<[number, string[]]> {
  const record = recording();
  const { passes } = await createCot({ reAsks: 1, ...options }).run({
    world: () => worlds.open("wiki/encyclopedia", { documents: "sentences", ...params }),
    ...worldless(model, record),
  });
  return [passes[0]?.score ?? NaN, record.events.map(({ kind }) => kind)];
}

/** The sections of the one request that a chain of thought makes. */
async function asked(
  params: Record<string, unknown>,
  options: CotOptions = {},
): Promise<Record<string, string>> {
  const model = scripted({ "*": () => "CoT: it follows.\nDirect answer: Nobody" });
  assert.deepEqual(await answered(params, model, options), [0, []]);
  assert.equal(model.requests.length, 1);
  return readSections(String(model.requests[0]?.messages.at(1)?.content));
}

async function textsOf(params: Record<string, unknown>): Promise<readonly Document[]> {
  const world = await worlds.open("wiki/encyclopedia", params);
  return (await world.reset()).documents ?? [];
}

Deno.test("createCot() shows the needed sentences and nothing else of their pages", async () => {
  for (
    const params of [{ index: 0 }, { index: 4, ask: "comparisons" }, { index: 1, ask: "claims" }]
  ) {
    const shown = await asked(params);
    const sentences = await textsOf({ ...params, documents: "sentences" });
    const paragraphs = await textsOf({ ...params, documents: "supporting" });
    assert.equal(
      shown["Encyclopedia"],
      sentences.map(({ title, text }) => `${title}\n${text}`).join("\n\n"),
    );
    assert.deepEqual(sentences.map(({ title }) => title), paragraphs.map(({ title }) => title));
    for (const [at, { text }] of sentences.entries()) {
      assert.ok(text !== "" && paragraphs[at]?.text.includes(text), text);
    }
    const length = (texts: readonly Document[]): number =>
      texts.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(length(sentences) < length(paragraphs));
  }
  assert.equal((await asked({ index: 2, ask: "claims" }))["Encyclopedia"], ""); // no sentence decides it
});

Deno.test("createCot() works six questions or three claims as examples, unless told", async () => {
  const count = (shown: Record<string, string>): number =>
    shown["Examples of other tasks"]?.match(/^Task: /gm)?.length ?? 0;
  assert.equal(count(await asked({ index: 0 })), 6);
  assert.equal(count(await asked({ index: 0, ask: "claims" })), 3);
  assert.equal(count(await asked({ index: 0 }, { examples: 1 })), 1);
});

Deno.test("cot: an answer that stays unreadable is an empty one, and counted", async () => {
  assert.deepEqual(await answered({ index: 0 }, scripted(["Hm.", "Hm."])), [0, [
    "malformed-reply",
    "fallback",
  ]]);
});

Deno.test("createCot() is refused when the world shows no texts", async () => {
  await assert.rejects(answered({ index: 0, documents: "none" }, scripted([])), {
    name: "UsageError",
    message: /documents: "sentences"/,
  });
});

testWordings({ "cot-answer": cotPrompt });
