/**
 * How far our semantic search finds what the authors' found, with whatever embedder is given. Theirs is another one, so that this is reported
 * and nothing is missed.
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

/** A recall of the log. */
export interface LoggedRecall {
  /** Entity → importance, which is the depth; between two whole numbers the higher. */
  readonly items: ReadonlyMap<string, number>;
  readonly recalled: readonly string[];
  /** Triplets new on this step, which are searched but not recalled. */
  readonly fresh: readonly Triplet[];
}

/** Adds up the overlap of all recalls of one log. */
export class RecallOverlap {
  readonly #embedder: Embedder;
  #steps = 0;
  #logged = 0;
  #found = 0;
  #shared = 0;
  #recalls = 0;
  #precisions = 0;
  #jaccards = 0;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /** Compares recalls over one graph as it grows; each call sees the graph as it is then. Counts where the log names items and triplets. */
  over(graph: KnowledgeGraph): (recall: LoggedRecall) => Promise<void> {
    const index = new TripletIndex(this.#embedder);
    let seen = 0;
    return async ({ items, recalled, fresh }) => {
      if (items.size === 0 || recalled.length === 0) return;
      for (const { op, triplet } of graph.changes.slice(seen)) index[op](triplet);
      seen = graph.changes.length;
      const queries = [...items].map(([text, importance]) => ({ text, depth: Math.max(1, Math.ceil(importance)) }));
      const retrieve = (texts: readonly string[], width: number): Promise<Triplet[][]> => index.search(texts, width);
      const found = without(await searchTriplets(queries, { width: ARIGRAPH_PAPER.width, retrieve }), fresh);
      this.#count(new Set(recalled.map((text) => tripletKey(tripletAsWritten(text)))), new Set(found.map(tripletKey)));
    };
  }

  /** What came of all; `undefined` where nothing could be compared. */
  get result(): Overlap | undefined {
    const steps = this.#steps;
    if (steps === 0) return undefined;
    return {
      embedder: this.#embedder.id,
      steps,
      logged: this.#logged,
      found: this.#found,
      shared: this.#shared,
      recall: this.#recalls / steps,
      precision: this.#precisions / steps,
      jaccard: this.#jaccards / steps,
    };
  }

  #count(logged: ReadonlySet<string>, found: ReadonlySet<string>): void {
    const shared = logged.intersection(found).size;
    this.#steps++;
    this.#logged += logged.size;
    this.#found += found.size;
    this.#shared += shared;
    this.#recalls += shared / logged.size;
    this.#precisions += found.size === 0 ? 0 : shared / found.size;
    this.#jaccards += shared / logged.union(found).size;
  }
}
