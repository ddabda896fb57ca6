/**
 * The ceiling: the actions that a lane's gold path names, one after another. It shows what a mission takes at best, and the way of an oracle.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { Method } from "./method.ts";

/**
 * Plays an episode's gold path to its end and asks no model.
 *
 * @throws {UsageError} when run in a lane without gold paths.
 *
 * @example
 * ```ts
 * import { createGoldWalk } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createGoldWalk().id, "oracle");
 * ```
 */
export function createGoldWalk(): Method {
  return {
    id: "oracle",
    run: async ({ world: open, recorder, goldPath, signal }) => {
      if (!goldPath) throw new UsageError("oracle follows a gold path, and the lane has none; give the lane its actions in gold");
      const world = await open();
      try {
        let turn = await world.reset();
        let step = 0;
        await recorder.step({ pass: 0, step, turn });
        for (const action of goldPath) {
          if (turn.end) break;
          signal?.throwIfAborted();
          step += 1;
          turn = await world.step(action);
          await recorder.step({ pass: 0, step, action, turn });
        }
        return {
          passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: step, ...(turn.end ? { end: turn.end } : {}) }],
        };
      } finally {
        await world.close().catch(() => {}); // what the walk came to must not be hidden by a world that is gone
      }
    },
  };
}
