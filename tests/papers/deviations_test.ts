/**
 * The lists of deviations give the numbers that the shipped tables show, so that none outlives the
 * figures it was read from.
 */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "../../lib/core/platform.ts";

function shipped(name: string): string {
  return readFileSync(join(checkoutRoot(), name), "utf8");
}

/** The row of a deviation. */
function deviation(paper: string, number: string): string {
  return shipped(`docs/deviations/${paper}.md`).split("\n").find((line) =>
    line.startsWith(`| ${number} |`)
  ) ?? "";
}

/** A shipped table: the first cell of each row → its other cells. */
function table(name: string): Map<string, string[]> {
  const rows = shipped(`figures/${name}.md`).split("\n").filter((line) => line.startsWith("| "));
  return new Map(
    rows.map((row) => row.slice(2, -2).split(" | ")).map(([first = "", ...rest]) => [first, rest]),
  );
}

function tells(paper: string, number: string, ...wanted: readonly string[]): void {
  const text = deviation(paper, number);
  for (const part of wanted) {
    assert.ok(text.includes(part), `${paper}, ${number}: the tables have "${part}"`);
  }
}

Deno.test("GraphMind's deviations give the tokens and distances of its quick form", () => {
  const tokens = table("graphmind/offline/table5-input-tokens").get("Verify Completion") ?? [];
  const [kg, sm, statics] = tokens.map((cell) => cell.split(" ")[0]);
  tells("graphmind", "D15", `${sm} (SM), ${kg} (KG) and ${statics} (static)`);
  const rows = shipped("figures/graphmind/offline/table8-access.md").split("\n").map((row) =>
    row.slice(2, -2).split(" | ")
  );
  const [, , neighbours, , map] =
    rows.find(([rooms, measure]) => rooms === "3x3" && measure === "GED") ?? [];
  const [own, ours] = [neighbours, map].map((cell) => parseFloat(cell ?? "").toFixed(1));
  tells("graphmind", "D7", `GED ${own};`, `GED ${ours};`);
});
