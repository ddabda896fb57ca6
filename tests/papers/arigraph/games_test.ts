import assert from "node:assert/strict";
import { gamesExhibit, type GameTrial } from "../../../lib/papers/arigraph/games.ts";
import { tableOf } from "../../../lib/report/exhibit-table.ts";
import { cellText, type Table } from "../../../lib/report/table.ts";
import { readOf } from "./samples.ts";

function attempts(scores: readonly (number | "failed" | "planned")[], game = "textworld/hunt", condition = "arigraph"): GameTrial[] {
  return scores.map((score, i) => ({
    ...{ episode: `${game} ${condition} ${i + 1}`, condition, game, backbone: "offline", attempt: i + 1, seed: `${i + 1}`, steps: 1 },
    status: typeof score === "number" ? "completed" : score,
    normalised: typeof score === "number" ? score : null,
  }));
}

function table(trials: readonly GameTrial[], allowIncomplete = false): Table {
  return tableOf(gamesExhibit(trials, "offline"), readOf(trials), { allowIncomplete });
}

Deno.test("gamesExhibit() shows the mean of the best 3, of all, and the paper's", () => {
  const { rows, id, title, caption } = table(attempts([0.2, 1, 0.4, 0.6, 0]));
  assert.deepEqual(rows.map(([name]) => name), [
    "AriGraph, stand-in: best 3 of 5",
    "AriGraph, stand-in: all",
    "AriGraph, paper (gpt-4): best 3 of 5",
  ]);
  assert.equal(cellText(rows[0]?.[1] ?? null), "0.67");
  assert.match(cellText(rows[1]?.[1] ?? null), /^0\.44 \[0\.\d\d, 0\.\d\d\]$/);
  assert.equal(cellText(rows[2]?.[1] ?? null), "1.00");
  assert.ok(id.includes("offline") && title.includes("stand-in") && caption.includes("seeds 1, 2, 3, 4, 5"));
});

Deno.test("gamesExhibit() refuses a cell with a failed or missing attempt unless told otherwise", () => {
  const trials = [...attempts([1, "failed", 0.5, "planned"]), ...attempts([0, 0], "textworld/cleaning")];
  const strict = table(trials);
  assert.deepEqual(strict.columns, ["Method", "Treasure Hunt", "Cleaning"]);
  assert.equal(cellText(strict.rows[0]?.[1] ?? null), "incomplete 2/4 (1 failed)");
  assert.equal(cellText(strict.rows[0]?.[2] ?? null), "0.00");
  assert.equal(cellText(table(trials, true).rows[0]?.[1] ?? null), "0.75");
});

Deno.test("gamesExhibit() has no row of the paper's where it prints no number", () => {
  const { rows, columns } = table([...attempts([1], "a game of my own"), ...attempts([0.5], "a game of my own", "by-word")]);
  assert.deepEqual(columns, ["Method", "a game of my own"]);
  assert.deepEqual(rows.map(([name]) => name), [
    "AriGraph, stand-in: best 1 of 1",
    "AriGraph, stand-in: all",
    "by-word, stand-in: best 1 of 1",
    "by-word, stand-in: all",
  ]);
});
