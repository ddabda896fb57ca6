/**
 * A table is a value: columns, rows of cells and a caption; Markdown and LaTeX (booktabs) are two ways of writing it down.
 *
 * @module
 */

import { safeText } from "../foreign-text.ts";
import { displaySymbol, type MimeBundle } from "../platform.ts";

/** What stands in a cell. */
export type Cell =
  | string
  /** A number with its interval (same unit), `digits` after the point (2 unless told), and the `n` episodes behind it with their ids. */
  | {
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
    readonly digits?: number;
    readonly n?: number;
    readonly episodes?: readonly string[];
  }
  /** Not to be shown as a number: some planned episodes are missing. */
  | { readonly incomplete: { readonly done: number; readonly failed: number; readonly planned: number } }
  /** Nothing was planned or reported. */
  | null;

/** A table. */
export interface Table {
  /** File name without ending, e.g. `arigraph-table4-offline`. */
  readonly id: string;
  /** Above the table, in one line. */
  readonly title: string;
  /** Says n, seeds, interval and backbone. */
  readonly caption: string;
  /** Heads; the first is that of the rows' labels. At least one. */
  readonly columns: readonly string[];
  /** Each as long as `columns`, its label first. */
  readonly rows: readonly (readonly Cell[])[];
  /** How LaTeX sets the columns, where not the first to the left and the others to the right, and whether over several pages. */
  readonly latex?: { readonly columns: string; readonly long: boolean };
}

/**
 * A table that a notebook shows as Markdown.
 *
 * @example
 * ```ts
 * import { displaySymbol } from "labyrinth";
 * import { tableView, type Table } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const table: Table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] };
 * assert.match(String(tableView(table)[displaySymbol]()["text/markdown"]), /\| hunt \| 0\.50 \|/);
 * ```
 */
export function tableView(table: Table): Table & { [displaySymbol]: () => MimeBundle } {
  return { ...table, [displaySymbol]: () => ({ "text/markdown": toMarkdown(table), "text/plain": toMarkdown(table) }) };
}

/**
 * A GitHub-flavoured Markdown table under its title, with the caption beneath.
 *
 * @example
 * ```ts
 * import { toMarkdown } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const text = toMarkdown({ id: "t", title: "T", caption: "n = 1", columns: ["game", "score"], rows: [["hunt", { value: 0.5 }]] });
 * assert.ok(text.includes("| hunt | 0.50 |"));
 * ```
 */
export function toMarkdown(table: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => plain(oneLine(cell)).replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    `### ${plain(oneLine(table.title))}`,
    "",
    line(table.columns),
    line(table.columns.map((_, index) => index === 0 ? "---" : "---:")),
    ...table.rows.map((row) => line(row.map(cellText))),
    "",
    plain(table.caption),
    "",
  ].join("\n");
}

/** Text without what Markdown would make of it: HTML, links, pictures, character references, and formulas between two dollar signs. */
function plain(text: string): string {
  return safeText(text)
    .replaceAll("$", "\\$")
    .replaceAll("](", "]\\(")
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll(/<(?=[\p{L}/!?])/gu, "&lt;");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, " ");
}

/**
 * A LaTeX `table` (or `longtable`) with booktabs rules, labelled `tab:<id>`; what LaTeX reads as a sign of its own is escaped. Under it, as
 * comments, the episodes behind each cell.
 *
 * @example
 * ```ts
 * import { type Table, toLatex } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const table: Table = { id: "t", title: "T", caption: "n = 1.", columns: ["game", "score"], rows: [["cook_hard", { value: 0.5 }]] };
 * assert.ok(toLatex(table).includes("cook\\_hard & 0.50"));
 * ```
 */
export function toLatex(table: Table): string {
  const line = (cells: readonly string[]): string => `  ${cells.map(escapeLatex).join(" & ")} \\\\`;
  const { columns, long } = table.latex ?? { columns: `l${"r".repeat(table.columns.length - 1)}`, long: false };
  const label = safeText(table.id).replaceAll(/[\\{}%#]/g, "-");
  const caption = `\\caption{${escapeLatex(`${table.title}. ${table.caption}`)}}\\label{tab:${label}}`;
  const heads = ["  \\toprule", line(table.columns), "  \\midrule"];
  const rows = table.rows.map((row) => line(row.map(cellText)));
  const opening = ["\\begin{table}", "  \\centering", `  ${caption}`, `  \\begin{tabular}{${columns}}`];
  return [
    `% needs \\usepackage{booktabs${long ? ",longtable" : ""}}`,
    ...(long
      ? [`\\begin{longtable}{${columns}}`, `  ${caption} \\\\`, ...heads, "  \\endhead", "  \\bottomrule", "  \\endlastfoot", ...rows]
      : [...opening, ...heads, ...rows, "  \\bottomrule", "  \\end{tabular}"]),
    `\\end{${long ? "longtable" : "table"}}`,
    ...episodeComments(table),
    "",
  ].join("\n");
}

/** A comment a cell that knows its episodes: `./lab show <id>` shows what happened in one. */
function episodeComments({ columns, rows }: Table): string[] {
  return rows.flatMap(([label = null, ...cells]) =>
    cells.flatMap((cell, i) => {
      const episodes = cell !== null && typeof cell === "object" && "episodes" in cell ? cell.episodes ?? [] : [];
      return episodes.length === 0 ? [] : [`% ${safeText(oneLine(`${cellText(label)} | ${columns[i + 1]}: ${episodes.join(" ")}`))}`];
    })
  );
}

/** The table as CSV (RFC 4180 but for line ends, which are `\n`): the cells as they are shown, the heads first. */
export function toCsv(table: Table): string {
  return csvOf([table.columns, ...table.rows.map((row) => row.map(cellText))]);
}

/** Fields as CSV, a line a row; those that hold a comma, a quote or a line break are quoted. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const field = (text: string): string => /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map((text) => field(csvText(text))).join(",") + "\n").join("");
}

/** Safe text for a field of CSV: where a spreadsheet would take it for a formula, an apostrophe precedes it. Numbers, with intervals too, and single signs stay. */
export function csvText(text: string): string {
  const safe = safeText(text);
  return /^[=+\-@\t\r]./s.test(safe) && !/^[+-][\d.]+(e[+-]?\d+)?( \[[\d., -]+\])?$/.test(safe) ? `'${safe}` : safe;
}

/** A cell as text: `0.53 [0.40, 0.66]`, `incomplete 3/5`, or `–`. */
export function cellText(cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  if ("incomplete" in cell) {
    const { done, failed, planned } = cell.incomplete;
    return `incomplete ${done}/${planned}${failed > 0 ? ` (${failed} failed)` : ""}`;
  }
  const { value, low, high, digits = 2 } = cell;
  const interval = low === undefined || high === undefined ? "" : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  return value.toFixed(digits) + interval;
}

const LATEX: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "–": "--",
  "×": "$\\times$",
  "≤": "$\\le$",
  "±": "$\\pm$",
};

function escapeLatex(text: string): string {
  return safeText(oneLine(text)).replaceAll(/[\\&%$#_{}~^–×≤±]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
}
