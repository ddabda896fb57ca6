/**
 * The baselines of question answering: all paragraphs, or those most similar to the question
 * (AriGraph, arXiv 2407.04363, Table 2: full context, BM25 top-3, Ada-002 top-3, quoted from
 * GraphReader, arXiv 2406.14550). Deviations: `docs/explanation/deviations/arigraph.md` (D26, D27,
 * D29).
 */

import { z } from "zod";
import { createBm25 } from "../retrieval/bm25.ts";
import { topK } from "../retrieval/top-k.ts";
import { VectorCache } from "../retrieval/vector-cache.ts";
import type { OptionsOf } from "../text/registry.ts";
import type { MemoryMaker } from "./memory.ts";
import { memoryMaker, readArtefact } from "./memory-kit.ts";

/** Options of the memory. */
export interface PassagesOptions {
  /**
   * How texts are chosen: `all` of them, or the `k` best by `bm25` or by `embedding` (cosine).
   * @default {"all"}
   */
  readonly by?: "all" | "bm25" | "embedding";
  /** Texts recalled by `bm25` and `embedding`, 1 … 1,000. @default {3} */
  readonly k?: number;
}

const ID = "passages";
const passagesOptions = z.strictObject({
  by: z.enum(["all", "bm25", "embedding"]).default("all"),
  k: z.int().min(1).max(1000).default(3),
}) satisfies OptionsOf<PassagesOptions>;

/**
 * Makes memories of passages. The chosen texts come best first, ties in the order of observation;
 * all texts come in that order.
 *
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createPassages } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const memory = createPassages({ by: "bm25", k: 1 })({});
 * const goal = "Answer.";
 * await memory.observe({ step: 1, goal, observation: "Ilma\nThe Ilma is a river." });
 * await memory.observe({ step: 2, goal, observation: "Tarn\nTarn is a town." });
 * await memory.observe({ step: 3, goal, observation: "Ost\nOst is a lake." });
 * const { sections } = await memory.recall({ step: 4, goal, observation: "Where is Tarn?", plan: "" });
 * assert.deepEqual(sections, { Paragraphs: "Tarn\nTarn is a town." });
 * ```
 */
export const createPassages: MemoryMaker<PassagesOptions> = memoryMaker({
  id: ID,
  description: "texts as they were: all of them, or those most like the question",
  options: passagesOptions,
  open: ({ embedder }, { by, k }) => {
    const texts: string[] = [];
    const vectors = new VectorCache(embedder);

    async function scores(query: string): Promise<ArrayLike<number>> {
      return by === "embedding"
        ? await vectors.similarities(query, texts)
        : createBm25(texts)(query);
    }

    return {
      id: ID,
      observe: ({ observation }) => {
        texts.push(observation.trim());
        return Promise.resolve();
      },
      recall: async ({ observation, plan }) => {
        const chosen = by === "all"
          ? texts.keys()
          : topK(await scores(`${observation}\n${plan}`.trim()), k);
        const found = Array.from(chosen, (row) => texts[row] as string);
        return { sections: { Paragraphs: found.join("\n\n") }, recalled: { passages: found } };
      },
      save: () => ({ kind: ID, body: [...texts] }),
      load: (artefact) => {
        texts.splice(0, Infinity, ...readArtefact(artefact, ID, z.array(z.string())));
      },
    };
  },
});
