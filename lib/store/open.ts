/**
 * Opening the store: one SQLite file in WAL mode, so that any number of readers look on while one run writes.
 *
 * @module
 */

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { asStoreError } from "./errors.ts";
import { MIGRATIONS } from "./schema.ts";

/** An open store. SQLite's own refusals leave `transaction` as `StoreError`. */
export interface Store extends Disposable {
  /** As it was opened; `:memory:` for one that lives with the process only. */
  readonly path: string;
  /** The connection itself, for what the functions beside do not offer. Written to by hand it is no longer the lab's record. */
  readonly database: DatabaseSync;
  /** A prepared statement; each text is compiled once. */
  prepare(sql: string): StatementSync;
  /** Runs `work` in one transaction: all of it is kept, or nothing. Inside another transaction it joins that one. */
  transaction<T>(work: () => T): T;
  /** Ends the connection; closing it again is no error. `using` does it by itself. */
  close(): void;
}

/** How a store is opened. */
export interface OpenStoreOptions {
  /** Whether a missing file is made. @default {true} */
  readonly create?: boolean;
  /** How long a statement waits for another process's transaction, in milliseconds. @default {10_000} */
  readonly busyTimeout?: number;
}

/**
 * Opens a store, makes it where it is missing, and brings its schema up to date.
 *
 * A run takes `lockForRun` besides; readers need no lock.
 *
 * @throws {StoreError} `missing` if the file is not there and may not be made; `schema` if it is no database or was written by a newer
 * Labyrinth; `disk` if it cannot be written; `locked` if another process holds it past `busyTimeout`.
 *
 * @example
 * ```ts
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.equal(store.prepare("select count(*) as n from episodes").get()?.n, 0);
 * ```
 */
export function openStore(path: string, options: OpenStoreOptions = {}): Store {
  const { create = true, busyTimeout = 10_000 } = options;
  // SQLite takes an empty name for a database that is gone when it is closed.
  if (path === "") throw new StoreError("missing", "a store needs the path of a file: name one with --store, or leave that option out");
  const file = path !== ":memory:";
  if (file && !existsSync(path)) {
    if (!create) {
      throw new StoreError("missing", `there is no store at ${path}: play something first (./lab reproduce), or name one with --store`);
    }
    makeFolder(path);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`pragma busy_timeout = ${Math.trunc(busyTimeout)}; pragma foreign_keys = on;`);
    if (file) database.exec("pragma journal_mode = wal;");
    migrate(database, path);
    return wrap(database, path);
  } catch (error) {
    database?.close();
    throw asStoreError(error, path);
  }
}

/** The schema version that a store written by this code has. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new StoreError("disk", `the folder of the store ${path} cannot be made: choose another place with --store`, { cause: error });
  }
}

function migrate(database: DatabaseSync, path: string): void {
  const version = (): number => Number(database.prepare("pragma user_version").get()?.user_version);
  if (version() > SCHEMA_VERSION) {
    throw new StoreError(
      "schema",
      `the store ${path} has schema ${version()}, this Labyrinth knows up to ${SCHEMA_VERSION}: update Labyrinth, or choose another store with --store`,
    );
  }
  if (version() === SCHEMA_VERSION) return;
  if (version() === 0 && database.prepare("select 1 from sqlite_schema limit 1").get() !== undefined) {
    throw new StoreError("schema", `the database ${path} was made by another program: choose another file with --store`);
  }
  // Immediate: of two processes that open an old store at once, the second one finds the work done.
  database.exec("begin immediate");
  try {
    for (const step of MIGRATIONS.slice(version())) database.exec(step);
    database.exec(`pragma user_version = ${SCHEMA_VERSION}; commit;`);
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}

function wrap(database: DatabaseSync, path: string): Store {
  const statements = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, statement = database.prepare(sql));
    return statement;
  }

  function transaction<T>(work: () => T): T {
    if (database.isTransaction) return work();
    try {
      database.exec("begin immediate");
      const result = work();
      database.exec("commit");
      return result;
    } catch (error) {
      // A full disk has SQLite roll back by itself.
      if (database.isTransaction) database.exec("rollback");
      throw asStoreError(error, path);
    }
  }

  function close(): void {
    if (database.isOpen) database.close();
  }

  return { path, database, prepare, transaction, close, [Symbol.dispose]: close };
}
