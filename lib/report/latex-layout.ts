/** How a table is laid out for LaTeX: which labels stand in groups, which columns are numbers, how wide they are, and what fits the page. */

import { latexLines, latexWidth, latexWordWidth } from "../core/text/latex-text.ts";
import { type Cell, cellText, type Table } from "./table.ts";

/** Width of the narrowest common column and page, width of a page on its side, and height that a float may have, in points. */
const COLUMN = 215;
const PAGE = 343;
const SIDE = 545;
const HEIGHT = 520;
/** Half the gap between columns of a table, in points. */
export const SEP = 3;

/** A cell as it is shown, and where it is a number, that with what follows it. */
export interface Part {
  readonly number?: string;
  readonly tail: string;
  readonly text: string;
  readonly best: boolean;
}

/** A column in its parts. */
export interface Column {
  readonly name: string;
  /** The head that it shares with its neighbours, or "". */
  readonly head: string;
  readonly parts: readonly Part[];
  /** Whether numbers are aligned in it. */
  readonly isNumeric: boolean;
}

export interface Layout {
  readonly env: "table" | "table*" | "longtable";
  /** Whether its pages lie on their side. */
  readonly isSide?: boolean;
  /** Size of the letters in points. */
  readonly pt: 7 | 8;
  /** Whether intervals stand beneath their numbers. */
  readonly isStacked: boolean;
  /** The columns of each part; the first column stands in all of them. */
  readonly panels: readonly (readonly Sized[])[];
}

/** A column with its width in points; a text is broken into `lines`, those of a row each. */
export interface Sized extends Column {
  readonly width: number;
  readonly lines: readonly (readonly string[])[];
}

/**
 * Groups of neighbours whose labels begin alike, up to the first comma or colon: what they share, and what is left of each; what is `attached`
 * belongs to the label before. A label that belongs to no group stands alone, under ""; so does a sentence, which goes on after its comma.
 */
export function groupsOf(labels: readonly string[], attached?: RegExp): { readonly head: string; readonly names: readonly string[] }[] {
  const groups: { key: string; labels: string[] }[] = [];
  for (const label of labels) {
    const key = label.split(/[,:] /, 1)[0] ?? label;
    const last = groups.at(-1);
    if (last && (last.key === key || attached?.test(label))) last.labels.push(label);
    else groups.push({ key, labels: [label] });
  }
  return groups.flatMap(({ key, labels: [first = "", ...others] }) => {
    const isSentence = [first, ...others].some((label) => label.startsWith(`${key}, `) && label.length > key.length + LONGEST_HEAD);
    const isAlone = others.length === 0 || isSentence || key.length > LONGEST_HEAD || others.every((label) => label === first);
    if (isAlone) return [first, ...others].map((label) => ({ head: "", names: [label] }));
    const left = [first, ...others].map((label) => label.startsWith(key) ? label.slice(key.length).replace(/^[,:] /, "") : label);
    return [{ head: key, names: left.map((name) => name === "" ? "ours" : name) }];
  });
}

/** Longest label of a group, in letters. */
const LONGEST_HEAD = 40;

/** The columns of a table, the first that of its labels. */
export function columnsOf({ columns, rows }: Table): Column[] {
  const heads = groupsOf(columns.slice(1), /^(paper|sd)$/).flatMap(({ head, names }) => names.map((name) => ({ head, name })));
  return [{ head: "", name: columns[0] ?? "" }, ...heads].map((head, index) => {
    const parts = rows.map((row) => partOf(row[index] ?? null));
    const numbers = parts.filter(({ number }) => number !== undefined).length;
    return { ...head, parts, isNumeric: index > 0 && numbers > 0 && 2 * numbers >= parts.filter(({ text }) => text !== "–").length };
  });
}

/** A cell as number and tail where it has both: an interval, `± 3.3` or `| 0.5`. */
function partOf(cell: Cell): Part {
  const shown = cellText(cell);
  const best = cell !== null && typeof cell === "object" && "best" in cell && cell.best === true;
  const [, number, tail = ""] = shown.match(/^([+−-]?\d+(?:\.\d+)?)(?: ([±|[][^A-Za-z]*))?$/) ?? [];
  return { number: number?.replace("−", "-"), tail, text: shown, best };
}

/** The layout of a table: in a column, on a page, in panels on a page; or, where that is too high, on pages of its own, upright or on their side. `page` is the width of the page in points. */
export function layoutOf(table: Table, columns: readonly Column[], page: number = PAGE): Layout {
  const labels = groupsOf(columns[0]?.parts.map(({ text }) => text) ?? []).flatMap(({ head, names }) =>
    names.map((name) => head === "" ? name : `${INDENT}${name}`)
  );
  const first = <Env extends Layout["env"]>(
    env: Env,
    width: number,
    sizes: readonly (7 | 8)[],
  ): (Layout & { isHigh: boolean }) | undefined => {
    for (const pt of sizes) {
      for (const isStacked of [false, true]) {
        const sized = fitted(columns, { width, pt, isStacked, labels });
        if (sized) return { env, pt, isStacked, panels: [sized], isHigh: heightOf(table, [sized], { width, pt, isStacked }) > HEIGHT };
      }
    }
    return undefined;
  };
  const floats = [first("table", COLUMN, [8]), first("table*", page, [8, 7])];
  const float = floats.find((layout) => layout && !layout.isHigh);
  if (float) return float;
  const style = { pt: 7, isStacked: true, width: page, labels } as const;
  const panels = panelsOf(columns, style);
  if (!floats[1] && heightOf(table, panels, style) <= HEIGHT) return { ...style, env: "table*", panels };
  const side = first("longtable", SIDE, [7]);
  return first("longtable", page, [7]) ?? (side && { ...side, isSide: true }) ?? { ...style, env: "longtable", panels };
}

/** How labels of a group are set in. */
export const INDENT = "\u2003";

interface Style extends Pick<Layout, "pt" | "isStacked"> {
  readonly width: number;
  /** The labels of the rows, without what those of a group share. */
  readonly labels: readonly string[];
}

/** Columns in as few parts as fit the page, groups whole. */
function panelsOf([label, ...columns]: readonly Column[], style: Style): Sized[][] {
  const panels = underHeads(columns).reduce<Column[][]>((all, group) => {
    const last = all.at(-1);
    if (last && fitted([label as Column, ...last, ...group], style)) last.push(...group);
    else all.push([...group]);
    return all;
  }, []);
  return panels.map((panel) =>
    fitted([label as Column, ...panel], style) ?? fitted([label as Column, ...panel], { ...style, width: Infinity }) ?? []
  );
}

/** Columns in groups of neighbours under one head. */
export function underHeads<Headed extends Pick<Column, "head">>(columns: readonly Headed[]): Headed[][] {
  return columns.reduce<Headed[][]>((all, column, i) => {
    if (i > 0 && column.head !== "" && column.head === columns[i - 1]?.head) all.at(-1)?.push(column);
    else all.push([column]);
    return all;
  }, []);
}

/** Where not all texts fit on a line, columns grow alike until this share of their texts do. */
const USUAL = 0.8;

/** Columns with their widths, texts broken into lines where they must be; `undefined` where they do not fit. */
function fitted(columns: readonly Column[], { width, pt, isStacked, labels }: Style): Sized[] | undefined {
  const room = width - 2 * SEP * columns.length;
  const count = columns.filter(({ isNumeric }) => !isNumeric).length;
  const comfortable = room * (count === 1 ? 0.24 : 0.5 / count);
  const sized = columns.map((column, index) => {
    const texts = index === 0 ? labels : column.parts.map(({ text }) => text);
    const head = latexWordWidth(column.name, pt);
    if (column.isNumeric) {
      const wide = Math.max(numberWidth(column, { pt, isStacked }), head);
      return { ...column, texts: [], width: wide, usual: wide, least: wide };
    }
    const widths = texts.map((text) => latexWidth(text, pt)).sort((a, b) => a - b);
    const natural = Math.max(head, ...widths) + 2;
    const longest = Math.max(head, ...texts.map((text) => latexWordWidth(text, pt))) + 2;
    const least = Math.min(natural, Math.max(longest, comfortable));
    return { ...column, texts, width: natural, usual: Math.max(least, (widths[Math.floor(USUAL * widths.length)] ?? 0) + 2), least };
  });
  const widened = withHeads(sized, pt);
  const sum = (which: "width" | "usual" | "least"): number => widened.reduce((total, column) => total + column[which], 0);
  if (sum("least") > room) return undefined;
  const [from, to] = sum("usual") > room ? ["least", "usual"] as const : ["usual", "width"] as const;
  const share = Math.min(1, (room - sum(from)) / (sum(to) - sum(from) || 1));
  return widened.map(({ usual, least, texts, ...column }) => {
    const wide = { usual, least, width: column.width };
    const cut = wide[from] + share * (wide[to] - wide[from]);
    return { ...column, width: cut, lines: texts.map((text) => latexLines(text, cut, pt)) };
  });
}

/** Columns under a head that is wider than they are share the rest, since LaTeX would give it to the last one. */
function withHeads<Wide extends Column & Readonly<Record<"width" | "usual" | "least", number>>>(
  columns: readonly Wide[],
  pt: number,
): Wide[] {
  return columns.map((column) => {
    const own = columns.filter(({ head }) => head !== "" && head === column.head);
    const longest = latexWordWidth(column.head, pt);
    const extra = Math.max(0, longest - own.reduce((sum, { width }) => sum + width, 2 * SEP * (own.length - 1))) / Math.max(1, own.length);
    return { ...column, width: column.width + extra, usual: column.usual + extra, least: column.least + extra };
  });
}

/** The width of a column of numbers without its head. */
function numberWidth({ parts }: Column, { pt, isStacked }: Pick<Layout, "pt" | "isStacked">): number {
  const { sign, whole, decimals } = formatOf(parts);
  // a bold digit is wider
  const digits = latexWidth("0".repeat(whole + decimals), pt) * (parts.some(({ best }) => best) ? 1.15 : 1) + whole / 3;
  const number = digits + (sign ? 0.78 * pt : 0) + (decimals > 0 ? 0.28 * pt : 0) + 2;
  const tail = Math.max(0, ...parts.map((part) => part.tail === "" ? 0 : latexWidth(part.tail, 7) + 4));
  const text = Math.max(0, ...parts.map((part) => part.number === undefined ? latexWidth(part.text, pt) : 0));
  return Math.max(isStacked ? Math.max(number, tail) : number + tail, text);
}

/** How many digits numbers have, and whether one has a sign. */
export function formatOf(parts: readonly Part[]): { readonly sign: boolean; readonly whole: number; readonly decimals: number } {
  const numbers = parts.flatMap(({ number }) => number ?? []);
  const most = (of: (number: string) => number): number => Math.max(0, ...numbers.map(of));
  return {
    sign: numbers.some((number) => /^[+-]/.test(number)),
    whole: most((number) => number.replace(/^[+-]/, "").split(".")[0]?.length ?? 0),
    decimals: most((number) => number.split(".")[1]?.length ?? 0),
  };
}

/** About how high a table is with its caption, in points. */
function heightOf(table: Table, panels: readonly (readonly Sized[])[], { pt, isStacked, width }: Omit<Style, "labels">): number {
  const caption = Math.ceil(latexWidth(`${table.title}. ${table.caption}`, 10) / width) * 12;
  const heads = groupsOf(table.rows.map(([label = null]) => cellText(label))).filter(({ head }) => head !== "").length;
  const lines = panels.map((columns) =>
    table.rows.reduce((sum, _, row) => sum + linesOf(columns, row, isStacked) + (isStacked ? 0.2 : 0), 1.3 * heads + 4)
  );
  return caption + lines.reduce((sum, one) => sum + one, 0) * (pt + 1.5);
}

/** How many lines a row takes. */
export function linesOf(columns: readonly Sized[], row: number, isStacked: boolean): number {
  return Math.max(1, ...columns.map(({ lines, parts }) => Math.max(lines[row]?.length ?? 1, isStacked && parts[row]?.tail ? 2 : 1)));
}
