/**
 * Which rows of a matrix can be among the nearest to a query, found among 8-bit copies of the rows
 * (SIMD in WebAssembly).
 *
 * A row r is kept as a scale s and whole numbers q in [−127, 127], a query x of length X as a scale
 * t and whole numbers p in [−127, 127]. Then r·x differs from s·t·(q·p) by at most X·(δ + N·κ),
 * where δ = |r − s·q|, N = |r| + δ and κ = |x − t·p| ÷ X (Cauchy and Schwarz), with a millionth for
 * rounding. Whoever compares the rows named here exactly has the exact answer.
 *
 * The memory holds q + 128, because the instruction multiplies numbers of which one has no sign,
 * and 128·Σp is taken off each product. The upper 4 bits u of q + 128 lie apart from the lower
 * ones: the same bound holds for 16·u + 7.5 − 128 in the place of q, with a δ of its own, and rows
 * that it rules out have no more than half of their copy read.
 */

import { WASM } from "./quantised-scan.wasm.ts";

/**
 * Rows in a block of the memory: few enough that the room for what is found stays in the
 * processor's first cache.
 */
const BLOCK = 1024;
const PAGE = 65_536;
/** The greatest whole number in the copy of a row, and what is added to each there. */
const [GREATEST_COPY, OFFSET] = [127, 128];
/** What 16·u stands for is so much more: the middle of the numbers with these upper bits. */
const MIDDLE = 7.5;
/**
 * Numbers that the memory holds of each row with its copy: s, and δ of the upper bits and of the
 * whole.
 */
const FACTS = 3;
/**
 * The greatest size of a number that is copied; a row with a greater one is always compared
 * exactly.
 */
const GREATEST = 1e20;
const LEAST = 1e-30;
/** What a bound is multiplied with, for the rounding of 32-bit floats. */
const ROUNDED_UP = 1 + 1e-6;

/** The function of `quantised-scan.as`, which says what it takes. */
type Scan = (...given: readonly number[]) => number;

let compiled: WebAssembly.Module | undefined;

export class QuantisedScan {
  readonly #dimensions: number;
  /** Bytes of the upper bits of a row, and of its lower ones: 16 for each 32 numbers begun. */
  readonly #stride: number;
  readonly #greatestQuery: number;
  readonly #memory: WebAssembly.Memory;
  readonly #scan: Scan;
  /** Where the blocks start; before them lie the query and what is found in one block. */
  readonly #start: number;
  /** The greatest N in each block, rounded up. */
  readonly #longest: number[] = [];
  /**
   * The memory as the rows' copies and as what is known of them (δ infinite for a row that is
   * always compared exactly).
   */
  #copies: Uint8Array;
  #facts: Float32Array;
  #rows = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#stride = halfRow(dimensions);
    this.#greatestQuery = Math.min(127, Math.floor((2 ** 31 - 1) / (32 * 32 * dimensions)));
    this.#start = 2 * this.#stride + BLOCK * 8;
    this.#memory = new WebAssembly.Memory({ initial: Math.ceil(this.#start / PAGE) });
    this.#copies = new Uint8Array(this.#memory.buffer);
    this.#facts = new Float32Array(this.#memory.buffer);
    compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(WASM));
    this.#scan = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } }).exports
      .scan as Scan;
  }

  /** How many rows of so many numbers can be kept: what 4 GB of memory hold. */
  static room(dimensions: number): number {
    return Math.floor((2 ** 32 - PAGE) / (2 * halfRow(dimensions) + 4 * FACTS)) - 2 * BLOCK;
  }

  get rows(): number {
    return this.#rows;
  }

  add(row: Float32Array): void {
    const at = this.#rows % BLOCK;
    if (at === 0) this.#addBlock();
    const last = this.#longest.length - 1;
    const upper = this.#blockAt(last) + at * this.#stride;
    const lower = upper + BLOCK * this.#stride;
    const dimensions = this.#dimensions;
    let greatest = 0;
    let squares = 0;
    for (let i = 0; i < dimensions; i++) {
      const value = row[i] as number;
      greatest = Math.max(greatest, Math.abs(value)); // NaN stays NaN
      squares += value * value;
    }
    const usable = greatest <= GREATEST;
    const scale = usable && greatest >= LEAST ? Math.fround(greatest / GREATEST_COPY) : 0;
    let [lost, lostAbove] = [squares, squares];
    if (scale > 0) {
      const [copies, inverse] = [this.#copies, 1 / scale];
      [lost, lostAbove] = [0, 0];
      for (let i = 0; i < dimensions; i++) {
        const value = row[i] as number;
        const whole = Math.round(value * inverse);
        const bits = whole + OFFSET;
        const [byte, shift] = [((i >> 5) << 4) | (i & 15), (i & 16) >> 2];
        copies[upper + byte] = (copies[upper + byte] as number) | ((bits >> 4) << shift);
        copies[lower + byte] = (copies[lower + byte] as number) | ((bits & 15) << shift);
        lost += (value - whole * scale) ** 2;
        lostAbove += (value - ((bits & 240) + MIDDLE - OFFSET) * scale) ** 2;
      }
    }
    const [delta, deltaAbove] = [lost, lostAbove].map((each) =>
      Math.sqrt(each) * ROUNDED_UP + LEAST
    ) as [number, number];
    const facts = this.#factsAt(last) / 4 + at;
    this.#facts[facts] = scale;
    this.#facts[facts + BLOCK] = usable ? deltaAbove : Infinity;
    this.#facts[facts + 2 * BLOCK] = usable ? delta : Infinity;
    if (usable) {
      this.#longest[last] = Math.max(
        this.#longest[last] as number,
        (Math.sqrt(squares) + Math.max(delta, deltaAbove)) * ROUNDED_UP,
      );
    }
    this.#rows += 1;
  }

  /**
   * The rows that can be among the `k` with the greatest dot products, in rising order; `undefined`
   * where the query has no length or an infinite one.
   *
   * @param isCurrent Which rows take part.
   * @param threshold What the product must reach.
   * @param grain Products that differ by no more than this may be a tie.
   */
  candidates(
    query: Float64Array,
    k: number,
    isCurrent: (row: number) => boolean,
    threshold: number,
    grain: number,
  ): number[] | undefined {
    const length = norm(query);
    if (!(length > 0 && length <= GREATEST)) return undefined;
    const { scale, lost, sum } = this.#writeQuery(query);
    const [unit, kappa] = [scale / length, lost / length + ROUNDED_UP - 1];
    const words = new Int32Array(this.#memory.buffer);
    const lowest = new Float64Array(k).fill(-Infinity); // the k greatest lower bounds, rising
    const found: { row: number; most: number }[] = [];
    const [floor, tie] = [threshold / length, grain / length];
    const [stride, dots, middle] = [this.#stride, 2 * this.#stride, 2 * (OFFSET - MIDDLE) * sum];
    let cutoff = floor - tie;
    for (const [number, longest] of this.#longest.entries()) {
      const [rows, facts, first, loss] = [
        this.#blockAt(number),
        this.#factsAt(number),
        number * BLOCK,
        longest * kappa,
      ];
      const count = Math.min(BLOCK, this.#rows - first);
      const some = this.#scan(rows, dots, count, BLOCK, stride, middle, unit / 2, cutoff - loss);
      for (let i = 0; i < some; i++) {
        const at = words[dots / 4 + BLOCK + i] as number;
        const row = first + at;
        const product = ((words[dots / 4 + at] as number) - OFFSET * sum) *
          (this.#facts[facts / 4 + at] as number) * unit;
        const bound = (this.#facts[facts / 4 + 2 * BLOCK + at] as number) + loss;
        if (product + bound < cutoff || at >= count || !isCurrent(row)) continue;
        found.push({ row, most: product + bound });
        if (product - bound > (lowest[0] as number)) {
          raise(lowest, product - bound);
          cutoff = Math.max(floor, lowest[0] as number) - tie;
        }
      }
    }
    return found.filter(({ most }) => most >= cutoff).map(({ row }) => row);
  }

  /**
   * Puts the query x at address 0 as 8-bit numbers p; gives their scale t, the length of x − t·p,
   * and the sum of p.
   */
  #writeQuery(
    query: Float64Array,
  ): { readonly scale: number; readonly lost: number; readonly sum: number } {
    const scale = query.reduce((greatest, value) => Math.max(greatest, Math.abs(value)), 0) /
      this.#greatestQuery;
    const copy = new Int8Array(this.#memory.buffer, 0, query.length);
    copy.set(query.map((value) => Math.round(value / scale)));
    return {
      scale,
      lost: norm(query.map((value, i) => value - (copy[i] as number) * scale)),
      sum: copy.reduce((sum, value) => sum + value, 0),
    };
  }

  #addBlock(): void {
    const missing = this.#blockAt(this.#longest.length + 1) - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE));
      this.#copies = new Uint8Array(this.#memory.buffer);
      this.#facts = new Float32Array(this.#memory.buffer);
    }
    this.#longest.push(0);
  }

  #blockAt(number: number): number {
    return this.#start + number * BLOCK * (2 * this.#stride + 4 * FACTS);
  }

  #factsAt(number: number): number {
    return this.#blockAt(number) + BLOCK * 2 * this.#stride;
  }
}

function halfRow(dimensions: number): number {
  return Math.ceil(dimensions / 32) * 16;
}

function norm(vector: Float64Array): number {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

function raise(rising: Float64Array, value: number): void {
  let at = 0;
  while (at + 1 < rising.length && (rising[at + 1] as number) < value) {
    rising[at] = rising[at + 1] as number;
    at += 1;
  }
  rising[at] = value;
}
