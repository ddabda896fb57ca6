/**
 * Which rows of a matrix can be among the nearest to a query, found among 8-bit copies of the rows (SIMD in WebAssembly).
 *
 * A row r is kept as a scale s and whole numbers q in [−127, 127], a query x of length X as a scale t and whole numbers p of up to 16 bits. Then
 * r·x differs from s·t·(q·p) by at most X·e, e = δ + N·κ, where δ = |r − s·q|, N = |r| + δ and κ = √d ÷ (2·max p) bounds what the query loses
 * (Cauchy and Schwarz), with a millionth for the rounding of 32-bit floats. Whoever compares the rows named here exactly has the exact answer.
 */

import { WASM } from "./quantised-scan.wasm.ts";

/** Rows in a block of the memory: few enough that a block's products stay in the processor's first cache. */
const BLOCK = 1024;
const PAGE = 65_536;
/** The greatest size of a number that is copied to 8 bits; a row with a greater one is always compared exactly. */
const GREATEST = 1e20;
const LEAST = 1e-30;

type Scan = (rows: number, scales: number, query: number, out: number, count: number, stride: number) => void;

let compiled: WebAssembly.Module | undefined;

/** The 8-bit copies of rows of `dimensions` numbers, in the order in which they were added. */
export class QuantisedScan {
  readonly #dimensions: number;
  /** Bytes from one row to the next: `dimensions`, rounded up to a multiple of 32. */
  readonly #stride: number;
  readonly #greatestQuery: number;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: Scan;
  /** Where the blocks start; before them lie the query and the products of one block. */
  readonly #start: number;
  /** e of each row, rounded up. */
  readonly #bounds: Float32Array[] = [];
  /** The memory as the rows' copies and as their scales; new ones whenever the memory grows. */
  #copies: Int8Array;
  #scales: Float32Array;
  #rows = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#stride = Math.ceil(dimensions / 32) * 32;
    this.#greatestQuery = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * (this.#stride / 4))));
    this.#start = this.#stride * 2 + BLOCK * 4;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#start / PAGE) });
    this.#copies = new Int8Array(this.#memory.buffer);
    this.#scales = new Float32Array(this.#memory.buffer);
    compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(WASM));
    this.#scan = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } }).exports.scan as Scan;
  }

  /** How many rows of so many numbers can be kept: what 4 GB of memory hold. */
  static room(dimensions: number): number {
    return Math.floor((2 ** 32 - PAGE) / (Math.ceil(dimensions / 32) * 32 + 4)) - 2 * BLOCK;
  }

  /** Number of rows copied so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Copies a row of `dimensions` numbers. */
  add(row: Float32Array): void {
    const at = this.#rows % BLOCK;
    if (at === 0) this.#addBlock();
    const block = this.#blockAt(this.#bounds.length - 1);
    const dimensions = this.#dimensions;
    let greatest = 0;
    let squares = 0;
    for (let i = 0; i < dimensions; i++) {
      const value = row[i] as number;
      greatest = Math.max(greatest, Math.abs(value)); // NaN stays NaN
      squares += value * value;
    }
    const usable = greatest <= GREATEST;
    const scale = usable && greatest >= LEAST ? Math.fround(greatest / 127) : 0;
    let lost = squares;
    if (scale > 0) {
      const [copies, from, inverse] = [this.#copies, block + at * this.#stride, 1 / scale];
      lost = 0;
      for (let i = 0; i < dimensions; i++) {
        const value = row[i] as number;
        const whole = Math.round(value * inverse);
        copies[from + i] = whole;
        const difference = value - whole * scale;
        lost += difference * difference;
      }
    }
    const delta = Math.sqrt(lost);
    const kappa = Math.sqrt(dimensions) / (2 * this.#greatestQuery) + 1e-6;
    const bound = delta + (Math.sqrt(squares) + delta) * kappa;
    (this.#bounds.at(-1) as Float32Array)[at] = usable ? bound * (1 + 1e-6) + LEAST : Infinity;
    this.#scales[(block + BLOCK * this.#stride) / 4 + at] = scale;
    this.#rows += 1;
  }

  /**
   * The rows that can be among the `k` with the greatest dot products, in rising order; `undefined` where the query has no length or an
   * infinite one.
   *
   * @param isCurrent Which rows take part.
   * @param threshold What the product must reach.
   * @param grain Products that differ by no more than this may be a tie.
   */
  candidates(query: Float64Array, k: number, isCurrent: (row: number) => boolean, threshold: number, grain: number): number[] | undefined {
    const length = norm(query);
    if (!(length > 0 && length <= GREATEST)) return undefined;
    const unit = this.#writeQuery(query) / length;
    const products = new Float32Array(this.#memory.buffer, this.#stride * 2, BLOCK);
    const lowest = new Float64Array(k).fill(-Infinity); // the k greatest lower bounds, rising
    const found: { row: number; most: number }[] = [];
    const [floor, tie] = [threshold / length, grain / length];
    let cutoff = floor - tie;
    for (const [number, bounds] of this.#bounds.entries()) {
      const [block, first] = [this.#blockAt(number), number * BLOCK];
      const count = Math.min(BLOCK, this.#rows - first);
      this.#scan(block, block + BLOCK * this.#stride, 0, this.#stride * 2, count, this.#stride);
      for (let at = 0; at < count; at++) {
        const product = (products[at] as number) * unit;
        const bound = bounds[at] as number;
        if (product + bound < cutoff || !isCurrent(first + at)) continue;
        found.push({ row: first + at, most: product + bound });
        if (product - bound > (lowest[0] as number)) {
          raise(lowest, product - bound);
          cutoff = Math.max(floor, lowest[0] as number) - tie;
        }
      }
    }
    return found.filter(({ most }) => most >= cutoff).map(({ row }) => row);
  }

  /** Puts the query at address 0 as 16-bit numbers and gives their scale. */
  #writeQuery(query: Float64Array): number {
    const scale = query.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0) / this.#greatestQuery;
    const whole = new Int16Array(this.#memory.buffer, 0, query.length);
    for (let i = 0; i < query.length; i++) whole[i] = Math.round((query[i] as number) / scale);
    return scale;
  }

  #addBlock(): void {
    const missing = this.#blockAt(this.#bounds.length + 1) - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE));
      this.#copies = new Int8Array(this.#memory.buffer);
      this.#scales = new Float32Array(this.#memory.buffer);
    }
    this.#bounds.push(new Float32Array(BLOCK));
  }

  /** Address of a block: its rows, then their scales. */
  #blockAt(number: number): number {
    return this.#start + number * BLOCK * (this.#stride + 4);
  }
}

function norm(vector: Float64Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

/** Puts a value into a rising list in the place of its least. */
function raise(rising: Float64Array, value: number): void {
  let at = 0;
  while (at + 1 < rising.length && (rising[at + 1] as number) < value) {
    rising[at] = rising[at + 1] as number;
    at += 1;
  }
  rising[at] = value;
}
