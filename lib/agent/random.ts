/**
 * Two methods that take random possible actions: `random`, the floor, and `random-walk`, whose memory learns as in a game (AriGraph, arXiv
 * 2407.04363, App. C, Fig. 6), so that the growth of its graph is that of the pipeline and not of a strategy.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import { createDraw } from "../random.ts";
import { checkOptions } from "../text/registry.ts";
import type { Method, MethodEntry } from "./method.ts";
import { onePass, optionsWithMemory } from "./rollout.ts";

/** Options of `random`; absent ones take their defaults. */
export interface RandomOptions {
  /** Most agent steps, 1 … 1,000,000; the world's own limit holds besides. @default {150} */
  readonly maxSteps?: number;
}

/** Options of `random-walk`; absent ones take their defaults. */
export interface RandomWalkOptions extends RandomOptions {
  /** Makes the memory. */
  readonly memory: MemoryFactory;
}

const randomOptions = z.strictObject(
  {
    maxSteps: z.int().min(1).max(1_000_000).default(150),
  } satisfies Record<keyof RandomOptions, z.ZodType>,
);

/**
 * A random possible action at every step, each equally likely, drawn from the episode's seed. It asks no model.
 *
 * @throws {UsageError} if an option is unknown or out of range; when run in a world that does not tell which actions are possible.
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
export function createRandom(options: RandomOptions = {}): Method {
  return atRandom("random", checkOptions("the method random", randomOptions, options));
}

/**
 * Random possible actions, drawn as `random` draws them, with a memory that observes every step. The memory is asked to recall without a plan,
 * since what AriGraph recalls are the examples of its next extraction.
 *
 * @throws {UsageError} without a memory, or if an option is unknown or out of range; when run in a world that does not tell which actions are
 * possible.
 *
 * @example
 * ```ts
 * import { createAriGraph } from "labyrinth/memory";
 * import { createRandomWalk } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createRandomWalk({ memory: createAriGraph(), maxSteps: 10 }).id, "random-walk");
 * assert.throws(() => createRandomWalk({ memory: createAriGraph(), maxSteps: 0 }), /maxSteps/);
 * ```
 */
export function createRandomWalk(options: RandomWalkOptions): Method {
  return atRandom("random-walk", optionsWithMemory("random-walk", randomOptions, options, "arigraph"));
}

/** The floor, as studies name it. */
export const random: MethodEntry = {
  id: "random",
  description: "a random possible action at every step: the floor",
  version: "1",
  options: randomOptions,
  prompts: [],
  create: createRandom,
};

/** The random walk, as studies name it. */
export const randomWalk: MethodEntry = {
  id: "random-walk",
  description: "random possible actions observed by a memory: how its graph grows",
  version: "1",
  options: randomOptions,
  prompts: [],
  takesMemory: true,
  create: createRandomWalk,
};

interface Setting {
  readonly maxSteps: number;
  /** Observes; the actions do not depend on it. */
  readonly memory?: MemoryFactory;
}

function atRandom(id: string, { maxSteps, memory: createMemory }: Setting): Method {
  return onePass(id, { maxSteps }, async (rollout) => {
    const { world, episode } = rollout;
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
        throw new UsageError(`${id} plays possible actions, and ${world.spec.id} does not tell them; choose another method for this world`);
      }
      action = draw.pick(possible);
      await rollout.send(action);
      await rollout.record(action, { recalled: recollection?.recalled });
    }
    return memory?.save();
  });
}
