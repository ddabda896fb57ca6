/** A table is a value: columns, rows of cells and a caption; Markdown, CSV and LaTeX (`latex.ts`) are ways of writing it down. */

import { displaySymbol, type MimeBundle } from "../core/platform.ts";
import { csvOf, markdownText, plainMarkdown } from "../core/text/written.ts";
export { csvOf, csvText } from "../core/text/written.ts";

/** The content of a cell. */
export type Cell =
  | string
  /**
   * A number with its interval (same unit), `digits` after the point (2 unless told), and the `n` episodes behind it with their ids; `shown` stands in
   * place of number and interval, and `best` says that none of ours is better.
   */
  | {
    readonly value: number;
    readonly low?: number;
    readonly high?: number;
    readonly digits?: number;
    readonly n?: number;
    readonly episodes?: readonly string[];
    readonly shown?: string;
    readonly best?: true;
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
  return [`### ${markdownText(table.title)}`, "", toPipes(table), "", plainMarkdown(table.caption), ""].join("\n");
}

/** The heads and rows in Markdown. */
function toPipes({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => markdownText(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(columns), line(columns.map((_, index) => index === 0 ? "---" : "---:")), ...rows.map((row) => line(row.map(cellText)))].join(
    "\n",
  );
}

/** The table as CSV (RFC 4180 but for line ends, which are `\n`): the cells as they are shown, the heads first. */
export function toCsv(table: Table): string {
  return csvOf([table.columns, ...table.rows.map((row) => row.map(cellText))]);
}

/** The cell of episodes of which some are missing; `undefined` where all are completed. */
export function incompleteCell(episodes: readonly { readonly status: string }[]): Cell | undefined {
  const count = (wanted: string): number => episodes.filter(({ status }) => status === wanted).length;
  const incomplete = { done: count("completed"), failed: count("failed"), planned: episodes.length };
  return incomplete.done < incomplete.planned ? { incomplete } : undefined;
}

/** The cell of a number that there may not be, with two digits. */
export function numberCell(value: number | undefined): Cell {
  return value === undefined ? null : { value };
}

/** The cell of a p-value: four digits, and `< 0.0001` where these would be zeros. */
export function pCell(p: number | undefined): Cell {
  return p === undefined ? null : { value: p, digits: 4, ...(p < 0.00005 ? { shown: "< 0.0001" } : {}) };
}

/** A cell as text: `0.53 [0.40, 0.66]`, `incomplete 3/5`, or `–`. */
export function cellText(cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  if ("incomplete" in cell) {
    const { done, failed, planned } = cell.incomplete;
    return `incomplete ${done}/${planned}${failed > 0 ? ` (${failed} failed)` : ""}`;
  }
  const { value, low, high, digits = 2, shown } = cell;
  if (shown !== undefined) return shown;
  const fixed = (number: number): string => number.toFixed(digits).replace(/^-(?=[0.]*$)/, ""); // no sign before a zero
  return fixed(value) + (low === undefined || high === undefined ? "" : ` [${fixed(low)}, ${fixed(high)}]`);
}
