/**
 * Maps SQLite's errors to `StoreError`.
 *
 * @module
 */

import { StoreError } from "../errors.ts";

/** Maps an error of SQLite to a `StoreError` that names the file and the remedy; any other error is returned as it is. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== "ERR_SQLITE_ERROR") return error;
  for (const [pattern, kind, explain] of REFUSALS) {
    if (pattern.test(error.message)) return new StoreError(kind, explain(path), { cause: error });
  }
  return error;
}

// Matched by message, because `DatabaseSync.exec` throws without SQLite's result code.
const REFUSALS: readonly [RegExp, StoreError["kind"], (path: string) => string][] = [
  [
    /disk is full|disk I\/O error/,
    "disk",
    (path) =>
      `the store ${path} could not be written: the disk is full or failing; free some space and run the same command again, no finished step is lost`,
  ],
  [
    /readonly database|unable to open database/,
    "disk",
    (path) =>
      `the store ${path} cannot be opened for writing: check that its folder exists and that you may write there, or choose another with --store`,
  ],
  [
    /not a database|malformed/,
    "schema",
    (path) => `the store ${path} is no SQLite file or is damaged: choose another with --store, or move that file away`,
  ],
  [
    /database is locked|table is locked/,
    "locked",
    (path) => `the store ${path} stayed locked by another process: wait until that one has ended and run the same command again`,
  ],
];
