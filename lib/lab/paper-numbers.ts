/** The papers' reported numbers, as shipped in `data/papers/`. */

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { UsageError } from "../core/errors.ts";
import { checkoutRoot } from "../core/platform.ts";
import { didYouMean } from "../core/text/did-you-mean.ts";
import { type DataFrame, frameOf, polars } from "./frame-of.ts";

/**
 * The rows of `data/papers/<name>.csv`: column → text. An empty cell was not reported.
 *
 * @throws {UsageError} if there is no such file.
 */
export function paperTable(name: string): Record<string, string>[] {
  return tables.getOrInsertComputed(name, () => readTable(name));
}

/** The papers by how the names of their files begin. */
const PAPERS: Readonly<Record<string, string>> = {
  arigraph: "Anokhin et al. 2024, arXiv 2407.04363",
  graphmind: "Shin et al. 2026 (GraphMind)",
  reasonplanner: "Pham-Dinh et al. 2024, arXiv 2410.09252",
  wese: "Huang et al. 2024, arXiv 2404.07456",
};

/**
 * The numbers that a paper reports, from `data/papers/<name>.csv`, as a frame: numbers as numbers,
 * other columns as text, null if nothing was reported. The last column is `source`, the paper and
 * its table or figure, unless the file names it by row.
 *
 * @throws {UsageError} if there is no such file.
 *
 * @example
 * ```ts
 * import { paperNumbers } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const [row] = paperNumbers("arigraph_table4_textworld").toRecords();
 * assert.equal(row?.treasure_hunt, 0.47);
 * assert.equal(row?.source, "Anokhin et al. 2024, arXiv 2407.04363, Table 4");
 * ```
 */
export function paperNumbers(name: string): DataFrame {
  const rows = paperTable(name);
  const isNumeric = (column: string): boolean =>
    rows.every((row) => row[column] === "" || Number.isFinite(Number(row[column])));
  const columns = Object.keys(rows[0] ?? {}).map((column) => [column, isNumeric(column)] as const);
  const schema = columns.map(([column, isNumber]) =>
    [column, isNumber ? "number?" : "text?"] as const
  );
  const valueOf = (cell = "", isNumber: boolean): string | number | null =>
    cell === "" ? null : isNumber ? Number(cell) : cell;
  const read = rows.map((row) => ({
    source: sourceOf(name),
    ...Object.fromEntries(
      columns.map(([column, isNumber]) => [column, valueOf(row[column], isNumber)]),
    ),
  }));
  return frameOf(read, { ...Object.fromEntries(schema), source: "text?" });
}

function sourceOf(name: string): string {
  const [paper = "", place = ""] = name.split("_");
  const [, kind = "", label = ""] = place.match(/^(table|fig|app)(\w+)$/) ?? [];
  const kinds: Readonly<Record<string, string>> = {
    table: "Table",
    fig: "Figure",
    app: "Appendix",
  };
  const where = kind === "" ? "" : `, ${kinds[kind]} ${label.toUpperCase()}`;
  return `${PAPERS[paper] ?? paper}${where}`;
}

/** Each file is read once. */
const tables = new Map<string, Record<string, string>[]>();

function readTable(name: string): Record<string, string>[] {
  const path = join(checkoutRoot(), "data", "papers", `${name}.csv`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const known = readdirSync(dirname(path)).filter((file) => file.endsWith(".csv")).map((file) =>
      basename(file, ".csv")
    );
    throw new UsageError(
      `no reported numbers named "${name}"; the files are in data/papers/${
        didYouMean(name, known)
      }`,
      { cause: error },
    );
  }
  return polars().readCSV(text.replaceAll(/^#.*\n/gm, ""), { inferSchemaLength: 0 }).toRecords()
    .map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([column, cell]) => [column, cell === null ? "" : String(cell)]),
      )
    );
}
