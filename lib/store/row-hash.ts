/**
 * The hash of a row: what the columns of the record are held against when a table is made.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { SQLInputValue } from "node:sqlite";

/** The columns of a row as SQLite takes or gives them. */
export type Columns = Readonly<Record<string, SQLInputValue | undefined>>;

/**
 * Hashes a row: the first 16 bytes of SHA-256 over the table's name and the columns in order of their names. Left out are absent columns, so that a
 * column that a later schema adds changes no hash; the hash itself; the row id of `calls`; and blobs, whose key is a hash of their content.
 */
export function rowHash(table: string, columns: Columns): Uint8Array {
  const kept = Object.keys(columns).filter((name) => {
    const value = columns[name];
    return value !== null && value !== undefined && !ArrayBuffer.isView(value) && !(table === "calls" && name === "id");
  }).sort();
  const text = JSON.stringify([table, ...kept.map((name) => [name, asStored(columns[name])])]);
  return new Uint8Array(createHash("sha256").update(text).digest().subarray(0, 16));
}

/** A text as it comes back from SQLite: half surrogates replaced, and cut at the character U+0000. */
function asStored(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const end = value.indexOf("\0");
  return (end < 0 ? value : value.slice(0, end)).toWellFormed();
}

/** Whether a row has the hash that was stored with it; `undefined` for a row of a store that did not hash its rows. */
export function isAsHashed(table: string, columns: Columns): boolean | undefined {
  const { hash } = columns;
  if (!(hash instanceof Uint8Array)) return undefined;
  return equalBytes(hash, rowHash(table, columns));
}

/** Whether two byte strings are equal. */
function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
