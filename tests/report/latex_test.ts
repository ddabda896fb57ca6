import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { checkoutRoot } from "../../lib/core/platform.ts";
import { LATEX_PACKAGES, toLatex } from "../../lib/report/latex.ts";
import { groupsOf } from "../../lib/report/latex-layout.ts";
import { latexLines, latexText, latexWidth } from "../../lib/core/text/latex-text.ts";
import type { Cell, Table } from "../../lib/report/table.ts";
import { wantsSlow } from "../slow.ts";

const TABLE: Table = {
  id: "t",
  title: "A & B",
  caption: "n = 5, 100 % of them.",
  columns: ["Method", "hunt_1, %", "cook|2"],
  rows: [
    ["ours", { value: -0.5, low: -0.75, high: 0.25, best: true }, { incomplete: { done: 3, failed: 0, planned: 5 } }],
    ["paper", { value: 1 }, null],
    ["other", "12.5 ± 3", "0.5"],
  ],
};

/** Cells of `count` columns, each with an interval. */
function wide(count: number, rows: number): Table {
  const columns = ["Method", ...Array.from({ length: count }, (_, i) => `game ${i}`)];
  const cells = (): Cell[] => columns.slice(1).map(() => ({ value: 100, low: 34.25, high: 100 }));
  return { ...TABLE, columns, rows: Array.from({ length: rows }, (_, i) => [`method ${i}`, ...cells()]) };
}

Deno.test("toLatex() aligns numbers, sets units by siunitx, and the best in bold", () => {
  const text = toLatex(TABLE);
  assert.ok(text.includes("\\caption{A \\& B. n = 5, \\qty{100}{\\percent} of them. Bold: the best of ours.}\\label{tab:t}"), text);
  assert.ok(text.includes("{@{}lS[table-format=-2.2]@{\\,}lS[table-format=1.1]@{}}"), text);
  assert.ok(
    text.includes("  Method & \\multicolumn{2}{c}{hunt\\_1 (\\unit{\\percent})} & \\multicolumn{1}{c}{cook\\textbar{}2} \\\\"),
    text,
  );
  assert.ok(text.includes("  ours & \\bfseries -0.50 & \\scriptsize [$-$0.75, 0.25] & {incomplete 3/5} \\\\"), text);
  assert.ok(text.includes("  other & 12.5 & \\scriptsize $\\pm$ 3 & 0.5 \\\\"), text);
});

Deno.test("toLatex() writes a list of episodes once, and a later cell names the one that has it", () => {
  const ids = Array.from({ length: 9 }, (_, i) => `${i}`.repeat(16));
  const cell = (episodes: string[]): Cell => ({ value: 1, episodes });
  const rows = [["ours", cell(ids), cell(ids)], ["other", cell(ids.slice(1)), cell(["a"])], ["last", cell(["a"]), cell(ids.slice(1))]];
  const comments = toLatex({ ...TABLE, columns: ["Method", "won", "won"], rows }).split("\n").filter((line) =>
    line.startsWith("% ") && line.includes(" | ")
  );
  assert.deepEqual(comments, [
    `% ours | won: ${ids.join(" ")}`,
    "% ours | won: as ours | won",
    `% other | won: ${ids.slice(1).join(" ")}`,
    "% other | won: a",
    "% last | won: a",
    "% last | won: as other | won",
  ]);
});

Deno.test("toLatex() takes the column, the page, panels or pages of their own, whichever first has room", () => {
  assert.match(toLatex(TABLE), /\\begin\{table\}/);
  assert.match(toLatex(wide(3, 4)), /\\begin\{table\*\}/);
  const panels = toLatex(wide(8, 4));
  assert.equal(panels.match(/\\begin\{tabular\}/g)?.length, 2, panels);
  assert.match(toLatex(wide(3, 80)), /\\if@twocolumn\\onecolumn.*\n.*\n\\begin\{longtable\}/);
  assert.match(toLatex(wide(7, 40)), /\\begin\{landscape\}/);
});

Deno.test("groupsOf() puts neighbours under what they share", () => {
  assert.deepEqual(groupsOf(["KG, all", "KG, one", "SM", "steps", "paper"], /^paper$/), [
    { head: "KG", names: ["all", "one"] },
    { head: "", names: ["SM"] },
    { head: "steps", names: ["ours", "paper"] },
  ]);
  const claims = [
    "In tasks 1, 2 and 3 the graph takes fewer steps than the stack",
    "In tasks 1, 2 and 3 the graph takes fewer steps than none",
  ];
  assert.deepEqual(groupsOf(claims), claims.map((claim) => ({ head: "", names: [claim] })), "a sentence is no group");
});

Deno.test("latexText() leaves no sign to pdfLaTeX that it does not know", () => {
  assert.equal(
    latexText('√(p(1 − p)/n), "a" < b | 3 × 3 … 0.02 USD'),
    "$\\sqrt{p(1 - p)/n}$, ``a'' $<$ b \\textbar{} 3 $\\times$ 3 \\dots{} \\qty{0.02}{USD}",
  );
  assert.equal(latexText("中 é √x"), "[U+4E2D] é $\\surd$x");
  assert.match(latexText("100 % \n\\end{tabular}"), /\\textbackslash\{\}end\\\{tabular\\\}/);
});

Deno.test("latexText() writes the letters of names: composed, by their commands, or those of the encoding T1", () => {
  const inT1 = (command: string): string => `{\\fontencoding{T1}\\selectfont${command}}`;
  const known: [string, string][] = [
    ["Þór", `${inT1("\\TH")}ór`],
    ["Garðs", `Gar${inT1("\\dh")}s`],
    ["cafe\u0301 ÀÿŁœŠ", "café ÀÿŁœŠ"],
    ["Dvořák, Erdős, Ćić", "Dvo\\v{r}ák, Erd\\H{o}s, \\'{C}i\\'{c}"],
    ["d\u0304 İ ī į", `\\={d} \\.{I} \\={\\i} ${inT1("\\k{i}")}`],
    ["Łódź, Đặng, ąŋ", `Łód\\'{z}, ${inT1("\\DJ")}[U+1EB7]ng, ${inT1("\\k{a}")}${inT1("\\ng")}`],
    ["x\u0301\u0308\u20dd а\u0301", "x[U+0301][U+0308][U+20DD] [U+0430][U+0301]"],
  ];
  for (const [text, wanted] of known) assert.equal(latexText(text), wanted, text);
});

Deno.test("latexLines() breaks after spaces and hyphens, and no line but a long word is wider than told", () => {
  const lines = latexLines("find-non-living-thing of a task", 50, 8);
  assert.equal(lines.join("").replaceAll(" ", ""), "find-non-living-thingofatask");
  assert.ok(lines.length > 2 && lines.every((line) => latexWidth(line, 8) <= 50), lines.join("\n"));
});

const hasLatex = spawnSync("pdflatex", ["--version"]).status === 0;
if (!hasLatex) {
  process.stdout.write("skipped: every exported table through pdfLaTeX, since there is none (apt: texlive-latex-extra texlive-science)\n");
}
const compiles = wantsSlow("every exported table through pdfLaTeX") && hasLatex;

/** Class → its document class; that of a conference where it is installed. */
const CLASSES = { one: "{article}", two: "[twocolumn]{article}", conference: "[conference]{IEEEtran}" };

for (const [name, of] of Object.entries(CLASSES)) {
  Deno.test({
    name: `every exported table compiles and fits its page, ${of}`,
    ignore: !compiles || (name === "conference" && spawnSync("kpsewhich", ["IEEEtran.cls"]).status !== 0),
    fn: async () => {
      const folder = await mkdtemp(join(tmpdir(), "labyrinth-"));
      const files = globSync("figures/**/*.tex", { cwd: checkoutRoot() }).map((file) => join(checkoutRoot(), file)).filter(isTable);
      writeFileSync(
        join(folder, "foreign.tex"),
        toLatex({ ...wide(7, 40), title: "中 \\x | √(2) “é” ~ ^ # 5 % — d̄ Þórður Dvořák Erdős į đ Ŋ İ ī cafe\u0301" }),
      );
      const input = [...files, join(folder, "foreign.tex")].map((file) => `\\typeout{@@ ${file}}\\input{"${file}"}\\clearpage`);
      const lines = [`\\documentclass${of}`, LATEX_PACKAGES, "\\begin{document}", ...input, "\\end{document}"];
      writeFileSync(join(folder, "all.tex"), lines.join("\n"));
      for (let run = 0; run < 2; run++) {
        try {
          execFileSync("pdflatex", ["-interaction=nonstopmode", "all.tex"], {
            cwd: folder,
            env: { ...process.env, max_print_line: "1000" },
          });
        } catch { /* the log says why */ }
      }
      assert.deepEqual(complaints(readFileSync(join(folder, "all.log"), "latin1")), []);
      assert.ok(files.length > 20, `${files.length} tables`);
      rmSync(folder, { recursive: true });
    },
  });
}

function isTable(file: string): boolean {
  return readFileSync(file, "utf8").startsWith("% needs ");
}

/** Errors, floats that are too high, and boxes more than 2 pt too wide, each with its file. */
function complaints(log: string): string[] {
  let file = "";
  return log.split("\n").flatMap((line) => {
    if (line.startsWith("@@ ")) file = line.slice(3);
    const over = Number(line.match(/^Overfull \\hbox \(([\d.]+)pt/)?.[1] ?? 0);
    return over > 2 || line.startsWith("!") || line.includes("Float too large") ? [`${file}: ${line}`] : [];
  });
}
