/** What a benchmark reports, and the clocks that all of them read. */

import process from "node:process";

/** One result of a benchmark. */
export interface Measurement {
  readonly name: string;
  /** What is measured, e.g. what is divided by what. */
  readonly description: string;
  readonly value: number;
  readonly unit: string;
  /**
   * The bound that the value should keep, e.g. `≤ 5`, and whether it does; absent where there is
   * none.
   */
  readonly wanted?: string;
  readonly holds?: boolean;
  readonly details?: Readonly<Record<string, number>>;
}

/** Adds a bound to a measurement. */
export function bounded(found: Measurement, is: "≤" | "≥", bound: number): Measurement {
  return {
    ...found,
    wanted: `${is} ${bound}`,
    holds: is === "≤" ? found.value <= bound : found.value >= bound,
  };
}

/** The words with which Deno runs a program of ours in a process of its own. */
export const RUN = ["run", "--quiet", "--no-check", "--allow-all", "--node-modules-dir=manual"];

/**
 * Milliseconds of processor time since `process.cpuUsage()` gave `start`: other programs on the
 * machine do not lengthen them.
 */
export function processorMs(start: { readonly user: number; readonly system: number }): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
