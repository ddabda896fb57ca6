import assert from "node:assert/strict";
import { createConverse } from "../../lib/agent/mod.ts";
import type { StepRecord } from "../../lib/agent/method.ts";
import { connectWorlds } from "../../lib/env/mod.ts";
import { createAsker } from "../../lib/llm/mod.ts";
import {
  createAriGraph,
  createFullHistory,
  createGraphiti,
  createPassages,
  createSummary,
  type MemoryFactory,
} from "../../lib/memory/mod.ts";
import { createOfflineBackbone } from "../../lib/offline/backbone.ts";
import { answerAboutDialogue } from "../../lib/offline/policies/dialogue-answering.ts";
import { isDialogue, readStatements } from "../../lib/offline/reading/dialogue-text.ts";
import { offlineResponders } from "../../lib/offline/responders/mod.ts";
import { createLexicalEmbedder } from "../../lib/retrieval/mod.ts";

const TALK = `Session 1, turn 1 (2 May 2031):
Ada Vell: I live in Tarn now. My neighbour plays the harp at night.

Session 1, turn 2 (2 May 2031):
Bo Marr: I heard that Ada Vell lives in Ost. I read a long article about Moor.

Session 2, turn 1 (9 May 2031):
Ada Vell: Since last week I have settled in Ilma.

Session 3, turn 1 (12 May 2031):
Ada Vell: Sorry, what I said about my home was wrong: my home is in Moor.

Session 3, turn 2 (12 May 2031):
Ada Vell: By the way, no dish suits me like pea stew now.`;

Deno.test("readStatements() reads who says what of whom, corrections, and no small talk", () => {
  assert.deepEqual(readStatements(TALK).map(({ name, attribute, value, how }) => [name, attribute, value, how].join(" | ")), [
    "ada vell | home | tarn | own",
    "ada vell | home | ost | other",
    "ada vell | home | ilma | own",
    "ada vell | home | moor | corrected",
    "ada vell | favourite dish | pea stew | own",
  ]);
  assert.equal(isDialogue("Session\nTarn is a town."), false);
});

Deno.test("answerAboutDialogue() keeps to what people say of themselves, in the order of the sessions", () => {
  const shuffled = TALK.split("\n\n").reverse().join("\n\n"); // as a search gives them
  const answer = (question: string): string => answerAboutDialogue(question, { statements: readStatements(shuffled), graph: [] }).answer;
  assert.equal(answer("What is the present home of Ada Vell?"), "moor");
  assert.equal(answer("What was the home of Ada Vell just before the present one?"), "tarn", "what was corrected never was the case");
  assert.equal(answer("Which home did Ada Vell have first, Moor or Tarn?"), "tarn");
  assert.equal(answer("How many different homes has Ada Vell had so far?"), "2");
  assert.equal(answer("What is the present home of Bo Marr?"), "Unknown");
});

/** The scores of a memory on one dialogue, by kind of question. */
async function scoresOf(memory: MemoryFactory): Promise<Record<string, number>> {
  await using worlds = connectWorlds({ endpoint: "tcp://127.0.0.1:9", silence: 50 });
  const steps: StepRecord[] = [];
  await createConverse({ memory }).run({
    world: () => worlds.open("dialogues/generated", { seed: 1, sessions: 20, questions: 10 }),
    ask: createAsker({ model: createOfflineBackbone({ responders: offlineResponders }) }),
    embedder: createLexicalEmbedder(),
    recorder: { step: (step) => Promise.resolve(void steps.push(step)), event: () => {} },
    seed: 1,
  });
  const found: Record<string, number> = {};
  for (const { turn: { sections } } of steps.slice(1)) {
    found[sections.kind ?? ""] = (found[sections.kind ?? ""] ?? 0) + Number(sections.score);
  }
  return found;
}

Deno.test("converse: the whole conversation answers all, a graph that outdates forgets what was before, three passages do not suffice", async () => {
  const all = { current: 2, former: 2, order: 2, count: 2, unknown: 2 };
  assert.deepEqual(await scoresOf(createFullHistory()), all);
  assert.deepEqual(await scoresOf(createSummary()), all);
  const graph = await scoresOf(createAriGraph({ texts: "paragraphs", exploration: false, nPrev: 0 }));
  assert.deepEqual([graph.current, graph.former, graph.unknown], [2, 0, 2]);
  const timed = await scoresOf(createGraphiti({ texts: "paragraphs" }));
  assert.deepEqual([timed.current, timed.former, timed.order], [2, 2, 2], "one whose facts have times keeps it");
  assert.equal((await scoresOf(createPassages({ by: "bm25" }))).count, 0);
});
