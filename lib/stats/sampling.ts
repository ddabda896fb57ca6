/**
 * Drawing the samples that papers drew with numpy or with Python's own generator, without either.
 *
 * `numpy.random.RandomState(seed).permutation(n)` is frozen by numpy's own promise for legacy generators: the Mersenne Twister MT19937
 * (Matsumoto & Nishimura 1998), seeded by its original linear recurrence, and a Fisher–Yates shuffle from the top that draws each index by
 * masking 32-bit outputs and throwing away those that are too large. Python's `random.Random(seed)` is the same generator, seeded by an array
 * (`init_by_array`); its shuffle draws from the top, too, by the upper bits of an output.
 *
 * @module
 */

/**
 * What `numpy.random.RandomState(seed).permutation(n)` gives. O(n).
 *
 * @param seed a whole number in [0, 2³² − 1]
 * @param n length, a whole number in [0, 2³¹ − 1]
 * @throws {RangeError} if one of them is not.
 *
 * @example AriGraph's 200 questions of MuSiQue (2417 questions in all) begin like this
 * ```ts
 * import { numpyPermutation } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(numpyPermutation(42, 2417).slice(0, 4), [410, 199, 1672, 2335]);
 * ```
 */
export function numpyPermutation(seed: number, n: number): number[] {
  checkWhole("seed", seed, 2 ** 32 - 1);
  checkWhole("n", n, 2 ** 31 - 1);
  const next = mersenneTwister(seed);
  const order = Array.from({ length: n }, (_, index) => index);
  for (let i = n - 1; i > 0; i--) {
    const mask = 2 ** (32 - Math.clz32(i)) - 1; // all ones, as many bits as i has
    let j = (next() & mask) >>> 0;
    while (j > i) j = (next() & mask) >>> 0;
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/**
 * What `order = list(range(n)); random.Random(seed).shuffle(order)` gives in Python 3. O(n).
 *
 * @param seed a whole number in [0, 2³² − 1]
 * @param n length, a whole number in [0, 2³¹ − 1]
 * @throws {RangeError} if one of them is not.
 *
 * @example ReAct's 500 questions of HotpotQA (7405 in all), which WESE takes over, begin like this
 * ```ts
 * import { pythonShuffle } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(pythonShuffle(233, 7405).slice(0, 4), [3687, 6238, 5388, 3522]);
 * ```
 */
export function pythonShuffle(seed: number, n: number): number[] {
  checkWhole("seed", seed, 2 ** 32 - 1);
  checkWhole("n", n, 2 ** 31 - 1);
  const next = outputs(arraySeeded(seed));
  const order = Array.from({ length: n }, (_, index) => index);
  for (let i = n - 1; i > 0; i--) {
    const surplus = Math.clz32(i + 1); // i + 1 has 32 − surplus bits
    let j = next() >>> surplus;
    while (j > i) j = next() >>> surplus;
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

/** Length of the state and the distance that its recurrence reaches, of MT19937. */
const STATE = 624;
const REACH = 397;

/** The generator's 32-bit outputs, seeded as `init_genrand` does. */
function mersenneTwister(seed: number): () => number {
  return outputs(seeded(seed));
}

/** The state that `init_genrand` makes. */
function seeded(seed: number): Uint32Array {
  const state = new Uint32Array(STATE);
  state[0] = seed;
  for (let i = 1; i < STATE; i++) {
    const before = state[i - 1] as number;
    state[i] = Math.imul(1812433253, before ^ (before >>> 30)) + i;
  }
  return state;
}

/** The state that `init_by_array` makes of a seed of one word, as Python seeds by a whole number. */
function arraySeeded(seed: number): Uint32Array {
  const state = seeded(19650218);
  const mixed = (i: number, factor: number): number => {
    const before = state[i - 1] as number;
    return (state[i] as number) ^ Math.imul(before ^ (before >>> 30), factor);
  };
  let i = 1;
  const advance = (): void => {
    i += 1;
    if (i < STATE) return;
    state[0] = state[STATE - 1] as number;
    i = 1;
  };
  for (let k = 0; k < STATE; k++) {
    state[i] = mixed(i, 1664525) + seed;
    advance();
  }
  for (let k = 1; k < STATE; k++) {
    state[i] = mixed(i, 1566083941) - i;
    advance();
  }
  state[0] = 0x80000000;
  return state;
}

/** The tempered outputs of a state. */
function outputs(state: Uint32Array): () => number {
  let at = STATE;
  return () => {
    if (at === STATE) {
      twist(state);
      at = 0;
    }
    let y = state[at++] as number;
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return (y ^ (y >>> 18)) >>> 0;
  };
}

function twist(state: Uint32Array): void {
  for (let i = 0; i < STATE; i++) {
    const y = ((state[i] as number) & 0x80000000) | ((state[(i + 1) % STATE] as number) & 0x7fffffff);
    state[i] = (state[(i + REACH) % STATE] as number) ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0);
  }
}

function checkWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw new RangeError(`cannot draw a permutation: ${name} must be a whole number in [0, ${most}], current value is ${value}`);
}
