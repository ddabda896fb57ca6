import assert from "node:assert/strict";
import { countText, seedsText } from "../../lib/report/caption-text.ts";

Deno.test("countText() names one count once, one thing in the singular, and none as 0", () => {
  const counts = [[2, 2], [36, 30, 33], [0, 1], [1, 1], []];
  assert.deepEqual(counts.map((some) => countText(some, "trial")), ["2 trials", "30 to 36 trials", "0 to 1 trials", "1 trial", "0 trials"]);
});

Deno.test("seedsText() names each seed once, in the order of numbers, one of them in the singular, and says where there is none", () => {
  const rows = ["10", "9", "10", "1"].map((seed) => ({ seed }));
  assert.equal(seedsText([]), "no seed");
  assert.deepEqual([seedsText(rows), seedsText(rows, 2), seedsText(rows.slice(1, 2))], ["seeds 1, 9, 10", "seeds 1 … 10", "seed 9"]);
});
