import assert from "node:assert/strict";
import { readFileSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDocument } from "../../lib/report/document.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import type { Table } from "../../lib/report/table.ts";

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
  assert.ok(tex.includes("\\title{Mine \\& yours}") && tex.includes("\\section{One}") && tex.includes("\\label{tab:t/1}"), tex);
  assert.match(tex, /\\includegraphics\{"figures\/g-h"\}\n {2}\\caption\{Memory: 1 triplets\. Backbone offline, n = 1\.\}/);
  assert.ok(html.includes("<caption><b>Scores &lt;b&gt;.</b> n = 2, 95 % [of them].</caption>"), html);
  assert.ok(html.includes("<td><b>0.50</b></td>") && html.includes("&lt;script&gt;") && !html.includes("<script"), html);
  assert.ok(html.includes("<figcaption>Memory: 1 triplets. Backbone offline, n = 1.</figcaption>"));
  assert.ok(qmd.includes("\n: Scores &lt;b>. n = 2, 95 % \\[of them\\]. {#tbl-t-1}\n"), qmd);
  assert.ok(qmd.includes("![Memory: 1 triplets. Backbone offline, n = 1.](<figures/g-h>){#fig-g-h}"), qmd);
  assert.ok(["svg", "pdf"].every((ending) => files.includes(`${folder}/figures/g-h.${ending}`)), files.join("\n"));
  rmSync(folder, { recursive: true });
});
