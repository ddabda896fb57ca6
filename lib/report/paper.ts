/** The papers' reported numbers, as shipped in `data/papers/`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../errors.ts";
import { checkoutRoot } from "../platform.ts";
import { polars } from "./frame.ts";

/**
 * The rows of `data/papers/<name>.csv`: column → text. An empty cell was not reported.
 *
 * @throws {UsageError} if there is no such file.
 *
 * @example
 * ```ts
 * import { paperTable } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const rows = paperTable("arigraph_table4_textworld");
 * assert.equal(rows.find((row) => row.method === "AriGraph")?.cleaning, "0.79");
 * ```
 */
export function paperTable(name: string): Record<string, string>[] {
  return tables.getOrInsertComputed(name, () => readTable(name));
}

/** Each file is read once. */
const tables = new Map<string, Record<string, string>[]>();

function readTable(name: string): Record<string, string>[] {
  const path = join(checkoutRoot(), "data", "papers", `${name}.csv`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`no reported numbers named "${name}"; the files stand in data/papers/`, { cause: error });
  }
  return polars().readCSV(text, { inferSchemaLength: 0 }).toRecords()
    .map((row) => Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, cell === null ? "" : String(cell)])));
}
