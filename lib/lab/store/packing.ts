/**
 * Packs the rows that an earlier version wrote: their long texts become bodies. Each piece is a transaction that also records how far it got, so
 * that a process that is killed loses nothing and the next one goes on. Rows that are not packed yet are read like any other.
 */

import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { packColumns, PACKED_TABLES } from "./bodies.ts";

/** What of a store is needed here. */
interface Store {
  readonly path: string;
  readonly database: DatabaseSync;
  prepare(sql: string): StatementSync;
  transaction<T>(work: () => T): T;
}

/** Packs what is left to pack. `onDelay` is told now and then how far it is. */
export function packOlderRows(store: Store, onDelay?: (what: string) => void): void {
  const next = store.prepare("select stage, last from main.packing");
  let toldAt = performance.now();
  for (let row = next.get(); row; row = next.get()) {
    const [stage, last] = [String(row["stage"]), String(row["last"])];
    if (stage === "vacuum") return shrink(store);
    store.transaction(() => stage === "episodes" ? packEpisode(store, last) : packReplies(store, last));
    if (performance.now() - toldAt < QUIET_MS) continue;
    toldAt = performance.now();
    onDelay?.(
      `the store ${store.path}, which an earlier version wrote, is made smaller, once: ${stage} up to ${last.slice(0, 16) || "the first"}`,
    );
  }
}

/** Time between two words about the delay, in ms. */
const QUIET_MS = 2000;
/** Replies that no episode asked for are packed so many at a time. */
const REPLIES_AT_ONCE = 200;

function packEpisode(store: Store, last: string): void {
  const id = store.prepare("select min(id) as id from main.episodes where id > ?").get(last)?.["id"];
  if (typeof id !== "string") return goOn(store, "replies", "");
  for (const table of ["turns", "truths"]) packRows(store, table, "where episode = ?", id);
  packRows(store, "replies", "where key in (select key from main.calls where episode = ?) order by at, key", id, id);
  goOn(store, "episodes", id);
}

function packReplies(store: Store, last: string): void {
  const to = packRows(store, "replies", `where key > ? order by key limit ${REPLIES_AT_ONCE}`, last);
  goOn(store, to ? "replies" : "vacuum", String(to?.["key"] ?? ""));
}

function goOn(store: Store, stage: string, last: string): void {
  store.prepare("update main.packing set stage = ?, last = ?").run(stage, last);
}

/** Packs the rows that the clauses select, and returns the last of them. */
function packRows(store: Store, table: string, clauses: string, value: string, near?: string): Record<string, unknown> | undefined {
  const rows = store.prepare(`select * from main.packed_${table} ${clauses}`).all(value);
  const columns = (PACKED_TABLES[table]?.columns ?? []).flatMap((column) => [column, `${column}_body`]);
  const keys = table === "replies" ? ["key"] : ["episode", "pass", "step"];
  const set = columns.map((column) => `${column} = ?`).join(", ");
  const update = store.prepare(`update main.packed_${table} set ${set} where ${keys.map((key) => `${key} = ?`).join(" and ")}`);
  for (const row of rows) {
    const packed = packColumns(store, table, row, near);
    if (columns.some((column) => packed[column] !== row[column])) {
      update.run(...[...columns.map((column) => packed[column]), ...keys.map((key) => row[key])] as SQLInputValue[]);
    }
  }
  return rows.at(-1);
}

/** Gives the space that is free now back to the file system, unless another process reads the store or the disk is full. */
function shrink(store: Store): void {
  try {
    store.database.exec("vacuum");
  } catch { /* the space is used for what is recorded next */ }
  store.transaction(() => store.prepare("delete from main.packing").run());
}
