/** The prompts of A-MEM, Mem0 and MemGPT as a model gets them. */

import { evolvePrompt, notePrompt } from "../../../lib/core/memory/others/a-mem.prompts.ts";
import * as mem0 from "../../../lib/core/memory/others/mem0.prompts.ts";
import * as memgpt from "../../../lib/core/memory/others/memgpt.prompts.ts";
import { assertSnapshot, testWordings } from "./snapshot.ts";

testWordings({
  "a-mem-note": notePrompt,
  "a-mem-evolve": evolvePrompt,
  "mem0-extract": mem0.extractPrompt,
  "mem0-update": mem0.updatePrompt,
  "mem0-summarise": mem0.summarisePrompt,
  "mem0-entities": mem0.entitiesPrompt,
  "mem0-relations": mem0.relationsPrompt,
  "mem0-conflicts": mem0.conflictsPrompt,
  "memgpt-manage": memgpt.managePrompt,
  "memgpt-summarise": memgpt.summarisePrompt,
});

Deno.test("MemGPT's functions are described as they were", () =>
  assertSnapshot("memgpt-functions", `${JSON.stringify(memgpt.FUNCTION_SPECS, undefined, 2)}\n`));
