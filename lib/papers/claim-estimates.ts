/** The difference of a claim's two conditions with its interval and its p-values. */

import { mean, sampleVariance } from "simple-statistics";
import { tQuantile, tTwoSided } from "../core/stats/distributions.ts";
import { areEqual, meanInterval, unseenInterval, unseenP } from "../core/stats/intervals.ts";
import { DIFFERENCES, type Gap } from "./claim-cases.ts";
import { allowsLoss, boundOf, type ClaimTerms, sign } from "../lab/verdict.ts";

/** A claim's terms and its measure. */
export type Stated = Required<ClaimTerms> & { readonly measure: string };

export interface Estimate {
  /** In the direction of the claim. */
  readonly mean: number;
  readonly low?: number;
  readonly high?: number;
  /** Standard errors towards the lower and the upper end, 0 where all clusters are equal. */
  readonly errors: readonly [number, number];
  readonly freedom: number;
  /** Whether a share of clusters that none showed counts, too: their spread is made by few. */
  readonly isFlat: boolean;
  readonly clusters: number;
  /** The greatest difference there can be. */
  readonly most: number;
}

/**
 * The estimate of one gap (Student), or of the first one less the second (Welch). Where most
 * clusters of one of the two agree, the intervals of both are combined by their squares (Zou and
 * Donner 2008), since a side without a spread is not known exactly.
 */
export function estimateOf(gaps: readonly Gap[], stated: Stated): Estimate | undefined {
  if (gaps.length === 0 || gaps.some(({ clusters }) => clusters.length === 0)) return undefined;
  const sides = gaps.map(({ clusters, most }, i) => {
    const values = clusters.map((value) => (i === 0 ? sign(stated) : -sign(stated)) * value);
    const bounds = { range: [-most, most], scale: 1, near: stated.margin / 2 } as const;
    const isEqual = areEqual(values, bounds);
    const interval = values.length > 1 ? meanInterval(values, bounds) : undefined;
    return { values, interval, isEqual, isFlat: isEqual || interval?.ofEqualValues === true };
  });
  const difference = sides.reduce((sum, { values }) => sum + mean(values), 0);
  const clusters = Math.min(...sides.map(({ values }) => values.length));
  const most = gaps.reduce((sum, gap) => sum + gap.most, 0);
  const base = { mean: difference, clusters, most, isFlat: sides.every(({ isFlat }) => isFlat) };
  const open: Estimate = { ...base, errors: [0, 0], freedom: 0 };
  if (clusters < 2) return open;
  if (sides.every(({ isEqual }) => isEqual)) {
    return { ...open, ...unseenInterval(difference, clusters, [-most, most]) };
  }
  const parts = sides.map(({ values, isEqual }) => ({
    part: isEqual ? 0 : sampleVariance(values) / values.length,
    n: values.length,
  }));
  const variance = parts.reduce((sum, { part }) => sum + part, 0);
  const spread = parts.reduce((sum, { part, n }) => sum + part ** 2 / (n - 1), 0);
  const freedom = Math.max(1, Math.floor(variance ** 2 / spread + 1e-9));
  const error = Math.sqrt(variance);
  const [{ interval: single } = {}] = sides;
  if (sides.length === 1 && single) {
    return { ...base, low: single.low, high: single.high, errors: [error, error], freedom };
  }
  const t = tQuantile(0.975, freedom);
  const reach = (end: "low" | "high"): number =>
    Math.hypot(
      ...sides.map(({ values, interval }) =>
        interval === undefined ? Infinity : mean(values) - interval[end]
      ),
    );
  const isAnyFlat = sides.some(({ isFlat }) => isFlat);
  const [below, above] = isAnyFlat ? [reach("low"), reach("high")] : [t * error, t * error];
  if (below + above === Infinity) return open;
  return {
    ...base,
    low: Math.max(-most, difference - below),
    high: Math.min(most, difference + above),
    errors: [below / t, above / t],
    freedom,
    isFlat: false, // both ends hold the unseen shares already
  };
}

/** Whether the second condition's score is so near an end that the margin has no room. */
export function liesAtBound(
  { measure, direction, margin }: Omit<Stated, "isAtBound">,
  [gap]: readonly Gap[],
): boolean {
  if (gap === undefined || !DIFFERENCES.has(measure)) return false;
  const { below, above } = gap.room;
  if (!allowsLoss({ direction })) return Math.min(below, above) < margin;
  return (sign({ direction }) > 0 ? below : above) < margin;
}

/** The p-values of a difference from the claim's bound and, of claims that know ties, of a tie. */
export function pairOfP(stated: Stated, estimate: Estimate): (number | undefined)[] {
  const p = pOf(estimate, boundOf(stated));
  const { margin } = stated;
  if (
    p === undefined || allowsLoss(stated) || stated.isAtBound || Math.abs(estimate.mean) >= margin
  ) return [p];
  return [p, Math.max(...[-margin, margin].map((bound) => pOf(estimate, bound) ?? 1))];
}

/** The greater p-value of Student's and, where most clusters agree, of the unseen share. */
function pOf(
  { mean, low, most, errors: [below, above], freedom, clusters, isFlat }: Estimate,
  bound: number,
): number | undefined {
  if (low === undefined) return undefined;
  return Math.max(
    freedom > 0 ? tTwoSided((mean - bound) / (mean > bound ? below : above), freedom) : 0,
    isFlat ? unseenP(mean, clusters, [-most, most], bound) : 0,
  );
}
