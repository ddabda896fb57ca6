/**
 * Tables and figures as files for write-ups, each figure with its frame beside it.
 *
 * @module
 */

import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { safeText } from "../foreign-text.ts";
import { type Figure, svgToPdf, svgToPng, toSvg } from "./figure.ts";
import { type DataFrame, polars } from "./frame.ts";
import { csvText, type Table, toCsv, toLatex, toMarkdown } from "./table.ts";

/**
 * Writes `<id>.svg`, `.pdf` (fonts embedded), `.png` (twice the size), `.csv` (the frame) and `.txt` (the caption); gives the paths.
 *
 * @throws {TypeError} if the specification is wrong; what the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { exportFigure, memoryGraphFigure } from "labyrinth/report";
 * import assert from "node:assert/strict";
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { basename, join } from "node:path";
 *
 * const figure = memoryGraphFigure([{ subject: "key", relation: "is in", object: "locker" }], { id: "m", title: "Memory", backbone: "offline" });
 * const files = await exportFigure(figure, await mkdtemp(join(tmpdir(), "labyrinth-")));
 * assert.deepEqual(files.map((file) => basename(file)), ["m.svg", "m.pdf", "m.png", "m.csv", "m.txt"]);
 * ```
 */
export async function exportFigure(figure: Figure, folder: string): Promise<string[]> {
  const svg = await toSvg(figure);
  return await writeAll(folder, figure.id, {
    svg,
    pdf: await svgToPdf(svg),
    png: svgToPng(svg),
    csv: frameCsv(figure.frame),
    txt: safeText(figure.caption) + "\n",
  });
}

/**
 * Writes `<id>.md`, `.tex` (booktabs) and `.csv`; gives the paths.
 *
 * @param options `csv` stands in for the table's own where there is more to say than the cells
 * @throws What the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { exportTable, type Table } from "labyrinth/report";
 * import assert from "node:assert/strict";
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 *
 * const table: Table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };
 * const folder = await mkdtemp(join(tmpdir(), "labyrinth-"));
 * assert.deepEqual(await exportTable(table, folder), ["t.md", "t.tex", "t.csv"].map((name) => join(folder, name)));
 * ```
 */
export async function exportTable(table: Table, folder: string, options: { readonly csv?: string } = {}): Promise<string[]> {
  return await writeAll(folder, table.id, { md: toMarkdown(table), tex: toLatex(table), csv: options.csv ?? toCsv(table) });
}

function frameCsv(frame: DataFrame): string {
  const { Series, Utf8 } = polars();
  let safe = frame;
  for (const column of frame.getColumns()) {
    const cells: unknown[] = column.toArray();
    const safer = cells.map((cell) => typeof cell === "string" ? csvText(cell) : cell);
    if (safer.some((cell, row) => !Object.is(cell, cells[row]))) safe = safe.withColumn(Series(column.name, safer, Utf8));
  }
  return safe.writeCSV().toString();
}

/** Each file appears whole or not at all. A backbone's id may hold what no file name can (`Qwen/Qwen3-8B`): that becomes a hyphen. */
async function writeAll(folder: string, id: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [ending, content] of Object.entries(files)) {
    const path = join(folder, `${id.replaceAll(/[^\p{L}\p{N}._+@-]+/gu, "-")}.${ending}`);
    try {
      await writeFile(`${path}.part`, content);
      await rename(`${path}.part`, path);
    } catch (error) {
      await rm(`${path}.part`, { force: true });
      throw error;
    }
    paths.push(path);
  }
  return paths;
}
