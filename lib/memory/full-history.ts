/**
 * The baseline that forgets nothing: every observation and action, as they were (AriGraph, arXiv 2407.04363, §4).
 *
 * @module
 */

import { z } from "zod";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Cue, Memory, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";
import { formatObservation } from "./observation.ts";

/** The memory takes no options. */
export const fullHistoryOptions = z.strictObject({});

/**
 * Makes memories that hold all observations and actions; those before the present step come back, oldest first.
 *
 * @param options none: the empty object
 * @throws {UsageError} if there is one all the same.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createFullHistory } from "labyrinth/memory";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const memory = createFullHistory()({ ask: createAsker({ model: scripted([]) }), embedder: createLexicalEmbedder() });
 * await memory.observe({ step: 1, goal: "Win.", observation: "You are in a hall." });
 * await memory.observe({ step: 2, goal: "Win.", observation: "You are in a kitchen.", action: "go east" });
 * const { sections } = await memory.recall({ step: 2, goal: "Win.", observation: "You are in a kitchen.", plan: "" });
 * assert.deepEqual(sections, { "All observations and actions so far": "Game step #1\nYou are in a hall." });
 * ```
 */
export function createFullHistory(options: Readonly<Record<string, never>> = {}): MemoryFactory {
  checkOptions("the memory full-history", fullHistoryOptions, options);
  return () => new FullHistoryMemory();
}

const ID = "full-history";

/** The memory as studies name it. */
export const fullHistory: MemoryEntry = {
  id: ID,
  description: "all observations and actions",
  version: "1",
  options: fullHistoryOptions,
  prompts: [],
  create: createFullHistory,
};

class FullHistoryMemory implements Memory {
  readonly id = ID;
  /** Of earlier episodes. */
  #earlier: readonly string[] = [];
  readonly #entries: { readonly step: number; readonly text: string }[] = [];

  observe({ step, observation, inventory, action }: Perception): Promise<void> {
    const parts = { ...(inventory === undefined ? {} : { inventory }), ...(action === undefined ? {} : { action }) };
    this.#entries.push({ step, text: formatObservation({ step, observation, ...parts }) });
    return Promise.resolve();
  }

  recall({ step }: Cue): Promise<Recollection> {
    const past = this.#entries.filter((entry) => entry.step < step).map((entry) => entry.text);
    return Promise.resolve({ sections: { "All observations and actions so far": [...this.#earlier, ...past].join("\n\n") } });
  }

  save(): Artefact {
    return { kind: ID, body: [...this.#earlier, ...this.#entries.map((entry) => entry.text)] };
  }

  load(artefact: Artefact): void {
    this.#earlier = readArtefact(artefact, ID, z.array(z.string()));
    this.#entries.length = 0;
  }
}
