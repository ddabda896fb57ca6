/** Opening a store: an SQLite file in WAL mode, with one writing run and any number of readers. */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { StoreError } from "../../core/errors.ts";
import { defineMixed } from "./digest.ts";
import { asStoreError } from "./errors.ts";
import { LAST_OF_6, LAST_OF_OLDER, SCHEMA, SCHEMA_VERSION } from "./schema.ts";
import type { Store } from "./store.ts";
import { defineUnpacked } from "./texts.ts";
import { createTransactions } from "./transactions.ts";

export type { Store };

/** Options of `openStore`. */
export interface OpenStoreOptions {
  /** Whether a missing file is created. @default {true} */
  readonly create?: boolean;
  /**
   * Longest wait of a statement for the transaction of another process, in milliseconds.
   * @default {10_000}
   */
  readonly busyTimeout?: number;
  /**
   * Whether it is opened for reading alone.
   * @default whether its file or folder cannot be written
   */
  readonly readOnly?: boolean;
}

/**
 * Opens a store, and creates it if it is missing.
 *
 * @throws {StoreError} `missing` if the file does not exist and `create` is false, or is not a
 *   file; `schema` if it is not Labyrinth's or of another version; `disk` if it cannot be written;
 *   `damaged` if it is not as it was written; `locked` if another process holds it for longer than
 *   `busyTimeout`.
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
  // SQLite opens a temporary database for an empty name.
  if (path === "") {
    throw new StoreError(
      "missing",
      "a store needs the path of a file: name one with --store, or leave that option out",
    );
  }
  const file = path !== ":memory:";
  const isThere = file && existsSync(path);
  if (file && isThere && statSync(path).isDirectory()) {
    throw new StoreError(
      "missing",
      `${path} is a folder: name a file with --store, or leave that option out`,
    );
  }
  if (file && isThere && !statSync(path).isFile()) { // SQLite would leave a log beside a device, and wait for a pipe
    throw new StoreError(
      "missing",
      `${path} is a device or a pipe: name a file with --store, or leave that option out`,
    );
  }
  if (file && !create && (!isThere || statSync(path).size === 0)) {
    const what = isThere ? `the store ${path} is empty` : `there is no store at ${path}`;
    throw new StoreError(
      "missing",
      `${what}: play something first (./lab reproduce), or name one with --store`,
    );
  }
  if (file && !isThere) makeFolder(path);
  const place = file ? withoutLinks(path) : path;
  const canWrite = isWritable(place);
  const readOnly = file && (options.readOnly ?? !canWrite);
  let database: DatabaseSync | undefined;
  try {
    // Where something can be written, another process may: a run that goes on while its store is
    // read.
    database = readOnly && !canWrite
      ? openUnchanging(place)
      : new DatabaseSync(place, { readOnly });
    const settings = [`busy_timeout = ${Math.trunc(busyTimeout)}`, "foreign_keys = on"];
    if (file && !readOnly) settings.push("journal_mode = wal", "synchronous = normal");
    for (const one of settings) database.prepare(`pragma ${one}`).run(); // not exec(), whose errors have no code
    defineUnpacked(database);
    defineMixed(database);
    makeSchema(database, path, readOnly);
    const transactions = createTransactions(database, path);
    return { path, readOnly, database, ...transactions, [Symbol.dispose]: transactions.close };
  } catch (error) {
    database?.close();
    throw asStoreError(error, path);
  }
}

/** A path without symbolic links, which `DatabaseSync` does not follow; its file may be missing. */
function withoutLinks(path: string): string {
  const place = existsSync(path)
    ? realpathSync(path)
    : join(realpathSync(dirname(path)), basename(path));
  try {
    return withoutLinks(resolve(dirname(place), readlinkSync(place)));
  } catch {
    return place; // no link, or one that leads nowhere
  }
}

/** Whether the file of a store and its folder, in which SQLite keeps a log, can be written. */
function isWritable(path: string): boolean {
  if (path === ":memory:" || !existsSync(path)) return true; // one that is to be made fails where it is made
  try {
    accessSync(dirname(path), constants.W_OK);
    closeSync(openSync(path, "r+")); // asks the file system itself, which may be mounted for reading
    return true;
  } catch {
    return false;
  }
}

function openUnchanging(path: string): DatabaseSync {
  if (existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0) {
    throw new StoreError(
      "disk",
      `the store ${path} cannot be read in a read-only folder: its latest rows are in ${path}-wal; copy both to a writable one`,
    );
  }
  return new DatabaseSync(`${pathToFileURL(resolve(path)).href}?immutable=1`, { readOnly: true });
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw new StoreError(
      "disk",
      `the folder of the store ${path} cannot be made: choose another place with --store`,
      { cause: error },
    );
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare("pragma user_version").get()?.["user_version"]);
}

function makeSchema(database: DatabaseSync, path: string, readOnly: boolean): void {
  const version = versionOf(database);
  if (version === SCHEMA_VERSION) return;
  if (version > 0) {
    const remedy = version > SCHEMA_VERSION
      ? "update Labyrinth, or choose another store with --store"
      : `Labyrinth at commit ${
        version === 6 ? LAST_OF_6 : LAST_OF_OLDER
      } reads it; play again into another store with --store`;
    throw new StoreError(
      "schema",
      `the store ${path} has schema ${version}, this Labyrinth reads ${SCHEMA_VERSION}: ${remedy}`,
    );
  }
  if (database.prepare("select 1 from sqlite_schema limit 1").get() !== undefined) {
    throw new StoreError(
      "schema",
      `the database ${path} was made by another program: choose another file with --store`,
    );
  }
  if (readOnly) {
    throw new StoreError(
      "missing",
      `the store ${path} is empty: play something first, or name another with --store`,
    );
  }
  // Immediate, so that of two processes that open a new store at once the second one finds it made.
  database.prepare("begin immediate").run();
  try {
    if (versionOf(database) === 0) {
      database.exec(`${SCHEMA} pragma user_version = ${SCHEMA_VERSION};`);
    }
    database.exec("commit");
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw error;
  }
}
