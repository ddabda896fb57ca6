/** A lab whose memory hangs; `tests/lab/foreign_test.ts` kills it. */

import process from "node:process";
import { createAsker } from "../../../../lib/core/llm/asker.ts";
import { scripted } from "../../../../lib/core/llm/scripted.ts";
import { memoryOf } from "../../../../lib/core/memory/registry.ts";
import { createLexicalEmbedder } from "../../../../lib/core/retrieval/lexical.ts";

const seen = { step: 1, goal: "Win.", observation: "You are in a hall." };
const memory = memoryOf(process.argv[2] ?? "").create({ fault: "hang", at: 1 })({
  ask: createAsker({ model: scripted([]) }),
  embedder: createLexicalEmbedder(),
});
await memory.observe(seen);
process.stdout.write("up\n");
await memory.recall({ ...seen, plan: "" });
