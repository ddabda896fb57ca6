import assert from "node:assert/strict";
import {
  bestMeasure,
  deviationMeasure,
  meanMeasure,
  type Measurement,
  ratioMeasure,
  resampled,
  type Trial,
} from "../../lib/report/estimate.ts";

interface Scored extends Trial {
  readonly value: number | null | undefined;
  readonly steps: number;
}

function trialsOf(values: readonly (number | null | undefined)[], steps: readonly number[] = []): Scored[] {
  return values.map((value, i) => ({
    episode: `e${i + 1}`,
    condition: "arigraph",
    status: "completed",
    value,
    steps: steps[i] ?? 1,
  }));
}

const of = ({ value }: Scored): number | null | undefined => value;

function rounded(found: Measurement | string): unknown[] {
  if (typeof found === "string") return [found];
  const { value, low, high, noInterval } = found;
  return [value, low, high].map((number) => number === undefined ? noInterval : Number(number.toFixed(4)));
}

Deno.test("meanMeasure() gives Student's interval cut to the measure's range", () => {
  // sd √2, standard error 1, t = 12.7062 with one degree of freedom: 2 ± 12.7062
  const free = meanMeasure({ name: "score", of, interval: "student" });
  assert.deepEqual(rounded(free.estimate(trialsOf([1, 3]))), [2, -10.7062, 14.7062]);
  const bounded = meanMeasure({ name: "score", of, interval: "student", range: [0, 10] });
  assert.deepEqual(rounded(bounded.estimate(trialsOf([1, 3]))), [2, 0, 10]);
});

Deno.test("meanMeasure() gives Wilson's interval of a share in the range's own unit", () => {
  const percent = meanMeasure({ name: "success", of, interval: "wilson", range: [0, 100] });
  assert.deepEqual(rounded(percent.estimate(trialsOf([100, 0, 100, 100]))), [75, 30.0642, 95.4413]); // 3 of 4
  assert.deepEqual(rounded(percent.estimate(trialsOf([100]))), [100, 20.6549, 100]);
});

Deno.test("meanMeasure() takes scores between for shares of their own, clustered or not", () => {
  for (const clusterOf of [undefined, ({ episode }: Scored): string => episode]) {
    const score = meanMeasure({ name: "F1", of, interval: "wilson", range: [0, 100], clusterOf });
    // Wilson's with p = 0.9 and n = 4: (0.9 + 0.48018 ± √(3.84146 · (0.0225 + 0.06002))) / 1.96036
    assert.deepEqual(rounded(score.estimate(trialsOf([90, 90, 90, 90]))), [90, 41.6835, 99.1253]);
  }
});

Deno.test("meanMeasure() bootstraps inside the values and says why one trial has no interval", () => {
  const score = meanMeasure({ name: "score", of, interval: "bootstrap", range: [0, 1] });
  const found = score.estimate(trialsOf([0, 1, 1, 1]));
  // resampled means from 0.25 to 1, κ = 3.1824/1.96 · √(4/3) = 1.875 times as far from 0.75: −0.1875, cut to 0
  assert.ok(typeof found === "object" && found.value === 0.75 && found.low === 0 && found.high === 1);
  const few = meanMeasure({ name: "score", of, interval: "bootstrap" }).estimate(trialsOf([0, 1, 1, 1]));
  assert.deepEqual(rounded(few), [0.75, -0.1875, 1.2187]);
  assert.deepEqual(rounded(score.estimate(trialsOf([1]))), [1, "one trial has none", "one trial has none"]);
});

Deno.test("meanMeasure() takes clusters, not trials, for what varies: Student's of what each adds to the mean", () => {
  const clusterOf = ({ steps }: Scored): string => `${steps}`;
  const score = meanMeasure({ name: "score", of, interval: "student", clusterOf });
  // clusters 1, 1, 1, 1 and 3, 3: mean 10/6; they add 10/6 + (2/6)(4 − 40/6) = 7/9 and 10/6 + (2/6)(6 − 20/6) = 23/9; s/√2 = 8/9; ± 12.7062 · 8/9
  assert.deepEqual(rounded(score.estimate(trialsOf([1, 1, 1, 1, 3, 3], [1, 1, 1, 1, 2, 2]))), [1.6667, -9.6277, 12.9611]);
  assert.deepEqual(rounded(score.estimate(trialsOf([1, 2], [1, 1]))).slice(1), ["one trial has none", "one trial has none"]);
});

Deno.test("a measure is made of the trials that count, and of none when one lacks its value", () => {
  const score = meanMeasure({ name: "score", of, interval: "student" });
  const found = score.estimate(trialsOf([2, undefined, 4]));
  assert.deepEqual(typeof found === "object" && [found.value, found.episodes], [3, ["e1", "e3"]]);
  assert.equal(score.estimate(trialsOf([2, null])), "a trial has no value");
  assert.equal(score.estimate(trialsOf([undefined])), "no trial counts");
});

Deno.test("bestMeasure() is made of the best trials alone and has no interval", () => {
  const best = bestMeasure({ name: "best 2", of, k: 2 }).estimate(trialsOf([1, 5, 3]));
  assert.deepEqual(best, { value: 4, noInterval: "a mean of the best has none", episodes: ["e2", "e3"] });
});

Deno.test("deviationMeasure() divides by n − 1 and needs two trials", () => {
  const sd = deviationMeasure({ name: "standard deviation", of });
  const found = sd.estimate(trialsOf([1, 3]));
  assert.equal(typeof found === "object" && found.value, Math.SQRT2);
  assert.equal(sd.estimate(trialsOf([1])), "1 of 2 trials that a standard deviation needs");
  assert.deepEqual(rounded(sd.estimate(trialsOf([400, 400, 746]))).slice(1), ["fewer than 30 trials", "fewer than 30 trials"]);
  const many = sd.estimate(trialsOf(Array.from({ length: 30 }, (_, i) => i)));
  assert.ok(typeof many === "object" && (many.low ?? Infinity) < many.value && (many.high ?? 0) > many.value);
});

Deno.test("ratioMeasure() divides sums, and its bootstrap draws trials whole", () => {
  const tokens = ratioMeasure({ name: "tokens", of, per: ({ steps }) => steps, range: [0, Infinity] });
  const found = tokens.estimate(trialsOf([10, 30], [1, 4]));
  // (10 + 30) ÷ (1 + 4); either trial alone gives 10 or 7.5, κ = 12.7062/1.96 · √2 = 9.1682 times as far from 8
  assert.deepEqual(rounded(found), [8, 3.4159, 26.3363]);
  assert.equal(tokens.estimate(trialsOf([0, 0], [0, 0])), "nothing to divide by");
  const some = trialsOf([10, 30, 70, 20, 50], [1, 4, 5, 2, 9]);
  assert.deepEqual(rounded(tokens.estimate(some.toReversed())), rounded(tokens.estimate(some)), "whatever the order");
});

Deno.test("resampled() has no interval when a tenth of the resamples leave the statistic undefined", () => {
  const ratio = (items: readonly number[]): number | undefined => items.includes(1) ? 1 : undefined;
  assert.deepEqual(resampled([1, 0], ratio, { name: "r" }), { noInterval: "undefined in a tenth of the resamples or more" });
});
