import assert from "node:assert/strict";
import { normalQuantile, tQuantile, tTwoSided } from "../../../lib/core/stats/distributions.ts";
import { close } from "./close.ts";

// Reference values: SciPy 1.17 (scipy.stats.t.ppf, t.sf, norm.ppf).

Deno.test("tQuantile() agrees with SciPy to 12 digits", () => {
  const reference: [number, number, number][] = [
    [0.975, 1, 12.706204736174694],
    [0.975, 2, 4.302652729749462],
    [0.975, 9, 2.262157162798205],
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

Deno.test("tTwoSided() agrees with SciPy", () => {
  const reference: [number, number, number][] = [
    [0.5, 1, 0.7048327646991335],
    [1.0, 2, 0.4226497308103742],
    [2.0, 4, 0.11611652351681556],
    [-3.1, 9, 0.01272245597820195],
    [8.0, 29, 8.012575649631688e-9],
    [30.0, 4, 7.352856097661319e-6],
    [0, 7, 1],
  ];
  for (const [t, df, p] of reference) close(tTwoSided(t, df), p, 1e-14);
});

Deno.test("normalQuantile() agrees with SciPy", () => {
  const quantiles: [number, number][] = [
    [0.975, 1.959963984540054],
    [0.995, 2.5758293035489004],
    [0.9, 1.2815515655446004],
    [0.6, 0.2533471031357997],
    [0.999999, 4.753424308817087],
    [0.5, 0],
  ];
  for (const [p, x] of quantiles) {
    close(normalQuantile(p), x, 1e-9);
    close(normalQuantile(1 - p), -x, 1e-9);
  }
  assert.throws(() => normalQuantile(1), RangeError);
});
