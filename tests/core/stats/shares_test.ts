import assert from "node:assert/strict";
import type { Interval } from "../../../lib/core/stats/intervals.ts";
import { clusteredWilsonInterval } from "../../../lib/core/stats/shares.ts";
import { close } from "./close.ts";

const share = (won: number, of: number): boolean[] =>
  Array.from({ length: of }, (_, index) => index < won);

/** Wilson's interval of independent observations: each is a cluster of its own. */
const wilson = (successes: number, n: number, options?: { readonly level: number }): Interval =>
  clusteredWilsonInterval(share(successes, n).map((won) => [won]), options);

// Reference values: statsmodels 0.15; those of clusters by NumPy and SciPy 1.17 from the formulas.

Deno.test("clusteredWilsonInterval() of single observations agrees with statsmodels' proportion_confint(method='wilson')", () => {
  const reference: [number, number, number, number, number][] = [
    [0, 5, 0.95, 0.0, 0.43448246478317487],
    [3, 5, 0.95, 0.2307242812760129, 0.8823792257673522],
    [5, 5, 0.95, 0.5655175352168252, 1.0],
    [1, 1, 0.95, 0.2065493143772374, 1.0],
    [45, 200, 0.95, 0.17262369715089126, 0.2877412323566053],
    [45, 200, 0.99, 0.15848401859198458, 0.30917608234250404],
  ];
  for (const [successes, n, level, low, high] of reference) {
    const found = wilson(successes, n, { level });
    close(found.low, low, 1e-12);
    close(found.high, high, 1e-12);
  }
});

Deno.test("clusteredWilsonInterval() counts clusters where their observations agree", () => {
  assert.deepEqual(clusteredWilsonInterval([share(3, 3), share(3, 3)]), wilson(2, 2));
  assert.deepEqual(
    clusteredWilsonInterval([[0.9], [0.8], [0.7], [0.9]]).low > 0.3,
    true,
    "scores are shares of their own, not failures",
  );
  assert.throws(() => clusteredWilsonInterval([]), /at least 1 observation/);
  assert.throws(() => clusteredWilsonInterval([[50]]), /between 0 and 1/);
});

Deno.test("clusteredWilsonInterval() takes the effective sample size with Student's quantiles", () => {
  const four = clusteredWilsonInterval([share(3, 3), share(0, 3), share(0, 3), share(3, 3)]);
  close(four.low, 0.07337200874554062, 1e-9); // p = 1/2, v = 1/12, n* = 3 · (t_11/t_3)² = 1.4349
  close(four.high, 0.9266279912544594, 1e-9);
  const uneven = clusteredWilsonInterval([
    share(9, 10),
    share(4, 8),
    share(2, 6),
    share(4, 5),
    share(3, 4),
  ]);
  close(uneven.low, 0.35197144211630427, 1e-9); // K = 4.52, n* = 8.8474
  close(uneven.high, 0.8804479620731249, 1e-9);
  const [low, high] = Object.values(clusteredWilsonInterval([share(49, 50), share(49, 50)]));
  assert.ok((high ?? 0) - (low ?? 0) > 0.5, "two clusters with equal shares do not count for 100");
});
