import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { writeDocument } from "../../lib/report/document.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { toLatex } from "../../lib/report/latex.ts";
import type { Cell, Table } from "../../lib/report/table.ts";
import { wantsSlow } from "../slow.ts";

const TABLE: Table = {
  id: "t/1",
  title: "Scores <b>",
  caption: "n = 2, 95 % [of them].",
  columns: ["method", "score"],
  rows: [["ours", { value: 0.5, best: true }], ["<script>", null]],
};

Deno.test("writeDocument() states every exhibit with its caption in LaTeX, HTML and Quarto, as text", async () => {
  const folder = await mkdtemp(join(tmpdir(), "labyrinth-"));
  const figure = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], {
    id: "g h",
    title: "Memory",
    backbone: "offline",
  });
  const broken = { ...figure, id: "broken", spec: { mark: "nothing" } };
  const document = { id: "paper", title: "Mine & yours", sections: [{ title: "One", tables: [TABLE], figures: [figure, broken] }] };
  const { files, undrawn } = await writeDocument(document, folder);
  assert.match(undrawn.join("\n"), /^cannot draw broken: .*$/);
  const [tex = "", html = "", qmd = ""] = files.slice(0, 3).map((file) => readFileSync(file, "utf8"));
  assert.ok(tex.includes("\\Large Mine \\& yours") && tex.includes("\\section{One}") && tex.includes("\\label{tab:t/1}"), tex);
  assert.match(tex, /\\includegraphics\{"figures\/g-h"\}\n {2}\\caption\{Memory: 1 triplets\. Backbone offline, n = 1\.\}/);
  assert.ok(html.includes("<caption><b>Scores &lt;b&gt;.</b> n = 2, 95 % [of them].</caption>"), html);
  assert.ok(
    html.includes("<td><b>0.50</b></td>") && html.includes('<td class="text">&lt;script&gt;</td>') && !html.includes("<script"),
    html,
  );
  assert.ok(html.includes("<figcaption>Memory: 1 triplets. Backbone offline, n = 1.</figcaption>"));
  assert.ok(qmd.includes("\n: Scores \\<b\\>. n = 2, 95 % \\[of them\\]. {#tbl-t-1}\n"), qmd);
  assert.ok(qmd.includes("![Memory: 1 triplets. Backbone offline, n = 1.](<figures/g-h>){#fig-g-h}"), qmd);
  assert.ok(["svg", "pdf"].every((ending) => files.includes(`${folder}/figures/g-h.${ending}`)), files.join("\n"));
  rmSync(folder, { recursive: true });
});

Deno.test("writeDocument() keeps a high figure with the head of its section, and lets a table take the width of its page", async () => {
  const folder = await mkdtemp(join(tmpdir(), "labyrinth-"));
  const drawn = memoryGraphFigure([{ subject: "a", relation: "b", object: "c" }], { id: "g", title: "T", backbone: "offline" });
  const high = { ...drawn, spec: { ...drawn.spec, height: 900, width: 300 } };
  const columns = ["method", ..."abcde"].map((name) => name.length > 1 ? name : `measure ${name}`);
  const wide = { ...TABLE, id: "wide", columns, rows: [columns.map((_, at): Cell => at === 0 ? "ours" : { value: at, low: 0, high: 10 })] };
  const sections = [{ title: "One", tables: [], figures: [high] }, { title: "Two", tables: [wide], figures: [{ ...high, id: "h" }] }];
  const { files: [tex = ""] } = await writeDocument({ id: "paper", title: "Mine", sections }, folder);
  const text = readFileSync(tex, "utf8");
  const [first = NaN, second = NaN] = [...text.matchAll(/\[width=([\d.]+)bp\]/g)].map(([, width]) => Number(width));
  assert.ok(Math.abs(first / second - 480 / 560) < 0.01, text);
  assert.ok(text.includes("{\\scriptsize [0.00, 10.00]}") === false && toLatex(wide).includes("{\\scriptsize [0.00, 10.00]}"), text);
  rmSync(folder, { recursive: true });
});

Deno.test("writeDocument() lets no long table run ahead of a table before it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "labyrinth-"));
  const rows = Array.from({ length: 100 }, (_, row) => [`method ${row}`, { value: row }]);
  const tables = [TABLE, { ...TABLE, id: "long", rows }];
  const { files: [tex = ""] } = await writeDocument(
    { id: "paper", title: "Mine", sections: [{ title: "One", tables, figures: [] }] },
    folder,
  );
  assert.match(readFileSync(tex, "utf8"), /\\begin\{table\}\[!htbp\][^]*\\end\{table\}[^]*\\clearpage\n[^]*\\begin\{longtable\}/);
  rmSync(folder, { recursive: true });
});

const hasPandoc = spawnSync("pandoc", ["--list-extensions=markdown"], { encoding: "utf8" }).stdout?.includes("table_attributes") ?? false;
const why = "there is no pandoc with the extensions that Quarto reads (pandoc 3.0 or later; the PyPI package pypandoc_binary holds one)";
if (!hasPandoc) process.stdout.write(`skipped: the Quarto document through pandoc, since ${why}\n`);

Deno.test({
  name: "writeDocument() writes Quarto that pandoc reads as the same text, whatever a cell holds",
  ignore: !wantsSlow("the Quarto document through pandoc") || !hasPandoc,
  fn: async () => {
    const folder = await mkdtemp(join(tmpdir(), "labyrinth-"));
    const cells =
      "a|b,$x$,2^10^,H~2~O,[l](x),@cite,<b>,`code`,*em*_em_,\\alpha,{#id},![i](x),^[note],{{<_include_x_>}},```{r},[x]{.y},&amp;,中";
    const rows = cells.split(",").map((cell): string[] => [cell]);
    const table = { ...TABLE, columns: ["$a$"], rows };
    await writeDocument({ id: "paper", title: "$x$ @y", sections: [{ title: "One", tables: [table], figures: [] }] }, folder);
    const read = spawnSync("pandoc", ["--from", "markdown+table_attributes", "--to", "json", join(folder, "paper.qmd")], {
      encoding: "utf8",
    });
    assert.equal(read.stderr, "");
    const { blocks, meta } = JSON.parse(read.stdout);
    const text = (part: unknown): string => JSON.stringify(part).match(/(?<="t":"Str","c":")(\\.|[^"\\])*/g)?.join(" ") ?? "";
    assert.deepEqual(blocks.map(({ t }: { t: string }) => t), ["Header", "Table"]);
    const [attributes, , , , [[, , , body]]] = blocks[1].c;
    assert.equal(attributes[0], "tbl-t-1");
    assert.deepEqual(body.map((row: unknown) => JSON.parse(`"${text(row)}"`)), rows.flat());
    assert.equal(text(meta.title), "$x$ @y");
    rmSync(folder, { recursive: true });
  },
});
