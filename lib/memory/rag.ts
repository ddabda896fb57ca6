/**
 * The baseline that looks past observations up by likeness (AriGraph, arXiv 2407.04363, §4: "RAG").
 *
 * | paper | here |
 * |---|---|
 * | top-k | `RagOptions.k` |
 * | similarity to the current observation and plan | cosine of the embedder's vectors |
 *
 * Deviations are numbered in `docs/deviations/arigraph.md`.
 *
 * @module
 */

import { z } from "zod";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Cue, Memory, MemoryContext, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";
import { formatObservation } from "./observation.ts";
import { TextVectors } from "./text-vectors.ts";

/** Constants of the paper's baseline, from the authors' code. */
export const RAG_PAPER = {
  /** Past observations recalled (code). */
  k: 5,
  /** Last observations that the method shows anyway (code). */
  nPrev: 5,
} as const;

/** Options of the memory; absent ones take their defaults. */
export interface RagOptions {
  /** Past observations recalled, 0 … 1,000. @default {5} */
  readonly k?: number;
  /** Last observations that the method shows anyway and that are left out here, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
}

/** Reads the options, as a study gives them. */
export const ragOptions = z.strictObject(
  {
    k: z.int().min(0).max(1000).default(RAG_PAPER.k),
    nPrev: z.int().min(0).max(10_000).default(RAG_PAPER.nPrev),
  } satisfies Record<keyof RagOptions, z.ZodType>,
);

/**
 * Makes memories that recall the k past observations most like the present one and the plan, most similar first (D12: of equal ones the younger
 * first). They ask no model.
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createRag } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const memory = createRag({ k: 1, nPrev: 0 })({ ask: createAsker({ model: scripted([]) }), embedder: createLexicalEmbedder() });
 * await memory.observe({ step: 1, goal: "Win.", observation: "A red chest stands in the hall." });
 * await memory.observe({ step: 2, goal: "Win.", observation: "There is a stove in the kitchen." });
 * const now = { step: 3, goal: "Win.", observation: "It is dark." };
 * await memory.observe(now);
 * const { sections } = await memory.recall({ ...now, plan: "Open the red chest." });
 * assert.deepEqual(sections, { "Relevant past observations": "Game step #1\nA red chest stands in the hall." });
 * ```
 */
export function createRag(options: RagOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory rag", ragOptions, options);
  return (context) => new RagMemory(context, checked);
}

const ID = "rag";

/** The memory as studies name it. */
export const rag: MemoryEntry = {
  id: ID,
  description: "the past observations most like the present one and the plan",
  version: "1",
  options: ragOptions,
  prompts: [],
  create: createRag,
};

class RagMemory implements Memory {
  readonly id = ID;
  readonly #options: z.output<typeof ragOptions>;
  readonly #vectors: TextVectors;
  /** Of earlier episodes. */
  #earlier: readonly string[] = [];
  readonly #entries: { readonly step: number; readonly text: string }[] = [];

  constructor({ embedder }: MemoryContext, options: z.output<typeof ragOptions>) {
    this.#options = options;
    this.#vectors = new TextVectors(embedder);
  }

  observe(perception: Perception): Promise<void> {
    this.#entries.push({ step: perception.step, text: formatObservation(perception) });
    return Promise.resolve();
  }

  async recall(cue: Cue): Promise<Recollection> {
    const { k, nPrev } = this.#options;
    const past = this.#entries.filter(({ step }) => step < cue.step - nPrev).map(({ text }) => text);
    const texts = [...this.#earlier, ...past];
    const similarities = await this.#vectors.similarities(cueText(cue), texts);
    const best = [...texts.keys()]
      .sort((a, b) => (similarities[b] as number) - (similarities[a] as number) || b - a)
      .slice(0, k)
      .map((index) => texts[index] as string);
    return { sections: { "Relevant past observations": best.join("\n\n") }, recalled: { episodes: best } };
  }

  save(): Artefact {
    return { kind: ID, body: [...this.#earlier, ...this.#entries.map(({ text }) => text)] };
  }

  load(artefact: Artefact): void {
    this.#earlier = readArtefact(artefact, ID, z.array(z.string()));
    this.#entries.length = 0;
    this.#vectors.clear();
  }
}

/** What past observations are compared with: the present one, and the plan below it. */
export function cueText({ step, observation, inventory, plan }: Cue): string {
  const seen = formatObservation({ step, observation, ...(inventory === undefined ? {} : { inventory }) });
  return plan === "" ? seen : `${seen}\nPlan: ${plan}`;
}
