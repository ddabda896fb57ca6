/**
 * The transactions of a store. Those of a study are group commits: what is written in one turn of
 * the event loop is committed together, and waits for the disk together.
 */

import { closeSync, fdatasync, openSync } from "node:fs";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { asStoreError, syncProblem } from "./errors.ts";
import type { Store } from "./store.ts";

/** Creates the members of `Store` that run SQL. `path` names the database in messages. */
export function createTransactions(
  database: DatabaseSync,
  path: string,
): Pick<Store, "prepare" | "transaction" | "write" | "settled" | "startAnew" | "close"> {
  const statements = new Map<string, StatementSync>();
  let group: PromiseWithResolvers<void> | undefined; // of what is written and not committed
  let failure: unknown; // why something that was written could not be committed
  let isAtWork = false;
  let log: number | undefined;
  let syncing: Promise<void> | undefined;
  let nextSync: Promise<void> | undefined;
  let syncedAt = -Infinity;

  function prepare(sql: string): StatementSync {
    let statement = statements.get(sql);
    if (!statement) {
      statements.set(
        sql,
        statement = withStoreErrors(typed(() => database.prepare(sql), path), path),
      );
    }
    return statement;
  }

  function rollback(): void {
    // SQLite has rolled back by itself where the disk is full.
    if (database.isTransaction) database.exec("rollback");
  }

  function beginGroup(): void {
    prepare("begin immediate").run();
    const own = group = Promise.withResolvers();
    own.promise.catch(() => {}); // who waits for it is told, and who writes next
    setImmediate(() => {
      try {
        if (group === own) endGroup();
      } catch {
        // told
      }
    });
  }

  function endGroup(problem?: unknown): void {
    if (!group) return;
    const { resolve, reject } = group;
    group = undefined;
    try {
      if (problem !== undefined) throw problem;
      prepare("commit").run();
      resolve();
    } catch (error) {
      rollback();
      reject(failure = error);
      throw error;
    }
  }

  function write<T>(work: () => T): T {
    if (isAtWork || (!group && database.isTransaction)) return work();
    if (failure !== undefined) throw failure;
    const isFirst = !group; // it is undone with the whole transaction
    if (isFirst) beginGroup();
    isAtWork = true;
    try {
      if (!isFirst) prepare("savepoint work").run();
      const result = work();
      if (!isFirst) prepare("release work").run();
      return result;
    } catch (error) {
      const known = asStoreError(error, path);
      if (!database.isTransaction) endGroup(known);
      else if (!isFirst) database.exec("rollback to work; release work");
      else {
        database.exec("rollback");
        group?.resolve();
        group = undefined;
      }
      throw known;
    } finally {
      isAtWork = false;
    }
  }

  function transaction<T>(
    work: () => T,
    { durable = false }: { readonly durable?: boolean } = {},
  ): T {
    if (isAtWork || (!group && database.isTransaction)) return work();
    if (failure !== undefined) throw failure;
    endGroup();
    try {
      // A commit at this level syncs the whole write-ahead log. A checkpoint would do the same, but
      // waits for readers.
      if (durable) database.exec("pragma synchronous = full");
      prepare("begin immediate").run();
      isAtWork = true;
      const result = work();
      prepare("commit").run();
      return result;
    } catch (error) {
      rollback();
      throw asStoreError(error, path);
    } finally {
      isAtWork = false;
      if (durable) database.exec("pragma synchronous = normal");
    }
  }

  /**
   * Brings the log to the disk; SQLite syncs what it takes into the database, and a new log's head.
   */
  async function syncLog(): Promise<void> {
    try {
      await sync(log ??= openSync(`${database.location()}-wal`, "r+"));
    } catch (error) {
      throw syncProblem(error, path);
    }
  }

  async function settled({ durable = false }: { readonly durable?: boolean } = {}): Promise<void> {
    if (failure !== undefined) throw failure;
    await group?.promise;
    if (!durable || database.location() === null) return; // in memory
    const start = async (): Promise<void> => {
      const wait = syncedAt + PAUSE_MS - performance.now();
      if (wait > 0) await setTimeout(wait);
      nextSync = undefined;
      return await (syncing = syncLog().finally(() => syncedAt = performance.now()));
    };
    await (nextSync ??= Promise.resolve(syncing).then(start, start));
  }

  function close(): void {
    if (!database.isOpen) return;
    try {
      endGroup();
    } finally {
      database.close();
      if (log !== undefined) closeSync(log);
    }
  }

  function startAnew(): void {
    failure = undefined;
  }

  return { prepare, transaction, write, settled, startAnew, close };
}

const sync = promisify(fdatasync);

/** Milliseconds from one sync to the next, which all ends in between share. */
const PAUSE_MS = 20;

/** @throws {StoreError} in place of SQLite's own errors, where there is a remedy. */
function typed<T>(work: () => T, path: string): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(error, path);
  }
}

function withStoreErrors(statement: StatementSync, path: string): StatementSync {
  for (const name of ["all", "get", "run"] as const) {
    const own = statement[name].bind(statement) as (...values: unknown[]) => never;
    const value = (...values: unknown[]): never => {
      try {
        return own(...values);
      } catch (error) {
        throw asStoreError(error, path);
      }
    };
    Object.defineProperty(statement, name, { value });
  }
  const iterate = statement.iterate.bind(statement) as (
    ...values: unknown[]
  ) => IterableIterator<unknown>;
  function* value(...values: unknown[]): Generator<unknown, void> {
    try {
      yield* iterate(...values);
    } catch (error) {
      throw asStoreError(error, path);
    }
  }
  Object.defineProperty(statement, "iterate", { value });
  return statement;
}
