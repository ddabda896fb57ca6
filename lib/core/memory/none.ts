/**
 * The baseline that remembers nothing (GraphMind §4, "w/o Memory"; Act and ReAct of other papers).
 */

import { z } from "zod";
import type { MemoryMaker } from "./memory.ts";
import { memoryMaker, readArtefact } from "./memory-kit.ts";

const ID = "none";
const nothing = z.strictObject({});

/**
 * Makes memories that keep nothing and recall nothing.
 *
 * @param options There are none.
 * @throws {UsageError} if one is given.
 *
 * @example
 * ```ts
 * import { createNoMemory } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const memory = createNoMemory()({});
 * await memory.observe({ step: 1, goal: "Win.", observation: "You are in a hall." });
 * assert.deepEqual(await memory.recall({ step: 1, goal: "Win.", observation: "You are in a hall.", plan: "" }), { sections: {} });
 * ```
 */
export const createNoMemory: MemoryMaker<Readonly<Record<string, never>>> = memoryMaker({
  id: ID,
  description: "nothing",
  notCarried: "keeps nothing",
  options: nothing,
  open: () => ({
    id: ID,
    observe: () => Promise.resolve(),
    recall: () => Promise.resolve({ sections: {} }),
    save: () => ({ kind: ID, body: {} }),
    load: (artefact) => void readArtefact(artefact, ID, nothing),
  }),
});
