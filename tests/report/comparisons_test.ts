import assert from "node:assert/strict";
import { type DataFrame, frameOf } from "../../lib/report/frame.ts";
import { cellText } from "../../lib/report/table.ts";
import { compareConditions, comparisonsTable } from "../../lib/report/tables/comparisons.ts";

type Scores = Readonly<Record<string, readonly (number | null)[]>>;

/** Condition → scores by seed; `null` was planned and not played. */
function episodes(games: Readonly<Record<string, Scores>>): DataFrame {
  const rows = Object.entries(games).flatMap(([game, conditions]) =>
    Object.entries(conditions).flatMap(([condition, scores]) =>
      scores.map((normalised, i) => ({
        game,
        condition,
        seed: `${i + 1}`,
        status: normalised === null ? "planned" : "completed",
        normalised,
      }))
    )
  ).reverse(); // pairs are found by game and seed, not by place
  return frameOf(rows, { game: "text", condition: "text", seed: "text", status: "text", normalised: "number" });
}

const HUNT = { arigraph: [0.9, 0.5, 0.7, 0.8, 1.0, 0.6], rag: [0.4, 0.5, 0.3, 0.6, 0.7, 0.2] };

Deno.test("compareConditions() pairs equal games and seeds, and corrects over all tests", () => {
  // p: SciPy 1.17, ttest_rel
  const found = compareConditions(episodes({ "textworld/hunt": HUNT, "textworld/cooking": { ...HUNT, odd: [1] } }));
  assert.deepEqual(found.map(({ game, against, pairs }) => [game, against, pairs]), [
    ["textworld/cooking", "odd", 1],
    ["textworld/hunt", "rag", 6],
    ["textworld/cooking", "rag", 6],
    ["all", "rag", 12],
  ]);
  const [odd, hunt, , all] = found;
  assert.deepEqual([odd?.test, odd?.adjusted], [undefined, undefined]);
  assert.ok(Math.abs((hunt?.test?.p ?? NaN) - 0.009282705034737933) < 1e-12);
  assert.ok(Math.abs((hunt?.adjusted ?? NaN) - 2 * 0.009282705034737933) < 1e-12, "the largest two of three, times two");
  assert.ok((all?.adjusted ?? NaN) < (hunt?.adjusted ?? NaN));
  assert.equal(hunt?.needed, 6); // statsmodels: TTestPower().solve_power(1.6770509831, power=0.8) = 5.02
});

Deno.test("comparisonsTable() refuses pairs that are missing unless told, and shows no test where nothing varies", () => {
  const frame = episodes({
    "textworld/hunt": { arigraph: [1, 1, null], rag: [0, 0.5, 1] },
    "textworld/cleaning": { arigraph: [1, 1], rag: [0.5, 0.5] },
  });
  const strict = comparisonsTable(frame, { backbone: "offline" });
  assert.deepEqual(
    strict.rows.map((row) => row.slice(1, 4).map(cellText)),
    [
      ["Treasure Hunt", "2", "incomplete 2/3"],
      ["Cleaning", "2", "0.50"],
      ["All games", "4", "incomplete 4/5"],
    ],
  );
  assert.deepEqual(strict.rows[1]?.slice(5), [null, null, null, null, null], "equal differences leave nothing to test by");
  const told = comparisonsTable(frame, { backbone: "offline", allowIncomplete: true });
  assert.match(cellText(told.rows[0]?.[3] ?? null), /^0\.75 \[/);
  assert.ok(told.rows.every((row) => row.length === told.columns.length));
});

Deno.test("compareConditions() turns round with the reference", () => {
  const [there] = compareConditions(episodes({ "textworld/hunt": HUNT }));
  const [back] = compareConditions(episodes({ "textworld/hunt": HUNT }), { reference: "rag" });
  assert.equal(back?.against, "arigraph");
  assert.ok(Math.abs((there?.test?.mean ?? NaN) + (back?.test?.mean ?? NaN)) < 1e-12);
});
