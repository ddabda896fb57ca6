/** What the tests look up about processes. */
import { execFileSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";

/** All processes below one, itself not included. */
export function descendants(pid: number): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split(
    "\n",
  ).map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    table.flatMap(([child = 0, of]) => of === parent ? [child, ...below(child)] : []);
  return below(pid);
}

/** Whether a process runs; one that has ended and only waits to be collected does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^Z/.test(
      execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).trim(),
    );
  } catch {
    return false; // ps finds none
  }
}

/** Waits until a condition holds; gives up after `limit` ms. Returns whether it holds. */
export async function until(holds: () => boolean, limit = 120_000): Promise<boolean> {
  const end = performance.now() + limit;
  while (!holds()) {
    if (performance.now() > end) return false;
    await setTimeout(20);
  }
  return true;
}
