/** The processes below this one and what they have taken, from Linux's `/proc`; elsewhere it is not known. */

import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

/** Milliseconds of processor: of this process, the servers that it has started, and all below them. */
export type Costs = Readonly<Record<"clientMs" | "serverMs" | "workerMs", number>>;

interface Row {
  readonly parent: number;
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Milliseconds of a tick of the processor's account, and bytes of a page, as Linux has them nearly everywhere. */
const [TICK_MS, PAGE] = [10, 4096];

/** Processor time spent so far; processes below `others` are left out, and what is below the lab's servers' own children ended is lost. */
export function spent(others: readonly number[]): Costs {
  const table = readTable();
  const servers = [...table].filter(([pid, { parent }]) => parent === process.pid && !others.includes(pid)).map(([pid]) => pid);
  const sum = (pids: readonly number[]): number => pids.reduce((all, pid) => all + (table.get(pid)?.milliseconds ?? NaN), 0);
  const { user, system } = process.cpuUsage();
  return {
    clientMs: (user + system) / 1000,
    serverMs: sum(servers),
    workerMs: sum(servers.flatMap((pid) => below(table, pid))),
  };
}

/** Milliseconds of processor that a process has spent, with all below it. */
export function spentBy(root: number): number {
  const table = readTable();
  return [root, ...below(table, root)].reduce((sum, pid) => sum + (table.get(pid)?.milliseconds ?? NaN), 0);
}

/** Resident memory of this process and all below it but `others` and theirs, in MB; pages that they share are counted in each. */
export function servedMegabytes(others: readonly number[]): number {
  const table = readTable();
  const left = new Set(others.flatMap((pid) => [pid, ...below(table, pid)]));
  const pids = [process.pid, ...below(table, process.pid)].filter((pid) => !left.has(pid));
  return table.size === 0 ? NaN : pids.reduce((sum, pid) => sum + (table.get(pid)?.megabytes ?? 0), 0);
}

/** Ends all processes below one, which are told by SIGTERM; where there is no `/proc` they are left to end by themselves. */
export function endBelow(root: number = process.pid): void {
  for (const pid of below(readTable(), root)) {
    try {
      process.kill(pid);
    } catch { /* it has ended */ }
  }
}

function below(table: ReadonlyMap<number, Row>, root: number): number[] {
  const children = [...table].filter(([, { parent }]) => parent === root).map(([pid]) => pid);
  return children.flatMap((pid) => [pid, ...below(table, pid)]);
}

function readTable(): Map<number, Row> {
  const table = new Map<number, Row>();
  try {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
        const [parent, user, system, pages] = [fields[1], fields[11], fields[12], fields[21]] as [number, number, number, number];
        table.set(Number(name), { parent, milliseconds: (user + system) * TICK_MS, megabytes: pages * PAGE / 2 ** 20 });
      } catch { /* it ended while we looked */ }
    }
  } catch { /* there is no /proc */ }
  return table;
}
