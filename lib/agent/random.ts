/**
 * The floor: a random possible action at every step, each equally likely. A method that does not beat it has understood nothing.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import { createDraw } from "../random.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import type { Episode, Method, Outcome } from "./method.ts";
import { perceive } from "./perceive.ts";

/** Options of the method; absent ones take their defaults. */
export interface RandomOptions {
  /** Most agent steps, 1 … 1,000,000; the world's own limit holds besides. @default {150} */
  readonly maxSteps?: number;
}

/** Reads the options, as a study gives them. */
export const randomOptions = z.strictObject(
  {
    maxSteps: z.int().min(1).max(1_000_000).default(150),
  } satisfies Record<keyof RandomOptions, z.ZodType>,
);

/**
 * Plays possible actions at random, drawn from the episode's seed; asks no model.
 *
 * @throws {z.ZodError} if an option is unknown or out of range; {@linkcode UsageError} when run in a world that does not tell which actions are possible.
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
  const { maxSteps } = randomOptions.parse(options);
  return { id: "random", run: (episode) => playAtRandom(episode, { method: "random", maxSteps }) };
}

/** Random possible actions from reset to end; a memory, where there is one, watches and decides nothing. */
export async function playAtRandom(
  { world: open, ask, embedder, recorder, seed, signal, artefact }: Episode,
  options: { readonly method: string; readonly maxSteps: number; readonly memory?: MemoryFactory },
): Promise<Outcome> {
  const { method, maxSteps } = options;
  let step = 0;
  const report = (kind: string, detail: string): void => recorder.event({ pass: 0, step, kind, detail });
  const memory = options.memory?.({ ask, embedder, onEvent: report, signal });
  if (artefact) memory?.load(artefact);
  const graph = memory?.graph ? { graph: memory.graph } : {};
  const draw = createDraw(`random ${seed}`);
  const world = await open();
  try {
    let turn = await world.reset();
    let action: string | undefined;
    await recorder.step({ pass: 0, step, turn, ...graph });
    while (!turn.end && step < maxSteps) {
      signal?.throwIfAborted();
      step += 1;
      const seen = perceive(turn, step);
      await memory?.observe({ ...seen, ...(action === undefined ? {} : { action }) });
      const recollection = await memory?.recall({ ...seen, plan: "" });
      const possible = await world.validActions();
      if (!possible || possible.length === 0) {
        throw new UsageError(
          `${method} plays possible actions, and ${world.spec.id} does not tell them; choose another method for this world`,
        );
      }
      action = draw.pick(possible);
      turn = await world.step(action);
      const details = recollection?.recalled ? { details: { recalled: recollection.recalled } } : {};
      await recorder.step({ pass: 0, step, action, turn, ...graph, ...details });
    }
    return {
      passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: step, end: turn.end ?? "limit" }],
      ...(memory ? { artefact: memory.save() } : {}),
    };
  } finally {
    await world.close().catch(() => {}); // a world that is gone is closed; what the play came to must not be hidden by that
  }
}
