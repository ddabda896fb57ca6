import assert from "node:assert/strict";
import { comparePaired, episodesNeeded, holm } from "../../../lib/core/stats/paired.ts";
import { close } from "./close.ts";

// Reference values: SciPy 1.17 (scipy.stats.ttest_rel, its confidence_interval), NumPy 2.4 (means,
// variances with ddof = 1) and statsmodels 0.15 (multipletests(method="holm")), each computed
// outside of this program.

const A = [0.9, 0.5, 0.7, 0.8, 1.0, 0.6];
const B = [0.4, 0.5, 0.3, 0.6, 0.7, 0.2];

Deno.test("comparePaired() gives SciPy's p", () => {
  const found = comparePaired(A, B);
  close(found.p, 0.009282705034737933, 1e-12);
  close(
    comparePaired([0.6, 0.4, 0.8, 1.0, 0.2], [0.5, 0.7, 0.3, 0.9, 0.4]).p,
    0.7892821792064089,
    1e-12,
  );
});

Deno.test("comparePaired() gives the intervals of the differences, not the difference of intervals", () => {
  const difference = comparePaired(A, B);
  assert.equal(difference.n, 6);
  close(difference.mean, 0.3, 1e-12);
  close(difference.t?.low, 0.1122712456945271, 1e-12);
  close(difference.t?.high, 0.4877287543054729, 1e-12);
  const shifted = comparePaired(A.map((x) => x + 5), B.map((x) => x + 5));
  close(shifted.t?.low, difference.t?.low, 1e-12);
  assert.throws(() => comparePaired([1, 2], [1]), /one length/);
});

Deno.test("comparePaired() tests nothing where every difference is the same", () => {
  const constant = comparePaired([0.3, 0.5, 0.7], [0.2, 0.4, 0.6]);
  assert.equal(constant.p, undefined);
  close(constant.mean, 0.1, 1e-12);
  const equal = comparePaired([1, 1, 1], [1, 1, 1]);
  assert.deepEqual([equal.p, equal.mean], [undefined, 0]);
  assert.equal(
    equal.t,
    undefined,
    "no spread, and nothing that bounds what another pair could show",
  );
  const bounded = comparePaired([1, 1, 1], [1, 1, 1], { range: [0, 1] });
  close(bounded.t?.high, 0.7075982261787316, 1e-12); // 1 − 0.025^(1/3), the upper end of the exact interval of 0 of 3
  assert.equal(bounded.t?.low, -(bounded.t?.high ?? NaN));
});

Deno.test("holm() agrees with statsmodels, ties and ceilings too", () => {
  const reference: [number[], number[]][] = [
    [[0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]],
    [[0.2, 0.9, 0.01, 0.01, 0.5], [0.6, 1.0, 0.05, 0.05, 1.0]],
    [[0.03, 0.04], [0.06, 0.06]],
    [[], []],
  ];
  for (const [p, adjusted] of reference) {
    holm(p).forEach((value, i) => close(value, adjusted[i], 1e-12));
  }
});

Deno.test("holm() corrects for the tests alone that have a p-value, and leaves the others without one", () => {
  assert.deepEqual(holm([0.03, undefined, 0.04]), [0.06, undefined, 0.06]);
});

Deno.test("episodesNeeded() counts what SciPy's t quantiles count", () => {
  const widths: [number, number, number][] = [[0.2, 0.1, 18], [0.3, 0.05, 141], [0.1, 0.2, 4], [
    1,
    0.2,
    99,
  ]];
  for (const [sd, halfWidth, n] of widths) {
    assert.equal(episodesNeeded({ sd, halfWidth }), n, `sd ${sd}, ± ${halfWidth}`);
  }
  for (
    const wrong of [{ sd: 0, halfWidth: 1 }, { sd: 1, halfWidth: 0 }, {
      sd: 1,
      halfWidth: 1,
      level: 1,
    }]
  ) {
    assert.throws(() => episodesNeeded(wrong), /out of range/);
  }
  assert.throws(() => episodesNeeded({ sd: 1, halfWidth: 1e-4 }), /more than a million/);
});

// SciPy 1.17.1: stats.t.interval(0.95, 5, loc=np.mean(x), scale=stats.sem(x)) and
// stats.ttest_1samp(x, 0) of x = [3, 4, 5, 4, 3, 5]
Deno.test("comparePaired() of small differences in a wide range is Student's", () => {
  const found = comparePaired([53, 54, 55, 54, 53, 55], Array(6).fill(50), { range: [0, 150] });
  assert.deepEqual([found.t?.low.toFixed(4), found.t?.high.toFixed(4)], ["3.0614", "4.9386"]);
  assert.equal(found.p?.toFixed(6), "0.000110");
});
