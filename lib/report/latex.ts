/**
 * A table for pdfLaTeX: booktabs rules, numbers aligned by siunitx, grouped heads and labels, and a layout that fits the page.
 *
 * The first of these layouts that fits is taken, by an estimate of widths and heights: a `table` of one column of a two-column page, at 8 pt, with
 * intervals beside their numbers or beneath them; a `table*` of the whole page, the same at 8 and then 7 pt; its columns in panels. A page is as wide
 * as that of `article` in one column, the narrowest that is common. What is too high for a page is a `longtable` on pages of its own, on their side
 * where it is too wide as well.
 */

import { safeText } from "../core/foreign-text.ts";
import {
  columnsOf,
  formatOf,
  groupsOf,
  INDENT,
  type Layout,
  layoutOf,
  linesOf,
  type Part,
  SEP,
  type Sized,
  underHeads,
} from "./latex-layout.ts";
import { latexHead, latexLines, latexText, oneLine } from "../core/text/latex-text.ts";
import { cellText, type Table } from "./table.ts";

/** The preamble that these tables need. */
export const LATEX_PACKAGES = "\\usepackage{booktabs,longtable,lscape,siunitx}\\sisetup{mode=text,reset-text-series=false}";

/**
 * A LaTeX table, labelled `tab:<id>`, that fits one column or the page; what LaTeX reads as a sign of its own is escaped. The best numbers of ours are
 * bold. Under it, as comments, the episodes behind each cell. `options.page` is the width of the page's text in points, where it is not that of `article`.
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
export function toLatex(table: Table, options: { readonly page?: number } = {}): string {
  const layout = layoutOf(table, columnsOf(table), options.page);
  const isLong = layout.env === "longtable";
  const label = safeText(table.id).replaceAll(/[\\{}%#]/g, "-");
  const best = table.rows.flat().some((cell) => typeof cell === "object" && cell && "best" in cell) ? " Bold: the best of ours." : "";
  const caption = `\\caption{${latexText(`${table.title}. ${table.caption}${best}`)}}\\label{tab:${label}}`;
  const size = `${layout.pt === 8 ? "\\footnotesize" : "\\scriptsize"}\\setlength{\\tabcolsep}{${SEP}pt}`;
  const body = layout.panels.flatMap((panel, index) => tabular(panel, { ...layout, caption, isFirst: index === 0 }));
  return [
    `% needs ${LATEX_PACKAGES}`,
    ...(isLong
      ? [
        `${ONE_COLUMN}${layout.isSide ? "\\begin{landscape}" : ""}`,
        `{${size}\\setlength{\\LTcapwidth}{\\linewidth}`,
        ...body,
        `}${layout.isSide ? "\\end{landscape}" : ""}\\labyrinthcolumns`,
      ]
      : [`\\begin{${layout.env}}`, "  \\centering", `  ${caption}\\par\\smallskip`, `  ${size}`, ...body, `\\end{${layout.env}}`]),
    ...episodeComments(table),
    "",
  ].join("\n");
}

/** A `longtable` stands in one column: a document in two leaves them for its pages. */
const ONE_COLUMN = "\\makeatletter\\if@twocolumn\\onecolumn\\gdef\\labyrinthcolumns{\\twocolumn}" +
  "\\else\\gdef\\labyrinthcolumns{}\\fi\\makeatother";

/** A comment a cell that knows its episodes: `./lab show <id>` shows what happened in one. A list is written once, and a later cell names the one that has it. */
function episodeComments({ columns, rows }: Table): string[] {
  const named = new Set<string>(), firstOf = new Map<string, string>();
  return rows.flatMap(([label = null, ...cells]) =>
    cells.flatMap((cell, i) => {
      const episodes = cell !== null && typeof cell === "object" && "episodes" in cell ? cell.episodes ?? [] : [];
      if (episodes.length === 0) return [];
      const name = safeText(oneLine(`${cellText(label)} | ${columns[i + 1]}`)), list = safeText(episodes.join(" "));
      const same = `as ${firstOf.get(list) ?? list}`;
      if (!named.has(name) && !firstOf.has(list)) firstOf.set(list, name);
      named.add(name);
      return [`% ${name}: ${same.length < list.length ? same : list}`];
    })
  );
}

type Panel = Pick<Layout, "env" | "pt" | "isStacked"> & { readonly caption: string; readonly isFirst: boolean };

/** A part of a table: its columns with heads and rows. */
function tabular(columns: readonly Sized[], { env, pt, isStacked, caption, isFirst }: Panel): string[] {
  const isLong = env === "longtable";
  const heads = ["  \\toprule", ...headLines(columns, { pt, isStacked }), "  \\midrule"];
  const rows = rowLines(columns, isStacked);
  const spec = columns.map((column) => columnSpec(column, isStacked)).join("");
  const foot = ["  \\bottomrule", ...isLong ? ["  \\endlastfoot", ...rows] : []];
  if (!isLong) {
    const gap = isFirst ? [] : ["", "  \\medskip", ""];
    return [...gap, `  \\begin{tabular}{@{}${spec}@{}}`, ...heads, ...rows, ...foot, "  \\end{tabular}"];
  }
  const title = isFirst ? caption : "\\caption[]{(continued)}";
  const opening = [`\\begin{longtable}{@{}${spec}@{}}`, `  ${title} \\\\`, ...heads, "  \\endfirsthead", ...heads, "  \\endhead"];
  if (!isFirst) opening.unshift("\\addtocounter{table}{-1}");
  return [...opening, ...foot, "\\end{longtable}"];
}

/** `S` of siunitx for numbers, with a column for what stands beside them; texts to the left. */
function columnSpec({ isNumeric, parts }: Sized, isStacked: boolean): string {
  if (!isNumeric) return "l";
  const { sign, whole, decimals } = formatOf(parts);
  const number = `S[table-format=${sign ? "-" : ""}${whole}.${decimals}]`;
  return spanOf({ isNumeric, parts }, isStacked) === 2 ? `${number}@{\\,}l` : number;
}

/** How many columns of LaTeX a column takes: two where something stands beside its numbers. */
function spanOf({ isNumeric, parts }: Pick<Sized, "isNumeric" | "parts">, isStacked: boolean): 1 | 2 {
  return isNumeric && !isStacked && parts.some(({ tail }) => tail !== "") ? 2 : 1;
}

/** The heads, those of groups with a rule in a line above. */
function headLines(columns: readonly Sized[], { pt, isStacked }: Pick<Layout, "pt" | "isStacked">): string[] {
  const cells = columns.map((column) => ({ ...column, span: spanOf(column, isStacked) }));
  const broken = (text: string, width: number): string => {
    const lines = latexLines(text, width, pt).map((line, i, all) => i === all.length - 1 ? latexHead(line) : latexText(line));
    return lines.length === 1 ? lines.join("") : `\\shortstack{${lines.join("\\\\")}}`;
  };
  const names = cells.map(({ name, width, isNumeric, span }, index) =>
    isNumeric
      ? `\\multicolumn{${span}}{c}{${broken(name, width)}}`
      : index === 0 || !name.includes(" ")
      ? latexHead(name)
      : broken(name, width)
  );
  let at = 1;
  const placed = underHeads(cells).map((group) => {
    const span = group.reduce((sum, cell) => sum + cell.span, 0);
    const width = group.reduce((sum, cell) => sum + cell.width, 2 * SEP * (group.length - 1));
    const head = group[0]?.head ?? "";
    const from = at;
    at += span;
    return {
      text: head === "" ? `\\multicolumn{${span}}{c}{}` : `\\multicolumn{${span}}{c}{${broken(head, width)}}`,
      head,
      from,
      to: at - 1,
    };
  });
  const rules = placed.filter(({ head }) => head !== "").map(({ from, to }) => `\\cmidrule(lr){${from}-${to}}`).join("");
  return [...rules === "" ? [] : [`  ${placed.map(({ text }) => text).join(" & ")} \\\\ ${rules}`], `  ${names.join(" & ")} \\\\`];
}

/** The rows; those of a group are set in under its head, and a label is not said twice. */
function rowLines(columns: readonly Sized[], isStacked: boolean): string[] {
  const span = columns.reduce((sum, column) => sum + spanOf(column, isStacked), 0);
  const labels = columns[0]?.parts.map(({ text }) => text) ?? [];
  let row = -1;
  return groupsOf(labels).flatMap(({ head, names }, index) => {
    const lines = names.flatMap(() => {
      row += 1;
      const isAgain = head === "" && labels[row] === labels[row - 1];
      const gap = !isAgain && row > 0 && head === "" && labels[row] === labels[row + 1] ? ["  \\addlinespace"] : [];
      return [...gap, ...rowLine(columns, { isAgain, row, isStacked })];
    });
    const title = `  \\multicolumn{${span}}{@{}l}{\\itshape ${latexHead(head)}} \\\\*`;
    return head === "" ? lines : [...index === 0 ? [] : ["  \\addlinespace"], title, ...lines];
  });
}

/** The lines of a row: the first with its numbers, the second with the intervals that stand beneath them, all with the lines of its texts. */
function rowLine(
  columns: readonly Sized[],
  place: { readonly isAgain: boolean; readonly row: number; readonly isStacked: boolean },
): string[] {
  const { isAgain, row, isStacked } = place;
  const count = linesOf(columns, row, isStacked);
  return Array.from({ length: count }, (_, line) => {
    const cells = columns.flatMap(({ isNumeric, parts, lines }, index): string[] => {
      const { number, tail, text, best } = parts[row] as Part;
      if (!isNumeric) return [index === 0 && isAgain ? "" : textLine(lines[row]?.[line] ?? "", lines[row]?.[0])];
      const beside = spanOf({ isNumeric, parts }, isStacked) === 2;
      if (line > 0) return [isStacked && line === 1 && tail !== "" ? `{${tailText(tail)}}` : "", ...beside ? [""] : []];
      const shown = number === undefined ? `{${latexText(text)}}` : `${best ? "\\bfseries " : ""}${number}`;
      return beside ? [shown, tailText(tail)] : [shown];
    });
    return `  ${cells.join(" & ")} \\\\${line < count - 1 ? "*" : count > 1 ? "[2pt]" : ""}`;
  });
}

/** A line of a text, set in where its first line is. */
function textLine(text: string, first = ""): string {
  if (text === "") return "";
  // after the end of a row a bracket or an asterisk would be an option of it
  const written = latexHead(text.replace(INDENT, "")).replace(/^(?=[[*])/, "{}");
  return first.startsWith(INDENT) ? `\\quad ${written}` : written;
}

/** The text after a number, in small letters. */
function tailText(tail: string): string {
  return tail === "" ? "" : `\\scriptsize ${latexText(tail.replaceAll(/(?<![\d.])-(?=\d)/g, "−"))}`;
}
