/**
 * The baseline that remembers nothing (GraphMind §4, "w/o Memory"; Act and ReAct of other papers).
 *
 * @module
 */

import { z } from "zod";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Memory, MemoryEntry, MemoryFactory, Recollection } from "./memory.ts";

/** The memory takes no options. */
export const noneOptions = z.strictObject({});

/**
 * Makes memories that keep nothing and recall nothing.
 *
 * @param options none: the empty object
 * @throws {UsageError} if there is one all the same.
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
  checkOptions("the memory none", noneOptions, options);
  return () => new NoMemory();
}

const ID = "none";

/** The memory as studies name it. */
export const none: MemoryEntry = {
  id: ID,
  description: "nothing",
  version: "1",
  options: noneOptions,
  prompts: [],
  create: createNoMemory,
};

class NoMemory implements Memory {
  readonly id = ID;

  observe(): Promise<void> {
    return Promise.resolve();
  }

  recall(): Promise<Recollection> {
    return Promise.resolve({ sections: {} });
  }

  save(): Artefact {
    return { kind: ID, body: {} };
  }

  load(artefact: Artefact): void {
    readArtefact(artefact, ID, z.strictObject({}));
  }
}
