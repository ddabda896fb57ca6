/**
 * The baseline that forgets nothing: all observations and actions, verbatim (AriGraph, arXiv
 * 2407.04363, §4).
 */

import { z } from "zod";
import type { MemoryMaker } from "./memory.ts";
import { logMemory, memoryMaker } from "./memory-kit.ts";

const ID = "full-history";
const fullHistoryOptions = z.strictObject({});

/**
 * Makes memories that hold all observations and actions. They recall those before the present step,
 * oldest first.
 *
 * @param options There are none.
 * @throws {UsageError} if one is given.
 *
 * @example
 * ```ts
 * import { createFullHistory } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const memory = createFullHistory()({});
 * await memory.observe({ step: 1, goal: "Win.", observation: "You are in a hall." });
 * await memory.observe({ step: 2, goal: "Win.", observation: "You are in a kitchen.", action: "go east" });
 * const { sections } = await memory.recall({ step: 2, goal: "Win.", observation: "You are in a kitchen.", plan: "" });
 * assert.deepEqual(sections, { "All observations and actions so far": "Game step #1\nYou are in a hall." });
 * ```
 */
export const createFullHistory: MemoryMaker<Readonly<Record<string, never>>> = memoryMaker({
  id: ID,
  description: "all observations and actions",
  options: fullHistoryOptions,
  open: () =>
    logMemory(ID, ({ step }, log) =>
      Promise.resolve({
        sections: { "All observations and actions so far": log.before(step).join("\n\n") },
        isHistory: true,
      })),
});
