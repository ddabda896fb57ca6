import assert from "node:assert/strict";
import { judge, type OurNumber, type ReportedNumber } from "../../lib/report/ledger.ts";

const REPORTED: ReportedNumber = { source: "Table 2", row: "AriGraph (GPT-4)", column: "MuSiQue EM", printed: "45.0", backbone: "gpt-4" };
const OURS: OurNumber = {
  value: 41,
  low: 35,
  high: 44.94,
  measure: "mean",
  backbone: "gpt-4",
  embedder: "",
  cost: { paid: 1, replayed: 0, wasted: 0 },
  study: "s",
  episodes: ["e1", "e2"],
};

Deno.test("judge() takes the number's own rounding into our interval, and no more", () => {
  assert.deepEqual([judge(REPORTED, { ...OURS, high: 44.96 }).verdict, judge(REPORTED, OURS).verdict], ["cannot tell", "differs"]);
  assert.equal(judge(REPORTED, OURS).why, "0.06 above our interval");
  assert.match(judge(REPORTED, { ...OURS, low: 46, high: 50 }).why, /^1\.00 below our interval$/);
  const large = { ...REPORTED, printed: "675.33" };
  assert.match(judge(large, { ...OURS, low: 500, high: 675 }).why, /^0\.3 above our interval$/, "not 0");
});

Deno.test("judge() lets a number agree when our whole interval lies within a tenth of it, and 0 with 0 alone", () => {
  const verdict = (low: number, high: number): string => judge(REPORTED, { ...OURS, low, high }).verdict; // 45 ± 4.5, and 0.05 for rounding
  assert.deepEqual([verdict(40.46, 49.54), verdict(45.1, 46), verdict(40.4, 46), verdict(0, 100)], [
    ...["agrees", "agrees"], // 45.1 to 46 leaves 45.0 out, but not by a tenth
    ...["cannot tell", "cannot tell"],
  ]);
  const { low: _low, high: _high, ...zero } = { ...OURS, value: 0 };
  const judged = (printed: string): string => judge({ ...REPORTED, printed, tolerance: 0.1 }, zero).verdict;
  assert.deepEqual([judged("0.05"), judged("0.0")], ["differs", "cannot tell"]);
  const other = (printed: string, value: number): string => judge({ ...REPORTED, printed, tolerance: 10 }, { ...zero, value }).verdict;
  assert.deepEqual([other("0.0", 9.9), other("0.0", 0.04), other("0.05", 1e-17), other("9.9", 9)], [
    "differs",
    "cannot tell",
    "differs",
    "cannot tell",
  ]);
});

Deno.test("judge() holds ours below a number that is printed as an upper bound", () => {
  const { low: _low, high: _high, ...p } = OURS;
  const reported = { ...REPORTED, printed: "0.001", bound: true } as const;
  const judged = [0.0009, 0.001, 0.0013].map((value) => judge(reported, { ...p, value }));
  assert.deepEqual(judged.map(({ verdict }) => verdict), ["cannot tell", "differs", "differs"]);
  assert.match(judged[0]?.why ?? "", /^below the bound, which its interval does not show; no interval/);
  assert.match(judged[1]?.why ?? "", /^not below the bound/);
  const placed = [[0, 0.0008], [0.0002, 0.5], [0.001, 0.5]].map(([low, high]) => judge(reported, { ...p, value: 0.0005, low, high }));
  assert.deepEqual(placed.map(({ verdict }) => verdict), ["agrees", "cannot tell", "differs"]);
  assert.equal(judge(reported, { ...p, value: 0.2, episodes: ["e1"] }).verdict, "cannot tell", "one episode tells nothing");
});

Deno.test("judge() takes a number for what its digits say, and one episode for nothing", () => {
  const { low: _low, high: _high, ...bare } = OURS;
  const of = (printed: string, value: number): string => judge({ ...REPORTED, printed }, { ...bare, value }).verdict;
  assert.deepEqual([of("45.0", 45.04), of("45.0", 45.06), of("1,234", 1234), of("1,234", 1240)], [
    ...["cannot tell", "differs", "cannot tell", "differs"],
  ]);
  assert.equal(
    judge({ ...REPORTED, printed: "45.0" }, { ...OURS, value: 45, low: 44.9, high: 45.1, episodes: ["e1"] }).verdict,
    "cannot tell",
  );
});

Deno.test("judge() holds a mean of the best against a tolerance, and names another measure and another backbone", () => {
  const reported = { ...REPORTED, printed: "0.79", tolerance: 0.1, measure: "best 3 of 5", backbone: "gpt-4-0125-preview" };
  const { low: _low, high: _high, ...best } = { ...OURS, value: 0.69, measure: "best 3 of 5", backbone: "gpt-4-0125-preview" };
  assert.equal(judge(reported, best).verdict, "cannot tell", "without an interval nothing agrees");
  assert.equal(judge(reported, { ...best, value: 0.68 }).verdict, "differs");
  assert.equal(judge(reported, { ...best, value: 0.1, episodes: ["e1"] }).verdict, "cannot tell", "one episode tells nothing");
  assert.equal(judge({ ...reported, unjudged: "a standard error" }, best).verdict, "not judged");
  assert.equal(judge(reported, { ...best, value: 0.9 }).why, "0.11 apart, tolerance 0.10; no interval: the measure has none");
  const { why } = judge(reported, { ...best, measure: "best 1 of 1", backbone: "offline" });
  assert.match(why, /; best 1 of 1 in place of best 3 of 5; offline in place of gpt-4-0125-preview$/);
});
