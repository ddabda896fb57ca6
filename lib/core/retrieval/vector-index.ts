/** Exact nearest neighbours by dot product, in one growing matrix of 32-bit floats. */

import { QuantisedScan } from "./quantised-scan.ts";

/** A neighbour of a query. */
export interface Hit {
  /** Number of the row, from 0, as `add` gave it. */
  readonly row: number;
  /**
   * Dot product of the stored vectors, rounded to five decimal places: the cosine, in [−1, 1],
   * where the index normalises.
   */
  readonly similarity: number;
}

/** How an index treats its vectors. */
export interface VectorIndexOptions {
  /**
   * Whether rows and queries are scaled to length 1, so that the dot product is the cosine.
   * @default {true}
   */
  readonly normalise?: boolean;
  /**
   * Number of rows from which a search first asks 8-bit copies which rows can be hits; the hits are
   * the same.
   * @default {1024}
   */
  readonly scanFrom?: number;
}

/**
 * An index of rows of `dimensions` numbers. A removed row is hidden until it is restored, so that
 * no text is embedded twice. Ties go to the row added (or restored) earlier. O(rows · dimensions):
 * about 2 ms for 100,000 rows of 384 numbers.
 *
 * @example
 * ```ts
 * import { VectorIndex } from "labyrinth/retrieval";
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
  readonly #scanFrom: number;
  /** The rows, `PER_CHUNK` to a chunk; the first chunk grows until it is full. */
  readonly #chunks: Float32Array[] = [];
  #scan: QuantisedScan | undefined;
  readonly #prepared: Float64Array;
  /** Row → its place in `#log` while it is current, else −1. */
  readonly #since: number[] = [];
  readonly #log: number[] = [];
  #size = 0;

  /** Makes an empty index. @throws {RangeError} if `dimensions` is not a whole number from 1. */
  constructor(dimensions: number, options: VectorIndexOptions = {}) {
    if (!Number.isInteger(dimensions) || dimensions < 1) {
      throw new RangeError(
        `cannot make an index of ${dimensions} dimensions; it must be a whole number from 1`,
      );
    }
    this.#dimensions = dimensions;
    this.#normalise = options.normalise ?? true;
    this.#prepared = new Float64Array(dimensions);
    this.#scanFrom = options.scanFrom ?? 1024;
  }

  /** Number of current rows. */
  get size(): number {
    return this.#size;
  }

  /** Number of additions and restorations so far. */
  get version(): number {
    return this.#log.length;
  }

  /**
   * Adds a row and gives its number.
   * @throws {RangeError} if the vector's length is not `dimensions`.
   */
  add(vector: Float32Array): number {
    const row = this.#since.length;
    this.#prepareInto(this.#prepared, vector);
    this.#makeRoom(row);
    this.#chunkOf(row).set(this.#prepared, startOf(row) * this.#dimensions);
    this.#since.push(-1);
    this.restore(row);
    return row;
  }

  /** Hides a row from searches; `false` if it was not current. */
  remove(row: number): boolean {
    if (this.since(row) < 0) return false;
    this.#since[row] = -1;
    this.#size -= 1;
    return true;
  }

  /**
   * Makes a removed row current again, as if added last; `false` if it is current or was never
   * added.
   */
  restore(row: number): boolean {
    if (this.#since[row] !== -1) return false;
    this.#since[row] = this.#log.length;
    this.#log.push(row);
    this.#size += 1;
    return true;
  }

  /** The version at which the row was last added or restored; −1 if it is not current. */
  since(row: number): number {
    return this.#since[row] ?? -1;
  }

  /** The current rows that were added or restored from a version on, oldest first. */
  *addedSince(version: number): Iterable<number> {
    for (let at = version; at < this.#log.length; at++) {
      const row = this.#log[at] as number;
      if (this.#since[row] === at) yield row;
    }
  }

  /**
   * A vector as the index compares it: scaled to length 1 where it normalises; a zero vector stays
   * zero.
   */
  prepare(vector: Float32Array): Float64Array {
    const prepared = new Float64Array(this.#dimensions);
    this.#prepareInto(prepared, vector);
    return prepared;
  }

  #prepareInto(prepared: Float64Array, vector: Float32Array): void {
    const dimensions = this.#dimensions;
    if (vector.length !== dimensions) {
      throw new RangeError(
        `cannot compare a vector of ${vector.length} numbers; this index holds vectors of ${dimensions}`,
      );
    }
    prepared.set(vector);
    if (!this.#normalise) return;
    let squares = 0;
    for (let i = 0; i < dimensions; i++) squares += (prepared[i] as number) ** 2;
    const length = Math.sqrt(squares);
    if (length > 0) {
      for (let i = 0; i < dimensions; i++) prepared[i] = (prepared[i] as number) / length;
    }
  }

  /** Dot product of a row with a prepared vector, to five decimal places. */
  similarity(row: number, prepared: Float64Array): number {
    return onGrid(this.#product(row, prepared));
  }

  /**
   * The `k` most similar current rows, most similar first; fewer if there are fewer, or fewer reach
   * the threshold.
   */
  search(
    query: Float32Array | Float64Array,
    k: number,
    options: { readonly threshold?: number } = {},
  ): Hit[] {
    const prepared = query instanceof Float64Array ? query : this.prepare(query);
    const hits: Hit[] = [];
    if (k < 1) return hits;
    const { threshold = -Infinity } = options;
    let cutoff = threshold - GRAIN;
    for (const row of this.#candidates(prepared, k, threshold)) {
      const product = this.#product(row, prepared);
      if (!(product >= cutoff)) continue;
      const similarity = onGrid(product);
      if (similarity < threshold) continue;
      this.insert(hits, { row, similarity });
      if (hits.length > k) hits.pop();
      if (hits.length === k) cutoff = Math.max(cutoff, (hits[k - 1] as Hit).similarity - GRAIN);
    }
    return hits;
  }

  /** Inserts a hit into a list sorted by similarity, then by age. */
  insert(hits: Hit[], hit: Hit): void {
    let at = hits.length;
    while (at > 0 && this.#before(hit, hits[at - 1] as Hit)) at--;
    hits.splice(at, 0, hit);
  }

  #candidates(prepared: Float64Array, k: number, threshold: number): Iterable<number> {
    if (
      this.#size >= this.#scanFrom && k * 8 <= this.#size &&
      this.#since.length <= QuantisedScan.room(this.#dimensions)
    ) {
      const scan = this.#scan ??= new QuantisedScan(this.#dimensions);
      for (let row = scan.rows; row < this.#since.length; row++) {
        const start = startOf(row) * this.#dimensions;
        scan.add(this.#chunkOf(row).subarray(start, start + this.#dimensions));
      }
      const found = scan.candidates(prepared, k, this.#isCurrent, threshold, GRAIN);
      if (found) return found;
    }
    return this.#since.keys().filter(this.#isCurrent);
  }

  readonly #isCurrent = (row: number): boolean => this.#since[row] !== -1;

  #product(row: number, prepared: Float64Array): number {
    return dot(this.#chunkOf(row), startOf(row) * this.#dimensions, prepared, this.#dimensions);
  }

  #chunkOf(row: number): Float32Array {
    return this.#chunks[Math.floor(row / PER_CHUNK)] as Float32Array;
  }

  #makeRoom(row: number): void {
    const [chunk, at] = [Math.floor(row / PER_CHUNK), startOf(row)];
    const held = (this.#chunks[chunk]?.length ?? 0) / this.#dimensions;
    if (at < held) return;
    const grown = new Float32Array(
      (chunk > 0 ? PER_CHUNK : Math.max(16, 2 * held)) * this.#dimensions,
    );
    grown.set(this.#chunks[chunk] ?? []);
    this.#chunks[chunk] = grown;
  }

  #before(a: Hit, b: Hit): boolean {
    return a.similarity > b.similarity ||
      (a.similarity === b.similarity && this.since(a.row) < this.since(b.row));
  }
}

/**
 * Similarities are rounded to this grain: smaller differences are mostly rounding noise of 32-bit
 * numbers and must not break ties.
 */
const PER_ONE = 100_000;
const GRAIN = 1 / PER_ONE;

/** Rows in a chunk of the matrix, so that no addition copies it whole. */
const PER_CHUNK = 1024;

function startOf(row: number): number {
  return row % PER_CHUNK;
}

function onGrid(similarity: number): number {
  return Math.round(similarity * PER_ONE) / PER_ONE;
}

/**
 * Unrolled by eight, with one side in 64 bits to halve the conversions: in V8 twice as fast as
 * unrolled by four in 32 bits.
 */
function dot(matrix: Float32Array, start: number, vector: Float64Array, length: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  let j = start;
  for (const end = length - 7; i < end; i += 8, j += 8) {
    a += (matrix[j] as number) * (vector[i] as number) +
      (matrix[j + 4] as number) * (vector[i + 4] as number);
    b += (matrix[j + 1] as number) * (vector[i + 1] as number) +
      (matrix[j + 5] as number) * (vector[i + 5] as number);
    c += (matrix[j + 2] as number) * (vector[i + 2] as number) +
      (matrix[j + 6] as number) * (vector[i + 6] as number);
    d += (matrix[j + 3] as number) * (vector[i + 3] as number) +
      (matrix[j + 7] as number) * (vector[i + 7] as number);
  }
  for (; i < length; i++, j++) a += (matrix[j] as number) * (vector[i] as number);
  return a + b + c + d;
}
