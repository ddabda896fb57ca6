import assert from "node:assert/strict";
import { bootstrapInterval, meanOfBest, pairedDifference, tInterval, tQuantile } from "../../lib/lab/statistics.ts";

// Reference values: SciPy 1.17 (scipy.stats.t.ppf, t.interval with sem, ttest_rel().confidence_interval); closed forms where named.

Deno.test("tQuantile() agrees with SciPy to 12 digits", () => {
  const reference: [number, number, number][] = [
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.975, 3, 3.1824463052837078],
    [0.975, 4, 2.7764451051977934],
    [0.975, 9, 2.262157162798205],
    [0.975, 19, 2.0930240544083087],
    [0.995, 7, 3.4994832973504924],
    [0.9, 5, 1.4758840488244815],
    [0.975, 120, 1.9799304050824402],
    [0.975, 1000, 1.9623390808264083],
  ];
  for (const [p, df, t] of reference) {
    close(tQuantile(p, df), t, 1e-11);
    close(tQuantile(1 - p, df), -t, 1e-11);
  }
  close(tQuantile(0.5, 6), 0, 1e-12);
});

Deno.test("tQuantile() refuses a probability outside (0, 1) and degrees of freedom that are no integer ≥ 1", () => {
  for (const p of [0, 1, NaN]) assert.throws(() => tQuantile(p, 3), RangeError);
  for (const df of [0, 1.5, NaN]) assert.throws(() => tQuantile(0.9, df), RangeError);
});

Deno.test("tInterval() is Student's interval of the mean", () => {
  const { low, high } = tInterval([0.2, 0.4, 0.6, 1.0, 0.8]);
  close(low, 0.2073513677044886, 1e-12);
  close(high, 0.9926486322955114, 1e-12);
  assert.throws(() => tInterval([1]), /at least 2/);
  assert.throws(() => tInterval([1, 2], { level: 95 }), /level/);
});

Deno.test("bootstrapInterval() meets the exact bootstrap distribution, all of its 3125 and 256 resamples counted", () => {
  const { low, high } = bootstrapInterval([0.2, 0.4, 0.6, 1.0, 0.8], { seed: 1 });
  close(low, 0.36, 0.02);
  close(high, 0.84, 0.02);
  const skewed = bootstrapInterval([0, 0.1, 0.35, 0.9], { seed: 1, resamples: 20_000 });
  close(skewed.low, 0.05, 0.03);
  close(skewed.high, 0.7, 0.07);
});

Deno.test("bootstrapInterval() is the same for the same seed and another for another", () => {
  const values = [0.13, 0.29, 0.31, 0.57, 0.91, 0.97];
  assert.deepEqual(bootstrapInterval(values, { seed: 3 }), bootstrapInterval(values, { seed: 3 }));
  assert.notDeepEqual(bootstrapInterval(values, { seed: 3, resamples: 99 }), bootstrapInterval(values, { seed: 4, resamples: 99 }));
  assert.deepEqual(bootstrapInterval([0.5, 0.5], { seed: 3 }), { low: 0.5, high: 0.5 });
});

Deno.test("pairedDifference() is the interval of the differences, not the difference of the means' intervals", () => {
  const a = [0.9, 0.5, 0.7, 0.8, 1.0, 0.6];
  const b = [0.4, 0.5, 0.3, 0.6, 0.7, 0.2];
  const difference = pairedDifference(a, b, { seed: 0 });
  assert.equal(difference.n, 6);
  close(difference.mean, 0.3, 1e-12);
  close(difference.t.low, 0.1122712456945271, 1e-12);
  close(difference.t.high, 0.4877287543054729, 1e-12);
  assert.ok(difference.bootstrap.low > 0.1 && difference.bootstrap.high < 0.45);
  const shifted = pairedDifference(a.map((x) => x + 5), b.map((x) => x + 5), { seed: 0 });
  close(shifted.t.low, difference.t.low, 1e-12);
  assert.throws(() => pairedDifference([1, 2], [1], { seed: 0 }), /one length/);
});

Deno.test("meanOfBest() averages the k highest, or all where there are fewer", () => {
  assert.equal(meanOfBest([1, 5, 3, 4, 2], 3), 4);
  assert.equal(meanOfBest([2, 4], 3), 3);
  assert.ok(Number.isNaN(meanOfBest([], 3)));
  assert.throws(() => meanOfBest([1], 0), RangeError);
});

function close(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not within ${tolerance} of ${expected}`);
}
