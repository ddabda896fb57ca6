import assert from "node:assert/strict";
import { meanInterval, tInterval, unseenInterval } from "../../../lib/core/stats/intervals.ts";
import { close } from "./close.ts";

// Reference values: SciPy 1.17 (scipy.stats.t.interval with sem), statsmodels 0.15; closed forms
// where named.

Deno.test("tInterval() is Student's interval of the mean", () => {
  const { low, high } = tInterval([0.2, 0.4, 0.6, 1.0, 0.8]);
  close(low, 0.2073513677044886, 1e-12);
  close(high, 0.9926486322955114, 1e-12);
  assert.throws(() => tInterval([1]), /at least 2/);
  assert.throws(() => tInterval([1, 2], { level: 95 }), /level/);
});

Deno.test("unseenInterval() is SciPy's exact interval where all or none of n are won, on any scale", () => {
  const reference = [[2, 0.15811388300839305], [5, 0.47817624989501856], [10, 0.6915028921812371], [
    30,
    0.8842966917779725,
  ]] as const;
  for (const [n, low] of reference) {
    close(unseenInterval(1, n, [0, 1])?.low, low, 1e-12);
    close(unseenInterval(0, n, [0, 1])?.high, 1 - low, 1e-12);
    close(unseenInterval(100, n, [-100, 100])?.low, 200 * low - 100, 1e-9);
  }
  const between = unseenInterval(0.25, 5, [0, 1]); // the unseen share lies at 0, or at 1
  close(between?.low, 0.25 * 0.47817624989501856, 1e-12);
  close(between?.high, 1 - 0.75 * 0.47817624989501856, 1e-12);
  assert.equal(unseenInterval(1, 5, [-Infinity, 1]), undefined);
  assert.equal(unseenInterval(1 + 1e-15, 5, [0, 1])?.high, 1);
  assert.throws(() => unseenInterval(1, 1, [0, 1]), /at least 2/);
});

Deno.test("meanInterval() has a width where all values are equal, and none beyond its range", () => {
  assert.deepEqual(meanInterval([0.2, 0.4, 0.6, 1.0, 0.8]), tInterval([0.2, 0.4, 0.6, 1.0, 0.8]));
  assert.deepEqual(meanInterval([0.9, 1], { range: [0, 1] })?.high, 1);
  assert.deepEqual(
    meanInterval([0.1 + 0.2, 0.3], { range: [0, 1] })?.low.toFixed(9),
    unseenInterval(0.3, 2, [0, 1])?.low.toFixed(9),
  );
  assert.equal(meanInterval([150, 150, 150], { range: [0, Infinity] }), undefined);
});

Deno.test("meanInterval() of values that few others spread holds a share that none showed", () => {
  const hair = meanInterval([1, 1, 1, 1, 0.99], { range: [0, 1] });
  // around 0.998: an unseen share of 1 − 0.025^(1/5) = 0.5218 at 0, or at 1
  assert.deepEqual([hair?.low.toFixed(3), hair?.high.toFixed(3), hair?.ofEqualValues], [
    "0.477",
    "1.000",
    true,
  ]);
  const spread = [1, 0.8, 0.6, 0.4, 0.2];
  assert.deepEqual(meanInterval(spread, { range: [-5, 5], near: 0.1 }), tInterval(spread));
  const one = [0, 0, 0, 0, 0, 0, 0, 0, 0, -1]; // Student's is the wider one below, the unseen share (0.3085 at 1) above
  const [mixed, student] = [meanInterval(one, { range: [-1, 1] }), tInterval(one)];
  assert.deepEqual([mixed?.low.toFixed(3), mixed?.high.toFixed(3)], ["-0.378", "0.239"]);
  assert.ok(student.low > -0.378 && student.high < 0.239);
});

// SciPy 1.17.1: stats.t.interval(0.95, n - 1, loc=np.mean(x), scale=stats.sem(x)), and for equal
// values the bounds that stats.binomtest(6, 6).proportion_ci(method="exact") gives a share,
// 0.5407418735600995, put between value and end: 4·0.5407 and 50 − 46·0.5407
Deno.test("meanInterval() of few steps of a wide range is Student's where they differ, and holds an unseen share where they do not", () => {
  const told: readonly (readonly [readonly number[], number, number])[] = [
    [[3, 4, 4, 5, 4, 3], 3.0433468828413814, 4.623319783825286],
    [[3, 4, 4, 4, 4, 5], 3.336278624034484, 4.663721375965516],
    [[40, 41, 45, 43, 41, 42], 40.12271245694527, 43.87728754305473],
  ];
  for (const range of [[0, 50], [1, 150], [-75, 75], [0, 1000], [-150, 150]] as const) {
    for (const [steps, low, high] of told) {
      const found = meanInterval(steps, { range });
      close(found?.low, low, 1e-9);
      close(found?.high, high, 1e-9);
      assert.equal(found?.ofEqualValues, undefined);
    }
  }
  const equal = meanInterval([4, 4, 4, 4, 4, 4], { range: [0, 50] });
  close(equal?.low, 2.162967494240398, 1e-9);
  close(equal?.high, 25.125873816235423, 1e-9);
  assert.equal(meanInterval([4, 4, 4, 4, 4, 4], { range: [0, Infinity] }), undefined); // nobody knows how long an unseen play may be
  assert.equal(
    meanInterval([0.98, 1, 0.99, 0.98, 1, 0.99], { range: [0, 1] })?.ofEqualValues,
    true,
  );
  assert.equal(
    meanInterval([0.03, 0.04, 0.05, 0.04, 0.03, 0.05], { range: [-1, 1] })?.ofEqualValues,
    undefined,
  );
  assert.equal(meanInterval([1, 1, 0.99, 1, 1, 0.2], { range: [0, 1] })?.ofEqualValues, true); // one play makes the spread
});

Deno.test("meanInterval() takes an end that a value lies beyond for open, and tells equal values by the scale that they come from", () => {
  assert.deepEqual(meanInterval([1.3, 1.4, 1.6], { range: [-1, 1] }), tInterval([1.3, 1.4, 1.6]));
  assert.equal(meanInterval([1.3, 1.3], { range: [-1, 1] }), undefined);
  assert.equal(meanInterval([1 + 1e-15, 1], { range: [0, 1] })?.high, 1);
  const rounded = [0.1 + 0.2 - 0.3, 0, 0]; // 5.6e-17
  assert.notEqual(meanInterval(rounded), undefined);
  assert.equal(meanInterval(rounded, { scale: 0.5 }), undefined);
});
