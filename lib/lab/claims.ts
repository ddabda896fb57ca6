/**
 * A paper's comparative sentences as tests over the episodes of its studies:
 * `data/papers/<paper>_claims.csv`, in our own words.
 *
 * Two conditions are compared on the same cases (game, seed, attempt). Their differences are
 * averaged within an independent game, and the games count once each: d̄ over G games with
 * Student's interval. Scores keep to the range of their worlds; steps, tokens and expense are
 * compared by the natural logarithm of their ratio. What follows from the interval is `verdict`'s
 * to say; p-values have Holm's correction for the claims of the paper that were tested, those of a
 * difference and those of a tie each among themselves.
 *
 * A margin is at most the advantage that the paper itself reports. Where the second condition lies
 * within the margin of the best or the worst value there is (of "no less", of the worst), only an
 * interval on one side of 0 tells. Where more than half of the games lie within m/2 of their
 * median, and no others on both sides of it, the interval also holds that of a share of games that
 * none of G showed (Clopper and Pearson 1934): an unseen share q = 1 − 0.025^(1/G) may lie at
 * either end of the range; where all are equal and the range is open there is none.
 *
 * Columns of the file: `cluster` says what an independent game is: a `game` by its label, a
 * `layout` of one (by its index and the seed of its world, however often it is attempted), or
 * `layout (game in <world>)`, where the layouts of a game of that world are one; `exist` how many
 * the paper's condition has on each side, where it names them; `paper_a` and `paper_b` the paper's
 * means of the two conditions, of two gains with `|` between; `tolerance` half the width of the 95
 * % interval of `paper_b`, 1.96 printed standard errors, where our game and measure are the
 * paper's; `limit` the agent steps below which an episode says nothing of the paper's baseline;
 * `sd` the standard deviation of the difference between games; `roles` the roles on both sides of
 * `|` that must be answered by different models.
 */

import { mean, sampleVariance } from "simple-statistics";
import { episodesNeeded, holm } from "../core/stats/paired.ts";
import { tQuantile, tTwoSided } from "../core/stats/distributions.ts";
import { areEqual, meanInterval, unseenInterval, unseenP } from "../core/stats/intervals.ts";
import type { Store } from "./store/open.ts";
import { settingsOf } from "./settings.ts";
import {
  DIFFERENCES,
  episodesOf,
  type Gap,
  gapIn,
  type PaperClaims,
  type Played,
  sideOf,
} from "./claim-cases.ts";
import { paperTable } from "./paper-numbers.ts";
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

/** A claim and what became of it. */
export interface TestedClaim {
  readonly id: string;
  readonly source: string;
  readonly claim: string;
  readonly measure: string;
  readonly direction: ClaimTerms["direction"];
  readonly margin: number;
  /**
   * Pairs of episodes with a value, those without one, the clusters of each gain that they lie in,
   * and the games of these.
   */
  readonly pairs: number;
  readonly valueless: number;
  readonly clusters: readonly number[];
  readonly games: number;
  /**
   * Clusters that there are in the paper's condition, on each side of two gains; absent where more
   * can always be played.
   */
  readonly existing?: number;
  /** Whether pairs of only some of them were planned. */
  readonly isPartial: boolean;
  /**
   * Mean difference of the first condition from the second, and its 95 % interval; absent where
   * there is no pair, or none.
   */
  readonly difference?: number;
  readonly low?: number;
  readonly high?: number;
  /**
   * Two-sided p-value of the test that decides, against the margin of a tie, with Holm's correction
   * over the claims of the paper.
   */
  readonly p?: number;
  readonly verdict: ClaimOutcome;
  /** Why, where the numbers do not say it. */
  readonly why?: string;
  /**
   * Whether the second condition is so good or so bad that the margin has no room: only a
   * difference from 0 counts.
   */
  readonly isAtBound: boolean;
  /**
   * Games with which the interval would clear one of the bounds, were difference and spread to stay
   * as they are; where it is not significant.
   */
  readonly needed?: number;
  /** Ids of the episodes compared. */
  readonly episodes: readonly string[];
}

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
  const settings = new Map(studies.flatMap((study) => [...settingsOf(store, study)]));
  const isCut = ({ limit }: Readonly<Record<string, string>>, gaps: readonly Gap[]): boolean =>
    gaps.some(({ episodes }) =>
      episodes.some((id) => (settings.get(id)?.steps ?? Infinity) < Number(limit ?? 0))
    );
  const found = paperTable(claims.file).map((row) => {
    const gaps = sideOf(row).map((pattern) => gapIn(played, row, pattern));
    const stated = statedOf(row, gaps);
    const estimate = estimateOf(gaps, stated);
    const untested = untestedOf(row, gaps, played);
    const isTested = untested === undefined && estimate !== undefined &&
      estimate.clusters >= MIN_GAMES;
    return {
      row,
      stated,
      gaps,
      estimate,
      untested,
      tests: isTested ? pairOfP(stated, estimate) : [],
    };
  });
  const [ps, ties] = [0, 1].map((which) => holm(found.map(({ tests }) => tests[which])));
  const tests = Math.max(1, found.filter(({ tests: [p] }) => p !== undefined).length);
  return found.map(({ row, stated, gaps, estimate, untested }, index): TestedClaim => {
    const sum = (of: (gap: Gap) => number): number =>
      gaps.reduce((total, gap) => total + of(gap), 0);
    const isPartial = sum(({ planned }) => planned) > 0 &&
      gaps.some(({ plannedClusters }) => plannedClusters < (stated.existing ?? 0));
    const difference = differenceOf(stated, estimate);
    const [p, pTie] = [ps?.[index], ties?.[index]];
    const isRatioOf0 = gaps.some(({ hasZero }) => hasZero);
    const { outcome, why } = verdict(stated, {
      ...{ untested, p, pTie, games: estimate?.clusters ?? 0 },
      difference: isRatioOf0 || difference?.low === undefined
        ? undefined
        : difference as ClaimEvidence["difference"],
      baselines: isPartial || isCut(row, gaps)
        ? []
        : gaps.flatMap((gap, i) => baselineOf(row, gap, i) ?? []),
    });
    const isOpen = outcome === "not significant" && estimate !== undefined && !isRatioOf0;
    return {
      ...stated,
      pairs: sum((gap) => gap.pairs),
      valueless: sum((gap) => gap.valueless),
      clusters: gaps.map((gap) => gap.clusters.length),
      games: sum((gap) => gap.games),
      isPartial,
      difference: difference?.mean,
      low: difference?.low,
      high: difference?.high,
      p: outcome === "tie" ? pTie : p,
      verdict: outcome,
      why: isRatioOf0 && outcome === "not significant" ? "a value is 0, which has no ratio" : why,
      needed: isOpen ? neededFor(stated, estimate, 0.05 / tests) : undefined,
      episodes: [...new Set(gaps.flatMap((gap) => gap.episodes))],
    };
  });
}

/** What a row of the file says, and whether its second condition lies at a bound. */
function statedOf(
  row: Readonly<Record<string, string>>,
  gaps: readonly Gap[],
): Stated & Pick<TestedClaim, "id" | "source" | "claim" | "existing"> {
  const { id = "", source = "", claim = "", measure = "" } = row;
  const direction = row["direction"] as ClaimTerms["direction"];
  const text = {
    id,
    source,
    claim,
    measure,
    direction,
    margin: Number(row["margin"]),
    existing: Number(row["exist"]) || undefined,
  };
  return { ...text, isAtBound: liesAtBound(text, gaps) };
}

/** Why a claim is not tested; `undefined` where it is. */
function untestedOf(
  row: Readonly<Record<string, string>>,
  gaps: readonly Gap[],
  played: readonly Played[],
): string | undefined {
  if (gaps.length === 0 || gaps.some(({ planned }) => planned === 0)) return "not played";
  const missing = gaps.reduce((sum, gap) => sum + gap.missing, 0);
  if (missing > 0) {
    return `${missing} of ${
      gaps.reduce((sum, gap) => sum + gap.planned, 0)
    } pairs are not completed`;
  }
  const compared = new Set(gaps.flatMap(({ episodes }) => episodes));
  const models = played.filter(({ episode }) => compared.has(episode)).map(({ models }) => models);
  return sharedModel(row, (role) => models.flatMap((of) => of[role] ?? []));
}

/**
 * That one model has roles on both sides of a claim's column `roles`; `undefined` where none has,
 * or the claim sets no roles apart.
 */
function sharedModel(
  { roles = "" }: Readonly<Record<string, string>>,
  modelsOf: (role: string) => readonly string[],
): string | undefined {
  if (roles === "") return undefined;
  const [ones = [], others = []] = roles.split("|").map((side) =>
    side.split(" ").flatMap(modelsOf)
  );
  const shared = ones.find((model) => others.includes(model));
  return shared === undefined ? undefined : `${shared} has a weak and the strong role`;
}

/**
 * The paper's mean of the second condition beside the 95 % interval of ours, where they can be
 * compared.
 */
function baselineOf(
  row: Readonly<Record<string, string>>,
  { theirs, range }: Gap,
  side: number,
): Baseline | undefined {
  const [paper, tolerance] = [row["paper_b"], row["tolerance"]].map((cell) =>
    cell?.split("|")[side] ?? ""
  );
  const ours = theirs.length > 1 ? meanInterval(theirs, { range }) : undefined;
  return paper && tolerance && ours
    ? { paper: Number(paper), tolerance: Number(tolerance), low: ours.low, high: ours.high }
    : undefined;
}

/** An estimate in the sign of its measure. */
function differenceOf(
  stated: Stated,
  estimate: Estimate | undefined,
): Partial<NonNullable<ClaimEvidence["difference"]>> | undefined {
  if (!estimate) return undefined;
  const { mean, low, high } = estimate;
  if (sign(stated) > 0) return { mean, low, high };
  return {
    mean: -mean,
    low: high === undefined ? undefined : -high,
    high: low === undefined ? undefined : -low,
  };
}

/** A mean difference in the direction of a claim, with its standard error. */
interface Estimate {
  readonly mean: number;
  /** Absent where there is no interval. */
  readonly low?: number;
  readonly high?: number;
  /**
   * Standard errors towards the lower and the upper end, 0 where all clusters have the same
   * difference; and their degrees of freedom.
   */
  readonly errors: readonly [number, number];
  readonly freedom: number;
  /**
   * Whether a share of clusters that none showed counts, too, since their spread is made by few.
   */
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
  const untold: Estimate = { ...base, errors: [0, 0], freedom: 0 };
  if (clusters < 2) return untold;
  if (sides.every(({ isEqual }) => isEqual)) {
    return { ...untold, ...unseenInterval(difference, clusters, [-most, most]) };
  }
  const parts = sides.map(({ values, isEqual }) => ({
    part: isEqual ? 0 : sampleVariance(values) / values.length,
    n: values.length,
  }));
  const variance = parts.reduce((sum, { part }) => sum + part, 0);
  const freedom = Math.max(
    1,
    Math.floor(
      variance ** 2 / parts.reduce((sum, { part, n }) => sum + part ** 2 / (n - 1), 0) + 1e-9,
    ),
  );
  const t = tQuantile(0.975, freedom);
  const [{ interval: single } = {}] = sides;
  if (sides.length === 1 && single) {
    const error = Math.sqrt(variance);
    return { ...base, low: single.low, high: single.high, errors: [error, error], freedom };
  }
  const halves = sides.some(({ isFlat }) => isFlat)
    ? (["low", "high"] as const).map((end) =>
      Math.hypot(
        ...sides.map(({ values, interval }) =>
          interval === undefined ? Infinity : mean(values) - interval[end]
        ),
      )
    )
    : [t * Math.sqrt(variance), t * Math.sqrt(variance)];
  const [below = NaN, above = NaN] = halves;
  if (below + above === Infinity) return untold;
  const ends = {
    low: Math.max(-most, difference - below),
    high: Math.min(most, difference + above),
  };
  return { ...base, ...ends, errors: [below / t, above / t], freedom, isFlat: false }; // both ends hold the unseen shares already
}

type Stated = Pick<TestedClaim, "measure" | "direction" | "margin" | "isAtBound">;

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

/**
 * The p-values of a difference from the claim's bound, and of one from the nearer end of what a tie
 * is; the latter of claims that know ties.
 */
function pairOfP(stated: Stated, estimate: Estimate): (number | undefined)[] {
  const p = pOf(estimate, boundOf(stated));
  const { margin } = stated;
  if (
    p === undefined || allowsLoss(stated) || stated.isAtBound || Math.abs(estimate.mean) >= margin
  ) return [p];
  return [p, Math.max(...[-margin, margin].map((bound) => pOf(estimate, bound) ?? 1))];
}

/**
 * The two-sided p-value of a difference from a bound: Student's and, where most clusters agree,
 * that of the unseen share which, at the end of the range, would make it the bound, whichever is
 * greater.
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

/**
 * The fewest games (of two gains, on the side that has fewer) with which an interval of level 1 −
 * `alpha` would clear a bound, or be one of a tie, were difference and spread to stay.
 */
function neededFor(stated: Stated, estimate: Estimate, alpha: number): number | undefined {
  const { mean, low, most, errors, freedom, clusters, isFlat } = estimate;
  if (low === undefined) return undefined;
  const { margin } = stated;
  const bound = boundOf(stated);
  const above = { room: mean - bound, error: errors[0], reach: mean + most };
  const below = { room: bound - mean, error: errors[1], reach: most - mean };
  const tie = {
    room: margin - Math.abs(mean),
    error: Math.max(...errors),
    reach: most - Math.abs(mean),
  };
  const ends = [
    mean > bound ? above : below,
    ...allowsLoss(stated) || stated.isAtBound ? [] : [tie],
  ];
  const counts = ends.flatMap(({ room, error, reach }) => {
    const sd = error * Math.sqrt(clusters);
    // below a hundredth of a standard deviation the count would run to tens of thousands: there is
    // nothing to tell
    const spread = freedom === 0
      ? [MIN_GAMES]
      : room >= 0.01 * sd
      ? [episodesNeeded({ sd, halfWidth: room, level: 1 - alpha })]
      : [];
    const share = room / reach; // the unseen one that leaves this end at its bound
    const unseen = !isFlat
      ? [MIN_GAMES]
      : share > 0 && share < 1
      ? [Math.ceil(Math.log(alpha / 2) / Math.log(1 - share))]
      : [];
    return spread.flatMap((one) => unseen.map((other) => Math.max(MIN_GAMES, one, other)));
  });
  return counts.length > 0 ? Math.min(...counts) : undefined;
}
