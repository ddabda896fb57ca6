/**
 * A paper's comparative sentences as tests over the episodes of its studies:
 * `data/papers/<paper>_claims.csv`.
 *
 * `docs/reference/statistics.md` says how they are tested. Scores keep to the range of their
 * worlds; steps, tokens and expense are compared by the natural logarithm of their ratio. p-values
 * of a difference and of a tie are corrected each among themselves.
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

import { meanInterval } from "../core/stats/intervals.ts";
import { holm } from "../core/stats/paired.ts";
import { type Estimate, estimateOf, liesAtBound, pairOfP, type Stated } from "./claim-estimates.ts";
import {
  episodesOf,
  type Gap,
  gapIn,
  type PaperClaims,
  type Played,
  sideOf,
  stepLimits,
} from "./claim-cases.ts";
import { paperTable } from "../lab/paper-numbers.ts";
import type { Store } from "../lab/store/open.ts";
import {
  type Baseline,
  type ClaimEvidence,
  type ClaimOutcome,
  type ClaimTerms,
  MIN_GAMES,
  sign,
  verdict,
} from "../lab/verdict.ts";

export interface TestedClaim extends Required<ClaimTerms> {
  readonly id: string;
  readonly source: string;
  readonly claim: string;
  readonly measure: string;
  /** Number of pairs of episodes in which both have a value. */
  readonly pairs: number;
  /** Number of clusters (games) of these pairs, for each gain of the claim. */
  readonly clusters: readonly number[];
  /** First condition less second, and its 95 % interval, where there is one. */
  readonly difference?: number;
  readonly low?: number;
  readonly high?: number;
  /** Two-sided, of the test that decides, with Holm's correction over the claims of the paper. */
  readonly p?: number;
  readonly verdict: ClaimOutcome;
  readonly why?: string;
}

type Row = Readonly<Record<string, string>>;

/** Tests every claim of a paper over studies; of several with the same case the first counts. */
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
    };
  });
}

function statedOf(
  row: Row,
  gaps: readonly Gap[],
): Stated & Pick<TestedClaim, "id" | "source" | "claim"> {
  const { id = "", source = "", claim = "", measure = "" } = row;
  const direction = row["direction"] as ClaimTerms["direction"];
  const terms = { id, source, claim, measure, direction, margin: Number(row["margin"]) };
  return { ...terms, isAtBound: liesAtBound(terms, gaps) };
}

/** Why a claim is not tested; `undefined` where it is. */
function untestedOf(row: Row, gaps: readonly Gap[], played: readonly Played[]): string | undefined {
  if (gaps.length === 0 || gaps.some(({ planned }) => planned === 0)) return "not played";
  const sum = (of: "missing" | "planned"): number =>
    gaps.reduce((total, gap) => total + gap[of], 0);
  if (sum("missing") > 0) return `${sum("missing")} of ${sum("planned")} pairs are not completed`;
  if (gaps.some(({ pairs, hasZero }) => pairs === 0 && !hasZero)) return "no pair has a value";
  const compared = new Set(gaps.flatMap(({ episodes }) => episodes));
  const models = played.filter(({ episode }) => compared.has(episode)).map(({ models }) => models);
  return sharedModel(row, (role) => models.flatMap((of) => of[role] ?? []));
}

/** A line if one model has roles on both sides of a claim's column `roles`. */
export function sharedModel(
  { roles = "" }: Row,
  modelsOf: (role: string) => readonly string[],
): string | undefined {
  if (roles === "") return undefined;
  const [ones = [], others = []] = roles.split("|").map((side) =>
    side.split(" ").flatMap(modelsOf)
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
