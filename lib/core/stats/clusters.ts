/** The interval of a mean whose values come in clusters. */

import { mean } from "simple-statistics";
import { type MeanInterval, meanInterval, type MeanIntervalOptions } from "./intervals.ts";

/**
 * Student's interval of the mean x̄ of n values in G clusters, with G − 1 degrees of freedom. It is
 * `meanInterval` of what each cluster g adds to the mean:
 *
 *   z_g = x̄ + (G/n) · Σ_i (x_gi − x̄)
 *
 * The variance is cluster-robust with the correction G/(G − 1), as in statsmodels. If every cluster
 * has one value, it equals `meanInterval` of the values.
 *
 * @throws {RangeError} if there are fewer than two clusters.
 *
 * @example
 * ```ts
 * import { clusteredMeanInterval } from "labyrinth/stats";
 * import assert from "node:assert/strict";
 *
 * const found = clusteredMeanInterval([[0.2, 0.3], [0.5, 0.7], [0.4, 0.6]], { range: [0, 1] });
 * assert.deepEqual([found?.low.toFixed(2), found?.high.toFixed(2)], ["0.00", "0.90"]);
 * ```
 */
export function clusteredMeanInterval(
  clusters: readonly (readonly number[])[],
  options: MeanIntervalOptions = {},
): MeanInterval | undefined {
  const { range = [-Infinity, Infinity] } = options;
  const found = meanInterval(addedByClusters(clusters), options);
  if (!found) return undefined;
  return { ...found, low: Math.max(found.low, range[0]), high: Math.min(found.high, range[1]) };
}

/** What each cluster adds to the mean, z_g; without clusters the values. */
export function addedByClusters(clusters: readonly (readonly number[])[]): number[] {
  const values = clusters.flat();
  if (clusters.length === values.length) return values;
  const [centre, share] = [mean(values), clusters.length / values.length];
  return clusters.map((some) =>
    centre + share * some.reduce((sum, value) => sum + value - centre, 0)
  );
}
