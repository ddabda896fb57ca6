/** The page of a folder of tables and figures: its `README.md`, which sites of repositories show. */

import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { markupText } from "../foreign-text.ts";
import { writeAll } from "./export.ts";
import { readMark, type StudyProvenance, withoutMark } from "./provenance.ts";

/** A table or figure as its files tell of it. */
interface Exhibited {
  readonly id: string;
  /** `undefined` of a figure. */
  readonly title?: string;
  readonly caption: string;
  /** The heads and rows of a table, in Markdown. */
  readonly rows: readonly string[];
  readonly studies: readonly StudyProvenance[];
}

const HEAD = "<!-- Written by the lab with the tables and figures: what is changed here is lost. -->\n";
/** Rows that a table may have to stand on the page itself. */
const SHORT = 6;
const byName = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

/**
 * Writes the page `README.md` of a folder: below the introduction (Markdown) every table and figure that was exported there with a mark of its origin,
 * and the folders in it that have such a page. A page that somebody else wrote stays; then, and where the folder holds neither, it gives no path.
 *
 * @throws What the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { exportTable, writeGallery } from "labyrinth/report";
 * import assert from "node:assert/strict";
 * import { mkdtemp, readFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 *
 * const table = { id: "mine-scores", title: "Scores", caption: "n = 1.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };
 * const folder = await mkdtemp(`${tmpdir()}/labyrinth-`);
 * await exportTable(table, folder, { provenance: { labyrinth: "0.1.0", studies: [] } });
 * const path = await writeGallery(folder, "Results of today.");
 * assert.match(await readFile(path ?? "", "utf8"), /^Results of today\.\n\n.*\[Scores\]\(mine-scores\.md\)/m);
 * ```
 */
export async function writeGallery(folder: string, introduction: string): Promise<string | undefined> {
  const text = galleryText(folder, introduction);
  if (text === undefined || (existsSync(join(folder, "README.md")) && !isGallery(folder))) return undefined;
  const [path] = await writeAll(folder, "README", { md: text });
  return path;
}

/** The page of a folder; `undefined` where it holds neither exhibits nor folders with a page. */
export function galleryText(folder: string, introduction: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const exhibits = exhibitsIn(folder);
  const inside = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && isGallery(join(folder, entry.name))).map(({ name }) => name).sort(byName);
  if (exhibits.length + inside.length === 0) return undefined;
  return [
    HEAD,
    "# Tables and figures\n",
    `${introduction}\n`,
    ...inside.map((name) => `- [${name}](${encodeURIComponent(name)}/)`),
    ...inside.length > 0 && exhibits.length > 0 ? [""] : [],
    ...exhibitTexts(exhibits),
    ...exhibits.length === 0 ? [""] : [],
  ].join("\n");
}

function isGallery(folder: string): boolean {
  const path = join(folder, "README.md");
  return existsSync(path) && readFileSync(path, "utf8").startsWith(HEAD);
}

function exhibitsIn(folder: string): Exhibited[] {
  return globSync("*.{md,txt}", { cwd: folder }).sort(byName).flatMap((file): Exhibited[] => {
    const content = readFileSync(join(folder, file));
    const mark = readMark(content);
    if (!mark) return [];
    const [id, studies] = [file.replace(/\.\w+$/, ""), mark.studies];
    const text = withoutMark(content.toString());
    if (file.endsWith(".txt")) return [{ id, caption: text.trim(), rows: [], studies }];
    const [head = "", ...lines] = text.split("\n");
    const rows = lines.filter((line) => line.startsWith("| "));
    return [{
      id,
      title: head.replace(/^#+ /, ""),
      caption: lines.filter((line) => !line.startsWith("| ")).join("\n").trim(),
      rows,
      studies,
    }];
  });
}

function exhibitTexts(exhibits: readonly Exhibited[]): string[] {
  const studies = new Map(exhibits.flatMap((exhibit) => exhibit.studies.map((study) => [study.study, study])));
  const played = [...studies.values()].sort((a, b) => byName(a.study, b.study))
    .map(({ study, episodes, seeds }) => `<code>${markupText(study)}</code> (${episodes} episodes, seeds ${markupText(seeds)})`);
  const [tables, figures] = [exhibits.filter(({ title }) => title !== undefined), exhibits.filter(({ title }) => title === undefined)];
  return [
    ...tables.map(tableText),
    ...figures.length > 0
      ? [`<table>\n${pairs(figures.map(figureText)).map((cells) => `<tr>${cells.join("")}</tr>\n`).join("")}</table>\n`]
      : [],
    ...played.length > 0 ? [`<details><summary>Made of</summary>\n\n${played.join(", ")}\n\n</details>\n`] : [],
  ];
}

function tableText({ id, title, caption, rows }: Exhibited): string {
  const file = encodeURIComponent(id);
  const isShort = rows.length <= SHORT + 2; // with its heads and their rule
  const head = `**[${title}](${file}.md)** ([LaTeX](${file}.tex), [CSV](${file}.csv))`;
  return isShort ? `${head}\n\n${rows.join("\n")}\n\n${opening(caption)}\n` : `${head}: ${opening(caption)}\n`;
}

function figureText({ id, caption }: Exhibited): string {
  const [file, text] = [encodeURIComponent(id), markupText(caption)];
  const links = ["svg", "pdf", "csv"].map((ending) => `<a href="${file}.${ending}">${ending.toUpperCase()}</a>`).join(" ");
  return `<td width="50%" valign="top"><a href="${file}.svg"><img alt="${opening(text)}" src="${file}.png"></a><br><sub>${
    opening(text)
  } ${links}</sub></td>`;
}

/** The first two sentences, and those that say n. */
function opening(text: string): string {
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)].map(({ segment }) => segment);
  return sentences.filter((sentence, at) => at < 2 || /\bn = /.test(sentence)).join("").trim();
}

function pairs<T>(items: readonly T[]): T[][] {
  return items.flatMap((item, index) => index % 2 === 0 ? [[item, ...items.slice(index + 1, index + 2)]] : []);
}
