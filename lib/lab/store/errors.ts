/** Maps SQLite's errors to `StoreError`: one true line each, with what helps. */

import { StoreError } from "../../core/errors.ts";
import { codeOf, hasLocks, isLocked, NO_LOCKS } from "../../core/sqlite-locks.ts";

/** Maps an error of SQLite to a `StoreError` with the remedy; others are returned. */
export function asStoreError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== "ERR_SQLITE_ERROR") {
    return error;
  }
  const code = codeOf(error);
  const found = REFUSALS.find(({ codes }) => codes.includes(code)) ??
    REFUSALS.find(({ codes, pattern }) =>
      codes.includes(code & 0xff) || pattern?.test(error.message)
    );
  if (!found) return error;
  const { kind, description } = isLocked(code) && !hasLocks(path)
    ? { kind: "disk" as const, description: LOCKLESS }
    : found;
  return new StoreError(kind, `the store ${path} ${description}`, { cause: error });
}

/** The line of an error of the operating system while a store was brought to its disk. */
export function syncProblem(error: unknown, path: string): StoreError {
  const { code } = error as { readonly code?: unknown };
  const description = code === "ENOSPC" ? FULL : code === "ENOENT" ? MOVED : FAILED;
  return new StoreError("disk", `the store ${path} ${description}`, { cause: error });
}

/** The remedy for a damaged store. */
export const REMEDY =
  "./lab verify says which episodes are whole, ./lab merge NEW STORE copies them into a new store";

/** The error for a damaged row; `what` names it, such as `the reply 0a1b…`. */
export function damagedRow(path: string, what: string): StoreError {
  return new StoreError(
    "damaged",
    `the store ${path} holds ${what} that differs from its record: ./lab merge NEW STORE makes a new store without it`,
  );
}

const GO_ON = "run the same command again, no finished step is lost";
const FULL = `could not be written: the disk is full; free some space and ${GO_ON}`;
const FAILED =
  `could not be read or written: its disk is full, failing or was taken away; see to it and ${GO_ON}`;
const MOVED =
  "was moved or deleted while it was open: put it back, or run the same command again to begin a new one";
const LOCKLESS =
  "lies where files cannot be locked or shared between processes, as on a network drive or in a folder of another system: choose a " +
  "place on a disk of this machine with --store";

interface Refusal {
  /**
   * Result codes; one below 256 stands for all that extend it
   * (https://www.sqlite.org/rescode.html).
   */
  readonly codes: readonly number[];
  /** What the message says, where the code is 1, which SQLite has for many things. */
  readonly pattern?: RegExp;
  readonly kind: StoreError["kind"];
  /** What follows the store's name. */
  readonly description: string;
}

const REFUSALS: readonly Refusal[] = [
  { codes: [13, 4874], kind: "disk", description: FULL }, // the latter: no room for the memory that processes share
  { codes: NO_LOCKS, kind: "disk", description: LOCKLESS },
  { codes: [10], kind: "disk", description: FAILED },
  { codes: [1032], kind: "disk", description: MOVED },
  {
    codes: [3, 8, 14],
    kind: "disk",
    description:
      "cannot be opened for writing: check that its folder exists, that you may write there and that not too many files are open (ulimit -n), or choose another with --store",
  },
  {
    codes: [26],
    kind: "schema",
    description:
      "is no SQLite file, or its first bytes are damaged: choose another with --store, or move that file away",
  },
  {
    codes: [11, 8202],
    pattern: /duplicate column|already exists/,
    kind: "damaged",
    description: `is damaged, or its disk is failing: ${REMEDY}`,
  },
  {
    codes: [],
    pattern: /no such (table|column|function)/,
    kind: "damaged",
    description: `lacks a part of its schema: ${REMEDY}`,
  },
  {
    codes: [5, 6, 15],
    kind: "locked",
    description:
      "stayed locked by another process: wait until that one has ended and run the same command again",
  },
];
