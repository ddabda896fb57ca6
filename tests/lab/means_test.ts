/** Means, differences and columns of frames against values of SciPy and statsmodels. */

import assert from "node:assert/strict";
import { UsageError } from "../../lib/core/errors.ts";
import { type DataFrame, frameOf, rowsOf } from "../../lib/lab/frame-of.ts";
import { besidePaper } from "../../lib/lab/beside-paper.ts";
import {
  type DifferenceOptions,
  meanInterval,
  type MeanOptions,
  pairedDifference,
} from "../../lib/lab/means.ts";

// Reference values: SciPy 1.17 and statsmodels 0.15, by the line that stands above each.

function framed(scores: readonly (number | null)[], games: readonly number[] = []): DataFrame {
  const rows = scores.map((score, i) => ({ score, value: score, game: games[i] ?? i }));
  return frameOf(rows, { score: "number?", value: "number?", game: "integer" });
}

function only(frame: DataFrame, options: MeanOptions): Record<string, number | null> {
  const [row, ...more] = rowsOf<Record<string, number | null>>(meanInterval(frame, options));
  assert.ok(row && more.length === 0);
  return row;
}

function close(actual: unknown, expected: number): void {
  assert.ok(
    typeof actual === "number" && Math.abs(actual - expected) < 1e-9,
    `${actual} is not ${expected}`,
  );
}

const SCORES = [0.2, 0.3, 0.5, 0.7, 0.4, 0.6, 0.9];

Deno.test("meanInterval() gives Student's interval of single values", () => {
  // scipy.stats.t.interval(.95, 6, x.mean(), scipy.stats.sem(x))
  const { n, missing, mean, low, high, arm } = only(framed([...SCORES, null]), { of: "score" });
  assert.deepEqual([n, missing], [7, 1]);
  close(mean, 0.5142857142857143);
  close(low, 0.2913705710262652);
  close(high, 0.7372008575451635);
  close(arm, 0.7372008575451635 - 0.5142857142857143);
});

Deno.test("meanInterval() of clusters is that of statsmodels, inside the range", () => {
  // sm.OLS(x, np.ones(7)).fit(cov_type="cluster", cov_kwds={"groups": [0,0,1,1,2,2,2]},
  // use_t=True).conf_int()
  const frame = framed(SCORES, [0, 0, 1, 1, 2, 2, 2]);
  const open = only(frame, { of: "value", cluster: ["game"] });
  assert.equal(open["clusters"], 3);
  close(open["low"], 0.017018650177);
  close(open.high, 1.011552778394);
  const score = only(frame, { of: "score", cluster: ["game"] });
  close(score.low, 0.017018650177);
  assert.equal(score.high, 1, "no score is above 1");
});

Deno.test("meanInterval() gives shares Wilson's interval, and repeats in a cluster add nothing", () => {
  // statsmodels.stats.proportion.proportion_confint(3, 5, method="wilson")
  const share = only(framed([1, 0, 1, 1, 0]), { of: "score" });
  close(share.low, 0.2307242812760129);
  close(share.high, 0.8823792257673522);
  // proportion_confint(5, 5, method="wilson")
  const won = only(framed([1, 1, 1, 1, 1]), { of: "score" });
  close(won.low, 0.5655175352168252);
  assert.equal(won.high, 1);
  // proportion_confint(2, 2, method="wilson"): two games, each won three times
  const twice = only(framed([1, 1, 1, 1, 1, 1], [1, 1, 1, 2, 2, 2]), {
    of: "score",
    cluster: ["game"],
  });
  close(twice.low, 0.3423802275066531);
});

Deno.test("meanInterval() of scores has no lower bound where a world takes points", () => {
  const { mean, low, high } = only(framed([-1.5, -1.2, -1.3, -0.2]), { of: "score" });
  close(mean, -1.05);
  close(low, -1.9732751544941367); // mean ± t(0.975; 3) · s / √4
  close(high, -0.12672484550586327);
});

Deno.test("meanInterval() of equal values is wide where the range is known, and none where it is not", () => {
  // Clopper and Pearson: none of 4 values showed a share of 1 - .025 ** (1 / 4) at either end
  const { low, high } = only(framed([0.5, 0.5, 0.5, 0.5]), { of: "score" });
  const unseen = 1 - 0.025 ** (1 / 4);
  close(low, 0.5 - unseen / 2);
  close(high, 0.5 + unseen / 2);
  assert.equal(only(framed([150, 150, 150]), { of: "value" }).arm, null);
  assert.equal(only(framed([0.4]), { of: "score" }).low, null, "one value has no interval");
  assert.deepEqual(only(framed([null]), { of: "score" }).mean, null);
});

Deno.test("meanInterval() keeps the order and types of groups, and refuses unknown columns", () => {
  const rows = [["b", 1], ["a", 0], ["b", 0]].map(([method, score]) => ({
    method,
    score,
    steps: 3,
  }));
  const frame = frameOf(rows, { method: "text", score: "number", steps: "integer" });
  const means = meanInterval(frame, { of: "score", by: ["method", "steps"] });
  assert.deepEqual(means.columns.slice(0, 4), ["method", "steps", "n", "missing"]);
  assert.deepEqual(
    rowsOf<{ method: string; n: number }>(means).map(({ method, n }) => [method, n]),
    [["b", 2], ["a", 1]],
  );
  assert.deepEqual(
    means.dtypes.slice(0, 2),
    frame.dtypes.filter((_, i) => i !== 1),
    "types as in the frame",
  );
  assert.throws(
    () => meanInterval(frame, { of: "scores" }),
    /no column "scores"; did you mean "score"/,
  );
});

const A = [0.9, 0.5, 0.7, 0.8, 0.6, 0.4], B = [0.4, 0.5, 0.3, 0.6, 0.7, 0.1];

function sides(a: readonly (number | null)[], b: readonly number[]): DataFrame {
  const side = (method: string, some: readonly (number | null)[]): object[] =>
    some.map((score, seed) => ({ method, seed, game: Math.floor(seed / 2), score }));
  const rows = [...side("a", a), ...side("b", b)];
  return frameOf(rows, { method: "text", seed: "integer", game: "integer", score: "number?" });
}

function compared(
  frame: DataFrame,
  options: Partial<DifferenceOptions> = {},
): Record<string, number | null> {
  const all = { of: "score", between: { method: ["a", "b"] as const }, by: ["seed"], ...options };
  return rowsOf<Record<string, number | null>>(pairedDifference(frame, all))[0] ?? {};
}

Deno.test("pairedDifference() is SciPy's paired t test", () => {
  // scipy.stats.ttest_rel(a, b), .confidence_interval()
  const { n, unpaired, mean, low, high, p } = compared(sides([...A, 0.5, null], [...B]));
  assert.deepEqual([n, unpaired], [6, 2]);
  close(mean, 0.21666666666666667);
  close(low, -0.026446298247250755);
  close(high, 0.4597796315805841);
  close(p, 0.07056563534883996);
});

Deno.test("pairedDifference() of clusters is that of statsmodels", () => {
  // sm.OLS(a - b, np.ones(6)).fit(cov_type="cluster", cov_kwds={"groups": [0,0,1,1,2,2]},
  // use_t=True)
  const { clusters, low, high, p } = compared(sides(A, B), { cluster: ["game"] });
  assert.equal(clusters, 3);
  close(low, -0.04189058396);
  close(high, 0.475223917294);
  close(p, 0.069050663749);
});

Deno.test("pairedDifference() stays within the range, and equal differences have no p", () => {
  const wide = compared(sides([1, 1, 0.2], [0, 0, 0]));
  assert.equal(wide["high"], 1);
  const same = compared(sides([1, 1, 1], [0, 0, 0]));
  assert.deepEqual([same["mean"], same["high"], same["p"]], [1, 1, null]);
  close(same["low"], 1 - 2 * (1 - 0.025 ** (1 / 3)));
  assert.throws(() => compared(sides(A, B), { by: ["game"] }), UsageError);
  const mistyped = { method: ["a", "c"] } as const;
  assert.throws(
    () => compared(sides(A, B), { between: mistyped }),
    /no method is "c".*; there are a, b/,
  );
  const none = pairedDifference(sides([], []), {
    of: "score",
    between: { method: ["a", "b"] },
    by: ["seed"],
  });
  assert.equal(none.height, 0, "nothing has been played");
});

Deno.test("besidePaper() shows ours, its arm, what is missing, and the paper's", () => {
  const rows = [
    { mean: 0.5, arm: 0.123, missing: 0, n: 5, paper: 0.79 },
    { mean: 0.5, low: 0.4, high: 0.6, arm: 0.1, missing: 0, n: 6, paper: 0.79 },
    { mean: 0.5, low: 0.4, high: 0.6, arm: 0.1, missing: 0, n: 5, paper: 0.79 },
    { mean: 0.13, low: 0, high: 0.27, arm: 0.14, missing: 0, n: 6, paper: 1 },
    { mean: 0.5, arm: null, missing: 2, n: 3, paper: null },
    { mean: null, arm: null, missing: 0, n: 0, paper: 1 },
  ];
  const frame = frameOf(rows, {
    mean: "number?",
    low: "number?",
    high: "number?",
    arm: "number?",
    missing: "integer",
    n: "integer",
    paper: "number?",
  });
  assert.deepEqual(besidePaper(frame, { name: "x" }).getColumn("x").toArray(), [
    "0.50 ± 0.12 | 0.79",
    "0.50 ± 0.10 | 0.79",
    "0.50 [0.40, 0.60] | 0.79",
    "0.13 [0.00, 0.27] | 1.00",
    "0.50 (n = 3 of 5) | –",
    "– | 1.00",
  ]);
});
