/**
 * Reflexion: Ariadne over several trials of one game, with the lesson of each failed trial in the next (AriGraph, arXiv 2407.04363, §4, after
 * Shinn et al. 2023, arXiv 2303.11366).
 *
 * | Shinn et al. | here |
 * |---|---|
 * | Actor | `playAriadne` |
 * | Evaluator, Self-reflection, long-term memory | `playTrials` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { formatObservation } from "../memory/observation.ts";
import { inWorld, playAriadne } from "./ariadne-loop.ts";
import { type AriadneOptions, ariadneOptions } from "./ariadne-options.ts";
import { actPrompt, planPrompt } from "./ariadne.prompts.ts";
import type { Episode, Method, Outcome } from "./method.ts";
import { reflectPrompt } from "./reflexion.prompts.ts";
import { playTrials, type TrialLimits, trialLimits } from "./trials.ts";

/** Options of the method: those of Ariadne, which hold for each trial, and how many trials there are. */
export interface ReflexionOptions extends AriadneOptions, TrialLimits {}

/** Reads the options, as a study gives them, but for the memory. */
export const reflexionOptions = z.strictObject({
  ...ariadneOptions.shape,
  ...trialLimits.shape,
});

/** All prompts of the method: those of Ariadne and role `reflexion/reflect`; the memory has its own. */
export const reflexionPrompts: readonly Prompt[] = [planPrompt, actPrompt, reflectPrompt];

/**
 * Reflexion with a memory, which starts empty in each trial; in the paper's baseline it is `rag`. Each trial is a pass of kind `trial`. The
 * lessons are what an episode leaves to the next of its lane.
 *
 * What it reports to the recorder: what Ariadne reports, each `lesson`, and `malformed-reply` where none could be read.
 *
 * @throws {UsageError} without a memory; {@linkcode z.ZodError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createRag } from "labyrinth/memory";
 * import { createReflexion } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReflexion({ memory: createRag(), trials: 2 }).id, "reflexion");
 * assert.throws(() => createReflexion({ memory: createRag(), trials: 0 }), /trials/);
 * ```
 */
export function createReflexion({ memory, ...options }: ReflexionOptions): Method {
  if (typeof memory !== "function") throw new UsageError("reflexion needs a memory: name one, such as rag");
  const checked = reflexionOptions.parse(options);
  return { id: ID, run: (episode) => run(episode, { ...checked, memory }) };
}

const ID = "reflexion";

function run(episode: Episode, options: z.output<typeof reflexionOptions> & Pick<AriadneOptions, "memory">): Promise<Outcome> {
  return playTrials(episode, {
    ...options,
    id: ID,
    play: async (trial, lessons) => {
      const record: string[] = [];
      const { pass, turn } = await inWorld(episode, (world) =>
        playAriadne(world, {
          episode,
          memory: options.memory,
          options,
          pass: trial,
          carriesOver: false,
          ...(lessons === "" ? {} : { extra: { [reflectPrompt.sections.lessons]: lessons } }),
          onStep: (seen) => record.push(formatObservation(seen)),
        }));
      const { inventory } = turn.sections;
      const last = { step: pass.steps + 1, observation: turn.observation, ...(inventory === undefined ? {} : { inventory }) };
      return { pass, goal: turn.goal, record: [...record, formatObservation(last)] };
    },
  });
}
