/**
 * Act and ReAct (Yao et al. 2023, arXiv 2210.03629), and SayCan as SwiftSage's evaluation has it (after Ahn et al. 2022, arXiv 2204.01691):
 * the base methods of WESE and the baselines of ReasonPlanner. All three are one loop, `playText`.
 *
 * | paper | here |
 * |---|---|
 * | Act: actions alone, few-shot | `createAct` |
 * | ReAct: thoughts between them | `createReact` |
 * | SayCan: what the model would do, times what can be done | `createSaycan`: 5 candidates at temperature 0.5, matched with the possible actions by an embedder |
 *
 * @module
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { inWorld } from "./ariadne-loop.ts";
import type { Method } from "./method.ts";
import { type TextAgentOptions, textAgentOptions } from "./text-agent-options.ts";
import { textPrompt } from "./text-agent.prompts.ts";
import { playText, type TextPlay } from "./text-agent.ts";

const actPrompt = textPrompt({ role: "act/act", thoughts: false });
const reactPrompt = textPrompt({ role: "react/act", thoughts: true });
const saycanPrompt = textPrompt({ role: "saycan/act", thoughts: false, temperature: 0.5 });

/** All prompts of Act: role `act/act`. */
export const actPrompts: readonly Prompt[] = [actPrompt];
/** All prompts of ReAct: role `react/act`. */
export const reactPrompts: readonly Prompt[] = [reactPrompt];
/** All prompts of SayCan: role `saycan/act`. */
export const saycanPrompts: readonly Prompt[] = [saycanPrompt];

/** Options of SayCan: those of every text agent, and how many candidates are drawn. */
export interface SaycanOptions extends TextAgentOptions {
  /** Candidates for each action, 1 … 20. @default {5} */
  readonly candidates?: number;
}

/** Reads the options of SayCan, as a study gives them. */
export const saycanOptions = z.strictObject({
  ...textAgentOptions.shape,
  grounding: textAgentOptions.shape.grounding.unwrap().default("embedder"),
  candidates: z.int().min(1).max(20).default(5),
});

/**
 * Act: the next action straight from task, examples and history.
 *
 * What it reports to the recorder: `malformed-reply`, `invalid-action` and `fallback` as Ariadne does, `grounded` (a possible action was taken
 * in the place of the one written), `extra-lines` (more than one action in an answer), `shortened-history`, `stopped-loop`.
 *
 * @throws {z.ZodError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAct } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createAct({ maxSteps: 50 }).id, "act");
 * assert.throws(() => createAct({ maxSteps: 0 }), /maxSteps/);
 * ```
 */
export function createAct(options: TextAgentOptions = {}): Method {
  return textMethod("act", { options: textAgentOptions.parse(options), prompt: actPrompt });
}

/**
 * ReAct: Act with thoughts, which the world does not hear. It reports what Act reports.
 *
 * @throws {z.ZodError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createReact, SWIFTSAGE_RULES } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReact(SWIFTSAGE_RULES).id, "react");
 * ```
 */
export function createReact(options: TextAgentOptions = {}): Method {
  return textMethod("react", { options: textAgentOptions.parse(options), prompt: reactPrompt });
}

/**
 * SayCan: several candidates are drawn for each action; the first that is possible is taken, else the possible action nearest to all of them.
 * It reports what Act reports.
 *
 * @throws {z.ZodError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createSaycan } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createSaycan({ candidates: 5 }).id, "saycan");
 * assert.throws(() => createSaycan({ candidates: 0 }), /candidates/);
 * ```
 */
export function createSaycan(options: SaycanOptions = {}): Method {
  const { candidates, ...rest } = saycanOptions.parse(options);
  return textMethod("saycan", { options: rest, prompt: saycanPrompt, candidates });
}

function textMethod(id: string, play: Omit<TextPlay, "episode">): Method {
  return {
    id,
    run: (episode) =>
      inWorld(episode, async (world) => {
        const { pass } = await playText(world, { ...play, episode });
        return { passes: [{ kind: "only", ...pass }] };
      }),
  };
}
