import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scoreFigure } from "../../lib/memory-bench/figure.ts";
import { toVegaLite } from "../../lib/report/figure.ts";
import { lab } from "../cli/captured.ts";
import { slowTest } from "../slow.ts";

const score = (value: number) => ({ value, low: value - 0.1, high: value + 0.1, n: 6 });

Deno.test("scoreFigure() has a panel for each world, in the card's order, and memories in the order of their mean scores", () => {
  const rows = [
    ["Hunt, 12 rooms: rag", score(0.9)],
    ["Hunt, 12 rooms: mem0", score(0.4)],
    ["Questions: mem0", score(0.6)],
    ["Questions: none", null],
  ];
  const figure = scoreFigure({ id: "card", title: "Card", caption: "n = 6.", columns: ["world: memory", "score"], rows });
  assert.ok(figure);
  const spec = JSON.parse(JSON.stringify(toVegaLite(figure)));
  assert.match(figure.caption, /; one without a point has no completed game there\. Of the table that it is from: n = 6\.$/);
  assert.deepEqual(spec.facet.sort, ["Hunt, 12 rooms", "Questions"]);
  assert.deepEqual(spec.spec.layer[1].encoding.x.sort, ["rag", "mem0"]);
  assert.equal(scoreFigure({ id: "costs", title: "", caption: "", columns: ["memory", "tokens"], rows: [["rag", score(1)]] }), undefined);
});

slowTest("memory-bench gives scores of a world that is won or not Wilson's interval", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-bench-"));
  try {
    const words = ["--worlds", "rooms", "--games", "1", "--memories", "none", "--models", "offline", "--to", folder];
    const { status, out } = await lab("memory-bench", ...words, "--store", join(folder, "lab.sqlite"));
    assert.equal(status, 0);
    assert.match(out, /Wilson's of score that is 0 or 1/);
    const [, row = ""] = readFileSync(join(folder, "memory-bench-full-card-offline-figure.csv"), "utf8").split("\n");
    const [, value, low, high] = row.split(",").map(Number);
    assert.deepEqual([value, low], [0, 0]);
    assert.ok(Math.abs((high ?? 0) - 3.841459 / 5.841459) < 1e-6, "z² / (n + z²) for none of two");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
