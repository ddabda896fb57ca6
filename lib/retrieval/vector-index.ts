/**
 * Exact nearest neighbours by dot product, in one growing matrix of 32-bit floats.
 *
 * @module
 */

/** One neighbour. */
export interface Hit {
  /** Number of the row, from 0, as `add` gave it. */
  readonly row: number;
  /** Dot product of the vectors as stored: in [−1, 1] (the cosine) where the index normalises. */
  readonly similarity: number;
}

/** How an index treats its vectors. */
export interface VectorIndexOptions {
  /** Scale every vector to length 1, rows and queries, so that the dot product is the cosine. @default {true} */
  readonly normalise?: boolean;
}

/**
 * Rows of `dimensions` numbers. A row once added keeps its number and its place; removing hides it until it is restored, so that nothing is
 * ever embedded twice. Ties go to the row that has stood longer. A search costs O(rows · dimensions).
 *
 * @example
 * ```ts
 * import { VectorIndex } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const index = new VectorIndex(2);
 * index.add(Float32Array.of(0, 2));
 * index.add(Float32Array.of(3, 0));
 * assert.deepEqual(index.search(Float32Array.of(5, 0), 1), [{ row: 1, similarity: 1 }]);
 * ```
 */
export class VectorIndex {
  readonly #dimensions: number;
  readonly #normalise: boolean;
  #matrix: Float32Array<ArrayBuffer>;
  /** Row → its place in `#log` while it stands, else −1. */
  readonly #since: number[] = [];
  /** Every addition and restoration, in order: the row. What a standing query has not seen yet is the tail of this. */
  readonly #log: number[] = [];
  #size = 0;

  constructor(dimensions: number, options: VectorIndexOptions = {}) {
    if (!Number.isInteger(dimensions) || dimensions < 1) {
      throw new RangeError(`cannot make an index of ${dimensions} dimensions; it must be a whole number from 1`);
    }
    this.#dimensions = dimensions;
    this.#normalise = options.normalise ?? true;
    this.#matrix = new Float32Array(16 * dimensions);
  }

  /** Number of standing rows. */
  get size(): number {
    return this.#size;
  }

  /** Number of additions and restorations so far. */
  get version(): number {
    return this.#log.length;
  }

  /** Adds a row and gives its number. @throws {RangeError} if the vector's length is not `dimensions`. */
  add(vector: Float32Array): number {
    const row = this.#since.length;
    const start = row * this.#dimensions;
    if (start + this.#dimensions > this.#matrix.length) {
      const grown = new Float32Array(this.#matrix.length * 2);
      grown.set(this.#matrix);
      this.#matrix = grown;
    }
    this.#matrix.set(this.prepare(vector), start);
    this.#since.push(-1);
    this.restore(row);
    return row;
  }

  /** Hides a row from searches; `false` if it did not stand. */
  remove(row: number): boolean {
    if (!this.stands(row)) return false;
    this.#since[row] = -1;
    this.#size -= 1;
    return true;
  }

  /** Brings a removed row back, as the youngest; `false` if it stands or was never added. */
  restore(row: number): boolean {
    if (this.#since[row] !== -1) return false;
    this.#since[row] = this.#log.length;
    this.#log.push(row);
    this.#size += 1;
    return true;
  }

  /** Whether the row takes part in searches. */
  stands(row: number): boolean {
    return (this.#since[row] ?? -1) >= 0;
  }

  /** Since when the row stands: its place among all additions and restorations; −1 if it does not. Ties are broken by it. */
  since(row: number): number {
    return this.#since[row] ?? -1;
  }

  /** The row of each addition and restoration from a version on, oldest first; rows that have gone or come again since are left out. */
  *addedSince(version: number): Iterable<number> {
    for (let at = version; at < this.#log.length; at++) {
      const row = this.#log[at] as number;
      if (this.#since[row] === at) yield row;
    }
  }

  /** The vector as it is compared: scaled to length 1 where the index normalises (a zero vector stays one). */
  prepare(vector: Float32Array): Float32Array {
    if (vector.length !== this.#dimensions) {
      throw new RangeError(`cannot compare a vector of ${vector.length} numbers; this index holds vectors of ${this.#dimensions}`);
    }
    if (!this.#normalise) return vector;
    const length = Math.sqrt(dot(vector, 0, vector, vector.length));
    return length > 0 ? vector.map((value) => value / length) : vector;
  }

  /** Dot product of a row with a prepared vector. */
  similarity(row: number, prepared: Float32Array): number {
    return dot(this.#matrix, row * this.#dimensions, prepared, this.#dimensions);
  }

  /** The `k` most similar standing rows, most similar first; fewer if fewer stand or reach the threshold. */
  search(query: Float32Array, k: number, options: { readonly threshold?: number } = {}): Hit[] {
    const { threshold = -Infinity } = options;
    const prepared = this.prepare(query);
    const hits: Hit[] = [];
    if (k < 1) return hits;
    for (let row = 0; row < this.#since.length; row++) {
      if (this.#since[row] === -1) continue;
      const similarity = dot(this.#matrix, row * this.#dimensions, prepared, this.#dimensions);
      if (!(similarity >= threshold)) continue;
      if (hits.length === k && similarity < (hits[k - 1] as Hit).similarity) continue;
      this.insert(hits, { row, similarity });
      if (hits.length > k) hits.pop();
    }
    return hits;
  }

  /** Puts a hit where it belongs in a list that is in order: by similarity, then by age. */
  insert(hits: Hit[], hit: Hit): void {
    let at = hits.length;
    while (at > 0 && this.#before(hit, hits[at - 1] as Hit)) at--;
    hits.splice(at, 0, hit);
  }

  #before(a: Hit, b: Hit): boolean {
    return a.similarity > b.similarity || (a.similarity === b.similarity && this.since(a.row) < this.since(b.row));
  }
}

/** Unrolled by four: twice as fast in V8 as the plain loop, and the order of the sum is fixed, so that equal inputs give equal bits. */
function dot(matrix: Float32Array, start: number, vector: Float32Array, length: number): number {
  let [a, b, c, d] = [0, 0, 0, 0];
  let i = 0;
  for (const end = length - 3; i < end; i += 4) {
    a += (matrix[start + i] as number) * (vector[i] as number);
    b += (matrix[start + i + 1] as number) * (vector[i + 1] as number);
    c += (matrix[start + i + 2] as number) * (vector[i + 2] as number);
    d += (matrix[start + i + 3] as number) * (vector[i + 3] as number);
  }
  for (; i < length; i++) a += (matrix[start + i] as number) * (vector[i] as number);
  return a + b + c + d;
}
