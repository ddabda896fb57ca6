/**
 * Tables and figures as files for write-ups, each figure with its frame beside it.
 *
 * @module
 */

import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Figure, svgToPdf, svgToPng, toSvg } from "./figure.ts";
import { type Table, toCsv, toLatex, toMarkdown } from "./table.ts";

/** Writes `<id>.svg`, `.pdf` (fonts embedded), `.png` (twice the size), `.csv` (the frame) and `.txt` (the caption); gives the paths. */
export async function exportFigure(figure: Figure, folder: string): Promise<string[]> {
  const svg = await toSvg(figure);
  return await writeAll(folder, figure.id, {
    svg,
    pdf: await svgToPdf(svg),
    png: svgToPng(svg),
    csv: figure.frame.writeCSV().toString(),
    txt: figure.caption + "\n",
  });
}

/** Writes `<id>.md`, `.tex` (booktabs) and `.csv`; gives the paths. */
export async function exportTable(table: Table, folder: string): Promise<string[]> {
  return await writeAll(folder, table.id, { md: toMarkdown(table), tex: toLatex(table), csv: toCsv(table) });
}

/** Each file appears whole or not at all. */
async function writeAll(folder: string, id: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [ending, content] of Object.entries(files)) {
    const path = join(folder, `${id}.${ending}`);
    await writeFile(`${path}.part`, content);
    await rename(`${path}.part`, path);
    paths.push(path);
  }
  return paths;
}
