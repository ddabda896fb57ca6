/**
 * Act and ReAct (Yao et al. 2023, arXiv 2210.03629), and SayCan as SwiftSage's evaluation has it
 * (after Ahn et al. 2022, arXiv 2204.01691): the base methods of WESE and the baselines of
 * ReasonPlanner. All three are one loop, `playText`.
 *
 * | paper | here |
 * |---|---|
 * | Act: actions alone, few-shot | `createAct` |
 * | ReAct: thoughts between them | `createReact` |
 * | SayCan: what the model would do, times what can be done | `createSaycan`: 5 candidates at temperature 0.5, matched with the possible actions by an embedder |
 */

import { z } from "zod";
import { withExamples } from "./examples.ts";
import type { MethodMaker } from "./method.ts";
import { onePass } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";
import { playText, usualSteps } from "./text-agent.ts";
import { type TextAgentOptions, textAgentOptions } from "./text-agent-options.ts";
import { type TextPrompt, textPrompt } from "./text-agent.prompts.ts";

const actPrompt = textPrompt({ role: "act/act", thoughts: false });
const reactPrompt = textPrompt({ role: "react/act", thoughts: true });
const saycanPrompt = textPrompt({ role: "saycan/act", thoughts: false, temperature: 0.5 });

/** Options of SayCan: those of every text agent, and how many candidates are drawn. */
export interface SaycanOptions extends TextAgentOptions {
  /** Candidates for each action, 1 … 20. @default {5} */
  readonly candidates?: number;
}

const saycanOptions = z.strictObject({
  ...textAgentOptions.shape,
  grounding: textAgentOptions.shape.grounding.unwrap().default("embedder"),
  candidates: z.int().min(1).max(20).default(5),
});
type TextSettings = z.output<typeof textAgentOptions> & Partial<z.output<typeof saycanOptions>>;

function textEntry<Options extends object>(
  prompt: TextPrompt,
  description: string,
  options: z.ZodType<TextSettings> = textAgentOptions,
): MethodMaker<Options> {
  const [id = ""] = prompt.role.split("/");
  return withExamples(
    methodEntry(
      { id, description, version: "2", options, prompts: [prompt] },
      (episode, { candidates, ...options }) =>
        onePass(episode, { ...options, usualSteps }, async (rollout) => {
          await playText(rollout, { options, prompt, candidates });
        }),
    ),
  );
}

/**
 * Act: the next action from task, examples and history. It reports `malformed-reply`,
 * `invalid-action`, `fallback`, `grounded` (a possible action replaced the one written),
 * `extra-lines` (several actions in an answer), `shortened-history`, `stopped-loop`.
 * @throws {UsageError} for an unknown or invalid option.
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
export const createAct: MethodMaker<TextAgentOptions> = textEntry(
  actPrompt,
  "the next action from task, examples and history (Act)",
);

/**
 * ReAct: Act with thoughts, which the world does not hear. It reports what Act reports.
 *
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createReact, SWIFTSAGE_RULES } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createReact(SWIFTSAGE_RULES).id, "react");
 * ```
 */
export const createReact: MethodMaker<TextAgentOptions> = textEntry(
  reactPrompt,
  "the next thought or action from task, examples and history (ReAct)",
);

/**
 * SayCan: of several candidates the first possible one is taken, else the possible action nearest
 * to all of them. It reports what Act reports.
 * @throws {UsageError} for an unknown or invalid option.
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
export const createSaycan: MethodMaker<SaycanOptions> = textEntry(
  saycanPrompt,
  "several candidates for the next action, matched with the possible ones by an embedder (SayCan)",
  saycanOptions,
);
