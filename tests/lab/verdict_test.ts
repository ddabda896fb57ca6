import assert from "node:assert/strict";
import { type ClaimEvidence, type ClaimTerms, verdict } from "../../lib/lab/verdict.ts";

/**
 * The outcome of a claim of margin 0.1 by an interval in the sign of the measure, its p-values and
 * twelve games.
 */
function outcome(
  direction: ClaimTerms["direction"],
  [low, high]: readonly [number, number],
  more: Partial<ClaimEvidence & ClaimTerms> = {},
): string {
  const difference = { mean: (low + high) / 2, low, high };
  return verdict({ direction, margin: 0.1, ...more }, {
    games: 12,
    difference,
    p: 0.05,
    pTie: 0.05,
    ...more,
  }).outcome;
}

Deno.test("verdict() supports what lies beyond 0 and reaches the margin, contradicts what lies on the other side", () => {
  assert.equal(outcome("more", [0.05, 0.15]), "supported"); // the mean is the margin
  assert.equal(outcome("more", [0.05, 0.14]), "supported, negligible");
  assert.equal(outcome("more", [0.01, 0.05]), "supported, negligible");
  assert.equal(outcome("more", [0, 0.5]), "not significant"); // 0 lies inside
  assert.equal(outcome("more", [-0.5, -0.01]), "contradicted");
  assert.equal(outcome("more", [-0.5, 0]), "not significant");
  assert.equal(outcome("more", [-0.5, 0.05]), "not significant"); // below the margin, and 0 inside: no contradiction
  assert.equal(outcome("less", [-0.3, -0.1]), "supported");
  assert.equal(outcome("less", [0.1, 0.3]), "contradicted");
  assert.equal(outcome("less", [-0.09, -0.01]), "supported, negligible");
});

Deno.test("verdict() calls a tie what holds 0 and lies within the margin", () => {
  for (const direction of ["more", "less"] as const) {
    assert.equal(outcome(direction, [-0.09, 0.09]), "tie");
    assert.equal(outcome(direction, [-0.1, 0.09]), "not significant"); // a difference of the margin counts
    assert.equal(outcome(direction, [-0.09, 0.1]), "not significant");
    assert.equal(outcome(direction, [0, 0.05]), "tie");
    assert.equal(outcome(direction, [-0.09, 0.09], { pTie: 0.051 }), "not significant");
  }
});

Deno.test("verdict() allows a claim of no loss a loss below the margin", () => {
  assert.equal(outcome("no less", [-0.09, 0.01]), "supported");
  assert.equal(outcome("no less", [-0.09, -0.01]), "supported");
  assert.equal(outcome("no less", [-0.1, 0.3]), "not significant");
  assert.equal(outcome("no less", [-0.3, -0.11]), "contradicted");
  assert.equal(outcome("no less", [-0.3, -0.1]), "not significant");
  assert.equal(outcome("no more", [-0.3, 0.09]), "supported");
  assert.equal(outcome("no more", [0.11, 0.3]), "contradicted");
});

Deno.test("verdict() needs a p-value of at most 0.05, six games and an interval", () => {
  assert.equal(outcome("more", [0.1, 0.3], { p: 0.0501 }), "not significant");
  assert.equal(outcome("more", [-0.3, -0.1], { p: 0.0501 }), "not significant");
  assert.equal(outcome("more", [0.1, 0.3], { games: 6 }), "supported");
  assert.equal(outcome("more", [0.1, 0.3], { games: 5 }), "not significant");
  assert.equal(outcome("more", [-0.01, 0.01], { games: 5 }), "not significant");
  assert.deepEqual(verdict({ direction: "more", margin: 0.1 }, { games: 12 }), {
    outcome: "not significant",
    why: "no interval",
  });
  assert.match(
    verdict({ direction: "more", margin: 0.1 }, { games: 1 }).why ?? "",
    /1 of the 6 games/,
  );
});

Deno.test("verdict() of a second condition at a bound tells differences from 0 alone", () => {
  const isAtBound = true;
  assert.equal(outcome("more", [-0.05, 0.05], { isAtBound }), "not significant");
  assert.equal(outcome("more", [-0.3, -0.1], { isAtBound }), "contradicted");
  assert.equal(outcome("no less", [-0.05, 0.05], { isAtBound }), "not significant");
  assert.equal(outcome("no less", [0.01, 0.05], { isAtBound }), "supported");
});

Deno.test("verdict() asks first whether the claim was tested, then whether the baseline is the paper's", () => {
  const baseline = { paper: 0.9, tolerance: 0.1, low: 0, high: 0.3 };
  assert.equal(outcome("more", [0.5, 0.9], { baselines: [baseline] }), "baseline not reproduced");
  assert.equal(
    outcome("more", [0.5, 0.9], { baselines: [baseline], games: 2 }),
    "baseline not reproduced",
  );
  assert.equal(
    outcome("more", [0.5, 0.9], { baselines: [{ ...baseline, high: 0.8 }] }),
    "supported",
  ); // they have 0.8 in common
  assert.equal(
    outcome("more", [0.5, 0.9], {
      baselines: [{ paper: 0.3, tolerance: 0.1, low: 0.41, high: 0.6 }],
    }),
    "baseline not reproduced",
  );
  assert.equal(
    outcome("more", [0.5, 0.9], {
      baselines: [{ paper: 0.3, tolerance: 0.1, low: 0.4, high: 0.6 }],
    }),
    "supported",
  );
  const { outcome: found, why } = verdict({ direction: "more", margin: 0.1 }, {
    games: 12,
    baselines: [baseline],
    untested: "not played",
  });
  assert.deepEqual([found, why], ["not tested", "not played"]);
});
