/** An exhibit as a table, and as plain rows for a figure. */

import { playerName } from "./caption-text.ts";
import {
  cellOf,
  type CellResult,
  type Exhibit,
  factsOf,
  isIn,
  type Line,
  type PaperNumber,
  paperNumbers,
  type StudyRead,
} from "./exhibit.ts";
import type { Measure, Trial } from "./estimate.ts";
import { differencesFrom } from "../lab/settings.ts";
import type { Cell, Table } from "./table.ts";

/** How a table is made of an exhibit. */
export interface TableOptions {
  /** Show the numbers of the trials at hand where planned ones are missing. @default {false} */
  readonly allowIncomplete?: boolean;
}

/** A line of the table: one of ours, or the paper's (`isPaper`) beside a group of ours. */
interface Shown<L> {
  readonly name: string;
  readonly isPaper: boolean;
  readonly group: readonly L[];
}

/**
 * The table of an exhibit in a study, titled and captioned with backbone and embedder. Rows and columns without a planned trial are left out, and
 * a line of the paper's stands only where the paper has a number in it.
 *
 * @example
 * ```ts
 * import { createStudyReader, type Exhibit, tableOf, meanMeasure, type Trial } from "labyrinth/report";
 * import { listEpisodes, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * const exhibit: Exhibit = {
 *   ...{ id: "mine", source: "Table 1", head: "method", trial: "episode" },
 *   trials: (store, study) => listEpisodes(store, { study }).map(({ id, condition, status }) => ({ episode: id, condition, status })),
 *   rows: [{ name: "AriGraph", has: ({ condition }) => condition === "arigraph", shown: "always" }],
 *   columns: [{ name: "done", measure: meanMeasure<Trial>({ name: "done", of: () => 1, interval: "wilson" }), shown: "always" }],
 *   paper: () => ({ printed: "0.9", backbone: "gpt-4" }),
 * };
 * using store = openStore(":memory:");
 * const { columns, rows } = tableOf(exhibit, createStudyReader(store).read(exhibit, "unplayed"));
 * assert.deepEqual([columns, rows], [["method", "done", "paper"], [["AriGraph", null, "0.9"]]]);
 * ```
 */
export function tableOf<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  read: StudyRead<T>,
  options: TableOptions = {},
): Table {
  const { rows, columns } = shownLines(exhibit, read, options);
  const inRows = exhibit.beside === "rows";
  const printed = (row: R, column: C): PaperNumber[] => paperNumbers(exhibit, { row, column, where: "table" });
  const names = (numbers: readonly PaperNumber[]): string[] => [...new Set(numbers.map(({ line = "paper" }) => line))];
  const allRows = withPaper(rows, inRows ? (row) => names(columns.flatMap((column) => printed(row, column))) : undefined);
  const allColumns = withPaper(columns, inRows ? undefined : (column) => names(rows.flatMap((row) => printed(row, column))));
  const cells: CellResult<T>[] = [];
  const contests = new Map<string, Contestant[]>();

  const cell = (row: Shown<R>, column: Shown<C>): Cell => {
    const [ourRow, ourColumn] = [row.group[0], column.group[0]];
    if (!row.isPaper && !column.isPaper && ourRow && ourColumn) {
      const found = cellOf(exhibit, read, { row: ourRow, column: ourColumn, ...options });
      if (!found || found.planned === 0) return null;
      cells.push(found);
      const own = ourCell(found);
      const [line, other] = exhibit.compete === "rows" ? [ourRow, ourColumn] : [ourColumn, ourRow];
      const { better, name } = found.measure;
      if (!exhibit.compete || line.rivals === null || !better || typeof own !== "object" || own === null || !("value" in own)) return own;
      const contest = JSON.stringify([other === ourRow ? rows.indexOf(ourRow) : columns.indexOf(ourColumn), name, line.rivals]);
      contests.getOrInsertComputed(contest, () => []).push({ number: own, better });
      return own;
    }
    const wanted = row.isPaper ? row.name : column.name;
    const number = row.group.flatMap((one) => column.group.flatMap((other) => printed(one, other)))
      .find(({ line = "paper" }) => line === wanted);
    if (!number) return null;
    const beside = read.trials.filter((trial) => row.group.some((one) => isIn(one, trial)) && column.group.some((one) => isIn(one, trial)));
    const differences = differencesFrom(number, read.settings, beside);
    return `${number.shown ?? number.printed ?? ""}${differences.length > 0 ? ` (${differences.join("; ")})` : ""}` || null;
  };

  const body = allRows.map((row): Cell[] => [row.name, ...allColumns.map((column) => cell(row, column))]);
  const best = new Set<Cell>([...contests.values()].flatMap(bestOf));
  const { backbone, embedder } = read;
  const shown = [...new Set(cells.flatMap(({ trials }) => trials))];
  const facts = factsOf(cells, { backbone: playerName(backbone), noun: exhibit.trial, ...options });
  return {
    id: `${exhibit.id}-${backbone}${embedderSuffix(embedder)}`,
    title: exhibit.title?.(playerName(backbone), shown) ?? `${exhibit.source} (${playerName(backbone)})`,
    caption: withEmbedder(exhibit.caption?.(facts, shown) ?? `${facts.n}. ${facts.intervals}`, embedder),
    columns: [exhibit.head, ...allColumns.map(({ name }) => name)],
    rows: body.map((row) => row.map((cell) => best.has(cell) ? { ...cell as OurNumber, best: true } : cell)),
  };
}

/** The rows and columns of an exhibit that a study has a planned trial in, or that stand there always. */
export function shownLines<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  read: StudyRead<T>,
  options: TableOptions = {},
): { readonly rows: R[]; readonly columns: C[] } {
  const shown = <L extends Line<T>>(line: L): boolean =>
    line.shown === "always" || (line.shown !== "never" && read.trials.some((trial) => isIn(line, trial)));
  const planned = exhibit.rows.filter(shown);
  const has = (row: R, column: C, { shown }: Line<T>): boolean => {
    const ours = cellOf(exhibit, read, { row, column, ...options })?.ours;
    return typeof ours === "object" && (shown === "measured" || ours.value !== 0);
  };
  const isIfFilled = ({ shown }: Line<T>): boolean => shown === "measured" || shown === "nonzero";
  const columns = exhibit.columns.filter((column) =>
    shown(column) && (!isIfFilled(column) || planned.some((row) => has(row, column, column)))
  );
  return { rows: planned.filter((row) => !isIfFilled(row) || columns.some((column) => has(row, column, row))), columns };
}

/** A cell of an exhibit as plain data for a figure: our number, made of `n` episodes, and the paper's first one; null where there is none. */
export interface ExhibitRow<R, C> extends Readonly<Record<"value" | "low" | "high" | "paper", number | null>> {
  readonly row: R;
  readonly column: C;
  readonly n: number;
}

/** The cells of an exhibit that have a number of ours or of the paper's, row by row. */
export function exhibitRows<T extends Trial, R extends Line<T>, C extends Line<T>>(
  exhibit: Exhibit<T, R, C>,
  read: StudyRead<T>,
  options: TableOptions = {},
): ExhibitRow<R, C>[] {
  const { rows, columns } = shownLines(exhibit, read, options);
  return rows.flatMap((row) =>
    columns.flatMap((column) => {
      const found = cellOf(exhibit, read, { row, column, ...options })?.ours;
      const ours = typeof found === "object" ? found : undefined;
      const [printed] = paperNumbers(exhibit, { row, column, where: "table" }).flatMap((number) => number.printed ?? []);
      if (!ours && printed === undefined) return [];
      const { value = null, low = null, high = null, episodes = [] } = ours ?? {};
      return [{ row, column, value, low, high, n: episodes.length, paper: printed === undefined ? null : Number(printed) }];
    })
  );
}

/** The suffix of file names for an embedder; empty for the default one. */
export function embedderSuffix(embedder: string): string {
  return embedder === "" || embedder === DEFAULT_EMBEDDER ? "" : `-${embedder.replaceAll(/,? and |, /g, "-")}`;
}

/** A caption that ends with the embedder, where one is recorded; one that does so already stays as it is. */
export function withEmbedder(caption: string, embedder: string): string {
  const told = ` Embedder ${embedder}.`;
  return embedder === "" || caption.endsWith(told) ? caption : caption + told;
}

const DEFAULT_EMBEDDER = "lexical-v1";

/** Puts the paper's lines after the last line of each group. */
function withPaper<L extends Pick<Line<Trial>, "name" | "group">>(
  lines: readonly L[],
  namesOf?: (line: L) => readonly string[],
): Shown<L>[] {
  const groups = Map.groupBy(lines, (line): unknown => line.group ?? line);
  return [...groups.values()].flatMap((group) => [
    ...group.map((line) => ({ name: line.name, isPaper: false, group: [line] })),
    ...[...new Set(group.flatMap((line) => namesOf?.(line) ?? []))].map((name) => ({ name, isPaper: true, group })),
  ]);
}

type OurNumber = Extract<Cell, { readonly value: number }>;

/** A number of ours that competes. */
interface Contestant extends Required<Pick<Measure<Trial>, "better">> {
  readonly number: OurNumber;
}

/** The numbers that no other one beats as it is shown; none where all are equal. */
function bestOf(contestants: readonly Contestant[]): OurNumber[] {
  const merit = ({ number: { value, digits = 2 }, better }: Contestant): number =>
    Number(value.toFixed(digits)) * (better === "more" ? 1 : -1);
  const most = Math.max(...contestants.map(merit));
  const best = contestants.filter((one) => merit(one) === most);
  return best.length < contestants.length ? best.map(({ number }) => number) : [];
}

function ourCell<T extends Trial>({ ours, measure, trials, done, failed, planned }: CellResult<T>): Cell {
  if (ours === undefined) return { incomplete: { done, failed, planned } };
  if (typeof ours === "string") return null;
  const { value, low, high, episodes } = ours;
  const shown = measure.show?.(ours, trials.filter(({ status }) => status === "completed"));
  const number = { value, digits: measure.digits, n: episodes.length, episodes };
  return shown === undefined ? { ...number, low, high } : { ...number, shown };
}
