/**
 * A paper's comparative sentences as tests over the episodes of its studies:
 * `data/papers/<paper>_claims.csv`.
 *
 * Two conditions are compared on the same cases (game, seed, attempt). Their differences are
 * averaged within an independent game, and the games count once each: d̄ over G games with
 * Student's interval. Scores keep to the range of their worlds; steps, tokens and expense are
 * compared by the natural logarithm of their ratio. `verdict` decides by the interval; p-values
 * have Holm's correction over the tested claims of the paper, those of a difference and those of a
 * tie each among themselves.
 *
 * A margin is at most the advantage that the paper reports. Where the second condition lies within
 * the margin of the best or the worst value there is (of "no less", of the worst), only an interval
 * on one side of 0 counts. Where more than half of the games lie within m/2 of their median, and no
 * others on both sides of it, the interval also holds that of a share of games that none of G
 * showed (Clopper and Pearson 1934): an unseen share q = 1 − 0.025^(1/G) may lie at either end of
 * the range; where all are equal and the range is open there is none.
 *
 * Columns of the file: `cluster` is what an independent game is: a `game` by its label, a `layout`
 * of one (by its index and the seed of its world), or `layout (game in <world>)`, where the layouts
 * of a game of that world are one; `exist` how many the paper's condition has on each side;
 * `paper_a` and `paper_b` the paper's means of the two conditions, of two gains with `|` between;
 * `tolerance` half the width of the 95 % interval of `paper_b`, where our game and measure are the
 * paper's; `limit` the agent steps below which an episode says nothing of the paper's baseline;
 * `roles` the roles on both sides of `|` that must be answered by different models.
 */

import { mean, sampleVariance } from "simple-statistics";
import { tQuantile, tTwoSided } from "../core/stats/distributions.ts";
import { areEqual, meanInterval, unseenInterval, unseenP } from "../core/stats/intervals.ts";
import { episodesNeeded, holm } from "../core/stats/paired.ts";
import {
  DIFFERENCES,
  episodesOf,
  type Gap,
  gapIn,
  type PaperClaims,
  type Played,
  sideOf,
  stepLimits,
} from "./claim-cases.ts";
import { paperTable } from "./paper-numbers.ts";
import type { Store } from "./store/open.ts";
import {
  allowsLoss,
  type Baseline,
  boundOf,
  type ClaimEvidence,
  type ClaimOutcome,
  type ClaimTerms,
  MIN_GAMES,
  sign,
  verdict,
} from "./verdict.ts";

export interface TestedClaim extends Required<ClaimTerms> {
  readonly id: string;
  readonly source: string;
  readonly claim: string;
  readonly measure: string;
  /** Pairs of episodes with a value, and the clusters of each gain that they lie in. */
  readonly pairs: number;
  readonly clusters: readonly number[];
  /** First condition less second, and its 95 % interval, where there is one. */
  readonly difference?: number;
  readonly low?: number;
  readonly high?: number;
  /** Two-sided, of the test that decides, with Holm's correction over the claims of the paper. */
  readonly p?: number;
  readonly verdict: ClaimOutcome;
  readonly why?: string;
  /** Games with which the interval would clear a bound, were mean and spread to stay. */
  readonly needed?: number;
}

type Row = Readonly<Record<string, string>>;

type Stated = Required<ClaimTerms> & Pick<TestedClaim, "id" | "source" | "claim" | "measure">;

/**
 * Tests every claim of a paper over some of its studies, the first of which counts where several
 * have the same case.
 */
export function testClaims(
  claims: PaperClaims,
  store: Store,
  studies: readonly string[],
): TestedClaim[] {
  const played = studies.flatMap((study) => episodesOf(claims, store, study));
  const limits = new Map(studies.flatMap((study) => [...stepLimits(store, study)]));
  const found = paperTable(claims.file).map((row) => {
    const gaps = sideOf(row).map((pattern) => gapIn(played, row, pattern));
    const stated = statedOf(row, gaps);
    const estimate = estimateOf(gaps, stated);
    const untested = untestedOf(row, gaps, played);
    const isTested = untested === undefined && (estimate?.clusters ?? 0) >= MIN_GAMES;
    const tests = isTested && estimate ? pairOfP(stated, estimate) : [];
    return { row, stated, gaps, estimate, untested, tests };
  });
  const [ps, ties] = [0, 1].map((which) => holm(found.map(({ tests }) => tests[which])));
  const tests = Math.max(1, found.filter(({ tests: [p] }) => p !== undefined).length);
  return found.map(({ row, stated, gaps, estimate, untested }, index): TestedClaim => {
    const isPartial = gaps.some(({ planned, plannedClusters }) =>
      planned > 0 && plannedClusters < Number(row["exist"] ?? 0)
    );
    const isCut = gaps.some(({ episodes }) =>
      episodes.some((id) => (limits.get(id) ?? Infinity) < Number(row["limit"] ?? 0))
    );
    const difference = estimate && differenceOf(stated, estimate);
    const [p, pTie] = [ps?.[index], ties?.[index]];
    const isRatioOf0 = gaps.some(({ hasZero }) => hasZero);
    const { outcome, why } = verdict(stated, {
      ...{ untested, p, pTie, games: estimate?.clusters ?? 0 },
      difference: isRatioOf0 || difference?.low === undefined
        ? undefined
        : difference as ClaimEvidence["difference"],
      baselines: isPartial || isCut ? [] : gaps.flatMap((gap, i) => baselineOf(row, gap, i) ?? []),
    });
    const isOpen = outcome === "not significant" && estimate !== undefined && !isRatioOf0;
    return {
      ...stated,
      pairs: gaps.reduce((sum, { pairs }) => sum + pairs, 0),
      clusters: gaps.map((gap) => gap.clusters.length),
      difference: difference?.mean,
      low: difference?.low,
      high: difference?.high,
      p: outcome === "tie" ? pTie : p,
      verdict: outcome,
      why: isRatioOf0 && outcome === "not significant" ? "a value is 0, which has no ratio" : why,
      needed: isOpen ? neededFor(stated, estimate, 0.05 / tests) : undefined,
    };
  });
}

function statedOf(row: Row, gaps: readonly Gap[]): Stated {
  const { id = "", source = "", claim = "", measure = "" } = row;
  const direction = row["direction"] as ClaimTerms["direction"];
  const terms = { id, source, claim, measure, direction, margin: Number(row["margin"]) };
  return { ...terms, isAtBound: liesAtBound(terms, gaps) };
}

/** Why a claim is not tested; `undefined` where it is. */
function untestedOf(
  row: Row,
  gaps: readonly Gap[],
  played: readonly Played[],
): string | undefined {
  if (gaps.length === 0 || gaps.some(({ planned }) => planned === 0)) return "not played";
  const sum = (of: "missing" | "planned"): number =>
    gaps.reduce((total, gap) => total + gap[of], 0);
  if (sum("missing") > 0) return `${sum("missing")} of ${sum("planned")} pairs are not completed`;
  if (gaps.some(({ pairs, hasZero }) => pairs === 0 && !hasZero)) return "no pair has a value";
  if (!row["roles"]) return undefined;
  const compared = new Set(gaps.flatMap(({ episodes }) => episodes));
  const models = played.filter(({ episode }) => compared.has(episode)).map(({ models }) => models);
  const [ones = [], others = []] = row["roles"].split("|").map((side) =>
    side.split(" ").flatMap((role) => models.flatMap((of) => of[role] ?? []))
  );
  const shared = ones.find((model) => others.includes(model));
  return shared === undefined ? undefined : `${shared} has a weak and the strong role`;
}

function baselineOf(row: Row, { theirs, range }: Gap, side: number): Baseline | undefined {
  const [paper, tolerance] = [row["paper_b"], row["tolerance"]].map((cell) =>
    cell?.split("|")[side] ?? ""
  );
  const ours = theirs.length > 1 ? meanInterval(theirs, { range }) : undefined;
  return paper && tolerance && ours
    ? { paper: Number(paper), tolerance: Number(tolerance), low: ours.low, high: ours.high }
    : undefined;
}

function differenceOf(
  stated: Stated,
  { mean, low, high }: Estimate,
): Pick<Estimate, "mean" | "low" | "high"> {
  if (sign(stated) > 0) return { mean, low, high };
  const turned = (end: number | undefined): number | undefined =>
    end === undefined ? undefined : -end;
  return { mean: -mean, low: turned(high), high: turned(low) };
}

interface Estimate {
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

/**
 * Whether the second condition lies at a bound. Of a claim of an advantage: near the best score
 * nothing can be ahead of it by the margin, and near the worst one both may have failed alike. Of a
 * claim of no loss: near the worst score nothing can be behind it by the margin.
 */
function liesAtBound(
  { measure, direction, margin }: Omit<Stated, "isAtBound">,
  [gap]: readonly Gap[],
): boolean {
  if (gap === undefined || !DIFFERENCES.has(measure)) return false;
  const { below, above } = gap.room;
  if (!allowsLoss({ direction })) return Math.min(below, above) < margin;
  return (sign({ direction }) > 0 ? below : above) < margin;
}

/** The p-values of a difference from the claim's bound and, of claims that know ties, of a tie. */
function pairOfP(stated: Stated, estimate: Estimate): (number | undefined)[] {
  const p = pOf(estimate, boundOf(stated));
  const { margin } = stated;
  if (
    p === undefined || allowsLoss(stated) || stated.isAtBound || Math.abs(estimate.mean) >= margin
  ) return [p];
  return [p, Math.max(...[-margin, margin].map((bound) => pOf(estimate, bound) ?? 1))];
}

/**
 * The two-sided p-value of a difference from a bound: the greater of Student's and, where most
 * clusters agree, that of the unseen share which would make it the bound.
 */
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

/** The fewest games with which an interval of level 1 − `alpha` would clear a bound. */
function neededFor(stated: Stated, estimate: Estimate, alpha: number): number | undefined {
  const { mean, low, most, errors, freedom, clusters, isFlat } = estimate;
  if (low === undefined) return undefined;
  const { margin } = stated;
  const bound = boundOf(stated);
  const ends = [
    mean > bound
      ? { room: mean - bound, error: errors[0], reach: mean + most }
      : { room: bound - mean, error: errors[1], reach: most - mean },
    ...allowsLoss(stated) || stated.isAtBound ? [] : [{
      room: margin - Math.abs(mean),
      error: Math.max(...errors),
      reach: most - Math.abs(mean),
    }],
  ];
  const counts = ends.flatMap(({ room, error, reach }) => {
    const sd = error * Math.sqrt(clusters);
    const share = room / reach; // the unseen one that leaves this end at its bound
    // below a hundredth of a standard deviation the count would run to tens of thousands
    if (freedom > 0 && room < 0.01 * sd || isFlat && !(share > 0 && share < 1)) return [];
    const spread = freedom === 0 ? 0 : episodesNeeded({ sd, halfWidth: room, level: 1 - alpha });
    const unseen = isFlat ? Math.ceil(Math.log(alpha / 2) / Math.log(1 - share)) : 0;
    return [Math.max(MIN_GAMES, spread, unseen)];
  });
  return counts.length > 0 ? Math.min(...counts) : undefined;
}
