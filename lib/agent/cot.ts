/**
 * Chain of thought (Wei et al. 2022, arXiv 2201.11903), WESE's baseline without interaction (arXiv 2404.07456, §4.2.1): the paragraphs that are
 * needed stand in the prompt, and one call answers.
 *
 * @module
 */

import { z } from "zod";
import { finish } from "../env/questions/world.ts";
import { UsageError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import { parseAnswer } from "./answer.prompts.ts";
import { inWorld } from "./ariadne-loop.ts";
import { cotPrompt } from "./cot.prompts.ts";
import { examplesFor } from "./examples.ts";
import type { Method } from "./method.ts";
import { asksQuestion } from "./text-agent.ts";

/** Options of the method. */
export interface CotOptions {
  /** Examples shown, where there are any, 0 … 10. @default {2} */
  readonly examples?: number;
  /** How often a model is asked again after an answer that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them. */
export const cotOptions = z.strictObject(
  {
    examples: z.int().min(0).max(10).default(2),
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<keyof CotOptions, z.ZodType>,
);

/** All prompts of the method: role `cot/answer`. */
export const cotPrompts: readonly Prompt[] = [cotPrompt];

/**
 * Answers in one step, from the paragraphs that the world shows with its task: open it with `documents: "supporting"`.
 *
 * What it reports to the recorder: `malformed-reply` and `fallback` (an empty answer is given in its place).
 *
 * @throws {z.ZodError} if an option is unknown or out of range; {@linkcode UsageError} when run in a world that asks no question, or shows no
 * paragraphs.
 *
 * @example
 * ```ts
 * import { connectWorlds } from "labyrinth/env";
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createCot } from "labyrinth/agent";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const worlds = connectWorlds();
 * const { passes: [pass] } = await createCot().run({
 *   world: () => worlds.open("wiki/encyclopedia", { ask: "claims", index: 0, documents: "supporting" }),
 *   ask: createAsker({ model: scripted(["CoT: the first page says so.\nDirect answer: SUPPORTS"]) }),
 *   embedder: createLexicalEmbedder(),
 *   recorder: { step: () => Promise.resolve(), event: () => {} },
 *   seed: 1,
 * });
 * assert.deepEqual([pass?.score, pass?.steps, pass?.end], [1, 1, "won"]);
 * ```
 */
export function createCot(options: CotOptions = {}): Method {
  const { examples, reAsks } = cotOptions.parse(options);
  return {
    id: "cot",
    run: (episode) =>
      inWorld(episode, async (world) => {
        const { recorder, signal } = episode;
        signal?.throwIfAborted();
        const asked = await world.reset();
        if (!asksQuestion(world.spec) || !asked.documents) {
          throw new UsageError(
            `cot answers from paragraphs, and ${world.spec.id} shows none; choose a world of questions and give it documents: "supporting"`,
          );
        }
        await recorder.step({ pass: 0, step: 0, turn: asked });
        const shown = examplesFor({ ...world.spec, id: "cot" }, asked.observation, examples);
        const reply = await episode.ask.at({ step: 1 })(cotPrompt, {
          examples: shown.map((example) => example.lines(true).join("\n")).join("\n\n"),
          paragraphs: asked.documents.map(({ title, text }) => `${title}\n${text}`).join("\n\n"),
          task: asked.observation,
        }, { parse: parseAnswer, reAsks });
        const report = (kind: string, detail: string): void => recorder.event({ pass: 0, step: 1, kind, detail });
        if (reply.kind === "malformed") {
          report("malformed-reply", `${cotPrompt.role}: ${reply.problem}`);
          report("fallback", "an empty answer, after malformed-reply");
        }
        const action = finish(reply.kind === "ok" ? reply.value : "");
        const turn = await world.step(action);
        const details = { reason: reply.text, ...(reply.kind === "ok" ? {} : { fallback: "malformed-reply" }) };
        await recorder.step({ pass: 0, step: 1, action, turn, details });
        return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: 1, end: turn.end ?? "limit" }] };
      }),
  };
}
