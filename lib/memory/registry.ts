/**
 * The memories that a study can name: one line each.
 *
 * @module
 */

import { type Registry, registryOf } from "../text/registry.ts";
import { arigraph } from "./arigraph.ts";
import { fullHistory } from "./full-history.ts";
import type { MemoryEntry } from "./memory.ts";
import { none } from "./none.ts";
import { passages } from "./passages.ts";
import { rag } from "./rag.ts";
import { roomGraph } from "./room-graph.ts";
import { simulacra } from "./simulacra.ts";
import { stacked } from "./stacked.ts";
import { summary } from "./summary.ts";

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
export const MEMORIES: Registry<MemoryEntry> = registryOf<MemoryEntry>([
  arigraph,
  fullHistory,
  none,
  passages,
  rag,
  roomGraph,
  simulacra,
  stacked,
  summary,
]);
