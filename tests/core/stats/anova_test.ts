import assert from "node:assert/strict";
import { oneWayAnova } from "../../../lib/core/stats/anova.ts";
import { paperTable } from "../../../lib/lab/paper-numbers.ts";

/** Groups with F and p as `scipy.stats.f_oneway` (SciPy 1.17) gives them. */
const REFERENCE: readonly (readonly [readonly (readonly number[])[], number, number])[] = [
  [
    [[6, 8, 4, 5, 3, 4], [8, 12, 9, 11, 6, 8], [13, 9, 11, 8, 7, 12]],
    9.264705882352942,
    0.0023987773293929083,
  ],
  [[[1, 2, 3], [2, 3, 4, 5], [9.5, 1]], 0.8879227053140094, 0.45942105776663833],
  [[[1, 1.1, 0.9], [100, 101, 99.5]], 49722.61235955767, 2.4265271113972425e-9],
];

function near(ours: number, reference: number): void {
  assert.ok(Math.abs(ours / reference - 1) < 1e-9, `${ours} is not ${reference}`);
}

Deno.test("oneWayAnova() gives F and p as SciPy does", () => {
  for (const [groups, f, p] of REFERENCE) {
    const ours = oneWayAnova(groups);
    near(ours.f, f);
    near(ours.p, p);
  }
});

Deno.test("the paper's Table 1 bears out its p < 0.001; its three baselines alone do not differ", () => {
  const rows = paperTable("reasonplanner_table1_scienceworld").filter(({ task }) =>
    task !== "Average"
  );
  const groups = ["saycan", "react", "reflexion", "reasonplanner"].map((method) =>
    rows.map((row) => Number(row[`${method}_mean`]))
  );
  const all = oneWayAnova(groups);
  assert.deepEqual(all.degrees, { between: 3, within: 116 });
  near(all.f, 16.880719149254837);
  near(all.p, 3.643886777486224e-9);
  near(oneWayAnova(groups.slice(0, 3)).p, 0.12465817761751813);
});

Deno.test("oneWayAnova() is 0 for equal means, infinite for values equal within each group, and refuses what has no F", () => {
  assert.deepEqual(oneWayAnova([[1, 3], [2, 2]]), {
    f: 0,
    degrees: { between: 1, within: 2 },
    p: 1,
  });
  assert.deepEqual([oneWayAnova([[1, 1], [2, 2]]).f, oneWayAnova([[1, 1], [2, 2]]).p], [
    Infinity,
    0,
  ]);
  for (const groups of [[], [[1, 2]], [[1], [2]], [[1, 2], []], [[3, 3], [3, 3]]]) {
    assert.throws(() => oneWayAnova(groups), RangeError);
  }
});
