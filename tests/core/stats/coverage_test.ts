/** How often intervals hold what they promise. */

import assert from "node:assert/strict";
import process from "node:process";
import { gammaln } from "simple-statistics";
import { meanInterval, tInterval } from "../../../lib/core/stats/intervals.ts";
import { clusteredWilsonInterval } from "../../../lib/core/stats/shares.ts";
import { wantsSlow } from "../../slow.ts";

const SLOW = wantsSlow("coverage of intervals in simulation");

/**
 * A generator of its own, so that the intervals are not judged by the draws they make: xorshift32.
 */
function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Normal values of it, by Marsaglia's polar method. */
function normals(seed: number): () => number {
  const uniform = uniforms(seed);
  return () => {
    for (;;) {
      const [u, v] = [2 * uniform() - 1, 2 * uniform() - 1];
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt(-2 * Math.log(s) / s);
    }
  };
}

for (const n of [5, 10, 30]) {
  Deno.test({
    name:
      `coverage: t intervals of ${n} normal values hold the mean in 93.5–96.5 % of 20,000 samples`,
    ignore: !SLOW,
    fn(): void {
      const draw = normals(1234567 + n);
      const covers = ({ low, high }: { low: number; high: number }): number =>
        low <= 3 && 3 <= high ? 1 : 0;
      const samples = Array.from(
        { length: 20_000 },
        () => Array.from({ length: n }, () => 3 + 2 * draw()),
      );
      const t = samples.reduce((sum, sample) => sum + covers(tInterval(sample)), 0) /
        samples.length;
      process.stdout.write(`  n = ${n}: t ${(100 * t).toFixed(1)} %\n`);
      assert.ok(t >= 0.935 && t <= 0.965, `t covers ${t}`);
    },
  });
}

Deno.test("clusteredWilsonInterval() of single observations covers p in at least 93 % of samples, averaged over all p", () => {
  for (const n of [3, 5, 10, 30, 100]) {
    const intervals = Array.from(
      { length: n + 1 },
      (_, k) => clusteredWilsonInterval(Array.from({ length: n }, (_, i) => [i < k])),
    );
    const grid = Array.from({ length: 2000 }, (_, i) => (i + 0.5) / 2000);
    const coverage = grid.reduce((sum, p) => sum + heldAt(p, n, intervals), 0) / grid.length;
    process.stdout.write(`  n = ${n}: Wilson ${(100 * coverage).toFixed(1)} %\n`);
    assert.ok(coverage >= 0.93 && coverage <= 0.97, `n = ${n}: ${coverage}`);
  }
});

Deno.test("clusteredWilsonInterval() covers p in at least 90 % of samples of few clusters, of one size or of several, that correlate", () => {
  const draw = uniforms(7654321);
  for (
    const sizes of [
      [20, 20],
      [20, 20, 20],
      [20, 20, 20, 20],
      Array.from({ length: 10 }, () => 10),
      [40, 20, 10, 5, 3, 2],
    ]
  ) {
    for (const p of [0.5, 0.8]) {
      for (const correlation of [0.1, 0.4]) {
        const sample = (): boolean[][] =>
          sizes.map((size) => { // a share `correlation` of the clusters has one observation for all, which is then the correlation of any two
            const all = draw() < p, isOne = draw() < correlation;
            return Array.from({ length: size }, () => isOne ? all : draw() < p);
          });
        const held = Array.from({ length: 1500 }, () => clusteredWilsonInterval(sample())).filter((
          { low, high },
        ) => low <= p && p <= high);
        process.stdout.write(
          `  ${sizes.join(" ")}, p = ${p}, correlation ${correlation}: ${
            (held.length / 15).toFixed(1)
          } %\n`,
        );
        assert.ok(
          held.length >= 0.9 * 1500,
          `${sizes}, p = ${p}, correlation ${correlation}: ${held.length} of 1500`,
        );
      }
    }
  }
});

/** The exact chance that the interval of k ~ Binomial(n, p) holds p. */
function heldAt(
  p: number,
  n: number,
  intervals: readonly { readonly low: number; readonly high: number }[],
): number {
  return intervals.reduce((sum, { low, high }, k) => {
    if (p < low || p > high) return sum;
    const choices = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1);
    return sum + Math.exp(choices + k * Math.log(p) + (n - k) * Math.log(1 - p));
  }, 0);
}

Deno.test("meanInterval() of near ties holds the rare value that few samples show", () => {
  const uniform = uniforms(97531);
  const score = (): number => uniform() < 0.1 ? 0 : 0.98 + 0.02 * uniform(); // mean 0.9 · 0.99
  for (const n of [5, 10, 20]) {
    const held = Array.from(
      { length: 2000 },
      () => meanInterval(Array.from({ length: n }, score), { range: [0, 1] }),
    )
      .filter((found) => found && found.low <= 0.891 && 0.891 <= found.high);
    process.stdout.write(
      `  n = ${n}: scores of 1, and a tenth of 0: ${(held.length / 20).toFixed(1)} %\n`,
    );
    assert.ok(held.length >= 0.93 * 2000, `${n}: ${held.length} of 2000`);
  }
});

Deno.test("testClaims()'s interval supports a false claim in few samples: ties with hairs, and losses now and then", () => {
  const uniform = uniforms(8642);
  const margin = 0.05;
  for (const [n, loss] of [[6, 0.1], [10, 0.1], [20, 0.06], [40, 0.06]] as const) { // the true mean is −loss, below −margin
    const false_ = Array.from({ length: 2000 }, () => {
      const clusters = Array.from(
        { length: n },
        () => uniform() < loss ? -1 : 0.01 * (uniform() - 0.5),
      );
      return meanInterval(clusters, { range: [-1, 1], near: margin / 2 });
    }).filter((found) => found && found.low > -margin);
    process.stdout.write(
      `  ${n} clusters, mean −${loss}: ${(false_.length / 20).toFixed(1)} % above −${margin}\n`,
    );
    assert.ok(false_.length <= 0.025 * 2000, `${n}: ${false_.length} of 2000`);
  }
});
