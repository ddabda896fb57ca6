/**
 * The samples that papers drew with numpy or with Python's own generator.
 *
 * Both are the Mersenne Twister MT19937 (Matsumoto & Nishimura 1998) and a Fisher–Yates shuffle
 * from the top:
 * - `numpy.random.RandomState(seed).permutation(n)`, which numpy promises never to change, seeds by
 *   `init_genrand` and draws each index by masking 32-bit outputs and discarding those that are too
 *   large.
 * - Python's `random.Random(seed).shuffle` seeds by `init_by_array` and takes the upper bits of an
 *   output.
 */

import { MersenneTwister19937 } from "random-js";

/**
 * The permutation that `numpy.random.RandomState(seed).permutation(n)` returns. O(n).
 *
 * @param seed an integer in [0, 2³² − 1]
 * @param n length, an integer in [0, 2³¹ − 1]
 * @throws {RangeError} if one of them is out of range.
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
  const generator = MersenneTwister19937.seed(seed);
  return shuffled(n, (i) => (generator.next() & (2 ** (32 - Math.clz32(i)) - 1)) >>> 0); // the lower bits, as many as i has
}

/**
 * The order that `order = list(range(n)); random.Random(seed).shuffle(order)` leaves in Python 3.
 * O(n).
 *
 * @param seed an integer in [0, 2³² − 1]
 * @param n length, an integer in [0, 2³¹ − 1]
 * @throws {RangeError} if one of them is out of range.
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
  const generator = MersenneTwister19937.seedWithArray([seed]);
  return shuffled(n, (i) => generator.next() >>> Math.clz32(i + 1)); // the upper bits, as many as i + 1 has
}

/**
 * The numbers below `n`, shuffled from the top (Fisher–Yates); `draw` gives an index, which is
 * drawn again while it is above `i`.
 */
function shuffled(n: number, draw: (i: number) => number): number[] {
  const order = Array.from({ length: n }, (_, index) => index);
  for (let i = n - 1; i > 0; i--) {
    let j = draw(i);
    while (j > i) j = draw(i);
    [order[i], order[j]] = [order[j] as number, order[i] as number];
  }
  return order;
}

function checkWhole(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw new RangeError(
    `cannot draw a permutation: ${name} must be an integer in [0, ${most}], current value is ${value}`,
  );
}
