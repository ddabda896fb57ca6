/**
 * A paper's comparative sentences as tests over the episodes of its studies: `data/papers/<paper>_claims.csv`, in our own words.
 *
 * Two conditions are compared on the same cases (game, seed, attempt). Their differences are averaged within a cluster, and the clusters count once
 * each: d̄ over G clusters with Student's interval. Scores keep to the range of their worlds; steps, tokens and expense are compared by the natural
 * logarithm of their ratio.
 *
 * | verdict | of "more", with margin m > 0 | of "no less" |
 * |---|---|---|
 * | supported | the interval lies above 0 | above −m |
 * | contradicted | it lies below m, not above 0: no advantage that counts | below −m |
 * | cannot tell | otherwise | otherwise |
 *
 * Either needs p ≤ 0.05 against the bound that the interval clears, after Holm's correction for the claims of the paper. "Less" and "no more" are these
 * with the sign exchanged. A margin is at most the advantage that the paper itself reports. Where the second condition lies within the margin of the
 * best or the worst value there is (of "no less", of the worst), either verdict needs an interval on one side of 0. Where more than half of the
 * clusters lie within m/2 of their median, and no others on both sides of it, the interval also holds that of a share of clusters that none of G showed (Clopper and Pearson 1934): an
 * unseen share q = 1 − 0.025^(1/G) may lie at either end of the range; where all are equal and the range is open there is none. Fewer than six clusters
 * tell nothing: if each were as likely to lie on either side, all would lie on one in 2^(1−G) of cases, 6 % of five. The column `cluster` of the file
 * says what counts once: a `case` (game, seed and attempt), a `game`, or `case (game in <world>)`, where the cases of a game of that world are one. The
 * column `exist` says how many clusters the paper's condition has on each side, where it names its tasks or games.
 */

import { mean, sampleVariance } from "simple-statistics";
import { episodesNeeded, holm } from "../stats/paired.ts";
import { tQuantile, tTwoSided } from "../stats/distributions.ts";
import { areEqual, meanInterval, unseenInterval, unseenP } from "../stats/intervals.ts";
import type { Store } from "../store/open.ts";
import { DIFFERENCES, episodesOf, type Gap, gapIn, type PaperClaims } from "./claim-cases.ts";
import { paperTable } from "./paper.ts";

/** A verdict on a claim. */
export type Verdict = "supported" | "contradicted" | "cannot tell" | "not played" | "incomplete";

/** A claim and what became of it. */
export interface TestedClaim {
  readonly id: string;
  readonly source: string;
  readonly claim: string;
  readonly measure: string;
  readonly direction: string;
  readonly margin: number;
  /** Pairs of episodes with a value, those without one, the clusters of each gain that they lie in, and the games of these. */
  readonly pairs: number;
  readonly valueless: number;
  readonly clusters: readonly number[];
  readonly games: number;
  /** Clusters that there are in the paper's condition, on each side of two gains; absent where more can always be played. */
  readonly existing?: number;
  /** Whether pairs of only some of them were planned. */
  readonly isPartial: boolean;
  /** Mean difference of the first condition from the second, and its 95 % interval; absent where there is no pair, or none. */
  readonly difference?: number;
  readonly low?: number;
  readonly high?: number;
  /** Two-sided p-value of the test that decides, against the margin where contradicted, with Holm's correction over the claims of the paper. */
  readonly p?: number;
  readonly verdict: Verdict;
  /** Whether the second condition is so good or so bad that the margin has no room: only a difference from 0 counts. */
  readonly isAtBound: boolean;
  /** Clusters with which the interval would clear one of the bounds, were difference and spread to stay as they are; where it cannot tell. */
  readonly needed?: number;
  /** Ids of the episodes compared. */
  readonly episodes: readonly string[];
}

/** Tests every claim of a paper over some of its studies, the first of which counts where several have the same case. */
export function testClaims(claims: PaperClaims, store: Store, studies: readonly string[]): TestedClaim[] {
  const played = studies.flatMap((study) => episodesOf(claims, store, study));
  const rows = paperTable(claims.file);
  const found = rows.map((row) => {
    const { id = "", source = "", claim = "", measure = "", direction = "", margin = "" } = row;
    const gaps = [row["where"], row["against"]].filter((pattern) => pattern).map((pattern) => gapIn(played, row, pattern ?? ""));
    const text = { id, source, claim, measure, direction, margin: Number(margin), existing: Number(row["exist"]) || undefined };
    const stated = { ...text, isAtBound: liesAtBound(text, gaps) };
    return { stated, gaps, estimate: estimateOf(gaps, stated) };
  });
  const corrected = (bound: "above" | "below"): (number | undefined)[] =>
    holm(found.map(({ stated, estimate }) => estimate && pOf(estimate, boundsOf(stated)[bound])));
  const [above, below] = [corrected("above"), corrected("below")];
  const tests = Math.max(1, found.filter(({ estimate }) => estimate?.low !== undefined).length);
  return found.map(({ stated, gaps, estimate }, index): TestedClaim => {
    const episodes = [...new Set(gaps.flatMap((gap) => gap.episodes))];
    const sum = (of: (gap: Gap) => number): number => gaps.reduce((total, gap) => total + of(gap), 0);
    const counts = {
      pairs: sum((gap) => gap.pairs),
      valueless: sum((gap) => gap.valueless),
      clusters: gaps.map((gap) => gap.clusters.length),
      games: sum((gap) => gap.games),
      episodes,
    };
    const isPlayed = gaps.length > 0 && gaps.every(({ planned }) => planned > 0);
    const isPartial = isPlayed && gaps.some(({ plannedClusters }) => plannedClusters < (stated.existing ?? 0));
    const verdict = !isPlayed
      ? "not played"
      : gaps.some(({ missing }) => missing > 0)
      ? "incomplete"
      : gaps.some(({ hasZero }) => hasZero)
      ? "cannot tell"
      : verdictOf(stated, estimate, above[index], below[index]);
    const needed = verdict === "cannot tell" && estimate ? neededFor(stated, estimate, 0.05 / tests) : undefined;
    const p = verdict === "contradicted" ? below[index] : above[index];
    const ends = [estimate?.low, estimate?.high].map((end) => end === undefined ? undefined : sign(stated) * end);
    const [low, high] = sign(stated) < 0 ? ends.reverse() : ends;
    return {
      ...stated,
      ...counts,
      isPartial,
      difference: estimate && sign(stated) * estimate.mean,
      low,
      high,
      p,
      verdict,
      needed,
    };
  });
}

/** A mean difference in the direction of a claim, with its standard error. */
interface Estimate {
  readonly mean: number;
  /** Absent where there is no interval. */
  readonly low?: number;
  readonly high?: number;
  /** Standard errors towards the lower and the upper end, 0 where all clusters have the same difference; and their degrees of freedom. */
  readonly errors: readonly [number, number];
  readonly freedom: number;
  /** Whether a share of clusters that none showed counts, too, since their spread is made by few. */
  readonly isFlat: boolean;
  readonly clusters: number;
  /** The greatest difference there can be. */
  readonly most: number;
}

/**
 * The estimate of one gap (Student), or of the first one less the second (Welch). Where most clusters of one of the two agree, the intervals of both are
 * combined by their squares (Zou and Donner 2008), since a side without a spread is not known exactly.
 */
function estimateOf(gaps: readonly Gap[], stated: Stated): Estimate | undefined {
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
  const untold: Estimate = { ...base, errors: [0, 0], freedom: 0 };
  if (clusters < 2) return untold;
  if (sides.every(({ isEqual }) => isEqual)) return { ...untold, ...unseenInterval(difference, clusters, [-most, most]) };
  const parts = sides.map(({ values, isEqual }) => ({ part: isEqual ? 0 : sampleVariance(values) / values.length, n: values.length }));
  const variance = parts.reduce((sum, { part }) => sum + part, 0);
  const freedom = Math.max(1, Math.floor(variance ** 2 / parts.reduce((sum, { part, n }) => sum + part ** 2 / (n - 1), 0) + 1e-9));
  const t = tQuantile(0.975, freedom);
  const [{ interval: single } = {}] = sides;
  if (sides.length === 1 && single) {
    const error = Math.sqrt(variance);
    return { ...base, low: single.low, high: single.high, errors: [error, error], freedom };
  }
  const halves = sides.some(({ isFlat }) => isFlat)
    ? (["low", "high"] as const).map((end) =>
      Math.hypot(...sides.map(({ values, interval }) => interval === undefined ? Infinity : mean(values) - interval[end]))
    )
    : [t * Math.sqrt(variance), t * Math.sqrt(variance)];
  const [below = NaN, above = NaN] = halves;
  if (below + above === Infinity) return untold;
  const ends = { low: Math.max(-most, difference - below), high: Math.min(most, difference + above) };
  return { ...base, ...ends, errors: [below / t, above / t], freedom, isFlat: false }; // both ends hold the unseen shares already
}

type Stated = Pick<TestedClaim, "measure" | "direction" | "margin" | "isAtBound">;

/** −1 of a claim that there is less, or no more. */
export function sign({ direction }: Pick<Stated, "direction">): number {
  return direction === "less" || direction === "no more" ? -1 : 1;
}

/**
 * Whether the second condition lies at a bound. Of a claim of an advantage: near the best score nothing can be ahead of it by the margin, and near the
 * worst one both may have failed alike. Of a claim of no loss: near the worst score nothing can be behind it by the margin.
 */
function liesAtBound({ measure, direction, margin }: Omit<Stated, "isAtBound">, [gap]: readonly Gap[]): boolean {
  if (gap === undefined || !DIFFERENCES.has(measure)) return false;
  const { below, above } = gap.room;
  if (!direction.startsWith("no ")) return Math.min(below, above) < margin;
  return (sign({ direction }) > 0 ? below : above) < margin;
}

/** The differences that the interval of a supported claim lies above, and that of a contradicted one below. */
function boundsOf({ direction, margin, isAtBound }: Stated): { above: number; below: number } {
  if (isAtBound) return { above: 0, below: 0 };
  return direction.startsWith("no ") ? { above: -margin, below: -margin } : { above: 0, below: margin };
}

/**
 * The two-sided p-value of a difference from a bound: Student's and, where most clusters agree, that of the unseen share which, at the end of the range,
 * would make it the bound, whichever is greater.
 */
function pOf({ mean, low, most, errors: [below, above], freedom, clusters, isFlat }: Estimate, bound: number): number | undefined {
  if (low === undefined) return undefined;
  return Math.max(
    freedom > 0 ? tTwoSided((mean - bound) / (mean > bound ? below : above), freedom) : 0,
    isFlat ? unseenP(mean, clusters, [-most, most], bound) : 0,
  );
}

/** The fewest clusters that tell anything. */
export const LEAST_CLUSTERS = 6;

function verdictOf(stated: Stated, estimate: Estimate | undefined, p = 1, pBelow = 1): Verdict {
  const { low, high, clusters = 0 } = estimate ?? {}; // of pairs without a value, such as steps of failures, there is no estimate
  if (low === undefined || high === undefined || clusters < LEAST_CLUSTERS) return "cannot tell";
  const { above, below } = boundsOf(stated);
  if (low > above) return p <= 0.05 ? "supported" : "cannot tell";
  return high < below && pBelow <= 0.05 ? "contradicted" : "cannot tell";
}

/**
 * The fewest clusters (of two gains, on the side that has fewer) with which an interval of level 1 − `alpha` would clear a bound, were difference and
 * spread to stay.
 */
function neededFor(stated: Stated, { mean, low, most, errors, freedom, clusters, isFlat }: Estimate, alpha: number): number | undefined {
  if (low === undefined) return undefined;
  const { above, below } = boundsOf(stated);
  const ends = [
    { room: mean - above, error: errors[0], reach: mean + most },
    ...low > above ? [] : [{ room: below - mean, error: errors[1], reach: most - mean }], // what clears the one bound is not held against the other
  ];
  const counts = ends.flatMap(({ room, error, reach }) => {
    const sd = error * Math.sqrt(clusters);
    // below a hundredth of a standard deviation the count would run to tens of thousands: there is nothing to tell
    const spread = freedom === 0 ? [LEAST_CLUSTERS] : room >= 0.01 * sd ? [episodesNeeded({ sd, halfWidth: room, level: 1 - alpha })] : [];
    const share = room / reach; // the unseen one that leaves this end at its bound
    const unseen = !isFlat ? [LEAST_CLUSTERS] : share > 0 && share < 1 ? [Math.ceil(Math.log(alpha / 2) / Math.log(1 - share))] : [];
    return spread.flatMap((one) => unseen.map((other) => Math.max(LEAST_CLUSTERS, one, other)));
  });
  return counts.length > 0 ? Math.min(...counts) : undefined;
}
