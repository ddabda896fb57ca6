/** Whether SQLite can lock a file where it lies, and what its result codes say. */

import { rmSync } from "node:fs";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

/**
 * Whether the file system next to a path has locks: SQLite reports a missing lock as a file that
 * another process holds, so a new file is tried. If none can be made, locks are assumed.
 */
export function hasLocks(path: string): boolean {
  if (path === ":memory:") return true;
  const file = `${path}.${process.pid}.probe`;
  let probe: DatabaseSync | undefined;
  try {
    probe = new DatabaseSync(file);
    probe.exec("pragma busy_timeout = 0");
    probe.prepare("begin exclusive").run();
    return true;
  } catch (error) {
    const code = codeOf(error as Error);
    return !isLocked(code) && !NO_LOCKS.includes(code);
  } finally {
    probe?.close();
    for (const ending of probe ? ["", "-journal"] : []) rmSync(file + ending, { force: true });
  }
}

/**
 * SQLite's result code; `DatabaseSync` gives the extended one only for prepared statements;
 * otherwise it is read from the message.
 */
export function codeOf(error: Error): number {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number"
    ? errcode
    : MESSAGES.find(([pattern]) => pattern.test(error.message))?.[1] ?? 1;
}

const MESSAGES: readonly [RegExp, number][] = [
  [/disk is full/, 13],
  [/disk I\/O error/, 10],
  [/permission denied/, 3],
  [/readonly database/, 8],
  [/unable to open database/, 14],
  [/not a database/, 26],
  [/malformed|corrupt/, 11],
  [/database is locked/, 5],
  [/table is locked/, 6],
  [/locking protocol/, 15],
];

/** Codes of locks, and of memory shared between processes, that the operating system refuses. */
export const NO_LOCKS: readonly number[] = [2058, 2314, 3594, 3850, 4618, 5130, 5386];

export const isLocked = (code: number): boolean => [5, 6, 15].includes(code & 0xff);
