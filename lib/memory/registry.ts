/**
 * The memories that can be named on the command line and in a study.
 *
 * @module
 */

import type { z } from "zod";
import { UsageError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { arigraphOptions, arigraphPrompts, createAriGraph } from "./arigraph.ts";
import { createFullHistory, fullHistoryOptions } from "./full-history.ts";
import type { MemoryFactory } from "./memory.ts";

/** A memory by its id. */
export interface MemoryEntry {
  readonly description: string;
  /** What its options may be; reading them fills in the defaults. */
  readonly options: z.ZodType<Record<string, unknown>>;
  /** Its prompts: their hash is part of an episode's identity. */
  readonly prompts: readonly Prompt[];
  create(options: Readonly<Record<string, unknown>>): MemoryFactory;
}

/** All memories by id. */
export const MEMORIES: Readonly<Record<string, MemoryEntry>> = {
  arigraph: {
    description: "a knowledge graph with episodic memory (AriGraph)",
    options: arigraphOptions,
    prompts: arigraphPrompts,
    create: (options) => createAriGraph(arigraphOptions.parse(options)),
  },
  "full-history": {
    description: "all observations and actions",
    options: fullHistoryOptions,
    prompts: [],
    create: (options) => createFullHistory(fullHistoryOptions.parse(options)),
  },
};

/**
 * A memory of the registry, with its options checked and filled in.
 *
 * @example
 * ```ts
 * import { findMemory } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(findMemory("arigraph", { k: 3 }).options["k"], 3);
 * assert.throws(() => findMemory("arigraph", { k: -1 }), /k/);
 * assert.throws(() => findMemory("elephant"), /choose arigraph/);
 * ```
 *
 * @throws {UsageError} if there is none of that id, or an option is unknown or out of range.
 */
export function findMemory(
  id: string,
  options: Readonly<Record<string, unknown>> = {},
): { readonly entry: MemoryEntry; readonly options: Readonly<Record<string, unknown>>; readonly create: MemoryFactory } {
  const entry = Object.hasOwn(MEMORIES, id) ? MEMORIES[id] : undefined;
  if (!entry) throw new UsageError(`there is no memory ${JSON.stringify(id)}; choose ${Object.keys(MEMORIES).join(" or ")}`);
  const parsed = entry.options.safeParse(options);
  if (!parsed.success) throw new UsageError(`the memory ${id} cannot take these options: ${oneLine(parsed.error)}`);
  return { entry, options: parsed.data, create: entry.create(parsed.data) };
}

function oneLine(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join(".") || "options"}: ${issue.message}`).join("; ");
}
