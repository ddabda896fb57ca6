/**
 * All exhibits of a write-up in one document: LaTeX for pdfLaTeX, HTML in one file, and Quarto. Each says what its tables and figures say of
 * themselves, and nothing else.
 */

import { readFileSync } from "node:fs";
import { markupText, safeText } from "../foreign-text.ts";
import { exportFigures, fileName, writeAll } from "./export.ts";
import type { Figure, Preset } from "./figure.ts";
import { columnsOf } from "./latex-layout.ts";
import { LATEX_PACKAGES, toLatex } from "./latex.ts";
import { latexText } from "./latex-text.ts";
import { cellText, type Table, toPipes } from "./table.ts";

/** A section of a document. */
export interface Section {
  /** The head. */
  readonly title: string;
  /** In their order. */
  readonly tables: readonly Table[];
  /** In their order, after the tables. */
  readonly figures: readonly Figure[];
}

/** A document. */
export interface ReportDocument {
  /** File name without ending. */
  readonly id: string;
  /** On its first page. */
  readonly title: string;
  /** In their order. */
  readonly sections: readonly Section[];
}

/** A figure as it was drawn, with its size in points. */
interface Drawn extends Pick<Figure, "id" | "caption"> {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** A section with its figures drawn. */
interface DrawnSection extends Pick<Section, "title" | "tables"> {
  readonly figures: readonly Drawn[];
}

/** Width and height of the text of the LaTeX document, in points: figures of the preset `page` fit it as they are. */
const TEXT = { width: 500, height: 650 };
/** Height that a figure may have above its caption, and one that follows the head of its section: with it on a page, in points. */
const HIGHEST = 560;
const HIGHEST_FIRST = 480;

/**
 * Writes `<id>.tex`, `.html` and `.qmd` and, for the first and the last, the folder `figures/`; gives the paths, and the figures that cannot be drawn
 * with the reason.
 *
 * @throws What the file system says where the folder cannot be written.
 *
 * @example
 * ```ts
 * import { writeDocument } from "labyrinth/report";
 * import assert from "node:assert/strict";
 * import { mkdtemp } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { basename, join } from "node:path";
 *
 * const table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };
 * const document = { id: "paper", title: "Mine", sections: [{ title: "Results", tables: [table], figures: [] }] };
 * const { files } = await writeDocument(document, await mkdtemp(join(tmpdir(), "labyrinth-")));
 * assert.deepEqual(files.map((file) => basename(file)), ["paper.tex", "paper.html", "paper.qmd"]);
 * ```
 */
export async function writeDocument(
  document: ReportDocument,
  folder: string,
  options: { readonly preset?: Preset } = {},
): Promise<{ readonly files: readonly string[]; readonly undrawn: readonly string[] }> {
  const [files, undrawn]: [string[], string[]] = [[], []];
  const sections: DrawnSection[] = [];
  for (const { figures, ...section } of document.sections) {
    const exported = await exportFigures(figures, `${folder}/figures`, options);
    undrawn.push(...exported.undrawn);
    const drawn = exported.written.map(({ figure: { id, caption }, files: paths }): Drawn => {
      files.push(...paths);
      const svg = readFileSync(paths[0] ?? "", "utf8");
      const [, width, height] = svg.match(/\bviewBox="0 0 ([\d.]+) ([\d.]+)"/) ?? [];
      return { id: fileName(id), caption, svg, width: Number(width), height: Number(height) };
    });
    sections.push({ ...section, figures: drawn });
  }
  const written = { tex: texOf(document.title, sections), html: htmlOf(document.title, sections), qmd: quartoOf(document.title, sections) };
  return { files: [...await writeAll(folder, document.id, written), ...files], undrawn };
}

function texOf(title: string, sections: readonly DrawnSection[]): string {
  const figure = ({ id, caption, width, height }: Drawn, isFirst: boolean): string => {
    const scale = Math.min(1, TEXT.width / width, (isFirst ? HIGHEST_FIRST : HIGHEST) / height);
    const size = scale < 1 ? `[width=${(width * scale).toFixed(1)}bp]` : "";
    return [
      "\\begin{figure*}[!htbp]\n  \\centering",
      `  \\includegraphics${size}{"figures/${id}"}`,
      `  \\caption{${latexText(caption)}}\\label{fig:${id}}\n\\end{figure*}\n`,
    ].join("\n");
  };
  const table = (one: Table, index: number): string => { // a long one stands in the text, which runs ahead of what floats
    const text = toLatex(one, { page: TEXT.width });
    if (/^\\begin\{longtable\}/m.test(text)) return index > 0 ? `\\clearpage\n${text}` : text;
    return text.replace(/\\begin\{table\*?\}/, "$&[!htbp]");
  };
  const body = sections.flatMap(({ title, tables, figures }) => [
    `\\section{${latexText(title)}}\\suppressfloats[t]\n`, // none of its floats stands above its head
    // LaTeX holds back a limited number of floats
    ...[...tables.map(table), ...figures.map((one, index) => figure(one, tables.length + index === 0))].flatMap((part, index) =>
      index % 10 === 9 ? [part, "\\clearpage\n"] : [part]
    ),
    "\\clearpage\n",
  ]);
  const text = `textwidth=${TEXT.width}bp,textheight=${TEXT.height}bp`;
  const head = `{\\centering\\Large ${latexText(title)}\\par}\n`; // lower than \maketitle's: a table of the first section stands below it
  const preamble = ["\\documentclass{article}", LATEX_PACKAGES, `\\usepackage{graphicx}\\usepackage[${text}]{geometry}`];
  return [...preamble, "\\begin{document}", head, ...body, "\\end{document}", ""].join("\n");
}

function htmlOf(title: string, sections: readonly DrawnSection[]): string {
  const table = ({ id, title, caption, columns, rows }: Table): string => {
    const isText = columnsOf({ id, title, caption, columns, rows }).map(({ isNumeric }) => !isNumeric);
    const line = (cells: readonly string[], tag: string): string =>
      `<tr>${cells.map((cell, at) => `<${tag}${isText[at] ? ' class="text"' : ""}>${cell}</${tag}>`).join("")}</tr>`;
    const body = rows.map((row) =>
      line(
        row.map((cell) =>
          typeof cell === "object" && cell && "best" in cell ? `<b>${markupText(cellText(cell))}</b>` : markupText(cellText(cell))
        ),
        "td",
      )
    );
    const head = `<caption><b>${markupText(title)}.</b> ${markupText(caption)}</caption>`;
    const heads = line(columns.map(markupText), "th");
    return [`<table id="${markupText(id)}">${head}<thead>${heads}</thead><tbody>`, ...body, "</tbody></table>"].join("\n");
  };
  const figure = ({ id, caption, svg, width }: Drawn): string =>
    `<figure id="${markupText(id)}"><img alt="${markupText(caption)}" width="${width}" ` +
    `src="data:image/svg+xml;base64,${new TextEncoder().encode(svg).toBase64()}"><figcaption>${markupText(caption)}</figcaption></figure>`;
  const links = sections.map(({ title }, index) => `<a href="#section-${index}">${markupText(title)}</a>`).join(" · ");
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${markupText(title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${markupText(title)}</h1><nav>${links}</nav>`,
    ...sections.flatMap(({ title, tables, figures }, index) => [
      `<h2 id="section-${index}">${markupText(title)}</h2>`,
      ...tables.map(table),
      ...figures.map(figure),
    ]),
    "</body></html>\n",
  ].join("\n");
}

const STYLE = "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem}" +
  "table{border-collapse:collapse;border-bottom:1.5px solid;border-top:1.5px solid;display:block;font-size:13px;margin:2rem 0;overflow-x:auto}" +
  "caption{max-width:calc(100vw - 2rem);text-align:left;padding:.5rem 0}th{border-bottom:1px solid;vertical-align:bottom}td,th{padding:.15rem .6rem;text-align:right}" +
  ".text{text-align:left}figure{margin:2rem 0}img{height:auto;max-width:100%}figcaption,caption{font-size:13px}";

function quartoOf(title: string, sections: readonly DrawnSection[]): string {
  // cross-references are made of letters, digits, hyphens and underscores
  const label = (id: string): string => id.replaceAll(/[^\w-]+/g, "-");
  // Pandoc's Markdown knows citations, formulas, sub- and superscripts, attributes and TeX, Quarto shortcodes
  const plain = (text: string): string => safeText(text).replaceAll(/\s+/g, " ").replaceAll(/[\\`*_^~@$[\]{}<>|&]/g, "\\$&");
  const extension = (format: string, name: string): string => `  ${format}:\n    default-image-extension: ${name}`;
  return [
    `---\ntitle: ${JSON.stringify(plain(title))}\nformat:\n${extension("html", "svg")}\n${extension("pdf", "pdf")}\n---\n`,
    ...sections.flatMap(({ title, tables, figures }) => [
      `# ${plain(title)}\n`,
      ...tables.map((table) => `${toPipes(table, plain)}\n\n: ${plain(`${table.title}. ${table.caption}`)} {#tbl-${label(table.id)}}\n`),
      ...figures.map(({ id, caption }) => `![${plain(caption)}](<figures/${id}>){#fig-${label(id)}}\n`),
    ]),
  ].join("\n");
}
