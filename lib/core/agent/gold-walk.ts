/**
 * The ceiling: the actions that a chain's gold path names, one after another. It shows the least
 * that a mission takes, and the path of an oracle.
 */

import { UsageError } from "../errors.ts";
import type { Method } from "./method.ts";
import { rollOut } from "./rollout.ts";

/**
 * Plays an episode's gold path to its end and asks no model.
 *
 * @throws {UsageError} when run in a chain without gold paths.
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
    run: async (episode) => {
      const { goldPath } = episode;
      if (!goldPath) {
        throw new UsageError(
          "oracle follows a gold path, and the chain has none; give the chain its actions in gold",
        );
      }
      return await rollOut(episode, {}, async (rollout) => {
        await rollout.reset();
        await rollout.record();
        for (const action of goldPath) {
          if (rollout.turn.end) break;
          rollout.beginStep();
          await rollout.send(action);
          await rollout.record(action);
        }
        return { passes: [{ kind: "only", ...rollout.result, end: rollout.turn.end }] };
      });
    },
  };
}
