/**
 * The seal of an episode: when it ends, the hashes of its rows are closed by hashes over them, so that no row can change, vanish or be added unseen.
 */

import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import { writtenName } from "./bodies.ts";
import { canonicalJson, sha256 } from "../../core/text/canonical.ts";
import type { Store } from "./open.ts";
import { type Columns, rowHash } from "./row-hash.ts";

/** The tables with the steps of an episode, and the order of their rows. */
export const STEP_TABLES = {
  turns: "pass, step",
  graph_changes: "pass, step, ordinal",
  events: "pass, step, ordinal",
  truths: "pass, step",
} as const;

/** The tables with what an episode asked of models, and the order of their rows. */
const ASKED_TABLES = { calls: "id", attempts: "id" } as const;

/** All tables with rows of an episode, and the order of their rows. */
export const SEALED_TABLES = { ...STEP_TABLES, ...ASKED_TABLES } as const;

/** A table with rows of an episode. */
export type SealedTable = keyof typeof SEALED_TABLES;

/** The hashes that close the record of an episode. */
export interface Closing {
  /** SHA-256 over what was played: the result and the hashes of its steps. Two plays of one identity have the same. */
  readonly trace: string;
  /** SHA-256 over the hashes of its calls, which tell times and prices, too. */
  readonly calls: string;
  /** SHA-256 over the hashes of its attempts. */
  readonly attempts: string;
  /** Number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** Closes an episode over the hashes of its rows, in order by table. */
export function closingOf(episode: Columns, hashes: Readonly<Record<SealedTable, readonly Uint8Array[]>>): Closing {
  const trace = createHash("sha256").update(resultText(episode));
  for (const table of Object.keys(STEP_TABLES) as (keyof typeof STEP_TABLES)[]) {
    trace.update(`\n${table}\n`).update(Buffer.concat(hashes[table]));
  }
  return { trace: trace.digest("hex"), calls: hashOver(hashes.calls), attempts: hashOver(hashes.attempts), rows: countsOf(hashes) };
}

/** What an episode came to, as text: its identity and result, without times. */
function resultText(episode: Columns): string {
  const { identity, study, lane, ordinal, status, score, max_score, ended, steps, passes, artefact_in, artefact_out } = episode;
  return canonicalJson([identity, study, lane, ordinal, status, score, max_score, ended, steps, passes, artefact_in, artefact_out]);
}

function hashOver(hashes: readonly Uint8Array[]): string {
  return sha256(Buffer.concat(hashes));
}

function countsOf(hashes: Readonly<Record<SealedTable, readonly Uint8Array[]>>): Record<string, number> {
  return Object.fromEntries(Object.entries(hashes).map(([table, rows]) => [table, rows.length]));
}

/** Seals an episode that has ended, given its row. */
export function sealEpisode(store: Store, episode: Columns, at: number): void {
  const id = String(episode["id"]);
  const hashes = Object.fromEntries(
    Object.entries(SEALED_TABLES).map(([table, order]) => [table, storedHashes(store, table, order, id)]),
  ) as Record<SealedTable, Uint8Array[]>;
  const { rows, ...closing } = closingOf(episode, hashes);
  writeSeal(store, { episode: id, ...closing, rows: JSON.stringify(rows), at });
}

function hashOlderRows(store: Store, table: string, order: string, episode: string): void {
  const rows = store.prepare(`select * from main.${table} where episode = ? and hash is null`).all(episode);
  const keys = ["episode", ...order.split(", ")];
  const update = `update main.${writtenName(table)} set hash = ? where ${keys.map((key) => `${key} = ?`).join(" and ")}`;
  for (const row of rows) store.prepare(update).run(rowHash(table, row), ...keys.map((key) => row[key] as SQLOutputValue));
}

/** The hashes of an episode's rows, in order. Rows of an older store, which have none, get one now. */
function storedHashes(store: Store, table: string, order: string, episode: string): Uint8Array[] {
  const select = store.prepare(`select hash from main.${table} where episode = ? order by ${order}`);
  let rows = select.all(episode);
  if (rows.some(({ hash }) => hash === null)) {
    hashOlderRows(store, table, order, episode);
    rows = select.all(episode);
  }
  return rows.map(({ hash }) => hash as Uint8Array);
}

function writeSeal(store: Store, seal: Columns): void {
  const { episode = null, trace = null, calls = null, attempts = null, rows = null, at = null } = seal;
  store.prepare("insert or replace into main.seals (episode, trace, calls, attempts, rows, at, hash) values (?, ?, ?, ?, ?, ?, ?)")
    .run(episode, trace, calls, attempts, rows, at, rowHash("seals", seal));
}

/** Seals the calls and attempts of an episode anew where it is sealed already: a call may be answered after its episode's end. */
export function resealCalls(store: Store, episode: string | undefined): void {
  const seal = store.prepare("select * from main.seals where episode = ?").get(episode ?? null);
  if (!seal || episode === undefined) return;
  const rows = JSON.parse(String(seal["rows"])) as Record<string, number>;
  const closed = Object.entries(ASKED_TABLES).map(([table, order]) => {
    const hashes = storedHashes(store, table, order, episode);
    rows[table] = hashes.length;
    return [table, hashOver(hashes)];
  });
  writeSeal(store, { ...seal, hash: undefined, ...Object.fromEntries(closed), rows: JSON.stringify(rows) });
}

/** Takes the seal off an episode that is played again. */
export function breakSeal(store: Store, episode: string): void {
  store.prepare("delete from main.seals where episode = ?").run(episode);
}

/** Changes a row by the assignments of `set`, hashes it, and returns its columns, the hash as it was before; `undefined` where there is none. */
export function updateHashed(
  store: Store,
  table: HashedTable,
  set: string,
  id: string | number,
  ...values: readonly SQLInputValue[]
): Columns | undefined {
  const row = store.prepare(`update main.${table} set ${set} where id = ? returning *`).get(...values, id);
  if (row) writeHash(store, table, row, id);
  return row;
}

/** Hashes a row after it was written. */
export function hashAgain(store: Store, table: HashedTable, id: string | number): void {
  const row = store.prepare(`select * from main.${table} where id = ?`).get(id);
  if (row) writeHash(store, table, row, id);
}

type HashedTable = "episodes" | "studies" | "attempts" | "calls";

function writeHash(store: Store, table: HashedTable, row: Columns, id: string | number): void {
  store.prepare(`update main.${table} set hash = ? where id = ?`).run(rowHash(table, row), id);
}
