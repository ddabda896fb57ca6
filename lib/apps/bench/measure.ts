/** What a benchmark reports, and the clock that most of them read. */

import process from "node:process";

export interface Measurement {
  readonly name: string;
  readonly description: string;
  readonly value: number;
  readonly unit: string;
  /** The bound, e.g. `≤ 5`, and whether the value keeps it; absent without a bound. */
  readonly wanted?: string;
  readonly holds?: boolean;
  readonly details?: Readonly<Record<string, number>>;
}

/** Makes a result, with the bound `most` or `least` if there is one. */
export function measured(
  name: string,
  description: string,
  value: number,
  unit: string,
  { most, least, details }: {
    readonly most?: number;
    readonly least?: number;
    readonly details?: Measurement["details"];
  } = {},
): Measurement {
  const found = { name, description, value, unit, details };
  if (most !== undefined) return { ...found, wanted: `≤ ${most}`, holds: value <= most };
  return least === undefined ? found : { ...found, wanted: `≥ ${least}`, holds: value >= least };
}

export const RUN = ["run", "--quiet", "--no-check", "--allow-all", "--node-modules-dir=manual"];

/** Milliseconds of processor time since `process.cpuUsage()` gave `start`. */
export function processorMs(start: { readonly user: number; readonly system: number }): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
