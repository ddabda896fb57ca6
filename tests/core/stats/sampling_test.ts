import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { numpyPermutation, pythonShuffle } from "../../../lib/core/stats/sampling.ts";

/** SHA-256 over the whole permutation, its numbers joined by commas, by numpy 2.4.6. */
const WHOLE: Readonly<Record<string, string>> = {
  "1": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
  "2": "b0e4f9bb7b55e4b181760ae93c958c14b451a7556206dfa952d81f0f2165a9da",
  "10": "55b4987cd4496080b2e1217bf54be43b01131c6fff21fcea47e2f1487fe3b835",
  "2417": "63889dff128ab466c5afe84efde2b221d353e0216dd56cd4a45eabb9a9124841",
  "7405": "d63c269a363b55f0b8cf2358e3bc1df2e2b0918fdd6c733e932633ace2d803a5",
  "65537": "fe2b0c6d5ad6fba0353597f5f25a22d580886bec10bb78e6147fc6af50bf8763",
};

Deno.test("numpyPermutation() is numpy's to the last number, also past the generator's first state", () => {
  for (const [n, hash] of Object.entries(WHOLE)) {
    assert.equal(
      createHash("sha256").update(numpyPermutation(42, Number(n)).join(",")).digest("hex"),
      hash,
      n,
    );
  }
});

Deno.test("numpyPermutation() takes the smallest and the largest seed", () => {
  assert.deepEqual(numpyPermutation(0, 12), [6, 11, 4, 10, 2, 8, 1, 7, 9, 3, 0, 5]);
  assert.deepEqual(numpyPermutation(4294967295, 12), [11, 8, 5, 9, 1, 10, 6, 0, 4, 7, 2, 3]);
  assert.deepEqual(numpyPermutation(42, 0), []);
});

Deno.test("numpyPermutation() refuses what numpy would refuse", () => {
  for (const [seed, n] of [[-1, 3], [2 ** 32, 3], [1.5, 3], [42, -1], [42, NaN]] as const) {
    assert.throws(() => numpyPermutation(seed, n), RangeError);
  }
});

Deno.test("pythonShuffle() is Python's: the beginnings of four shuffles, as Python 3 gives them", () => {
  const cases: [number, number, number[]][] = [
    [233, 7405, [3687, 6238, 5388, 3522, 3824, 2866, 1551, 2544, 1557, 5762]],
    [4294967295, 1000, [562, 555, 979, 769, 629, 829, 352, 424, 684, 499]],
    [0, 33, [7, 20, 22, 23, 10, 0, 5, 30, 13, 2]],
    [1, 2, [1, 0]],
  ];
  for (const [seed, n, beginning] of cases) {
    const order = pythonShuffle(seed, n);
    assert.deepEqual(order.slice(0, beginning.length), beginning);
    assert.deepEqual(order.toSorted((a, b) => a - b), Array.from({ length: n }, (_, i) => i));
  }
});
