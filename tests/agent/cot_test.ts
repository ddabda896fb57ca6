import assert from "node:assert/strict";
import { connectWorlds, createAsker, createCot, scripted } from "../../lib/mod.ts";
import { createLexicalEmbedder } from "../../lib/retrieval/lexical.ts";
import { readSections } from "../../lib/text/sections.ts";
import { createOfflineBackbone } from "../../lib/offline/backbone.ts";
import { offlineResponders } from "../../lib/offline/responders/mod.ts";
import { cotPrompt } from "../../lib/agent/answer.prompts.ts";
import { assertSnapshot, shownPrompt } from "../memory/snapshot.ts";
import { recording } from "./recording.ts";

const worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 }); // no server may be asked

async function answered(params: Record<string, unknown>, model: Parameters<typeof createAsker>[0]["model"]): Promise<[number, string[]]> {
  const record = recording();
  const { passes } = await createCot({ reAsks: 1 }).run({
    world: () => worlds.open("wiki/encyclopedia", { documents: "supporting", ...params }),
    ask: createAsker({ model }),
    embedder: createLexicalEmbedder(),
    recorder: record.recorder,
    seed: 1,
  });
  return [passes[0]?.score ?? NaN, record.events.map(({ kind }) => kind)];
}

Deno.test("cot shows the paragraphs that are needed and nothing else, and answers in one step", async () => {
  const model = scripted({ "*": () => "CoT: it follows.\nDirect answer: Nobody" });
  assert.deepEqual(await answered({ index: 0 }, model), [0, []]);
  assert.equal(model.requests.length, 1);
  const shown = readSections(String(model.requests[0]?.messages.at(1)?.content));
  const world = await worlds.open("wiki/encyclopedia", { index: 0, documents: "supporting" });
  const { documents = [], observation } = await world.reset();
  assert.equal(shown["Paragraphs"], documents.map(({ title, text }) => `${title}\n${text}`).join("\n\n"));
  assert.equal(documents.length, 2);
  assert.equal(shown["Task"], observation);
});

Deno.test("cot: an answer that stays unreadable is an empty one, and counted", async () => {
  assert.deepEqual(await answered({ index: 0 }, scripted(["Hm.", "Hm."])), [0, ["malformed-reply", "fallback"]]);
});

Deno.test("cot is refused where no paragraphs are shown", async () => {
  await assert.rejects(answered({ index: 0, documents: "none" }, scripted([])), { name: "UsageError", message: /documents: "supporting"/ });
});

Deno.test("cot offline answers questions, comparisons and claims from the paragraphs", async () => {
  const model = createOfflineBackbone({ responders: offlineResponders });
  for (const ask of ["questions", "comparisons", "claims"]) {
    const scores: number[] = [];
    for (let index = 0; index < 12; index++) scores.push((await answered({ seed: 7, ask, index }, model))[0]);
    const right = scores.reduce((sum, score) => sum + score, 0);
    assert(right >= 9, `${ask}: ${right} of 12`); // the reader is a plain one; a coin would reach 6 of the comparisons and 4 of the claims
  }
});

Deno.test("prompt cot/answer is as it was reviewed", () => {
  assertSnapshot(
    import.meta.url,
    "cot-answer",
    shownPrompt(cotPrompt, { examples: "<examples>", paragraphs: "<paragraphs>", task: "<task>" }),
  );
});
