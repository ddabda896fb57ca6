/** Text for Markdown and CSV: signs that these would read as their own are escaped. */

import { safeText } from "../foreign-text.ts";

export function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]\s*/g, " ");
}

export function markdownText(text: string): string {
  return plainMarkdown(oneLine(text));
}

/**
 * Text without what Markdown would make of it: HTML, links, pictures, character references, and
 * formulas between two dollar signs.
 */
export function plainMarkdown(text: string): string {
  return safeText(text)
    .replaceAll("$", "\\$")
    .replaceAll("](", "]\\(")
    .replaceAll(/&(?=#?\w+;)/g, "&amp;")
    .replaceAll(/<(?=[\p{L}/!?])/gu, "&lt;");
}

/** Fields as CSV, a line a row; those that hold a comma, a quote or a line break are quoted. */
export function csvOf(rows: readonly (readonly string[])[]): string {
  const field = (text: string): string =>
    /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map((text) => field(csvText(text))).join(",") + "\n").join("");
}

/**
 * A value as CSV: a number with twelve significant digits, which do not depend on the order of a
 * sum; empty for null.
 */
export function csvValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "number" && !Number.isInteger(value)
    ? `${Number(value.toPrecision(12))}`
    : `${value}`;
}

/**
 * Safe text for a field of CSV: where a spreadsheet would take it for a formula, an apostrophe
 * precedes it. Numbers, with intervals too, and single signs stay.
 */
function csvText(text: string): string {
  const safe = safeText(text);
  return /^[=+\-@＝＋－＠\t\r\n]./s.test(safe) &&
      !/^[+-][\d.]+(e[+-]?\d+)?( \[[\d., -]+\])?$/.test(safe)
    ? `'${safe}`
    : safe;
}

export interface TextTable {
  /** Above it, in one line. @default none */
  readonly title?: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Which columns stand to the right. @default all but the first */
  readonly isNumeric?: readonly boolean[];
  readonly caption: string;
}

export function tableMarkdown(
  { title, columns, rows, caption, isNumeric = columns.map((_, i) => i > 0) }: TextTable,
): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => markdownText(cell).replaceAll("|", "\\|")).join(" | ")} |`;
  const rules = `| ${isNumeric.map((right) => right ? "---:" : "---").join(" | ")} |`;
  const head = title === undefined ? [] : [`### ${markdownText(title)}`, ""];
  return [...head, line(columns), rules, ...rows.map(line), "", plainMarkdown(caption), ""].join(
    "\n",
  );
}
