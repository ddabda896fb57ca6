/**
 * Ariadne: observe, recall, plan, act, with any memory (Anokhin et al. 2024, arXiv 2407.04363, §3). The paper's baselines are the same planner
 * and actor over another memory.
 *
 * | paper | here |
 * |---|---|
 * | o_t, a_t | `turn`, `action` in `ariadne-loop.ts` |
 * | working memory | what `playAriadne` in `ariadne-loop.ts` hands to `planPrompt` and `actPrompt` |
 * | n_prev | `AriadneOptions.nPrev` |
 * | "go to location" | `goTo` in `go-to.ts` |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { inWorld, playAriadne } from "./ariadne-loop.ts";
import { type AriadneOptions, ariadneOptions } from "./ariadne-options.ts";
import { actPrompt, planPrompt } from "./ariadne.prompts.ts";
import type { Method } from "./method.ts";

/** All prompts of the method: roles `ariadne/plan` and `ariadne/act`; the memory has its own. */
export const ariadnePrompts: readonly Prompt[] = [planPrompt, actPrompt];

/**
 * Ariadne with a memory.
 *
 * What it reports to the recorder: `malformed-reply` (an answer that stayed unreadable), `invalid-action` (an action that is not possible),
 * `fallback` (the world's fallback action was taken in its place), `refused-macro`, `stopped-macro`, and whatever the memory reports.
 *
 * @throws {UsageError} without a memory; {@linkcode z.ZodError} if an option is unknown or out of range.
 *
 * @example A lever, pulled
 * ```ts
 * import { createAriadne } from "labyrinth/agent";
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createFullHistory } from "labyrinth/memory";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const seen = { goal: "Win.", observation: "There is a lever.", sections: {}, frames: [], score: 0, maxScore: 1 };
 * const world = {
 *   spec: { id: "lever", version: "1", parameters: {}, sections: [], actions: [], fallback: "look", identity: "0".repeat(64) },
 *   reset: async () => seen,
 *   step: async (action: string) => action === "pull" ? { ...seen, score: 1, end: "won" as const } : seen,
 *   validActions: async () => ["look", "pull"],
 *   close: async () => {},
 * };
 * const model = scripted({
 *   "ariadne/plan": ['{"plan_steps": [{"sub_goal_1": "pull the lever", "reason": "it is all there is"}]}'],
 *   "ariadne/act": ['{"reason_for_action": "as planned", "action_to_take": "pull"}'],
 * });
 * const { passes } = await createAriadne({ memory: createFullHistory() }).run({
 *   world: async () => world,
 *   ask: createAsker({ model }),
 *   embedder: createLexicalEmbedder(),
 *   recorder: { step: async () => {}, event: () => {} },
 *   seed: 1,
 * });
 * assert.deepEqual(passes, [{ kind: "only", score: 1, maxScore: 1, steps: 1, end: "won" }]);
 * ```
 */
export function createAriadne({ memory, ...options }: AriadneOptions): Method {
  if (typeof memory !== "function") throw new UsageError("ariadne needs a memory: name one, such as arigraph or full-history");
  const checked = ariadneOptions.parse(options);
  return {
    id: "ariadne",
    run: (episode) =>
      inWorld(episode, async (world) => {
        const { pass, memory: left } = await playAriadne(world, { episode, memory, options: checked });
        return { passes: [{ kind: "only", ...pass }], artefact: left.save() };
      }),
  };
}
