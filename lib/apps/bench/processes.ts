/** The processes below this one, from Linux's `/proc`; elsewhere there are none to see. */

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Bytes of a page of memory, as Linux has them nearly everywhere. */
const PAGE = 4096;

/** Resident memory of this process and those below it but `others`, in MB. */
export function residentMegabytes(others: readonly number[]): number {
  const table = readTable();
  const left = new Set(others.flatMap((pid) => [pid, ...below(table, pid)]));
  const pids = [process.pid, ...below(table, process.pid)].filter((pid) => !left.has(pid));
  return table.size === 0
    ? NaN
    : pids.reduce((sum, pid) => sum + (table.get(pid)?.megabytes ?? 0), 0);
}

/** Ends all processes below one by SIGTERM, where there is a `/proc`. */
export function endBelow(root: number = process.pid): void {
  for (const pid of below(readTable(), root)) {
    try {
      process.kill(pid);
    } catch { /* it has ended */ }
  }
}

type Table = ReadonlyMap<number, { readonly parent: number; readonly megabytes: number }>;

function below(table: Table, root: number): number[] {
  const children = [...table].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return children.flatMap((pid) => [pid, ...below(table, pid)]);
}

function readTable(): Table {
  const table = new Map<number, { parent: number; megabytes: number }>();
  try {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
        table.set(Number(name), {
          parent: fields[1] ?? 0,
          megabytes: (fields[21] ?? 0) * PAGE / 2 ** 20,
        });
      } catch { /* it ended while we looked */ }
    }
  } catch { /* there is no /proc */ }
  return table;
}
