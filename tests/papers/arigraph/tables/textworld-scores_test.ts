import assert from "node:assert/strict";
import { frameOf, type FrameSchema } from "../../../../lib/report/frame.ts";
import { cellText } from "../../../../lib/report/table.ts";
import { textWorldScoresTable } from "../../../../lib/papers/arigraph/tables/textworld-scores.ts";

const SCHEMA: FrameSchema = {
  game: "text",
  condition: "text",
  seed: "text",
  status: "text",
  normalised: "number",
};

function episodes(
  scores: readonly (number | "failed" | "planned")[],
  game = "textworld/hunt",
  condition = "arigraph",
): Record<string, unknown>[] {
  return scores.map((score, i) => ({
    game,
    condition,
    seed: `${i + 1}`,
    status: typeof score === "number" ? "completed" : score,
    normalised: typeof score === "number" ? score : null,
  }));
}

Deno.test("textWorldScoresTable() shows the mean of the best 3, of all, and the paper's", () => {
  const table = textWorldScoresTable(frameOf(episodes([0.2, 1, 0.4, 0.6, 0]), SCHEMA), { backbone: "offline" });
  assert.deepEqual(table.rows.map((row) => row[0]), [
    "AriGraph, offline: best 3 of 5",
    "AriGraph, offline: all",
    "AriGraph, paper (gpt-4): best 3 of 5",
  ]);
  assert.equal(cellText(table.rows[0]?.[1] ?? null), "0.67");
  assert.match(cellText(table.rows[1]?.[1] ?? null), /^0\.44 \[0\.\d\d, 0\.\d\d\]$/);
  assert.equal(cellText(table.rows[2]?.[1] ?? null), "1.00");
  assert.ok(table.id.includes("offline") && table.title.includes("offline") && table.caption.includes("seeds 1, 2, 3, 4, 5"));
});

Deno.test("textWorldScoresTable() refuses a cell with a failed or missing episode unless told otherwise", () => {
  const frame = frameOf([...episodes([1, "failed", 0.5, "planned"]), ...episodes([0, 0], "textworld/cleaning")], SCHEMA);
  const strict = textWorldScoresTable(frame, { backbone: "offline" });
  assert.deepEqual(strict.columns, ["Method", "Treasure Hunt", "Cleaning"]);
  assert.equal(cellText(strict.rows[0]?.[1] ?? null), "incomplete 2/4 (1 failed)");
  assert.equal(cellText(strict.rows[0]?.[2] ?? null), "0.00");
  const told = textWorldScoresTable(frame, { backbone: "offline", allowIncomplete: true });
  assert.equal(cellText(told.rows[0]?.[1] ?? null), "0.75");
});
