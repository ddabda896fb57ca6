/**
 * Reflexion over ReAct (Shinn et al. 2023, arXiv 2303.11366, §4), the baseline of ReasonPlanner (arXiv 2410.09252, §4.2.2): ReAct over several
 * trials of one task, with the lesson of each failed trial in the next.
 *
 * | Shinn et al. | here |
 * |---|---|
 * | Actor | `playText` with ReAct's prompt |
 * | Evaluator, Self-reflection, long-term memory | `playTrials` |
 *
 * @module
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { formatObservation } from "../memory/observation.ts";
import { inWorld } from "./ariadne-loop.ts";
import type { Method } from "./method.ts";
import { reflectPrompt } from "./reflexion.prompts.ts";
import { type TextAgentOptions, textAgentOptions } from "./text-agent-options.ts";
import { textPrompt } from "./text-agent.prompts.ts";
import { playText, type TextPlayed } from "./text-agent.ts";
import { withShortAction } from "./text-history.ts";
import { playTrials, type TrialLimits, trialLimits } from "./trials.ts";

const ID = "react-reflexion";

const actPrompt = textPrompt({ role: `${ID}/act`, thoughts: true });

/** Options of the method: those of every text agent, which hold for each trial, and these. */
export interface ReactReflexionOptions extends TextAgentOptions, TrialLimits {
  /** Which trial's score is the episode's: the best one (SwiftSage's evaluation) or the last. @default {"best"} */
  readonly counts?: "best" | "last";
}

/** Reads the options, as a study gives them. */
export const reactReflexionOptions = z.strictObject({
  ...textAgentOptions.shape,
  ...trialLimits.shape,
  counts: z.enum(["best", "last"]).default("best"),
});

/** All prompts of the method: roles `react-reflexion/act` and `reflexion/reflect`. */
export const reactReflexionPrompts: readonly Prompt[] = [actPrompt, reflectPrompt];

/**
 * Reflexion over ReAct. Each trial is a pass of kind `trial` in a fresh world; the one that counts is marked. It reports what ReAct reports,
 * each `lesson`, and `malformed-reply` where none could be read.
 *
 * @throws {z.ZodError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createReactReflexion, SWIFTSAGE_RULES } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReactReflexion({ ...SWIFTSAGE_RULES, trials: 10 }).id, "react-reflexion");
 * assert.throws(() => createReactReflexion({ trials: 0 }), /trials/);
 * ```
 */
export function createReactReflexion(options: ReactReflexionOptions = {}): Method {
  const checked = reactReflexionOptions.parse(options);
  return {
    id: ID,
    run: (episode) =>
      playTrials(episode, {
        ...checked,
        id: ID,
        play: async (trial, lessons) => {
          const played = await inWorld(episode, (world) =>
            playText(world, {
              episode,
              options: checked,
              prompt: actPrompt,
              pass: trial,
              ...(lessons === "" ? {} : { extra: { [reflectPrompt.sections.lessons]: lessons } }),
            }));
          return { pass: played.pass, goal: played.turn.goal, record: recordOf(played) };
        },
      }),
  };
}

/** What was seen and done in a trial, in the form of every other record. */
function recordOf({ opening, entries }: TextPlayed): string[] {
  return [
    formatObservation({ step: 1, observation: opening }),
    ...entries.map((entry, i) => formatObservation({ step: i + 2, ...withShortAction(entry) })),
  ];
}
