/**
 * A memory that watches a random walk: it learns as in a game while the actions are random possible ones (AriGraph, arXiv 2407.04363, App. C,
 * Fig. 6), so that the growth of its graph is that of the pipeline and not of a strategy.
 *
 * @module
 */

import type { z } from "zod";
import { UsageError } from "../errors.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import type { Method } from "./method.ts";
import { playAtRandom, type RandomOptions, randomOptions } from "./random.ts";

/** Options of the method; absent ones take their defaults. */
export interface RandomWalkOptions extends RandomOptions {
  /** Makes the memory that watches. */
  readonly memory: MemoryFactory;
}

/** Reads the options, as a study gives them, but for the memory. */
export const randomWalkOptions: z.ZodType<{ maxSteps: number }> = randomOptions;

/**
 * Plays possible actions at random, drawn from the episode's seed, before the eyes of a memory: it observes every step and is asked to recall
 * without a plan, since what AriGraph recalls are the examples of its next extraction.
 *
 * @throws {UsageError} without a memory, or when run in a world that does not tell which actions are possible; {@linkcode z.ZodError} if an
 * option is unknown or out of range.
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
export function createRandomWalk({ memory, ...options }: RandomWalkOptions): Method {
  if (typeof memory !== "function") throw new UsageError("random-walk needs a memory: name one, such as arigraph");
  const { maxSteps } = randomWalkOptions.parse(options);
  return { id: "random-walk", run: (episode) => playAtRandom(episode, { method: "random-walk", maxSteps, memory }) };
}
