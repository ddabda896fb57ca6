import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { numpyPermutation, pythonShuffle } from "../../../lib/core/stats/sampling.ts";

/** `numpy.random.RandomState(42).permutation(n)[:200].tolist()`, as numpy 2.4.6 prints it. */
const FIRST_200: Readonly<Record<string, string>> = {
  "2417": `
    410 199 1672 2335 1037 1117 254 2407 1583 1717 643 1688 528 93 1968 111 1735 1379 1990 744 1210 1978 1706 188 1270 486 134
    1138 1867 1192 1615 56 1374 1018 1131 1320 1338 1476 1726 642 886 1223 1437 173 1532 1747 408 873 1258 679 1552 630 443 2275
    2063 445 621 1817 1381 527 2376 874 471 2011 1394 2328 2370 2110 1660 2058 1263 435 1231 599 229 2403 1176 1607 1870 1420
    1102 618 179 1132 211 2125 1121 836 259 1333 509 1767 782 2189 1171 900 1386 965 1557 785 2266 482 1106 1619 218 247 1822
    2294 332 1857 1769 2319 729 321 1451 1783 252 1791 554 210 941 733 1939 1808 44 834 1991 1628 2247 251 100 1592 1801 1452 208
    1925 1535 555 237 1690 530 422 1813 407 2250 1001 2048 342 464 353 940 829 1737 1878 1287 1360 1124 636 1307 1885 1739 1499
    1749 942 1961 809 1770 1475 2073 508 1159 1383 2181 450 802 647 1883 629 902 196 2259 29 387 239 1729 1754 246 1362 1933 430
    2194 1790 1211 497 845 1226 438 2013 2162 1525`,
  "7405": `
    4367 1867 3504 5015 554 6979 2197 2942 6378 263 5283 6994 5777 7323 6266 7168 6429 5542 6226 5464 4078 2820 251 6593 4690
    3149 4309 7158 503 2402 3197 6754 3159 3349 2850 5641 2879 3540 1061 5664 4617 4597 7187 3309 2287 230 318 1042 5608 7322
    4526 4734 1941 4756 1078 3977 1511 3608 5950 169 2922 6864 1790 2569 1608 4240 132 1566 2183 5212 1737 1543 5865 5785 5976
    2692 4563 468 6210 2399 6733 4159 7315 6109 7031 4099 4094 5926 4545 996 37 61 472 101 3340 4205 6446 3450 3734 3317 6083
    6358 95 408 7276 2045 1720 1465 429 2492 997 5337 1509 6802 1372 393 6908 5021 6567 1886 5369 1153 6551 2577 5613 5238 1221
    1558 2815 6671 5272 1758 1593 7130 2973 5070 7250 3027 1747 1662 6053 3470 3891 4314 5945 2094 6049 5014 1979 3767 6135 6021
    3123 1197 1916 3091 5833 3878 3378 538 4034 2173 6669 3513 6592 1650 6876 5302 332 4003 3080 3931 1128 3908 79 6604 7384 3297
    4201 6639 4414 3779 1406 4664 4254 4615 4372 3023 5557 7359 4764 1870 3786 5422 6114 1057 1352 736 6765 177`,
};

/** SHA-256 over the whole permutation, its numbers joined by commas, by numpy 2.4.6. */
const WHOLE: Readonly<Record<string, string>> = {
  "1": "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9",
  "2": "b0e4f9bb7b55e4b181760ae93c958c14b451a7556206dfa952d81f0f2165a9da",
  "10": "55b4987cd4496080b2e1217bf54be43b01131c6fff21fcea47e2f1487fe3b835",
  "2417": "63889dff128ab466c5afe84efde2b221d353e0216dd56cd4a45eabb9a9124841",
  "7405": "d63c269a363b55f0b8cf2358e3bc1df2e2b0918fdd6c733e932633ace2d803a5",
  "65537": "fe2b0c6d5ad6fba0353597f5f25a22d580886bec10bb78e6147fc6af50bf8763",
};

for (const [n, ids] of Object.entries(FIRST_200)) {
  Deno.test(`numpyPermutation() draws numpy's first 200 of ${n}`, () => {
    assert.deepEqual(
      numpyPermutation(42, Number(n)).slice(0, 200),
      ids.trim().split(/\s+/).map(Number),
    );
  });
}

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
