/**
 * Answering a question over paragraphs with a memory (Anokhin et al. 2024, arXiv 2407.04363, §4 "Multi-hop Q&A", Table 2): each paragraph is
 * taken in as one observation, then the memory is asked for what bears on the question, then the question is answered by a chain of thought.
 * The paper's baselines are the same over other memories.
 *
 * Deviations are numbered in `docs/deviations/arigraph.md` (D25 to D30).
 *
 * @module
 */

import { z } from "zod";
import { finish } from "../env/questions/world.ts";
import { UsageError } from "../errors.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import { answerPrompt, parseAnswer } from "./answer.prompts.ts";
import type { Method, MethodEntry } from "./method.ts";
import { loopOptions, onePass, optionsWithMemory, type Rollout } from "./rollout.ts";

/** Options of the method. */
export interface AnswerOptions {
  /** Makes the memory of a question. */
  readonly memory: MemoryFactory;
  /** How often a model is asked again after a reply that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

const answerOptions = z.strictObject(
  {
    reAsks: loopOptions.reAsks,
  } satisfies Record<keyof Omit<AnswerOptions, "memory">, z.ZodType>,
);

/**
 * Answers questions of the worlds `questions/…`. An episode is one question, answered in one step; it leaves no artefact, since the next question
 * starts from an empty memory.
 *
 * It reports `malformed-reply` and `fallback` (the reply stayed unreadable, and the world's fallback is the answer), and whatever the memory
 * reports.
 *
 * @throws {UsageError} without a memory, or if an option is unknown or out of range; when run in a world that asks no question over paragraphs.
 *
 * @example
 * ```ts
 * import { createAnswer } from "labyrinth/agent";
 * import { createPassages } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createAnswer({ memory: createPassages() }).id, "answer");
 * assert.throws(() => createAnswer({ memory: createPassages(), reAsks: -1 }), /reAsks/);
 * ```
 */
export function createAnswer(options: AnswerOptions): Method {
  const checked = optionsWithMemory("answer", answerOptions, options, "arigraph or passages");
  return onePass("answer", checked, (rollout) => answerOnce(rollout, checked.memory));
}

/** The method as studies name it. */
export const answer: MethodEntry = {
  id: "answer",
  description: "read every paragraph of a question, recall, answer by a chain of thought, with a memory",
  version: "1",
  options: answerOptions,
  prompts: [answerPrompt],
  takesMemory: true,
  create: createAnswer,
};

async function answerOnce(rollout: Rollout, createMemory: MemoryFactory): Promise<undefined> {
  const { world, episode: { recorder, signal } } = rollout;
  const { documents, goal, observation: question } = await rollout.reset();
  if (!documents) {
    throw new UsageError(`answer needs a question over paragraphs, and ${world.spec.id} asks none; choose a world questions/…`);
  }
  const memory = rollout.remember(createMemory, {
    onEvent: (kind, detail) => recorder.event({ pass: 0, step: 1, kind, detail }), // reading belongs to the one step
  });
  for (const [index, { title, text }] of documents.entries()) {
    signal?.throwIfAborted();
    await memory.observe({ step: index + 1, goal, observation: `${title}\n${text}` });
  }
  await rollout.record();

  rollout.beginStep();
  const step = documents.length + 1; // after the last paragraph, so that all of them are past
  const { sections, recalled } = await memory.recall({ step, goal, observation: question, plan: "" });
  const reply = await rollout.answer(answerPrompt, { question }, { parse: parseAnswer, extra: sections }, step);
  const text = rollout.read(answerPrompt, reply);
  const { action, fallback } = await rollout.act(text === undefined ? undefined : finish(text));
  await rollout.record(action, { reason: reply.text, recalled, fallback });
}
