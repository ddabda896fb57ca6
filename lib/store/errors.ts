/** Maps SQLite's errors to `StoreError`. */

import { StoreError } from "../errors.ts";

/** Maps an error of SQLite to a `StoreError` that names the file and the remedy; any other error is returned as it is. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== "ERR_SQLITE_ERROR") return error;
  for (const [pattern, kind, explain] of REFUSALS) {
    if (pattern.test(error.message)) return new StoreError(kind, explain(path), { cause: error });
  }
  return error;
}

/** What is said where a disk takes nothing more. */
export function diskProblem(path: string): string {
  return `the store ${path} could not be written: the disk is full or failing; free some space and run the same command again, no finished step is lost`;
}

/** What helps with a damaged store. */
export const REMEDY = "./lab verify says which episodes are whole, ./lab repair copies them into a new store";

/** The error for a row that is not as it was recorded; `what` names it, such as `the reply 0a1b…`. */
export function damagedRow(path: string, what: string): StoreError {
  return new StoreError(
    "damaged",
    `the store ${path} holds ${what} otherwise than it was recorded: ./lab repair makes a new store without it`,
  );
}

// Matched by message, because `DatabaseSync.exec` throws without SQLite's result code.
const REFUSALS: readonly [RegExp, StoreError["kind"], (path: string) => string][] = [
  [
    /disk is full|disk I\/O error/,
    "disk",
    diskProblem,
  ],
  [
    /readonly database|unable to open database/,
    "disk",
    (path) =>
      `the store ${path} cannot be opened for writing: check that its folder exists and that you may write there, or choose another with --store`,
  ],
  [
    /not a database/,
    "schema",
    (path) => `the store ${path} is no SQLite file, or its first bytes are damaged: choose another with --store, or move that file away`,
  ],
  [/malformed|corrupt|duplicate column|already exists/, "damaged", (path) => `the store ${path} is damaged: ${REMEDY}`],
  [/no such (table|column|function)/, "damaged", (path) => `the store ${path} lacks a part of its schema: ${REMEDY}`],
  [
    /database is locked|table is locked/,
    "locked",
    (path) => `the store ${path} stayed locked by another process: wait until that one has ended and run the same command again`,
  ],
];
