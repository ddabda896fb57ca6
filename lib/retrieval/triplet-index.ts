/**
 * Nearest triplets to a text: the function EmbedAndRetrieve of AriGraph's Algorithm 2.
 *
 * @module
 */

import { formatTriplet, type Triplet, tripletKey } from "../graph/triplet.ts";
import type { Embedder } from "./embedder.ts";
import { StandingQuery } from "./standing-query.ts";
import { VectorIndex } from "./vector-index.ts";

/** How a triplet index compares. */
export interface TripletIndexOptions {
  /** Least similarity of a hit, on the scale of the embedder's dot products (cosines where `normalise`). @default none */
  readonly threshold?: number;
  /** Scale vectors to length 1. The authors' threshold of 0.75 is on raw products of their embedder. @default {true} */
  readonly normalise?: boolean;
}

/** A query's vector is kept as long as it is among this many asked last. */
const KEPT_QUERIES = 4096;

/**
 * The standing triplets of a graph, each embedded once, as `subject, relation, object`, however often it goes and comes back. Adding and
 * removing is immediate; what is new is embedded, in one batch, at the next search.
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
  /** In order of last use. */
  readonly #queries = new Map<string, StandingQuery>();

  /** An empty index over the embedder, which is called by searches only. */
  constructor(embedder: Embedder, options: TripletIndexOptions = {}) {
    this.#embedder = embedder;
    this.#threshold = options.threshold ?? -Infinity;
    this.#index = new VectorIndex(embedder.dimensions, { normalise: options.normalise ?? true });
  }

  /** Number of standing triplets. */
  get size(): number {
    return this.#index.size + this.#pending.size;
  }

  /** Adds a triplet; one that stands already is left as it is. */
  add(triplet: Triplet): void {
    const key = tripletKey(triplet);
    const row = this.#rows.get(key);
    if (row === undefined) this.#pending.set(key, triplet);
    else this.#index.restore(row);
  }

  /** Removes a triplet, if it stands. */
  remove(triplet: Triplet): void {
    const key = tripletKey(triplet);
    this.#pending.delete(key);
    const row = this.#rows.get(key);
    if (row !== undefined) this.#index.remove(row);
  }

  /** For each query the `width` most similar triplets, most similar first, ties by age. */
  async search(queries: readonly string[], width: number): Promise<Triplet[][]> {
    await this.#embed(queries.filter((query) => !this.#queries.has(query)));
    const found = queries.map((query) => {
      const standing = this.#queries.get(query) as StandingQuery;
      this.#queries.delete(query);
      this.#queries.set(query, standing);
      return standing.top(width)
        .filter(({ similarity }) => similarity >= this.#threshold)
        .map(({ row }) => this.#triplets[row] as Triplet);
    });
    for (const query of this.#queries.keys()) {
      if (this.#queries.size <= KEPT_QUERIES) break;
      this.#queries.delete(query);
    }
    return found;
  }

  async #embed(queries: readonly string[]): Promise<void> {
    const fresh = [...this.#pending];
    const asked = [...new Set(queries)];
    if (fresh.length + asked.length === 0) return;
    const vectors = await this.#embedder.embed([...fresh.map(([, triplet]) => formatTriplet(triplet)), ...asked]);
    fresh.forEach(([key, triplet], i) => {
      if (this.#pending.get(key) !== triplet) return; // removed while it was being embedded
      this.#pending.delete(key);
      this.#rows.set(key, this.#index.add(vectors[i] as Float32Array));
      this.#triplets.push(triplet);
    });
    asked.forEach((query, i) => this.#queries.set(query, new StandingQuery(this.#index, vectors[fresh.length + i] as Float32Array)));
  }
}
