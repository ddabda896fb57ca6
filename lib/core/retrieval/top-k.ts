/** Ranking by score, and a nearest-neighbour query that is repeated while rows come and go. */

import type { Hit, VectorIndex } from "./vector-index.ts";

/**
 * The indices of the `k` highest scores, highest first. Ties keep the order of the indices or, with
 * `ties: "last"`, reverse it.
 *
 * @param options `among` says which indices take part; all by default.
 */
export function topK(
  scores: ArrayLike<number>,
  k: number,
  { among = () => true, ties = "first" }: {
    readonly among?: (index: number) => boolean;
    readonly ties?: "first" | "last";
  } = {},
): number[] {
  const best: number[] = [];
  for (let i = 0; k > 0 && i < scores.length; i++) {
    const index = ties === "first" ? i : scores.length - 1 - i; // what comes later ranks behind its equals
    const score = scores[index] as number;
    const isBehind = best.length >= k && !(score > (scores[best[k - 1] as number] as number));
    if (isBehind || !among(index)) continue;
    best.splice(placeAmong(best, scores, score), 0, index);
    if (best.length > k) best.pop();
  }
  return best;
}

/** Where a score belongs in a list of indices, highest score first, behind its equals. */
function placeAmong(best: readonly number[], scores: ArrayLike<number>, score: number): number {
  let [low, high] = [0, best.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scores[best[middle] as number] as number) >= score) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Rows that are compared one by one at most, and how many more may be searched at once in the same
 * time.
 */
const [FEW, AT_ONCE] = [1024, 8];

/**
 * Hits kept for each one asked for, so that removed rows seldom force a search over the whole
 * index.
 */
const RESERVE = 4;

/**
 * Gives exactly what `VectorIndex.search` gives, at the cost of the rows added since the last call:
 * it keeps a prefix of the full ranking, and searches the whole index only when too few hits are
 * left.
 */
export class IncrementalTopK {
  readonly #index: VectorIndex;
  readonly #vector: Float64Array;
  #hits: { readonly hit: Hit; readonly since: number }[] = [];
  #complete = true;
  #version = 0;

  /** @throws {RangeError} if the vector's length is not that of the index. */
  constructor(index: VectorIndex, vector: Float32Array) {
    this.#index = index;
    this.#vector = index.prepare(vector);
  }

  top(k: number): Hit[] {
    const behind = this.#index.version - this.#version;
    if (behind > FEW && behind * AT_ONCE > this.#index.size) this.#search(k * RESERVE);
    else this.#catchUp(k * RESERVE);
    if (this.#hits.length < k && !this.#complete) this.#search(k * RESERVE);
    return this.#hits.slice(0, k).map(({ hit }) => hit);
  }

  #search(limit: number): void {
    this.#keep(this.#index.search(this.#vector, limit));
    this.#complete = this.#hits.length === this.#index.size;
    this.#version = this.#index.version;
  }

  #catchUp(limit: number): void {
    const index = this.#index;
    const hits = this.#hits.filter(({ hit, since }) => index.since(hit.row) === since).map((
      { hit },
    ) => hit);
    for (const row of index.addedSince(this.#version)) {
      const similarity = index.similarity(row, this.#vector);
      const worst = hits.at(-1);
      // a tie ranks behind, because the row was added later
      if (!this.#complete && !(worst && similarity > worst.similarity)) continue;
      index.insert(hits, { row, similarity });
      if (hits.length > limit) {
        hits.pop();
        this.#complete = false;
      }
    }
    this.#version = index.version;
    this.#keep(hits);
  }

  #keep(hits: readonly Hit[]): void {
    this.#hits = hits.map((hit) => ({ hit, since: this.#index.since(hit.row) }));
  }
}
