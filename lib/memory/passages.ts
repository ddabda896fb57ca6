/**
 * The baselines of question answering: what was seen, as it was, all of it or the few texts most like the question (AriGraph, arXiv
 * 2407.04363, Table 2: full context, BM25 top-3, Ada-002 top-3; the numbers there are quoted from GraphReader, arXiv 2406.14550).
 *
 * Deviations are numbered in `docs/deviations/arigraph.md` (D26, D27, D29).
 *
 * @module
 */

import { z } from "zod";
import { createBm25 } from "../retrieval/bm25.ts";
import { VectorIndex } from "../retrieval/vector-index.ts";
import { checkOptions } from "../text/registry.ts";
import { readArtefact } from "./artefact.ts";
import type { Artefact, Cue, Memory, MemoryContext, MemoryEntry, MemoryFactory, Perception, Recollection } from "./memory.ts";

/** Options of the memory; absent ones take their defaults. */
export interface PassagesOptions {
  /** What the texts are chosen by: `all` are shown, or the `k` best by `bm25` or by `embedding` (cosine). @default {"all"} */
  readonly by?: "all" | "bm25" | "embedding";
  /** Texts shown where they are chosen, 1 … 1,000. @default {3} */
  readonly k?: number;
}

/** Reads the options, as a study gives them. */
export const passagesOptions = z.strictObject(
  {
    by: z.enum(["all", "bm25", "embedding"]).default("all"),
    k: z.int().min(1).max(1000).default(3),
  } satisfies Record<keyof PassagesOptions, z.ZodType>,
);

/**
 * Makes memories of passages. Chosen ones come best first, ties in the order in which they were seen; all come in that order.
 *
 * @throws {UsageError} if an option is unknown or out of range.
 *
 * @example
 * ```ts
 * import { createAsker, scripted } from "labyrinth/llm";
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { createPassages } from "labyrinth/memory";
 * import assert from "node:assert/strict";
 *
 * const memory = createPassages({ by: "bm25", k: 1 })({ ask: createAsker({ model: scripted([]) }), embedder: createLexicalEmbedder() });
 * const goal = "Answer.";
 * await memory.observe({ step: 1, goal, observation: "Ilma\nThe Ilma is a river." });
 * await memory.observe({ step: 2, goal, observation: "Tarn\nTarn is a town." });
 * await memory.observe({ step: 3, goal, observation: "Ost\nOst is a lake." });
 * const { sections } = await memory.recall({ step: 4, goal, observation: "Where is Tarn?", plan: "" });
 * assert.deepEqual(sections, { Paragraphs: "Tarn\nTarn is a town." });
 * ```
 */
export function createPassages(options: PassagesOptions = {}): MemoryFactory {
  const checked = checkOptions("the memory passages", passagesOptions, options);
  return (context) => new PassagesMemory(context, checked);
}

const ID = "passages";

/** The memory as studies name it. */
export const passages: MemoryEntry = {
  id: ID,
  description: "texts as they were: all of them, or those most like the question",
  version: "1",
  options: passagesOptions,
  prompts: [],
  create: createPassages,
};

class PassagesMemory implements Memory {
  readonly id = ID;
  readonly #context: MemoryContext;
  readonly #options: z.output<typeof passagesOptions>;
  #texts: string[] = [];

  constructor(context: MemoryContext, options: z.output<typeof passagesOptions>) {
    this.#context = context;
    this.#options = options;
  }

  observe({ observation }: Perception): Promise<void> {
    this.#texts.push(observation.trim());
    return Promise.resolve();
  }

  async recall({ observation, plan }: Cue): Promise<Recollection> {
    const chosen = this.#options.by === "all" ? this.#texts.map((_, row) => row) : await this.#best(`${observation}\n${plan}`.trim());
    const passages = chosen.map((row) => this.#texts[row] ?? "");
    return { sections: { Paragraphs: passages.join("\n\n") }, recalled: { passages } };
  }

  save(): Artefact {
    return { kind: ID, body: [...this.#texts] };
  }

  load(artefact: Artefact): void {
    this.#texts = readArtefact(artefact, ID, z.array(z.string()));
  }

  /** Rows of the k texts most like the query. */
  async #best(query: string): Promise<number[]> {
    const { by, k } = this.#options;
    if (by === "embedding") {
      const [vector, ...vectors] = await this.#context.embedder.embed([query, ...this.#texts]);
      const index = new VectorIndex(this.#context.embedder.dimensions);
      for (const added of vectors) index.add(added);
      return index.search(vector as Float32Array, k).map(({ row }) => row);
    }
    const scores = createBm25(this.#texts)(query);
    const rows = scores.map((_, row) => row);
    return rows.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b).slice(0, k);
  }
}
