import assert from "node:assert/strict";
import { createAsker, createPassages, type PassagesOptions, scripted } from "../../../lib/mod.ts";
import { createLexicalEmbedder } from "../../../lib/core/retrieval/lexical.ts";

const TEXTS = [
  "Ilma\nThe Ilma is a river in the north.",
  "Tarn\nTarn is a town on the Ilma.",
  "Ost\nOst is a lake.",
  "Tarn Press\nTarn Press is a house of print.",
  "Moor\nMoor is wet.",
];

async function shown(options: PassagesOptions, question: string): Promise<string[]> {
  const memory = createPassages(options)({
    ask: createAsker({ model: scripted([]) }),
    embedder: createLexicalEmbedder(),
  });
  for (const [index, observation] of TEXTS.entries()) {
    await memory.observe({ step: index + 1, goal: "Answer.", observation });
  }
  const { sections, recalled } = await memory.recall({
    step: 6,
    goal: "Answer.",
    observation: question,
    plan: "",
  });
  assert.equal(sections["Paragraphs"], recalled?.["passages"]?.join("\n\n"));
  return (recalled?.["passages"] ?? []).map((text) => text.split("\n")[0] ?? "");
}

Deno.test("createPassages() recalls the three texts most similar to the question, best first", async () => {
  for (const by of ["bm25", "embedding"] as const) {
    const best = await shown({ by }, "Which town lies on the Ilma, Tarn or Moor?");
    assert.equal(best.length, 3);
    assert.equal(best[0], "Tarn", by);
    assert.ok(!best.includes("Ost"), by);
  }
  assert.deepEqual(await shown({ by: "bm25", k: 1 }, "Who runs Tarn Press?"), ["Tarn Press"]);
});

Deno.test("createPassages() by BM25 breaks ties by order and recalls fewer than k if there are fewer", async () => {
  assert.deepEqual(await shown({ by: "bm25", k: 2 }, "Quite another thing"), ["Ilma", "Tarn"]);
  assert.equal((await shown({ by: "embedding", k: 10 }, "Where is Tarn?")).length, 5);
});
