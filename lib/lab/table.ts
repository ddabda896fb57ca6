/** A frame as a table: what a cell shows is what the files hold. */

import { basename } from "node:path";
import { safeText } from "../core/foreign-text.ts";
import { displaySymbol, type MimeBundle } from "../core/platform.ts";
import { latexText } from "./latex-text.ts";
import { tableMarkdown } from "../core/text/written.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";
import { textWidth } from "./draw.ts";
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

/** A floating table that fits a page: smaller letters where it is wide, long texts broken. */
function latexOf({ heads, cells, isNumeric }: Content, caption: string, id: string): string {
  const line = (some: readonly string[]): string => `    ${some.map(plainLatex).join(" & ")} \\\\`;
  const columns = heads.map((head, i) => [head, ...cells.map((row) => row[i] ?? "")]);
  const widest = (texts: readonly string[]): number =>
    Math.max(...texts.map((text) => textWidth(text, COMPUTER_MODERN)));
  const { size, parts } = fitted(columns.map((texts, i) => ({
    width: widest(texts),
    word: widest(texts.join(" ").split(/[ -]/)),
    // numbers next to the paper's keep together where that is possible
    breaks: isNumeric[i] || texts.every((text) => text.length <= 16)
      ? 0
      : texts.some((text) => / \| | \[-?\d/.test(text))
      ? 2
      : 1,
  })));
  const kinds = isNumeric.map((right, i) => {
    const part = parts[i]?.toFixed(2);
    return part ? `>{\\raggedright\\arraybackslash}p{${part}\\linewidth}` : right ? "r" : "l";
  });
  return [
    `% needs \\usepackage{${parts.some(Boolean) ? "array," : ""}booktabs}`,
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${plainLatex(caption)}}\\label{tab:${safeText(id).replaceAll(/[\\{}%#]/g, "-")}}`,
    ...size === "" ? [] : [`  \\${size}\\setlength{\\tabcolsep}{${SEPARATION / 2}pt}`],
    `  \\begin{tabular}{@{}${kinds.join("")}@{}}`,
    "    \\toprule",
    line(heads),
    "    \\midrule",
    ...cells.map(line),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}

/** Width of a page's text, of the gap between columns of a wide table, of a paragraph, in points. */
const PAGE = 430;
const SEPARATION = 8;
const MIN_PARAGRAPH = 40;

/** The size of DejaVu Sans at which it is about as wide as 10 pt letters of Computer Modern. */
const COMPUTER_MODERN = 8.9;

const SIZES = [["", 1], ["small", 0.93], ["footnotesize", 0.86], ["scriptsize", 0.8]] as const;

/** A column: width at full size, widest word, and from which attempt on it may break. */
type Column = Readonly<Record<"width" | "word" | "breaks", number>>;

/**
 * The greatest size of letters at which the table fits, numbers unbroken if that is possible, and
 * the share of the page that each broken column has.
 */
function fitted(columns: readonly Column[]): { size: string; parts: (number | undefined)[] } {
  const page = PAGE - SEPARATION * (columns.length - 1);
  const sum = (some: readonly Column[]): number => some.reduce((all, { width }) => all + width, 0);
  let found: ReturnType<typeof fitted> = { size: "", parts: [] };
  for (const breaking of [1, 2]) {
    for (const [size, factor] of SIZES) {
      const total = sum(columns) * factor;
      if (total <= page) return { size, parts: [] };
      const isLong = ({ breaks }: Column): boolean => breaks > 0 && breaks <= breaking;
      const longs = sum(columns.filter(isLong)) * factor;
      const room = page - (total - longs);
      const widths = columns.map((one) => {
        const share = room * one.width * factor / longs;
        return isLong(one) ? Math.max(MIN_PARAGRAPH, one.word * factor, share) : 0;
      });
      found = { size, parts: widths.map((width) => width / PAGE || undefined) };
      const taken = widths.reduce((all, width) => all + width, 0);
      if (longs > 0 && taken <= room + 1 && size !== "") return found;
    }
  }
  return found;
}

/** Text of a cell for LaTeX. */
function plainLatex(text: string): string {
  return latexText(text).replace(/^\[/, "{[}"); // behind the end of a row it would be read as an option
}
