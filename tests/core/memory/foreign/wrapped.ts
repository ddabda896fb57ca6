/** The process behind `wrapped.py`: a memory of the lab that takes calls as lines of JSON. */

import process from "node:process";
import { createInterface } from "node:readline";
import { createAsker } from "../../../../lib/core/llm/asker.ts";
import { scripted } from "../../../../lib/core/llm/scripted.ts";
import { memoryOf } from "../../../../lib/core/memory/registry.ts";
import { createLexicalEmbedder } from "../../../../lib/core/retrieval/lexical.ts";

const memory = memoryOf(process.argv[2] ?? "").create()({
  ask: createAsker({ model: scripted([]) }),
  embedder: createLexicalEmbedder(),
});
for await (const line of createInterface({ input: process.stdin })) {
  const [method, value] = JSON.parse(line);
  let told: unknown = null;
  if (method === "observe") await memory.observe(value);
  else if (method === "recall") told = await memory.recall(value);
  else if (method === "save") told = memory.save();
  else memory.load(value);
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
