/** The page of a folder of tables and figures. */

import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { GALLERY } from "../../lib/cli/reproduce.ts";
import { checkoutRoot } from "../../lib/platform.ts";
import { exportTable } from "../../lib/report/export.ts";
import { galleryText, writeGallery } from "../../lib/report/gallery.ts";
import type { Table } from "../../lib/report/table.ts";

const STUDY = { study: "s@offline", backbone: "offline", embedder: "", seeds: "1-3", code: "0", episodes: 9, chain: "0" };
const ORIGIN = { provenance: { labyrinth: "0.1.0", studies: [STUDY] } };
const PAGE = "Of today.";

function tableOf(id: string, rows: number, title = id): Table {
  const caption = "Model: stand-in, e.g. this. Of 3 claims 1 is supported. A third sentence. Over n = 3 games.";
  return { id, title, caption, columns: ["game", "score"], rows: Array.from({ length: rows }, (_, index) => [`game ${index}`, "0.50"]) };
}

Deno.test("writeGallery() lists exhibits and the folders in it, and shows short tables", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-"));
  try {
    await exportTable(tableOf("a-table10", 7), folder, ORIGIN);
    await exportTable(tableOf("a-table2", 2, "A <b>title</b>"), folder, ORIGIN);
    await exportTable(tableOf("odd+name", 1), folder, ORIGIN);
    writeFileSync(join(folder, "notes.md"), "# Mine\n");
    mkdirSync(join(folder, "full"));
    await exportTable(tableOf("a-table1", 1), join(folder, "full"), ORIGIN);
    await writeGallery(join(folder, "full"), PAGE);
    await writeGallery(folder, PAGE);
    const text = readFileSync(join(folder, "README.md"), "utf8");
    const order = [
      "Of today.",
      "[full](full/)",
      "(a-table2.md)",
      "| game 1 | 0.50 |",
      "(a-table10.md)",
      "(odd%2Bname.md)",
    ];
    assert.deepEqual(order.map((part) => text.indexOf(part)).toSorted((a, b) => a - b), order.map((part) => text.indexOf(part)));
    assert.ok(order.every((part) => text.includes(part)), text);
    assert.ok(!text.includes("game 6") && !text.includes("notes") && !text.includes("<b>") && !text.includes("A third sentence"), text);
    assert.ok(text.includes("1 is supported. Over n = 3 games."), text);
    assert.match(text, /Of 3 claims 1 is supported\./);
    assert.match(text, /<code>s@offline<\/code> \(9 episodes, seeds 1-3\)/);
    assert.equal(galleryText(folder, PAGE), text, "the page lists itself");
    mkdirSync(join(folder, "above", "full"), { recursive: true });
    await exportTable(tableOf("a-table1", 1), join(folder, "above", "full"), ORIGIN);
    assert.equal(galleryText(join(folder, "above"), PAGE), undefined);
    await writeGallery(join(folder, "above", "full"), PAGE);
    assert.match(galleryText(join(folder, "above"), PAGE) ?? "", /^- \[full\]\(full\/\)$/m, "a folder of folders has a page");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("writeGallery() leaves the page of somebody else and a folder without exhibits", async () => {
  const folder = mkdtempSync(join(tmpdir(), "labyrinth-"));
  try {
    assert.equal(await writeGallery(folder, PAGE), undefined);
    assert.equal(await writeGallery(join(folder, "absent"), PAGE), undefined);
    assert.ok(!existsSync(join(folder, "README.md")));
    await exportTable(tableOf("a-table1", 1), folder, ORIGIN);
    writeFileSync(join(folder, "README.md"), "# Mine\n");
    assert.equal(await writeGallery(folder, PAGE), undefined);
    assert.equal(readFileSync(join(folder, "README.md"), "utf8"), "# Mine\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

Deno.test("the shipped pages name what lies beside them", () => {
  const root = join(checkoutRoot(), "figures");
  const pages = globSync("{README.md,*/README.md}", { cwd: root });
  assert.equal(pages.length, 5, `${pages}`);
  for (const page of pages) {
    const folder = join(root, page, "..");
    const text = readFileSync(join(root, page), "utf8");
    assert.equal(text, galleryText(folder, GALLERY), page);
    const missing = globSync("*.png", { cwd: folder }).filter((file) => !text.includes(encodeURIComponent(basename(file))));
    assert.deepEqual(missing, []);
  }
});
