import { entryOf, type Registry, registryOf } from "../text/registry.ts";
import { foreignMemory, isForeign } from "./foreign.ts";
import type { MemoryEntry } from "./memory.ts";
import * as list from "./memory-list.ts";

/**
 * All memories by id.
 *
 * @example
 * ```ts
 * import { MEMORIES } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.throws(() => MEMORIES["arigraph"]!.create({ k: -1 }), /arigraph cannot take these options: k/);
 * ```
 */
export const MEMORIES: Registry<MemoryEntry> = registryOf<MemoryEntry>(list);

/**
 * The memory that a study names: a registered one, or one in another process (`python:…`).
 *
 * @throws {UsageError} if there is none; the message lists those that are registered.
 *
 * @example
 * ```ts
 * import { memoryOf } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.equal(memoryOf("arigraph").id, "arigraph");
 * assert.throws(() => memoryOf("arigrap"), /did you mean "arigraph"/);
 * ```
 */
export function memoryOf(id: string): MemoryEntry {
  return isForeign(id) ? foreignMemory(id) : entryOf("memory", MEMORIES, id);
}
