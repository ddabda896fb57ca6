import assert from "node:assert/strict";
import { orderings, orderingText, type ScoredGame } from "../../lib/memory-bench/ordering.ts";

/** The scores of two memories on two ranges: a's and b's on A, then on B. */
function scores(a: readonly [number[], number[]], b: readonly [number[], number[]]): ScoredGame[] {
  return [["a", a] as const, ["b", b] as const].flatMap(([memory, ranges]) =>
    ranges.flatMap((values, at) =>
      values.map((score, game) => ({ memory, range: "AB"[at] ?? "", game: 10 * at + game, values: { score } }))
    )
  );
}

Deno.test("orderings() says that the order is the same where a leads on both ranges", () => {
  const [pair] = orderings(scores([[0.9, 0.8, 1], [0.7, 0.9, 0.9]], [[0.4, 0.5, 0.6], [0.3, 0.3, 0.2]]));
  assert.deepEqual(pair?.differences.map(({ mean }) => mean.toFixed(3)), ["0.400", "0.567"]);
  assert.match(
    orderingText(pair ? [pair] : []),
    /ranges of seeds is the same \(1 of 1 pairs have the same sign, 1 of them with intervals clear of 0 on both, 0 differ/,
  );
});

Deno.test("orderings() says that the order is not the same where the lead changes beyond the intervals", () => {
  // Differences 0.5, 0.6, 0.4 and −0.5, −0.6, −0.4: each 0.5 ± 4.303 · 0.1/√3 = 0.248.
  const pairs = orderings(scores([[0.9, 1, 0.9], [0.1, 0.2, 0.3]], [[0.4, 0.4, 0.5], [0.6, 0.8, 0.7]]));
  assert.deepEqual(pairs[0]?.differences.map(({ low, high }) => [low?.toFixed(2), high?.toFixed(2)]), [["0.25", "0.75"], [
    "-0.75",
    "-0.25",
  ]]);
  assert.equal(pairs[0]?.verdict, "reversed");
  const mirrored = orderings(scores([[0.4, 0.4, 0.5], [0.6, 0.8, 0.7]], [[0.9, 1, 0.9], [0.1, 0.2, 0.3]]));
  assert.equal(mirrored[0]?.verdict, "reversed");
  assert.match(orderingText(pairs), /is not the same: a and b change places \(0 of 1 pairs/);
});

Deno.test("orderings() says so where the lead changes within the intervals, and where one game a range tells nothing", () => {
  const within = orderings(scores([[1, 0, 0.5], [0, 1, 0.2]], [[0.2, 0.6, 0.3], [0.9, 0.1, 0.5]]));
  assert.deepEqual(within[0]?.differences.map(({ mean }) => Math.sign(mean)), [1, -1]);
  assert.match(orderingText(within), /is the same within the intervals/);
  const single = orderings(scores([[1], [0]], [[0], [1]]));
  assert.equal(single[0]?.verdict, "cannot tell");
  assert.match(orderingText(single), /is unknown: fewer than two games a range/);
});

Deno.test("orderings() compares games that both have played alone", () => {
  const some = scores([[1, 1, 0], [1, 1, 0]], [[0, 0, 1], [0, 0, 1]]).filter(({ memory, game }) => memory === "a" || game % 10 < 2);
  assert.deepEqual(orderings(some)[0]?.differences.map(({ games, mean }) => [games, mean]), [[2, 1], [2, 1]]);
});
