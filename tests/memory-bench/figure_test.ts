import assert from "node:assert/strict";
import { scoreFigure } from "../../lib/memory-bench/figure.ts";
import { toVegaLite } from "../../lib/report/figure.ts";

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
  assert.deepEqual(spec.facet.sort, ["Hunt, 12 rooms", "Questions"]);
  assert.deepEqual(spec.spec.layer[1].encoding.x.sort, ["rag", "mem0"]);
  assert.equal(scoreFigure({ id: "costs", title: "", caption: "", columns: ["memory", "tokens"], rows: [["rag", score(1)]] }), undefined);
});
