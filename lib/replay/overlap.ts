/**
 * Measures how far our semantic search, with any embedder, finds what the authors' search found. Their embedder is another one, so that the overlap
 * is reported and a difference is no miss.
 *
 * @module
 */

import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { type Triplet, tripletKey } from "../graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../memory/arigraph-options.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { searchTriplets } from "../retrieval/semantic-search.ts";
import { TripletIndex } from "../retrieval/triplet-index.ts";
import { tripletAsWritten, without } from "./answers.ts";
import type { Overlap } from "./report.ts";

/** A logged recall. */
export interface LoggedRecall {
  /** Entity → importance, which is the depth, rounded up. */
  readonly items: ReadonlyMap<string, number>;
  readonly recalled: readonly string[];
  /** Triplets new on this step, which are never recalled. */
  readonly fresh: readonly Triplet[];
}

/** Sums up the overlap of all recalls of one log. */
export class RecallOverlap {
  readonly #embedder: Embedder;
  /** Numbers of logged, found and shared triplets of each step. */
  readonly #steps: { readonly logged: number; readonly found: number; readonly shared: number }[] = [];

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** Compares recalls over one graph as it grows; each call sees the graph as it is then. Steps without items or recalled triplets are skipped. */
  over(graph: KnowledgeGraph): (recall: LoggedRecall) => Promise<void> {
    const index = new TripletIndex(this.#embedder);
    let seen = 0;
    return async ({ items, recalled, fresh }) => {
      if (items.size === 0 || recalled.length === 0) return;
      for (const { op, triplet } of graph.changes.slice(seen)) index[op](triplet);
      seen = graph.changes.length;
      const queries = [...items].map(([text, importance]) => ({ text, depth: Math.max(1, Math.ceil(importance)) }));
      const retrieve = (texts: readonly string[], width: number): Promise<Triplet[][]> => index.search(texts, width);
      const hits = without(await searchTriplets(queries, { width: ARIGRAPH_PAPER.width, retrieve }), fresh);
      const logged = new Set(recalled.map((text) => tripletKey(tripletAsWritten(text))));
      const found = new Set(hits.map(tripletKey));
      this.#steps.push({ logged: logged.size, found: found.size, shared: logged.intersection(found).size });
    };
  }

  /** The sums and means; `undefined` where nothing could be compared. */
  get result(): Overlap | undefined {
    const steps = this.#steps;
    if (steps.length === 0) return undefined;
    const sum = (value: (step: typeof steps[number]) => number): number => steps.reduce((total, step) => total + value(step), 0);
    return {
      embedder: this.#embedder.id,
      steps: steps.length,
      logged: sum(({ logged }) => logged),
      found: sum(({ found }) => found),
      shared: sum(({ shared }) => shared),
      recall: sum(({ shared, logged }) => shared / logged) / steps.length,
      precision: sum(({ shared, found }) => found === 0 ? 0 : shared / found) / steps.length,
      jaccard: sum(({ shared, logged, found }) => shared / (logged + found - shared)) / steps.length,
    };
  }
}
