/**
 * The baseline that remembers by summary: at most three paragraphs, rewritten at every step (AriGraph, arXiv 2407.04363, §4 and App. E).
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import type { Prompt } from "../llm/prompt.ts";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Memory, MemoryContext, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";
import { formatObservation } from "./observation.ts";
import { parseSummary, summaryPrompt } from "./summary.prompts.ts";

/** Constants of the paper's baseline. */
export const SUMMARY_PAPER = {
  /** Observations before the present one that the summary is written from (App. E). */
  nPrev: 5,
} as const;

/** Options of the memory; absent ones take their defaults. */
export interface SummaryOptions {
  /** Observations before the present one that are shown to whoever writes the summary, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
}

/** Reads the options, as a study gives them. */
export const summaryOptions = z.strictObject(
  {
    nPrev: z.int().min(0).max(10_000).default(SUMMARY_PAPER.nPrev),
  } satisfies Record<keyof SummaryOptions, z.ZodType>,
);

/** All prompts of the memory: role `summary/rewrite`. */
export const summaryPrompts: readonly Prompt[] = [summaryPrompt];

/**
 * Makes memories that hold one summary. What they report: `malformed-reply` (no summary in the answer, or too long a one: the summary before
 * it stays).
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createSummary } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({ "summary/rewrite": ["The hall has an exit to the east."] });
 * const memory = createSummary()({ ask: createAsker({ model }), embedder: createLexicalEmbedder() });
 * const seen = { step: 1, goal: "Win.", observation: "You are in a hall. You can go east." };
 * await memory.observe(seen);
 * const { sections } = await memory.recall({ ...seen, plan: "" });
 * assert.deepEqual(sections, { "Summary of what has happened": "The hall has an exit to the east." });
 * ```
 */
export function createSummary(options: SummaryOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory summary", summaryOptions, options);
  return (context) => new SummaryMemory(context, checked);
}

const ID = "summary";

/** The memory as studies name it. */
export const summary: MemoryEntry = {
  id: ID,
  description: "a summary of at most three paragraphs, rewritten at every step",
  version: "1",
  options: summaryOptions,
  prompts: summaryPrompts,
  create: createSummary,
};

class SummaryMemory implements Memory {
  readonly id = ID;
  readonly #context: MemoryContext;
  readonly #nPrev: number;
  readonly #history: string[] = [];
  #summary = "";

  constructor(context: MemoryContext, { nPrev }: z.output<typeof summaryOptions>) {
    this.#context = context;
    this.#nPrev = nPrev;
  }

  async observe(perception: Perception): Promise<void> {
    const observation = formatObservation(perception);
    const answer = await this.#context.ask.at({ step: perception.step })(
      summaryPrompt,
      { goal: perception.goal, history: this.#history.join("\n\n"), observation, summary: this.#summary },
      { parse: parseSummary },
    );
    if (answer.kind === "ok") this.#summary = answer.value;
    else this.#context.onEvent?.("malformed-reply", `${summaryPrompt.role}: ${answer.problem}`);
    this.#history.push(observation);
    if (this.#history.length > this.#nPrev) this.#history.shift();
  }

  recall(): Promise<Recollection> {
    return Promise.resolve({
      sections: { "Summary of what has happened": this.#summary },
      recalled: { summary: this.#summary.split("\n") },
    });
  }

  save(): Artefact {
    return { kind: ID, body: { summary: this.#summary } };
  }

  load(artefact: Artefact): void {
    this.#summary = readArtefact(artefact, ID, z.strictObject({ summary: z.string() })).summary;
    this.#history.length = 0;
  }
}
