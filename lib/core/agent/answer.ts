/**
 * Answering a question over paragraphs by a chain of thought.
 *
 * `answer` uses a memory (Anokhin et al. 2024, arXiv 2407.04363, §4 "Multi-hop Q&A", Table 2): it
 * observes each paragraph, then recalls for the question. The paper's baselines do the same over
 * other memories. Deviations: `docs/explanation/deviations/arigraph.md` (D25 to D30).
 *
 * `converse` reads a dialogue once and answers its questions one by one, which leave the memory
 * unchanged. `cot` uses no memory (Wei et al. 2022, arXiv 2201.11903): it is WESE's baseline
 * without interaction (arXiv 2404.07456, §4.2.1), with the needed sentences in the prompt.
 */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import { finish } from "../env/questions/world.ts";
import { UsageError } from "../errors.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import type { Prompt, PromptValues } from "../llm/prompt.ts";
import { answerPrompt, conversePrompt, cotPrompt, parseAnswer } from "./answer.prompts.ts";
import { examplesFor, withExamples } from "./examples.ts";
import type { MethodMaker } from "./method.ts";
import { type LoopOptions, loopOptions, onePass, type Rollout } from "./rollout.ts";
import { methodEntry } from "./method-entry.ts";
import { asksQuestion } from "./text-agent.ts";

/** Options of `answer`. */
export interface AnswerOptions extends Pick<LoopOptions, "reAsks"> {
  /** Makes the memory of a question. */
  readonly memory: MemoryFactory;
  /**
   * Whether the texts keep their titles; else they are numbered.
   * @default {false} in `answer`, as in the authors' published log; `true` in dialogues
   */
  readonly titles?: boolean;
}

const answerOptions = z.strictObject({
  titles: z.boolean().default(false),
  reAsks: loopOptions.reAsks,
}) satisfies OptionsOf<Omit<AnswerOptions, "memory">>;

const converseOptions = z.strictObject({
  ...answerOptions.shape,
  titles: z.boolean().default(true),
});

/** Options of `cot`. */
export interface CotOptions extends Pick<LoopOptions, "reAsks"> {
  /** Worked examples shown, where there are any, 0 … 10. @default 6 for questions, 3 for claims */
  readonly examples?: number;
}

const cotOptions = z.strictObject({
  examples: z.int().min(0).max(10).exactOptional(),
  reAsks: loopOptions.reAsks,
}) satisfies OptionsOf<CotOptions>;

/**
 * Answers questions of the worlds `questions/…`. An episode is one question and one step; it leaves
 * no artefact. It reports `malformed-reply`, `fallback` (the world's fallback is the answer), and
 * what the memory reports.
 * @throws {UsageError} without a memory, for an invalid option, or in a world without such
 * questions.
 *
 * @example
 * ```ts
 * import { createAnswer, createPassages } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createAnswer({ memory: createPassages() }).id, "answer");
 * assert.throws(() => createAnswer({ memory: createPassages(), reAsks: -1 }), /reAsks/);
 * ```
 */
export const createAnswer: MethodMaker<AnswerOptions> = methodEntry(
  {
    id: "answer",
    description:
      "read every paragraph of a question, recall, answer by a chain of thought, with a memory",
    version: "2",
    options: answerOptions,
    prompts: [answerPrompt],
    memories: "arigraph or passages",
  },
  (episode, options) =>
    onePass(
      episode,
      options,
      (rollout) =>
        answerWithMemory(rollout, options, answerPrompt, (_, question) => ({ question })),
    ),
);

/**
 * Answers the questions of the worlds `dialogues/…`, a step each, after the memory has read the
 * dialogue. It reports as `answer` does.
 * @throws {UsageError} without a memory, for an invalid option, or in a world without texts.
 *
 * @example
 * ```ts
 * import { createConverse, createPassages } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * assert.equal(createConverse({ memory: createPassages() }).id, "converse");
 * ```
 */
export const createConverse: MethodMaker<AnswerOptions> = methodEntry(
  {
    id: "converse",
    description:
      "read a dialogue turn by turn, then recall and answer each of its questions, with a memory",
    version: "2",
    options: converseOptions,
    prompts: [conversePrompt],
    memories: "arigraph or passages",
  },
  (episode, options) =>
    onePass(
      episode,
      options,
      (rollout) =>
        answerWithMemory(
          rollout,
          options,
          conversePrompt,
          (goal, question) => ({ goal, question }),
        ),
    ),
);

/**
 * Answers in one step from the texts that the world shows: open it with `documents: "sentences"`,
 * or `"supporting"` for paragraphs. It reports `malformed-reply` and `fallback` (the answer is
 * empty).
 * @throws {UsageError} for an invalid option, or in a world without questions or texts.
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
export const createCot: MethodMaker<CotOptions> = withExamples(methodEntry(
  {
    id: "cot",
    description: "one chain of thought over the sentences that a question needs (CoT)",
    version: "2",
    options: cotOptions,
    prompts: [cotPrompt],
  },
  (episode, options) =>
    onePass(episode, options, (rollout) => answerFromParagraphs(rollout, options.examples)),
));

async function answerWithMemory<Name extends string>(
  rollout: Rollout,
  { memory: createMemory, titles }: AnswerOptions,
  prompt: Prompt<Name>,
  valuesOf: (goal: string, question: string) => PromptValues<Name>,
): Promise<void> {
  const { world, episode: { recorder, signal } } = rollout;
  const { documents, goal } = await rollout.reset();
  if (!documents) {
    const [method = ""] = prompt.role.split("/");
    const kind = method === "answer" ? "questions" : "dialogues";
    throw new UsageError(
      `${method} needs a question over paragraphs, and ${world.spec.id} asks none; choose a world ${kind}/…`,
    );
  }
  const memory = rollout.remember(createMemory, {
    onEvent: (kind, detail) => recorder.event({ pass: 0, step: 1, kind, detail }), // reading belongs to the first step
  });
  for (const [index, { title, text }] of documents.entries()) {
    signal?.throwIfAborted();
    await memory.observe({
      step: index + 1,
      goal,
      observation: `${titles ? title : `Paragraph ${index + 1}`}\n${text}`,
    });
  }
  await rollout.record();

  while (!rollout.isOver) {
    rollout.beginStep();
    const question = rollout.turn.observation;
    // after the last paragraph, so that all of them are past
    const { sections, recalled } = await memory.recall({
      step: documents.length + 1,
      goal,
      observation: question,
      plan: "",
    });
    const values = valuesOf(goal, question);
    const reply = await rollout.answer(
      prompt,
      values,
      { parse: parseAnswer, extra: sections },
      documents.length + rollout.step,
    );
    const text = rollout.read(prompt, reply);
    const { action, fallback } = await rollout.act(text === undefined ? undefined : finish(text));
    await rollout.record(action, { reason: reply.text, recalled, fallback });
  }
}

async function answerFromParagraphs(
  rollout: Rollout,
  mostExamples: number | undefined,
): Promise<void> {
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
