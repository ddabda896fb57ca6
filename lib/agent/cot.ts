/**
 * Chain of thought (Wei et al. 2022, arXiv 2201.11903), WESE's baseline without interaction (arXiv 2404.07456, §4.2.1): the prompt shows the
 * sentences that are needed, and one call answers.
 *
 * @module
 */

import { z } from "zod";
import { finish } from "../env/questions/world.ts";
import { UsageError } from "../errors.ts";
import { checkOptions } from "../text/registry.ts";
import { cotPrompt, parseAnswer } from "./answer.prompts.ts";
import { examplesFor, withExamples } from "./examples.ts";
import type { Method, MethodEntry } from "./method.ts";
import { loopOptions, onePass, type Rollout } from "./rollout.ts";
import { asksQuestion } from "./text-agent.ts";

/** Options of the method. */
export interface CotOptions {
  /** Worked examples shown, where there are any, 0 … 10. @default 6 for questions, 3 for claims */
  readonly examples?: number;
  /** How often a model is asked again after a reply that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

const cotOptions = z.strictObject(
  {
    examples: z.int().min(0).max(10).exactOptional(),
    reAsks: loopOptions.reAsks,
  } satisfies Record<keyof CotOptions, z.ZodType>,
);

/**
 * Answers in one step, from the texts that the world shows with its task: open it with `documents: "sentences"`, or `"supporting"` for paragraphs.
 * A claim that nothing decides has none.
 *
 * It reports `malformed-reply` and `fallback` (the reply stayed unreadable, and the answer given is empty).
 *
 * @throws {UsageError} if an option is unknown or out of range; when run in a world that asks no question, or shows no
 * texts.
 *
 * @example
 * ```ts
 * import { createCot } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createCot({ examples: 0 }).id, "cot");
 * assert.throws(() => createCot({ examples: -1 }), /examples/);
 * ```
 */
export function createCot(options: CotOptions = {}): Method {
  const checked = checkOptions("the method cot", cotOptions, options);
  return onePass("cot", checked, (rollout) => answerOnce(rollout, checked.examples));
}

/** The method as studies name it. */
export const cot: MethodEntry = withExamples({
  id: "cot",
  description: "one chain of thought over the sentences that a question needs (CoT)",
  version: "2",
  options: cotOptions,
  prompts: [cotPrompt],
  create: createCot,
});

async function answerOnce(rollout: Rollout, mostExamples: number | undefined): Promise<undefined> {
  const { spec } = rollout.world;
  const { documents, observation: task } = await rollout.reset();
  if (!asksQuestion(spec) || !documents) {
    throw new UsageError(
      `cot answers from texts, and ${spec.id} shows none; choose a world of questions and give it documents: "sentences"`,
    );
  }
  await rollout.record();

  rollout.beginStep();
  const examples = examplesFor({ ...spec, id: "cot" }, task, mostExamples);
  const values = {
    examples: examples.map((example) => example.lines(true).join("\n")).join("\n\n"),
    texts: documents.map(({ title, text }) => `${title}\n${text}`).join("\n\n"),
    task,
  };
  const reply = await rollout.answer(cotPrompt, values, { parse: parseAnswer });
  const text = rollout.read(cotPrompt, reply);
  const fallback = text === undefined ? "malformed-reply" : undefined;
  if (fallback) rollout.report("fallback", `an empty answer, after ${fallback}`);
  const action = finish(text ?? "");
  await rollout.send(action);
  await rollout.record(action, { reason: reply.text, fallback });
}
