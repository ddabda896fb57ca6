/** The hash of a row: what the columns of the record are held against when a table is made. */

import { Buffer } from "node:buffer";
import type { SQLInputValue } from "node:sqlite";
import { sha256 } from "../../core/text/canonical.ts";

/** The columns of a row as SQLite takes or gives them. */
export type Columns = Readonly<Record<string, SQLInputValue | undefined>>;

/**
 * Hashes a row: the first 16 bytes of SHA-256 over the table's name and the columns in order of their names. Left out are absent columns, so that a
 * column that a later schema adds changes no hash; the hash itself; the row ids of `calls` and `attempts`; and blobs, whose key is a hash of their content.
 */
export function rowHash(table: string, columns: Columns): Uint8Array {
  let key = table;
  for (const name in columns) key += ` ${name}`;
  return hashers.getOrInsertComputed(key, () => rowHasher(table, Object.keys(columns)))(Object.values(columns));
}

const hashers = new Map<string, ReturnType<typeof rowHasher>>();

/** Returns `rowHash` for rows of these columns, given as their values in the same order. */
export function rowHasher(table: string, names: readonly string[]): (values: readonly (SQLInputValue | undefined)[]) => Uint8Array {
  const isHashed = (name: string): boolean => name !== "hash" && !(name === "id" && (table === "calls" || table === "attempts"));
  const order = names.filter(isHashed).sort().map((name) => ({ head: `,[${JSON.stringify(name)},`, index: names.indexOf(name) }));
  const start = `[${JSON.stringify(table)}`;
  return (values) => {
    let text = start; // JSON of the table and its pairs, written by hand in half the time
    for (const { head, index } of order) {
      const value = values[index];
      if (value === null || value === undefined || ArrayBuffer.isView(value)) continue;
      text += `${head}${JSON.stringify(typeof value === "string" ? asStored(value) : value)}]`;
    }
    return Uint8Array.fromHex(sha256(`${text}]`)).subarray(0, 16);
  };
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
