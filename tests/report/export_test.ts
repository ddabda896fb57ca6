import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { exportTable } from "../../lib/report/export.ts";
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

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-export-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
