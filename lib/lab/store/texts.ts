/** Long texts of the record: each is a zlib stream, which views show plain. */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { deflateSync, inflateSync } from "node:zlib";

interface Statements {
  prepare(sql: string): StatementSync;
}

export type Columns = Readonly<Record<string, SQLInputValue | undefined>>;

/** The tables with long texts, which are in the store as `packed_…`, and their columns. */
const PACKED: Readonly<Record<string, readonly string[]>> = {
  replies: ["request", "reply"],
  turns: ["frames", "details"],
  truths: ["truth"],
};

export function writtenName(table: string): string {
  return table in PACKED ? `packed_${table}` : table;
}

/** Texts below this many characters stay as they are. */
const MIN_PACKED = 160;

/** What is read in place of a text that cannot be decompressed. */
const DAMAGED = "(damaged)";

function packed(text: string): string | Uint8Array {
  return text.length < MIN_PACKED ? text : deflateSync(text);
}

/** Defines the SQL function by which views read packed columns. */
export function defineUnpacked(database: DatabaseSync): void {
  database.function("unpacked", { deterministic: true }, (value) => {
    if (!(value instanceof Uint8Array)) return value;
    try {
      return inflateSync(value).toString();
    } catch {
      return DAMAGED;
    }
  });
}

/** Inserts a row, long texts compressed; `conflict` is SQLite's for a taken key. */
export function insertRow(
  store: Statements,
  table: string,
  row: Columns,
  conflict: "" | "or ignore" | "or replace" = "",
): boolean {
  const names = Object.keys(row).filter((name) => row[name] !== undefined);
  const values = names.map((name) => {
    const value = row[name] as SQLInputValue;
    return typeof value === "string" && PACKED[table]?.includes(name) ? packed(value) : value;
  });
  const sql = `insert ${conflict} into main.${writtenName(table)} (${names.join(", ")}) values (${
    names.map(() => "?").join(", ")
  })`;
  return Number(store.prepare(sql).run(...values).changes) > 0;
}
