/**
 * Opening a store: one SQLite file in WAL mode, which any number of processes may read while one run writes.
 *
 * @module
 */

import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { asStoreError } from "./errors.ts";
import { MIGRATIONS } from "./schema.ts";

/** An open store. */
export interface Store extends Disposable {
  /** The path it was opened with; `:memory:` for a store that ends with the process. */
  readonly path: string;
  /** The SQLite connection, for queries that the functions of this folder do not offer. Writing through it breaks the record. */
  readonly database: DatabaseSync;
  /** Prepares a statement; each text is compiled once. */
  prepare(sql: string): StatementSync;
  /** Runs `work` in one transaction, or as a part of the transaction under way. @throws {StoreError} for an error of SQLite. */
  transaction<T>(work: () => T): T;
  /** Closes the connection. Idempotent; `using` calls it. */
  close(): void;
}

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** Whether a missing file is created. @default {true}, unless the store is only read */
  readonly create?: boolean;
  /**
   * Whether the store is only read: nothing is created, migrated or written, and any other process may go on writing.
   *
   * @default {false}
   */
  readonly readOnly?: boolean;
  /** Longest wait of a statement for the transaction of another process, in milliseconds. @default {10_000} */
  readonly busyTimeout?: number;
}

/**
 * Opens a store, creates it where it is missing, and migrates its schema to the current version.
 *
 * @throws {StoreError} `missing` if the file does not exist and `create` is false; `schema` if it is no database of Labyrinth or of a newer
 * version; `disk` if it cannot be written; `locked` if another process holds it for longer than `busyTimeout`.
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
  const { readOnly = false, create = !readOnly, busyTimeout = 10_000 } = options;
  // SQLite opens a temporary database for an empty name.
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
    database = new DatabaseSync(path, { readOnly });
    database.exec(`pragma busy_timeout = ${Math.trunc(busyTimeout)}; pragma foreign_keys = on;`);
    if (file && !readOnly) database.exec("pragma journal_mode = wal;");
    migrate(database, path, readOnly);
    return wrap(database, path);
  } catch (error) {
    database?.close();
    throw asStoreError(error, path);
  }
}

/** The current schema version. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new StoreError("disk", `the folder of the store ${path} cannot be made: choose another place with --store`, { cause: error });
  }
}

function migrate(database: DatabaseSync, path: string, readOnly: boolean): void {
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
  if (readOnly) {
    throw new StoreError(
      "schema",
      `the store ${path} has schema ${version()} and is to be read only: bring it to schema ${SCHEMA_VERSION} first (./lab show --store FILE does)`,
    );
  }
  // Immediate, so that of two processes that open an old store at once the second one finds it migrated.
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
      // SQLite has rolled back by itself where the disk is full.
      if (database.isTransaction) database.exec("rollback");
      throw asStoreError(error, path);
    }
  }

  function close(): void {
    if (database.isOpen) database.close();
  }

  return { path, database, prepare, transaction, close, [Symbol.dispose]: close };
}
