/**
 * A query that is asked again and again while rows come and go: after the first time only the new rows are compared.
 *
 * @module
 */

import type { Hit, VectorIndex } from "./vector-index.ts";

/** How many hits are kept beyond those asked for, so that removed rows seldom force a search over the whole index. */
const RESERVE = 4;

/**
 * Exactly what `VectorIndex.search` gives, at the cost of the rows that were added since the last call. It keeps a prefix of the true order:
 * a removed row leaves it, a new row enters it if it ranks inside; only when too few are left is everything compared again.
 */
export class StandingQuery {
  readonly #index: VectorIndex;
  readonly #vector: Float64Array;
  #hits: { readonly hit: Hit; readonly since: number }[] = [];
  /** Whether `#hits` holds every standing row. */
  #complete = true;
  #version = 0;

  /** @throws {RangeError} if the vector's length is not that of the index. */
  /** @throws {RangeError} if the vector's length is not that of the index. */
  constructor(index: VectorIndex, vector: Float32Array) {
    this.#index = index;
    this.#vector = index.prepare(vector);
  }

  /** The `k` most similar standing rows, most similar first. */
  top(k: number): Hit[] {
    this.#catchUp(k * RESERVE);
    if (this.#hits.length < k && !this.#complete) {
      this.#hits = this.#index.search(this.#vector, k * RESERVE).map((hit) => ({ hit, since: this.#index.since(hit.row) }));
      this.#complete = this.#hits.length === this.#index.size;
    }
    return this.#hits.slice(0, k).map(({ hit }) => hit);
  }

  #catchUp(keep: number): void {
    const index = this.#index;
    const hits = this.#hits.filter(({ hit, since }) => index.since(hit.row) === since).map(({ hit }) => hit);
    for (const row of index.addedSince(this.#version)) {
      const similarity = index.similarity(row, this.#vector);
      const worst = hits.at(-1);
      // an equal similarity ranks behind, being younger
      if (!this.#complete && !(worst && similarity > worst.similarity)) continue;
      index.insert(hits, { row, similarity });
      if (hits.length > keep) {
        hits.pop();
        this.#complete = false;
      }
    }
    this.#version = index.version;
    this.#hits = hits.map((hit) => ({ hit, since: index.since(hit.row) }));
  }
}
