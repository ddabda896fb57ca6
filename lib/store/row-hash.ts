/** The hash of a row: what the columns of the record are held against when a table is made. */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { SQLInputValue } from "node:sqlite";

/** The columns of a row as SQLite takes or gives them. */
export type Columns = Readonly<Record<string, SQLInputValue | undefined>>;

/**
 * Hashes a row: the first 16 bytes of SHA-256 over the table's name and the columns in order of their names. Left out are absent columns, so that a
 * column that a later schema adds changes no hash; the hash itself; the row ids of `calls` and `attempts`; and blobs, whose key is a hash of their content.
 */
export function rowHash(table: string, columns: Columns): Uint8Array {
  const kept: unknown[] = [table];
  for (const name of sortedNames(table, columns)) {
    const value = columns[name];
    if (value === null || value === undefined || ArrayBuffer.isView(value)) continue;
    kept.push([name, typeof value === "string" ? asStored(value) : value]);
  }
  return createHash("sha256").update(JSON.stringify(kept)).digest().subarray(0, 16);
}

const sorted = new Map<string, readonly string[]>();

/** The names of a row's columns in order; rows of one table have the same ones over and over. */
function sortedNames(table: string, columns: Columns): readonly string[] {
  const names = Object.keys(columns);
  return sorted.getOrInsertComputed(
    `${table} ${names.join()}`,
    () => names.filter((name) => name !== "hash" && !(name === "id" && (table === "calls" || table === "attempts"))).sort(),
  );
}

/** A text as it comes back from SQLite: half surrogates replaced, and cut at the character U+0000. */
function asStored(value: string): string {
  const end = value.indexOf("\0");
  return (end < 0 ? value : value.slice(0, end)).toWellFormed();
}

/** Whether a row has the hash that was stored with it; `undefined` for a row of a store that did not hash its rows. */
export function isAsHashed(table: string, columns: Columns): boolean | undefined {
  const { hash } = columns;
  if (!(hash instanceof Uint8Array)) return undefined;
  return isHash(hash, rowHash(table, columns));
}

/** Whether two hashes are equal. */
export function isHash(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
