/** The baseline that remembers nothing (GraphMind §4, "w/o Memory"; Act and ReAct of other papers). */

import { z } from "zod";
import { checkOptions } from "../text/registry.ts";
import type { MemoryEntry, MemoryFactory } from "./memory.ts";
import { readArtefact } from "./memory-kit.ts";

const ID = "none";
const nothing = z.strictObject({});

/** The memory as studies name it. */
export const none: MemoryEntry = {
  id: ID,
  description: "nothing",
  version: "1",
  options: nothing,
  prompts: [],
  create: createNoMemory,
};

/**
 * Makes memories that keep nothing and recall nothing.
 *
 * @param options There are none.
 * @throws {UsageError} if one is given.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createNoMemory } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const memory = createNoMemory()({ ask: createAsker({ model: scripted([]) }), embedder: createLexicalEmbedder() });
 * await memory.observe({ step: 1, goal: "Win.", observation: "You are in a hall." });
 * assert.deepEqual(await memory.recall({ step: 1, goal: "Win.", observation: "You are in a hall.", plan: "" }), { sections: {} });
 * ```
 */
export function createNoMemory(options: Readonly<Record<string, never>> = {}): MemoryFactory {
  checkOptions("the memory none", nothing, options);
  return () => ({
    id: ID,
    observe: () => Promise.resolve(),
    recall: () => Promise.resolve({ sections: {} }),
    save: () => ({ kind: ID, body: {} }),
    load: (artefact) => void readArtefact(artefact, ID, nothing),
  });
}
