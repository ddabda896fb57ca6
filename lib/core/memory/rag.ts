/**
 * The baseline that retrieves past observations by similarity (AriGraph, arXiv 2407.04363, §4:
 * "RAG").
 *
 * | paper | here |
 * |---|---|
 * | top-k | `RagOptions.k` |
 * | similarity to the current observation and plan | cosine of the embedder's vectors |
 *
 * Deviations are numbered in `docs/explanation/deviations/arigraph.md`.
 */

import { z } from "zod";
import { VectorCache } from "../retrieval/vector-cache.ts";
import type { OptionsOf } from "../text/registry.ts";
import type { MemoryMaker } from "./memory.ts";
import { logMemory, memoryMaker } from "./memory-kit.ts";
import { formatCue } from "./observation.ts";

/** Constants of the authors' code. */
export const RAG_PAPER = { k: 5 } as const;

/** Options of the memory. */
export interface RagOptions {
  /** Past observations recalled, 0 … 1,000. @default {5} */
  readonly k?: number;
  /**
   * Last observations, 0 … 10,000, that are not recalled, such as those that the method shows
   * anyway.
   * @default {0}
   */
  readonly nPrev?: number;
}

const ID = "rag";
const ragOptions = z.strictObject({
  k: z.int().min(0).max(1000).default(RAG_PAPER.k),
  nPrev: z.int().min(0).max(10_000).default(0),
}) satisfies OptionsOf<RagOptions>;

/**
 * Makes memories that recall the k past observations most similar to the present one and the plan,
 * most similar first; ties go to the later one (D12). They ask no model.
 *
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example
 * ```ts
 * import { createRag } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const memory = createRag({ k: 1 })({});
 * await memory.observe({ step: 1, goal: "Win.", observation: "A red chest stands in the hall." });
 * await memory.observe({ step: 2, goal: "Win.", observation: "There is a stove in the kitchen." });
 * const now = { step: 3, goal: "Win.", observation: "It is dark." };
 * await memory.observe(now);
 * const { sections } = await memory.recall({ ...now, plan: "Open the red chest." });
 * assert.deepEqual(sections, { "Relevant past observations": "Game step #1\nA red chest stands in the hall." });
 * ```
 */
export const createRag: MemoryMaker<RagOptions> = memoryMaker({
  id: ID,
  description: "the past observations most like the present one and the plan",
  version: "2",
  options: ragOptions,
  open: ({ embedder }, { k, nPrev }) => {
    const vectors = new VectorCache(embedder);
    return logMemory(ID, async (cue, log) => {
      const texts = log.before(nPrev === 0 ? cue.step : cue.step - nPrev - (cue.surplus ?? 0));
      const found = await vectors.nearest(formatCue(cue), texts, k, "last");
      const episodes = found.map((index) => texts[index] as string);
      return {
        sections: { "Relevant past observations": episodes.join("\n\n") },
        recalled: { episodes },
      };
    });
  },
});
