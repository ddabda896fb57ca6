/** An open store, as everything that reads or writes the record takes it. */

import type { DatabaseSync, StatementSync } from "node:sqlite";

/** An open store. */
export interface Store extends Disposable {
  /** The path it was opened with; `:memory:` for a store that ends with the process. */
  readonly path: string;
  /**
   * Whether nothing can be written: the store lies on read-only media, or `readOnly` was asked for.
   */
  readonly readOnly: boolean;
  /**
   * The SQLite connection, for queries that the functions of this folder do not offer. Writing
   * through it breaks the record.
   */
  readonly database: DatabaseSync;
  /** Prepares a statement; each text is compiled once. */
  prepare(sql: string): StatementSync;
  /**
   * Runs `work` in one transaction, or as a part of the one under way. What is committed survives
   * the death of the process; a power cut may undo transactions after the last `durable` one.
   * @throws {StoreError} for an error of SQLite.
   */
  transaction<T>(work: () => T, options?: { readonly durable?: boolean }): T;
  /**
   * Runs `work` in the transaction of this turn of the event loop, which is committed when the loop
   * turns. Where `work` throws, nothing of it is kept. Where the commit fails, all of the turn is
   * lost, and the store takes nothing more until `startAnew`.
   * @throws {StoreError} for an error of SQLite, in `work` or in a commit before.
   */
  write<T>(work: () => T): T;
  /**
   * Resolves once all that is written is committed, so that it survives the death of the process;
   * with `durable`, once it is on the disk.
   *
   * @throws {StoreError} `disk` if it could not be written.
   */
  settled(options?: { readonly durable?: boolean }): Promise<void>;
  /**
   * Lets the store be written again after a commit of `write` has failed: who calls it goes on from
   * what the store holds.
   */
  startAnew(): void;
  /** Closes the connection. Idempotent; `using` calls it. */
  close(): void;
}
