import assert from "node:assert/strict";
import { type Table, toCsv, toLatex, toMarkdown } from "../../lib/report/table.ts";

const TABLE: Table = {
  id: "t",
  title: "A & B",
  caption: "n = 5, 100 % of them",
  columns: ["Method", "hunt_1", "cook|2"],
  rows: [
    ["ours", { value: 0.5, low: 0.25, high: 0.75 }, { incomplete: { done: 3, failed: 1, planned: 5 } }],
    ["paper", { value: 1 }, null],
  ],
};

Deno.test("toMarkdown() writes numbers with intervals, and says what is incomplete instead of a number", () => {
  assert.equal(
    toMarkdown(TABLE),
    `### A & B

| Method | hunt_1 | cook\\|2 |
| --- | ---: | ---: |
| ours | 0.50 [0.25, 0.75] | incomplete 3/5 (1 failed) |
| paper | 1.00 | – |

n = 5, 100 % of them
`,
  );
});

Deno.test("toMarkdown() leaves no dollar sign that a notebook would take for the beginning of a formula", () => {
  const costs: Table = {
    ...TABLE,
    title: "in $",
    caption: "$1 and $2",
    columns: ["Method", "all $", "now $"],
    rows: [["$x$", null, null]],
  };
  assert.deepEqual(toMarkdown(costs).match(/.?\$/g), Array(7).fill("\\$"));
});

Deno.test("toLatex() escapes what LaTeX would read as its own", () => {
  const text = toLatex(TABLE);
  assert.ok(text.includes("\\caption{A \\& B. n = 5, 100 \\% of them}"), text);
  assert.ok(text.includes("  Method & hunt\\_1 & cook|2 \\\\"), text);
  assert.ok(text.includes("  paper & 1.00 & -- \\\\"), text);
  assert.ok(text.includes("\\toprule") && text.includes("\\midrule") && text.includes("\\bottomrule"));
});

Deno.test("toCsv() quotes fields that hold commas", () => {
  assert.equal(
    toCsv(TABLE),
    'Method,hunt_1,cook|2\nours,"0.50 [0.25, 0.75]",incomplete 3/5 (1 failed)\npaper,1.00,–\n',
  );
});
