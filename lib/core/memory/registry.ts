import { type Registry, registryOf } from "../text/registry.ts";
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
