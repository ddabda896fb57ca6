/** Tables and figures as files for write-ups, each figure with its frame beside it. */

import { Buffer } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { StoreError } from "../core/errors.ts";
import { safeText } from "../core/foreign-text.ts";
import { pathOf, writeAll } from "../lab/write-files.ts";
export { fileName, writeAll } from "../lab/write-files.ts";
import { type Figure, type Preset, svgToPdf, svgToPng, toSvg } from "./figure.ts";
import { type DataFrame, polars } from "./frame.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";
import { toLatex } from "./latex.ts";
import { marked, markOf, type Provenance } from "./provenance.ts";
import { csvText, type Table, toCsv, toMarkdown } from "./table.ts";

/** Options of `exportFigure` and `exportTable`. */
export interface ExportOptions {
  /** Where the numbers come from, which each file then says of itself: see `provenanceOf`. @default nothing is said */
  readonly provenance?: Provenance;
}

/**
 * Writes `<id>.svg` in the size of a preset, `.pdf` (fonts embedded), `.png` (twice the size), `.csv` (the frame) and `.txt` (the caption); gives
 * the paths. PDF and PNG are drawn of the SVG: where the folder has them and the same SVG, they are left as they are.
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
export async function exportFigure(
  figure: Figure,
  folder: string,
  options: ExportOptions & { readonly preset?: Preset } = {},
): Promise<string[]> {
  checkKeys("exportFigure()", options, ["preset", "provenance"]);
  const { provenance } = options;
  const svg = await toSvg(figure, options);
  const csv = frameCsv(figure.frame);
  const txt = safeText(figure.caption) + "\n";
  const paths = ["svg", "pdf", "png", "csv", "txt"].map((ending) => pathOf(folder, figure.id, ending));
  const [svgPath = "", ...drawn] = paths.slice(0, 3);
  const mark = (files: Readonly<Record<string, string | Uint8Array>>): Readonly<Record<string, string | Uint8Array>> =>
    provenance ? marked(files, provenance) : files;
  const isSame = (): boolean => readFileSync(svgPath).equals(Buffer.from(mark({ svg })["svg"] as Uint8Array));
  if ([svgPath, ...drawn].every((path) => existsSync(path)) && isSame()) {
    await writeAll(folder, figure.id, mark({ csv, txt }));
    return paths;
  }
  const pdf = await svgToPdf(svg, provenance && { Labyrinth: markOf(provenance) });
  await writeAll(folder, figure.id, mark({ pdf, png: svgToPng(svg), csv, txt, svg })); // the SVG last: it vouches for the others
  return paths;
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
export async function exportTable(
  table: Table,
  folder: string,
  { csv = toCsv(table), provenance }: ExportOptions & { readonly csv?: string } = {},
): Promise<string[]> {
  const files = { md: toMarkdown(table), tex: toLatex(table), csv };
  return await writeAll(folder, table.id, provenance ? marked(files, provenance) : files);
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

/** Exports figures one by one; of one that cannot be drawn, `undrawn` says why, and the others are written. @throws what the file system says */
export async function exportFigures(
  figures: readonly Figure[],
  folder: string,
  options: Parameters<typeof exportFigure>[2],
): Promise<
  { readonly written: readonly { readonly figure: Figure; readonly files: readonly string[] }[]; readonly undrawn: readonly string[] }
> {
  const written: { figure: Figure; files: string[] }[] = [];
  const undrawn: string[] = [];
  for (const figure of figures) {
    try {
      written.push({ figure, files: await exportFigure(figure, folder, options) });
    } catch (error) {
      if (error instanceof Error && "syscall" in error) throw error; // the disk: nothing else could be written either
      undrawn.push(undrawnText(figure.id, error));
    }
  }
  return { written, undrawn };
}

/** Names what cannot be drawn, with the reason, in one line. @throws {StoreError} as it is: it concerns the whole report. */
export function undrawnText(what: string, error: unknown): string {
  if (error instanceof StoreError) throw error;
  return `cannot draw ${what}: ${error instanceof Error ? error.message : error}`.replaceAll(/\s+/g, " ");
}
