/**
 * The digest of an episode: the exclusive or of the SHA-256 of its rows. It follows every change in
 * the same transaction, so that no row of an episode, running or ended, is changed, lost or added
 * unseen.
 */

import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { Store } from "./store.ts";
import { type Columns, insertRow, writtenName } from "./texts.ts";

export const STEP_TABLES = ["turns", "graph_changes", "events", "truths"] as const;
export const EPISODE_TABLES = [...STEP_TABLES, "calls", "attempts"] as const;

export type DigestedTable = (typeof EPISODE_TABLES)[number] | "episodes" | "studies";

/** Where the rows are digested that belong to no episode. */
export const LOOSE = "";

/**
 * Hashes a row: SHA-256 over JSON of the table's name and the columns that are there, each with its
 * name, in order of their names. Left out are the row ids of `calls` and `attempts`, and blobs.
 */
export function rowHash(table: string, columns: Columns): Uint8Array {
  let key = table;
  for (const name in columns) key += ` ${name}`;
  const order = orders.getOrInsertComputed(key, () => {
    const hasOwnKey = table !== "calls" && table !== "attempts";
    return Object.keys(columns).filter((name) => hasOwnKey || name !== "id").sort().map((name) => ({
      name,
      head: `,[${JSON.stringify(name)},`,
    }));
  });
  let text = `[${JSON.stringify(table)}`; // written by hand in half the time
  for (const { name, head } of order) {
    const value = columns[name];
    if (value === null || value === undefined || ArrayBuffer.isView(value)) continue;
    text += `${head}${JSON.stringify(typeof value === "string" ? asStored(value) : value)}]`;
  }
  return hash("sha256", `${text}]`, "buffer");
}

const orders = new Map<string, { readonly name: string; readonly head: string }[]>();

/** A text as SQLite gives it back: half surrogates replaced, cut at the character U+0000. */
function asStored(value: string): string {
  const end = value.indexOf("\0");
  return (end < 0 ? value : value.slice(0, end)).toWellFormed();
}

/** The exclusive or of two digests of equal length. */
export function mixed(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, index) => byte ^ (b[index] ?? 0));
}

export const NOTHING: Uint8Array = new Uint8Array(32);

export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

export function defineMixed(database: DatabaseSync): void {
  database.function(
    "mixed",
    { deterministic: true },
    (a, b) => mixed(a as Uint8Array, b as Uint8Array),
  );
}

/** Adds a row to its digest or, if it is in it, removes it. */
export function toggle(store: Store, table: DigestedTable, row: Columns): void {
  const episode = table === "studies"
    ? LOOSE
    : row[table === "episodes" ? "id" : "episode"] ?? LOOSE;
  store.prepare(
    "insert into main.digests values (?, ?) on conflict (episode) do update set digest = mixed(digest, excluded.digest)",
  ).run(episode, rowHash(table, row));
}

export function insertDigested(
  store: Store,
  table: DigestedTable,
  row: Columns,
  conflict: "" | "or ignore" = "",
): void {
  if (insertRow(store, table, row, conflict)) toggle(store, table, row);
}

/**
 * Changes a row by the assignments of `set`, digests it, and returns its columns; `undefined` where
 * there is none.
 */
export function updateDigested(
  store: Store,
  table: "episodes" | "studies" | "attempts" | "calls",
  set: string,
  id: string | number,
  ...values: readonly SQLInputValue[]
): Columns | undefined {
  const before = store.prepare(`select * from main.${table} where id = ?`).get(id);
  if (!before) return undefined;
  toggle(store, table, before);
  const row = store.prepare(`update main.${table} set ${set} where id = ? returning *`).get(
    ...values,
    id,
  ) as Columns;
  toggle(store, table, row);
  return row;
}

export function deleteDigested(
  store: Store,
  table: DigestedTable,
  where: string,
  ...values: readonly SQLInputValue[]
): void {
  for (const row of store.prepare(`select * from main.${table} where ${where}`).all(...values)) {
    toggle(store, table, row);
  }
  store.prepare(`delete from main.${writtenName(table)} where ${where}`).run(...values);
}
