/** The prompts of A-MEM, Mem0 and MemGPT as a model gets them. */

import { evolvePrompt, notePrompt } from "../../../lib/core/memory/others/a-mem.prompts.ts";
import * as mem0 from "../../../lib/core/memory/others/mem0.prompts.ts";
import * as memgpt from "../../../lib/core/memory/others/memgpt.prompts.ts";
import { assertSnapshot, shownPrompt } from "./snapshot.ts";

const GOAL = "Open the chest";
const HALL = "Game step #1\n-= Hall =-\nYou see a chest.";
const KITCHEN =
  "Game step #2\n-= Kitchen =-\nYou see a key.\nAction that led to this observation: go north";
const NOTE = "Context: Where the chest is.\nKeywords: chest, hall\nTags: container";

const shown: Readonly<Record<string, string>> = {
  "a-mem-note": shownPrompt(notePrompt, { content: KITCHEN }),
  "a-mem-evolve": shownPrompt(evolvePrompt, {
    note: KITCHEN,
    neighbours: `Note 1\n${HALL}\n${NOTE}`,
  }),
  "mem0-extract": shownPrompt(mem0.extractPrompt, {
    goal: GOAL,
    summary: "",
    recent: HALL,
    exchange: KITCHEN,
  }),
  "mem0-update": shownPrompt(mem0.updatePrompt, {
    facts: "1. The chest is open.",
    memories: "1. The chest is locked.\n2. The hall has a chest.",
  }),
  "mem0-summarise": shownPrompt(mem0.summarisePrompt, {
    goal: GOAL,
    summary: "A hall.",
    history: KITCHEN,
  }),
  "mem0-entities": shownPrompt(mem0.entitiesPrompt, { text: KITCHEN }),
  "mem0-relations": shownPrompt(mem0.relationsPrompt, {
    before: HALL,
    entities: "key (thing)\nkitchen (place)",
    text: KITCHEN,
  }),
  "mem0-conflicts": shownPrompt(mem0.conflictsPrompt, {
    existing: "1. key, is in, kitchen",
    fresh: "key, is in, inventory",
  }),
  "memgpt-manage": shownPrompt(memgpt.managePrompt, {
    goal: GOAL,
    summary: "",
    queue: HALL,
    core: "task (0 of 2000 characters):\n\nworld (13 of 2000 characters):\nchest in hall",
    stores: "1 messages, 0 of them evicted; 0 texts in archival memory",
    pressure: "",
    plan: "Find the key.",
    message: KITCHEN,
  }),
  "memgpt-summarise": shownPrompt(memgpt.summarisePrompt, {
    goal: GOAL,
    summary: "A hall.",
    history: KITCHEN,
  }),
  "memgpt-functions": `${JSON.stringify(memgpt.FUNCTION_SPECS, undefined, 2)}\n`,
};

for (const [name, text] of Object.entries(shown)) {
  Deno.test(`prompt ${name} is as it was reviewed`, () => assertSnapshot(name, text));
}
