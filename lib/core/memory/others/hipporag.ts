/**
 * HippoRAG 2: passages and the triplets read from them, searched by personalised PageRank
 * (Gutiérrez et al. 2025, *From RAG to Memory*, arXiv 2502.14802, §3).
 *
 * | paper | here |
 * |---|---|
 * | passages | observations: episodic vertices of `graph` |
 * | triples, phrase nodes | triplets of `graph`, their subjects and objects |
 * | OpenIE | `EXTRACTIONS.openie` |
 * | query to triple, recognition memory, online retrieval | `RETRIEVALS.ppr` |
 * | top-k triples, passages | `HippoRagOptions.links`, `.k` |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md`.
 */

import { z } from "zod";
import { graphFromJson, graphToJson } from "../../graph/snapshot.ts";
import { distinctTriplets, formatTriplet, type Triplet, tripletKey } from "../../graph/triplet.ts";
import { HIPPORAG_PAPER } from "../../retrieval/passage-rank.ts";
import type { OptionsOf } from "../../text/registry.ts";
import type { Cue, MemoryMaker, Perception, Recollection } from "../memory.ts";
import { memoryMaker } from "../memory-kit.ts";
import { MODULE_PROMPTS, ModuleMemory, promptsOf } from "../module-memory.ts";
import { type ModuleOptions, moduleOptions } from "../modules.ts";

/** Options of the memory. Default modules are the paper's: `openie`, `none` and `ppr`. */
export interface HippoRagOptions extends ModuleOptions {
  /** Passages recalled, 0 … 1,000. @default {5} */
  readonly k?: number;
  /** Triplets near the query that recognition memory is shown, 1 … 100. @default {5} */
  readonly links?: number;
  /**
   * Smallest cosine of two phrases that count as synonyms, in [−1, 1]; it depends on the embedder.
   * @default {0.8}
   */
  readonly synonym?: number;
  /** Factor of the passages' part of the reset vector, in [0, 1]. @default {0.05} */
  readonly passageWeight?: number;
  /** Chance that the walk follows an edge and does not restart, 0 … 0.99. @default {0.5} */
  readonly damping?: number;
}

const ID = "hipporag";
const hippoRagOptions = z.strictObject({
  ...moduleOptions.shape,
  k: z.int().min(0).max(1000).default(HIPPORAG_PAPER.passages),
  links: z.int().min(1).max(100).default(HIPPORAG_PAPER.links),
  synonym: z.number().min(-1).max(1).default(HIPPORAG_PAPER.synonym),
  passageWeight: z.number().min(0).max(1).default(HIPPORAG_PAPER.passageWeight),
  damping: z.number().min(0).max(0.99).default(HIPPORAG_PAPER.damping),
}) satisfies OptionsOf<HippoRagOptions>;

/**
 * Makes HippoRAG 2 memories. Events: `malformed-reply` (no triplets, or no facts chosen) and
 * `dropped-entries` (unreadable names, triplets and numbers).
 * @throws {UsageError} for an unknown or invalid option.
 *
 * @example Two passages that share no word with the question but a name with each other
 * ```ts
 * import { createHippoRag, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const model = scripted({
 *   "hipporag/names": ['{"names": ["Ada", "Tarn"]}', '{"names": ["Tarn", "Ilma"]}', '{"names": []}'],
 *   "hipporag/triplets": ['{"triplets": [["Ada", "lives in", "Tarn"]]}', '{"triplets": [["Tarn", "lies on", "Ilma"]]}', '{"triplets": []}'],
 *   "hipporag/recognise": ['{"facts": [1]}'],
 * });
 * const memory = createHippoRag({ k: 2, texts: "paragraphs" })({ model });
 * for (const [i, observation] of ["Ada lives in Tarn.", "Tarn lies on the Ilma.", "It often rains."].entries()) {
 *   await memory.observe({ step: i + 1, goal: "Answer.", observation });
 * }
 * const { recalled } = await memory.recall({ step: 4, goal: "Answer.", observation: "Near which river does Ada live?", plan: "" });
 * assert.deepEqual(recalled?.["episodes"], ["Ada lives in Tarn.", "Tarn lies on the Ilma."]);
 * ```
 */
export const createHippoRag: MemoryMaker<HippoRagOptions> = memoryMaker({
  id: ID,
  description: "past observations found by PageRank over their triplets (HippoRAG 2)",
  options: hippoRagOptions,
  prompts: MODULE_PROMPTS,
  asks: promptsOf,
  open: (context, settings) =>
    new HippoRagMemory({ id: ID, schema: z.unknown() }, context, settings),
});

class HippoRagMemory extends ModuleMemory<z.output<typeof hippoRagOptions>, unknown> {
  /**
   * Adds a passage and its triplets. With conflict resolution, a known triplet takes the place of one that
   * repeats it, and goes where one contradicts it.
   */
  async observe(perception: Perception): Promise<void> {
    const { graph } = this;
    const { ask, time, text, facts } = await this.read(perception);
    const read = distinctTriplets(
      facts.map(({ subject, relation, object }) => ({ subject, relation, object })),
    );
    const repeated = new Map<string, Triplet>();
    for (
      const { kind, known, by } of await this.judge(
        ask,
        read.filter((triplet) => !graph.has(triplet)),
      )
    ) {
      if (kind === "contradicted") graph.remove(known, time);
      else if (by) repeated.set(tripletKey(by), known);
    }
    const triplets = distinctTriplets(
      read.map((triplet) => repeated.get(tripletKey(triplet)) ?? triplet),
    );
    for (const triplet of triplets) graph.add(triplet, time);
    graph.addEpisode({ time, text, triplets });
  }

  async recall(cue: Cue): Promise<Recollection> {
    const { k, links } = this.options;
    const known = this.graph.triplets().map((triplet) => ({
      ...triplet,
      text: formatTriplet(triplet),
    }));
    const { facts, passages } = await this.search(cue, known, { facts: links, passages: k });
    return {
      sections: { "Relevant past observations": passages.join("\n\n") },
      recalled: { triplets: facts.map(({ text }) => text), episodes: passages },
    };
  }

  protected get body(): unknown {
    return graphToJson(this.graph);
  }

  protected set body(graph: unknown) {
    this.restore(graphFromJson(graph));
  }
}
