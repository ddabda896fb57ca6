import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { exportFigure, exportTable } from "../../lib/report/export.ts";
import { memoryGraphFigure } from "../../lib/report/figures/memory-graph.ts";
import { writeReport } from "../../lib/report/study-report.ts";
import type { Table } from "../../lib/report/table.ts";

const TABLE: Table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };

Deno.test("exportTable() makes a file name of any backbone's id, and stays in its folder", () =>
  inFolder(async (folder) => {
    for (
      const [id, name] of [
        ["t-Qwen/Qwen3-8B", "t-Qwen-Qwen3-8B"],
        ["t-llama3.3:70b", "t-llama3.3-70b"],
        ["../../t", "..-..-t"],
        ["t-gpt-4o+o3", "t-gpt-4o+o3"],
      ] as const
    ) {
      const files = await exportTable({ ...TABLE, id }, join(folder, "figures"));
      assert.deepEqual(files.map((file) => basename(file)), [`${name}.md`, `${name}.tex`, `${name}.csv`]);
    }
    assert.deepEqual(readdirSync(folder), ["figures"]);
    assert.equal(readdirSync(join(folder, "figures")).length, 4 * 3);
  }));

Deno.test("exportTable() leaves no half of a file where it cannot write", () =>
  inFolder(async (folder) => {
    mkdirSync(join(folder, "t.md", "in the way"), { recursive: true });
    await assert.rejects(exportTable(TABLE, folder), { syscall: "rename" });
    assert.deepEqual(readdirSync(folder), ["t.md"]);
  }));

Deno.test("exportFigure() draws foreign text, and its frame is CSV without control characters and formulas", () =>
  inFolder(async (folder) => {
    const triplet = { subject: "key\u0001 <b>&", relation: "is\u001b[1m\uFFFE", object: "=cmd|' /C calc'!A0\uD800" };
    const figure = memoryGraphFigure([triplet], { id: "m", title: "</title><script>\u0000", backbone: "offline" });
    const files = await exportFigure(figure, folder);
    const [svg = "", csv = "", txt = ""] = [0, 3, 4].map((index) => readFileSync(files[index] ?? "", "utf8"));
    for (const text of [svg, csv, txt]) assert.doesNotMatch(text, /[[\p{Cc}\uFFFE]--[\n]]/v);
    assert.ok(svg.includes("key\uFFFD &lt;b&gt;&amp;") && !svg.includes("<script>"));
    assert.match(csv, /^entity,'=cmd\|' \/C calc'!A0\uFFFD,/m);
  }));

Deno.test("writeReport() names a figure that cannot be drawn and writes all else", () =>
  inFolder(async (folder) => {
    const good = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], { id: "m", title: "M", backbone: "offline" });
    const bad = { ...good, id: "broken", spec: { mark: "no such mark" } };
    const ledger = { id: "ledger", title: "Ledger" };
    const { files, undrawn } = await writeReport({ tables: [TABLE], figures: [bad, good], ledger: [] }, { folder, ledger });
    assert.deepEqual(files.map((file) => basename(file)).filter((file) => /\.(md|svg)$/.test(file)), ["t.md", "m.svg", "ledger.md"]);
    assert.equal(undrawn?.length, 1);
    assert.match(undrawn?.[0] ?? "", /^cannot draw broken: [^\n]+$/);
  }));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-export-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
