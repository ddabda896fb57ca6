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
import type { Environment, Turn } from "../env/environment.ts";
import { finish } from "../env/questions/world.ts";
import { UsageError } from "../errors.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import { answerPrompt, parseAnswer } from "./answer.prompts.ts";
import type { Episode, Method, Outcome } from "./method.ts";

/** Options of the method. */
export interface AnswerOptions {
  /** Makes the memory of a question. */
  readonly memory: MemoryFactory;
  /** How often a model is asked again after an answer that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them, but for the memory. */
export const answerOptions = z.strictObject(
  {
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<keyof Omit<AnswerOptions, "memory">, z.ZodType>,
);

/** All prompts of the method; the memory has its own. */
export const answerPrompts: readonly Prompt[] = [answerPrompt];

/**
 * Answers questions of the worlds `questions/…`. An episode is one question, answered in one step; it leaves no artefact, for the next
 * question starts from an empty memory.
 *
 * What it reports to the recorder: `malformed-reply` and `fallback` (an answer that stayed unreadable: the world's fallback is given in its
 * place), and whatever the memory reports.
 *
 * @throws {UsageError} without a memory; when run in a world that asks no question over paragraphs.
 *
 * @example
 * ```ts
 * import { connectWorlds } from "labyrinth/env";
 * import { createAnswer } from "labyrinth/agent";
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createPassages } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const worlds = connectWorlds();
 * const { passes: [pass] } = await createAnswer({ memory: createPassages() }).run({
 *   world: () => worlds.open("questions/encyclopedia", { seed: 1, index: 0 }),
 *   ask: createAsker({ model: scripted(["CoT: a guess.\nDirect answer: Nowhere"]) }),
 *   embedder: createLexicalEmbedder(),
 *   recorder: { step: () => Promise.resolve(), event: () => {} },
 *   seed: 1,
 * });
 * assert.deepEqual([pass?.score, pass?.end], [0, "lost"]);
 * ```
 */
export function createAnswer({ memory, ...options }: AnswerOptions): Method {
  if (typeof memory !== "function") throw new UsageError("answer needs a memory: name one, such as arigraph or passages");
  const { reAsks } = answerOptions.parse(options);
  return {
    id: "answer",
    async run(episode): Promise<Outcome> {
      const world = await episode.world();
      try {
        return await answer(world, { episode, memory, reAsks });
      } finally {
        await world.close().catch(() => {}); // a world that is gone is closed; what the play came to must not be hidden by that
      }
    },
  };
}

interface Setting {
  readonly episode: Episode;
  readonly memory: MemoryFactory;
  readonly reAsks: number;
}

async function answer(world: Environment, { episode, memory: createMemory, reAsks }: Setting): Promise<Outcome> {
  const { recorder, signal } = episode;
  signal?.throwIfAborted();
  const asked = await world.reset();
  const { documents, goal, observation: question } = asked;
  if (!documents) {
    throw new UsageError(`answer needs a question over paragraphs, and ${world.spec.id} asks none; choose a world questions/…`);
  }

  const report = (kind: string, detail: string): void => recorder.event({ pass: 0, step: 1, kind, detail });
  const memory = createMemory({ ask: episode.ask, embedder: episode.embedder, onEvent: report, signal });
  for (const [index, { title, text }] of documents.entries()) {
    signal?.throwIfAborted();
    await memory.observe({ step: index + 1, goal, observation: `${title}\n${text}` });
  }
  const graph = memory.graph ? { graph: memory.graph } : {};
  await recorder.step({ pass: 0, step: 0, turn: asked, ...graph });

  const step = documents.length + 1; // after the last paragraph, so that all of them are past
  const { sections, recalled } = await memory.recall({ step, goal, observation: question, plan: "" });
  const reply = await episode.ask.at({ step })(answerPrompt, { question }, { parse: parseAnswer, extra: sections, reAsks });
  if (reply.kind === "malformed") {
    report("malformed-reply", `${answerPrompt.role}: ${reply.problem}`);
    report("fallback", `${world.spec.fallback}, after malformed-reply`);
  }
  const action = reply.kind === "ok" ? finish(reply.value) : world.spec.fallback;
  const turn: Turn = await world.step(action);
  await recorder.step({
    pass: 0,
    step: 1,
    action,
    turn,
    ...graph,
    details: { reason: reply.text, ...(recalled ? { recalled } : {}), ...(reply.kind === "ok" ? {} : { fallback: "malformed-reply" }) },
  });
  return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps: 1, end: turn.end ?? "limit" }] };
}
