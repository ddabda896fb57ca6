/**
 * The floor: a random possible action at every step, each equally likely. A method that does not beat it has understood nothing.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import { createDraw } from "../llm/offline/draw.ts";
import type { Method, Outcome } from "./method.ts";

/** The options, as a study gives them. */
export const randomOptions = z.strictObject({
  /** Agent steps. Unless told: until the world ends the episode, at most 150. */
  maxSteps: z.int().min(1).max(1_000_000).default(150),
});

/**
 * Plays possible actions at random, drawn from the episode's seed; asks no model.
 *
 * @throws {UsageError} when run in a world that does not tell which actions are possible.
 *
 * @example
 * ```ts
 * import { createRandom } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createRandom({ maxSteps: 10 }).id, "random");
 * ```
 */
export function createRandom(options: z.input<typeof randomOptions> = {}): Method {
  const { maxSteps } = randomOptions.parse(options);
  return {
    id: "random",
    async run({ world: open, recorder, seed, signal }): Promise<Outcome> {
      const draw = createDraw(`random ${seed}`);
      const world = await open();
      try {
        let turn = await world.reset();
        let step = 0;
        await recorder.step({ pass: 0, step, turn });
        while (!turn.end && step < maxSteps) {
          signal?.throwIfAborted();
          const possible = await world.validActions();
          if (!possible || possible.length === 0) {
            throw new UsageError(
              `random plays possible actions, and ${world.spec.id} does not tell them; choose another method for this world`,
            );
          }
          const action = draw.pick(possible);
          turn = await world.step(action);
          step += 1;
          await recorder.step({ pass: 0, step, action, turn });
        }
        return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end ?? "limit" }] };
      } finally {
        await world.close().catch(() => {}); // a world that is gone is closed; what the play came to must not be hidden by that
      }
    },
  };
}
