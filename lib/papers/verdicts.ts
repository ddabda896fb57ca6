/** What became of a paper's comparative claims, as a frame. */

import type { Store } from "../lab/store/open.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";
import type { PaperClaims } from "./claim-cases.ts";
import { testClaims } from "./claims.ts";
import { type DataFrame, frameOf, type FrameSchema } from "../lab/frame-of.ts";
import { checkHeld } from "../lab/held-study.ts";

/** Columns of `verdicts`. */
export const VERDICTS_COLUMNS = {
  /**
   * Id of the claim in `data/papers/<paper>_claims.csv`, where it stands, and what it says in our
   * words.
   */
  ...{ id: "text", source: "text", claim: "text" },
  /** The measure, and the smallest difference of it that counts. */
  ...{ measure: "text", margin: "number" },
  /** Pairs with a value, and their independent games (of two gains, on the side with fewer). */
  ...{ pairs: "integer", games: "integer" },
  /** First condition less second with its 95 % interval; of ratios the logarithm. */
  ...{ effect: "number?", low: "number?", high: "number?" },
  /** Two-sided p-value with Holm's correction over the tested claims of the paper. */
  p: "number?",
  /** One of the seven of `verdict`. */
  verdict: "text",
  /** Why, where the numbers do not say it. */
  why: "text?",
} as const satisfies FrameSchema;

/** Which claims are tested, and what they are tested on. */
export interface VerdictsOptions {
  /**
   * Ids of the claims to show. All of the paper are tested, so that the correction is the same.
   * @default all
   */
  readonly only?: readonly string[];
  /** Measures that only this paper has: name → value of each episode of a study. */
  readonly measures?: PaperClaims["measures"];
}

/**
 * Tests the comparative claims of a paper on some of its studies: a row a claim. Columns:
 * `VERDICTS_COLUMNS`. `claims.ts` and `verdict.ts` test and decide claims.
 *
 * @param paper `arigraph`, `graphmind`, `reasonplanner` or `wese`
 * @throws {UsageError} for a mistyped study, or a paper without a file of claims.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth";
 * import { verdicts } from "labyrinth/papers";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * const [first] = verdicts(store, ["mine"], "graphmind").toRecords();
 * assert.deepEqual([first?.id, first?.verdict, first?.why], ["G1", "not tested", "not played"]);
 * ```
 */
export function verdicts(
  store: Store,
  studies: readonly string[],
  paper: string,
  options: VerdictsOptions = {},
): DataFrame {
  checkKeys("verdicts()", options, ["only", "measures"]);
  const { only, measures } = options;
  for (const study of studies) checkHeld(store, study);
  const rows = testClaims({ file: `${paper}_claims`, measures }, store, studies)
    .filter(({ id }) => only?.includes(id) ?? true)
    .map(({ clusters, difference, ...claim }) => ({
      ...claim,
      games: clusters.length === 0 ? 0 : Math.min(...clusters),
      effect: difference,
    }));
  return frameOf(rows, VERDICTS_COLUMNS);
}
