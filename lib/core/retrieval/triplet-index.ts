/** The triplets nearest to a text: the function EmbedAndRetrieve of AriGraph's Algorithm 2. */

import { formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Embedder } from "./embedder.ts";
import { IncrementalTopK } from "./top-k.ts";
import { VectorIndex, type VectorIndexOptions } from "./vector-index.ts";

/** How a triplet index compares. */
export interface TripletIndexOptions extends VectorIndexOptions {
  /**
   * Smallest similarity of a hit, as a dot product of the embedder's vectors (a cosine where
   * `normalise`; the authors' 0.75 is on raw products).
   * @default none
   */
  readonly threshold?: number;
}

/** Queries whose vectors are cached; the least recently used one goes first. */
const MAX_QUERIES = 4096;

/**
 * The current triplets of a graph as vectors of `subject, relation, object`. Each triplet is
 * embedded once; new ones in one batch at the next search.
 *
 * @example
 * ```ts
 * import { createLexicalEmbedder, TripletIndex } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const index = new TripletIndex(createLexicalEmbedder());
 * const grill = { subject: "bbq", relation: "used for", object: "grilling" };
 * index.add({ subject: "key", relation: "is in", object: "locker" });
 * index.add(grill);
 * assert.deepEqual(await index.search(["grill the fish"], 1), [[grill]]);
 * ```
 */
export class TripletIndex {
  readonly #embedder: Embedder;
  readonly #index: VectorIndex;
  readonly #threshold: number;
  readonly #rows = new Map<string, number>();
  readonly #triplets: Triplet[] = [];
  readonly #pending = new Map<string, Triplet>();
  readonly #queries = new Map<string, IncrementalTopK>();

  /** Makes an empty index; only searches call the embedder. */
  constructor(embedder: Embedder, options: TripletIndexOptions = {}) {
    this.#embedder = embedder;
    this.#threshold = options.threshold ?? -Infinity;
    this.#index = new VectorIndex(embedder.dimensions, options);
  }

  /** Number of current triplets. */
  get size(): number {
    return this.#index.size + this.#pending.size;
  }

  /** Adds a triplet, unless it is there already. */
  add(triplet: Triplet): void {
    const key = tripletKey(triplet);
    const row = this.#rows.get(key);
    if (row === undefined) this.#pending.set(key, triplet);
    else this.#index.restore(row);
  }

  /** Removes a triplet, if it is there. */
  remove(triplet: Triplet): void {
    const key = tripletKey(triplet);
    this.#pending.delete(key);
    const row = this.#rows.get(key);
    if (row !== undefined) this.#index.remove(row);
  }

  /**
   * The `width` most similar triplets for each query, most similar first; ties go to the triplet
   * added earlier.
   */
  async search(queries: readonly string[], width: number): Promise<Triplet[][]> {
    await this.#embed(queries.filter((query) => !this.#queries.has(query)));
    const found = queries.map((query) => {
      const ranking = this.#queries.get(query) as IncrementalTopK;
      this.#queries.delete(query);
      this.#queries.set(query, ranking);
      return ranking.top(width)
        .filter(({ similarity }) => similarity >= this.#threshold)
        .map(({ row }) => this.#triplets[row] as Triplet);
    });
    for (const query of this.#queries.keys()) {
      if (this.#queries.size <= MAX_QUERIES) break;
      this.#queries.delete(query);
    }
    return found;
  }

  async #embed(queries: readonly string[]): Promise<void> {
    const added = [...this.#pending];
    const asked = [...new Set(queries)];
    if (added.length + asked.length === 0) return;
    const vectors = await this.#embedder.embed([
      ...added.map(([, triplet]) => formatTriplet(triplet)),
      ...asked,
    ]);
    added.forEach(([key, triplet], i) => {
      if (this.#pending.get(key) !== triplet) return; // removed while it was being embedded
      this.#pending.delete(key);
      this.#rows.set(key, this.#index.add(vectors[i] as Float32Array));
      this.#triplets.push(triplet);
    });
    asked.forEach((query, i) =>
      this.#queries.set(
        query,
        new IncrementalTopK(this.#index, vectors[added.length + i] as Float32Array),
      )
    );
  }
}
