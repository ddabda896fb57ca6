/** A frame as a table: what a cell shows is what the files hold. */

import { basename } from "node:path";
import { safeText } from "../core/foreign-text.ts";
import { displaySymbol, type MimeBundle } from "../core/platform.ts";
import { latexText } from "./latex-text.ts";
import { tableMarkdown } from "../core/text/written.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";
import { brokenText, textWidth } from "./draw.ts";
import { type DataFrame, frameCsv } from "./frame-of.ts";
import { writeExhibit } from "./write-files.ts";

/** How a table is shown and written. */
export interface FrameTableOptions {
  /** What is shown, on what, n, and what the intervals are: at most about 40 words. */
  readonly caption: string;
  /** Path of its files without ending, e.g. `figures/table4`. @default none is written */
  readonly file?: string;
  /**
   * Digits after the point, of all columns or by column; whole numbers have none, and a column `p`
   * of p-values has three. @default 2
   */
  readonly digits?: number | Readonly<Record<string, number>>;
}

/** A table that a cell shows as Markdown. */
export interface ShownTable {
  /** The paths that were written: Markdown, LaTeX, CSV. */
  readonly files: readonly string[];
  /** What a cell shows. */
  [displaySymbol](): MimeBundle;
}

/**
 * Shows a frame as a table, as it is: its columns, its rows, their order. With `file` it is also
 * written as Markdown, as LaTeX (a `table` with a `tabular` and booktabs' rules, labelled
 * `tab:<name of the file>`) and as CSV with all digits, and noted in `manifest.json`. Numbers are
 * aligned to the right, null is a dash.
 *
 * @throws The file system's error if the folder cannot be written.
 *
 * @example
 * ```ts
 * import { displaySymbol } from "labyrinth";
 * import { table } from "labyrinth/lab";
 * import { frameOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const frame = frameOf([{ game: "hunt", score: 0.5 }], { game: "text", score: "number" });
 * const shown = await table(frame, { caption: "One game, n = 1." });
 * assert.match(String(shown[displaySymbol]()["text/markdown"]), /\| hunt \| 0\.50 \|/);
 * ```
 */
export async function table(frame: DataFrame, options: FrameTableOptions): Promise<ShownTable> {
  checkKeys("table()", options, ["caption", "file", "digits"]);
  const { file, caption } = options;
  const { heads, cells, isNumeric } = contentOf(frame, options);
  const md = tableMarkdown({ columns: heads, rows: cells, isNumeric, caption });
  const tex = latexOf({ heads, cells, isNumeric }, caption, basename(file ?? ""));
  const csv = frameCsv(frame);
  const files = file === undefined ? [] : await writeExhibit(file, caption, { md, tex, csv });
  return { files, [displaySymbol]: () => ({ "text/markdown": md, "text/plain": md }) };
}

/** Heads, cells as they are shown, and which columns are of numbers. */
interface Content {
  readonly heads: readonly string[];
  readonly cells: readonly (readonly string[])[];
  readonly isNumeric: readonly boolean[];
}

function contentOf(frame: DataFrame, { digits = 2 }: FrameTableOptions): Content {
  const heads = frame.columns;
  const isNumeric = frame.dtypes.map((type) => /Int\d|Float|Decimal/.test(String(type)));
  const whole = heads.map((head) => frame.getColumn(head).toArray().every(isWhole));
  const fixed = (value: number, i: number): string => {
    if (heads[i] === "p") return value < 0.001 ? "< 0.001" : value.toFixed(3);
    const set = typeof digits === "number" ? digits : digits[heads[i] ?? ""] ?? 2;
    return value.toFixed(whole[i] ? 0 : set).replace(/^-(?=[0.]*$)/, ""); // no sign before a zero
  };
  const text = (value: unknown, i: number): string => {
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    return typeof value === "number" || typeof value === "bigint"
      ? fixed(Number(value), i)
      : String(value);
  };
  return { heads, cells: frame.rows().map((row) => row.map(text)), isNumeric };
}

function isWhole(value: unknown): boolean {
  return typeof value !== "number" || Number.isInteger(value);
}

/** A floating table that fits a page: heads in lines, smaller letters and broken texts if needed. */
function latexOf({ heads, cells, isNumeric }: Content, caption: string, id: string): string {
  const row = (some: readonly string[]): string => `    ${some.join(" & ")} \\\\`;
  const { size, columns } = fitted(heads.map((head, i) => {
    const texts = cells.map((cell) => cell[i] ?? "");
    // numbers next to the paper's keep together where that is possible
    const last = texts.some((text) => / \| | \[-?\d/.test(text)) ? 2 : 1;
    return {
      line: widest([head, ...texts]),
      width: widest([...head.split(" "), ...texts]),
      word: widest([head, ...texts].flatMap((text) => text.split(/[ -]/))),
      breaks: isNumeric[i] || texts.every((text) => text.length <= 16) ? 0 : last,
    };
  }));
  const kinds = columns.map(({ part }, i) =>
    part === undefined
      ? isNumeric[i] ? "r" : "l"
      : `>{\\raggedright\\arraybackslash}p{${part.toFixed(3)}\\linewidth}`
  );
  const titles = heads.map((head, i) => {
    const lines = brokenText(head, columns[i]?.width ?? 0, COMPUTER_MODERN).map(plainLatex);
    const side = isNumeric[i] ? "r" : "l";
    return lines.length > 1 ? `\\shortstack[${side}]{${lines.join("\\\\")}}` : lines.join("");
  });
  return [
    `% needs \\usepackage{${columns.some(({ part }) => part) ? "array," : ""}booktabs}`,
    "\\begin{table}",
    "  \\centering\\setlength{\\belowcaptionskip}{5pt}",
    `  \\caption{${plainLatex(caption)}}\\label{tab:${safeText(id).replaceAll(/[\\{}%#]/g, "-")}}`,
    ...size === "" ? [] : [`  \\${size}\\setlength{\\tabcolsep}{4pt}`],
    `  \\begin{tabular}{@{}${kinds.join("")}@{}}`,
    "    \\toprule",
    row(titles),
    "    \\midrule",
    ...cells.map((cell) => row(cell.map(plainLatex))),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => textWidth(text, COMPUTER_MODERN)));
}

/** Width of a page's text, and the least width of a column that is broken, in points. */
const PAGE = 430;
const MIN_PARAGRAPH = 40;

/** The size of DejaVu Sans at which it is about as wide as 10 pt letters of Computer Modern. */
const COMPUTER_MODERN = 9.2;

/**
 * How a table is made to fit: what may break (1: heads and texts, 2: numbers, too), the size of
 * letters, their width, and the gap between columns in points.
 */
const ATTEMPTS = [
  ...[[0, "", 1, 12], [1, "small", 0.93, 8], [1, "footnotesize", 0.86, 8]] as const,
  ...[[1, "scriptsize", 0.8, 8], [2, "scriptsize", 0.8, 8]] as const,
];

/** A column at full size: in one line, with its head in lines, its widest word, what breaks it. */
type Column = Readonly<Record<"line" | "width" | "word" | "breaks", number>>;

interface Fitted {
  readonly size: string;
  /** Width at full size, and the share of the page that a broken column has. */
  readonly columns: readonly { readonly width: number; readonly part?: number }[];
}

function fitted(columns: readonly Column[]): Fitted {
  let found: Fitted = { size: "", columns: [] };
  for (const [breaking, size, factor, gap] of ATTEMPTS) {
    const sized = columns.map(({ line, width, word, breaks }) => {
      const full = breaking === 0 ? line : width;
      if (breaks === 0 || breaks > breaking) return { full, least: full };
      const narrow = Math.max(word, breaking === 1 ? Math.min(full / 3, 100) : MIN_PARAGRAPH);
      return { full, least: Math.min(full, narrow) };
    });
    const least = sized.reduce((sum, one) => sum + one.least, 0);
    const wanted = sized.reduce((sum, one) => sum + one.full, 0) - least;
    const room = (PAGE - gap * (columns.length - 1)) / factor - least;
    const share = wanted <= room ? 1 : Math.max(0, room) / wanted;
    found = {
      size,
      columns: sized.map(({ full, least }) => {
        const width = least + share * (full - least);
        return width < full ? { width, part: width * factor / PAGE } : { width };
      }),
    };
    if (room >= 0) return found;
  }
  return found;
}

/** Text of a cell for LaTeX. */
function plainLatex(text: string): string {
  return latexText(text).replace(/^\[/, "{[}"); // behind the end of a row it would be read as an option
}
