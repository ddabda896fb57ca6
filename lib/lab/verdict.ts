/**
 * What becomes of a comparative sentence of a paper, by the difference between its two conditions,
 * d (in the direction of the sentence), the 95 % interval of d, and the margin m > 0, the smallest
 * difference that counts.
 *
 * | outcome | of "more" and "less" | of "no less" and "no more" |
 * |---|---|---|
 * | not tested | one model answered two roles that the sentence sets apart, the conditions were not played to the end, or no pair has a value | the same |
 * | baseline not reproduced | the interval of the second condition's mean and that of the paper's have no value in common | the same |
 * | supported | the interval lies above 0, and d ≥ m | above −m |
 * | supported, negligible | the interval lies above 0, and d < m | – |
 * | contradicted | the interval lies below 0 | below −m |
 * | tie | the interval holds 0 and lies within (−m, m) | – |
 * | not significant | otherwise, and of fewer than six independent games | the same |
 *
 * The first line that holds counts. An interval decides only where its p-value, corrected for the
 * other sentences of the paper, is at most 0.05: `p` of a difference from 0 (from −m), `pTie` of one
 * from the nearer of −m and m. Fewer than six games decide nothing: of five that were as likely to
 * lie on either side, all would lie on one in 2 · 0.5⁵ = 6 % of cases.
 */

/** What became of a claim. */
export type ClaimOutcome =
  | "supported"
  | "supported, negligible"
  | "contradicted"
  | "tie"
  | "not significant"
  | "baseline not reproduced"
  | "not tested";

/** What a claim says. */
export interface ClaimTerms {
  /** How the first condition differs from the second one. */
  readonly direction: "more" | "less" | "no more" | "no less";
  /** The smallest difference that counts, > 0, in the unit of the measure. */
  readonly margin: number;
  /**
   * Whether the margin has no room: only a difference from 0 is significant.
   * @default {false}
   */
  readonly isAtBound?: boolean;
}

/** The second condition's mean in the paper with its interval, and the ends of ours. */
export interface Baseline {
  /** The paper's mean. */
  readonly paper: number;
  /** Half the width of its 95 % interval, > 0. */
  readonly tolerance: number;
  /** The lower end of ours. */
  readonly low: number;
  /** The upper end of ours. */
  readonly high: number;
}

/** What was played. */
export interface ClaimEvidence {
  /** Why the claim cannot be tested, e.g. `one model explores and acts`. */
  readonly untested?: string;
  /**
   * The second condition of each gain, where the paper's mean compares.
   * @default {[]}
   */
  readonly baselines?: readonly Baseline[];
  /** Independent games or layouts, of two gains on the side that has fewer. */
  readonly games: number;
  /** The first condition less the second with its 95 % interval; absent where there is none. */
  readonly difference?: { readonly mean: number; readonly low: number; readonly high: number };
  /** Corrected two-sided p-value of the difference from 0, or from −m. @default {1} */
  readonly p?: number;
  /** The greater of the corrected two-sided p-values from −m and from m. @default {1} */
  readonly pTie?: number;
}

/** An outcome, with the reason if the numbers do not show it. */
export interface Judged {
  /** One of the seven. */
  readonly outcome: ClaimOutcome;
  /** The reason, where the numbers do not say it. */
  readonly why?: string;
}

export const MIN_GAMES = 6;

/**
 * The verdict on a claim.
 *
 * @example
 * ```ts
 * import { verdict } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const claim = { direction: "more", margin: 0.1 } as const;
 * const of = (mean: number, half: number) =>
 *   verdict(claim, { games: 12, difference: { mean, low: mean - half, high: mean + half }, p: 0.01, pTie: 0.01 }).outcome;
 * assert.deepEqual([of(0.3, 0.1), of(0.06, 0.05), of(-0.3, 0.1)], ["supported", "supported, negligible", "contradicted"]);
 * assert.deepEqual([of(0, 0.05), of(0, 0.2)], ["tie", "not significant"]);
 * ```
 */
export function verdict(
  claim: ClaimTerms,
  { untested, baselines = [], games, difference, p = 1, pTie = 1 }: ClaimEvidence,
): Judged {
  if (untested !== undefined) return { outcome: "not tested", why: untested };
  const beyond = baselines.find(({ paper, tolerance, low, high }) =>
    high < paper - tolerance || low > paper + tolerance
  );
  if (beyond) {
    const { paper, low, high } = beyond;
    return {
      outcome: "baseline not reproduced",
      why: `${shown(paper)} in the paper, ours lies between ${shown(low)} and ${shown(high)}`,
    };
  }
  if (games < MIN_GAMES) {
    return {
      outcome: "not significant",
      why: `${games} of the ${MIN_GAMES} games needed`,
    };
  }
  if (!difference) return { outcome: "not significant", why: "no interval" };
  const { mean, low, high } = towards(claim, difference);
  const bound = boundOf(claim);
  if (low > bound && p <= 0.05) {
    return {
      outcome: allowsLoss(claim) || mean >= claim.margin ? "supported" : "supported, negligible",
    };
  }
  if (high < bound && p <= 0.05) return { outcome: "contradicted" };
  if (claim.isAtBound) return { outcome: "not significant", why: "at a bound" };
  const isWithin = low > -claim.margin && high < claim.margin && low <= 0 && high >= 0;
  return { outcome: !allowsLoss(claim) && isWithin && pTie <= 0.05 ? "tie" : "not significant" };
}

function shown(value: number): string {
  return `${Number(value.toPrecision(2))}`;
}

/** Whether a claim says "no less" or "no more". */
export function allowsLoss({ direction }: Pick<ClaimTerms, "direction">): boolean {
  return direction.startsWith("no ");
}

export function sign({ direction }: Pick<ClaimTerms, "direction">): number {
  return direction === "less" || direction === "no more" ? -1 : 1;
}

/** The bound that the interval must clear, in the direction of a claim. */
export function boundOf({ direction, margin, isAtBound = false }: ClaimTerms): number {
  return allowsLoss({ direction }) && !isAtBound ? -margin : 0;
}

function towards(
  claim: ClaimTerms,
  { mean, low, high }: NonNullable<ClaimEvidence["difference"]>,
): NonNullable<ClaimEvidence["difference"]> {
  return sign(claim) > 0 ? { mean, low, high } : { mean: -mean, low: -high, high: -low };
}
