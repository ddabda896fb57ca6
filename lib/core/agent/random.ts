/**
 * Two methods of random possible actions: `random`, the floor, and `random-walk`, whose memory
 * learns as in a game, which shows how its graph grows without a strategy (AriGraph, arXiv
 * 2407.04363, App. C, Fig. 6).
 */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import { UsageError } from "../errors.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import { createDraw } from "../random.ts";
import type { Episode, MethodEntry, MethodMaker, Outcome } from "./method.ts";
import { artefactOf, onePass } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";

/** Options of `random`. */
export interface RandomOptions {
  /** Most agent steps, 1 … 1,000,000; the world's own limit holds besides. @default {150} */
  readonly maxSteps?: number;
}

const randomOptions = z.strictObject({
  maxSteps: z.int().min(1).max(1_000_000).default(150),
}) satisfies OptionsOf<RandomOptions>;

/**
 * A random possible action at every step, each equally likely, drawn from the episode's seed. It
 * asks no model.
 *
 * @throws {UsageError} if an option is unknown or out of range; in a world that does not list
 *   possible actions.
 *
 * @example
 * ```ts
 * import { createRandom } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createRandom({ maxSteps: 10 }).id, "random");
 * assert.throws(() => createRandom({ maxSteps: 0 }), /maxSteps/);
 * ```
 */
export const createRandom: MethodMaker<RandomOptions> = methodEntry({
  id: "random",
  description: "a random possible action at every step: the floor",
  version: "1",
  options: randomOptions,
  prompts: [],
}, atRandom);

/**
 * The random walk as studies name it. The memory recalls without a plan, since AriGraph's recall
 * gives the examples of its next extraction.
 */
export const randomWalk: MethodEntry = methodEntry({
  id: "random-walk",
  description: "random possible actions observed by a memory: how its graph grows",
  version: "1",
  options: randomOptions,
  prompts: [],
  memories: "arigraph",
}, atRandom);

function atRandom(
  episode: Episode,
  { maxSteps, memory: createMemory }: { maxSteps: number; memory?: MemoryFactory },
): Promise<Outcome> {
  return onePass(episode, { maxSteps }, async (rollout) => {
    const { world } = rollout;
    const memory = createMemory && rollout.remember(createMemory);
    const draw = createDraw(`random ${episode.seed}`);
    let action: string | undefined;
    await rollout.reset();
    await rollout.record();
    while (!rollout.isOver) {
      rollout.beginStep();
      const seen = rollout.perceive();
      await memory?.observe({ ...seen, action });
      const recollection = await memory?.recall({ ...seen, plan: "" });
      const possible = await world.validActions();
      if (!possible?.length) {
        const id = createMemory ? "random-walk" : "random";
        throw new UsageError(
          `${id} plays possible actions, and ${world.spec.id} does not list them; choose another method for this world`,
        );
      }
      action = draw.pick(possible);
      await rollout.send(action);
      await rollout.record(action, { recalled: recollection?.recalled });
    }
    return memory && await artefactOf(memory);
  });
}
