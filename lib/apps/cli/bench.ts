/** `./lab bench`: speed and memory, as ratios measured side by side. */

import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { benchEditDistance } from "../bench/edit-distance.ts";
import { benchInFlight } from "../bench/in-flight.ts";
import type { Measurement } from "../bench/measure.ts";
import { benchMemoryStep, benchOverhead } from "../bench/overhead.ts";
import { endBelow } from "../bench/processes.ts";
import { benchSearch } from "../bench/search.ts";
import { benchStore, benchView } from "../bench/store.ts";
import { benchWorlds, WORLD_BENCHES } from "../bench/worlds.ts";
import { benchReplies } from "./bench-replies.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { complain, stopSignal } from "./options.ts";

const BENCHMARKS: Readonly<
  Record<string, (scratch: string) => Measurement[] | Promise<Measurement[]>>
> = {
  ...Object.fromEntries(Object.keys(WORLD_BENCHES).map((name) => [name, () => benchWorlds(name)])),
  "memory-step": benchMemoryStep,
  overhead: benchOverhead,
  "in-flight": benchInFlight,
  search: benchSearch,
  store: benchStore,
  view: benchView,
  ged: benchEditDistance,
};

/** Runs benchmarks and prints each result, or one JSON array; status 1 if a bound is missed. */
export const main = command({
  name: "bench",
  words: {
    "[benchmarks...]": {
      description: "benchmarks to run (default: all)",
      choices: Object.keys(BENCHMARKS),
    },
  },
  options: JSON_OPTION,
  commands: { replies: benchReplies },
}, async ({ json }, words) => {
  const scratch = mkdtempSync(join(tmpdir(), "labyrinth-bench-"));
  const found: Measurement[] = [];
  try {
    for (const name of words.length > 0 ? words : Object.keys(BENCHMARKS)) {
      if (!json) process.stderr.write(`measuring ${name} …\n`);
      const measuring = BENCHMARKS[name]?.(scratch);
      using stop = stopSignal(); // only now: what computes without a pause would not hear it
      stop.signal.addEventListener("abort", () => {
        endBelow();
        rmSync(scratch, { recursive: true, force: true });
        complain(stop.signal.reason.message);
        process.exit(128 + constants.signals[stop.signal.reason.signal as NodeJS.Signals]);
      });
      const measured = await measuring ?? [];
      if (!json) process.stdout.write(measured.map(line).join(""));
      found.push(...measured);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const bounds = found.filter(({ holds }) => holds !== undefined);
  const missed = bounds.filter(({ holds }) => !holds).length;
  process.stdout.write(
    json ? JSON.stringify(found, null, 2) + "\n" : `${bounds.length} bounds, ${missed} missed\n`,
  );
  return missed === 0 ? 0 : 1;
});

function line(
  { name, description, value, unit, wanted, holds, details = {} }: Measurement,
): string {
  const mark = holds === undefined ? "·" : holds ? "✓" : "✗";
  const rest = Object.entries(details).map(([key, detail]) =>
    `${key} ${Number(detail.toPrecision(3))}`
  ).join(", ");
  const amount = `${Number(value.toPrecision(3))} ${unit}${
    wanted === undefined ? "" : ` (wanted ${wanted})`
  }`;
  return `${mark} ${name.padEnd(14)} ${amount}  ${description}${rest && `; ${rest}`}\n`;
}
