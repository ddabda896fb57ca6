import assert from "node:assert/strict";
import { toLatex } from "../../lib/report/latex.ts";
import { csvText, pCell, type Table, toCsv, toMarkdown } from "../../lib/report/table.ts";

const TABLE: Table = {
  id: "t",
  title: "A & B",
  caption: "n = 5, 100 % of them",
  columns: ["Method", "hunt_1", "cook|2"],
  rows: [
    ["ours", { value: 0.5, low: 0.25, high: 0.75 }, { incomplete: { done: 3, failed: 1, planned: 5 } }],
    ["paper", { value: 1 }, null],
    ["even", { value: -0.001, low: -0.5, high: 0.5 }, null],
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
| even | 0.00 [-0.50, 0.50] | – |

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

Deno.test("toCsv() quotes fields that hold commas", () => {
  assert.equal(
    toCsv(TABLE),
    'Method,hunt_1,cook|2\nours,"0.50 [0.25, 0.75]",incomplete 3/5 (1 failed)\npaper,1.00,–\neven,"0.00 [-0.50, 0.50]",–\n',
  );
});

Deno.test("a p-value is never printed as 0", () => {
  const rows = [0, 0.00004, 0.00006, undefined].map((p, index) => [`${index}`, pCell(p)]);
  const table: Table = { id: "p", title: "p", caption: "", columns: ["test", "p"], rows };
  assert.equal(toCsv(table), "test,p\n0,< 0.0001\n1,< 0.0001\n2,0.0001\n3,–\n");
  assert.match(toMarkdown(table), /\| 1 +\| < 0\.0001 +\|/);
  assert.match(toLatex(table), /1 & \$<\$ 0\.0001 /);
});

Deno.test("toMarkdown(), toLatex() and toCsv() write foreign text as text", () => {
  const foreign = ["=cmd|' /C calc'!A0", "<img src=x>\n| b | &lt; [a](javascript:x)", "\u001b[31m\u0001 100 % \n\\end{tabular}"];
  const table: Table = {
    ...TABLE,
    title: foreign[1] ?? "",
    columns: ["Method", "+1+1", "@a"],
    rows: [foreign, ["-1.5 [-2, -1]", "-", "+x"]],
  };
  const markdown = toMarkdown(table);
  assert.ok(markdown.includes("| =cmd\\|' /C calc'!A0 | &lt;img src=x> \\| b \\| &amp;lt; [a]\\(javascript:x) |"), markdown);
  assert.equal(markdown.split("\n").filter((line) => line.startsWith("|")).length, 4);
  const latex = toLatex({ ...table, rows: [["ours\n\\input{x}", { value: 1, episodes: ["e1"] }, null], ...table.rows] });
  assert.match(latex, /\{\}\[U\+FFFD\]\[31m.*\n.*\\textbackslash\{\}end\\\{tabular\\\}/);
  assert.match(latex, /^% ours \\input\{x\} \| \+1\+1: e1$/m);
  assert.equal(
    toCsv(table),
    `Method,'+1+1,'@a\n'=cmd|' /C calc'!A0,"<img src=x>\n| b | &lt; [a](javascript:x)","\uFFFD[31m\uFFFD 100 % \n\\end{tabular}"\n"-1.5 [-2, -1]",-,'+x\n`,
  );
  for (const text of [markdown, latex, toCsv(table)]) assert.doesNotMatch(text, /[[\p{Cc}]--[\n]]/v);
});

Deno.test("csvText() puts an apostrophe before each sign that begins a formula in some spreadsheet", () => {
  for (const sign of ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"]) assert.equal(csvText(`${sign}A1`), `'${sign}A1`);
  for (const text of ["-1.5", "+2e-7", "-1.5 [-2, -1]", "-", "a=1"]) assert.equal(csvText(text), text);
});
