/** `./lab bench`: speed and memory, as ratios measured side by side in one run; and `./lab bench replies` (`bench-replies.ts`). */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { UNIFORM_EDIT_COSTS } from "../../core/graph/edit-costs.ts";
import { benchAgainstNetworkx, benchEditDistance, benchNoisyMaps, type MapPair, type OtherDistance } from "../bench/edit-distance.ts";
import { benchSearch } from "../bench/vector-search.ts";
import { benchMemoryGrowth, benchMemoryStep, type Measurement } from "../bench/benchmarks.ts";
import { benchOverhead, benchStudyLength } from "../bench/overhead.ts";
import { benchTemporalSearch } from "../bench/temporal-search.ts";
import { benchWiki } from "../bench/wiki.ts";
import { serverCommand } from "../../core/env/server.ts";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { endBelow } from "../bench/process-table.ts";
import { benchFirstStep } from "../bench/first-step.ts";
import { benchInFlight } from "../bench/in-flight.ts";
import { benchWorlds, type WorldBench } from "../bench/worlds.ts";
import { benchStartup } from "../bench/startup.ts";
import { benchView } from "../bench/view.ts";
import { benchReplies } from "./bench-replies.ts";
import { command } from "./command.ts";
import { JSON_OPTION } from "./named-store.ts";
import { complain, stopSignal } from "./options.ts";

const WORLDS: readonly WorldBench[] = [
  { name: "worlds", world: "textworld/hunt", plural: "Treasure Hunts", steps: 250 },
  { name: "worlds-macro", world: "babyai", params: { image: true }, plural: "BabyAI levels with pictures, macro actions,", steps: 100 },
  { name: "worlds-macro-text", world: "babyai", plural: "BabyAI levels in text, macro actions,", steps: 100, ratio: 0.7 },
  {
    ...{ name: "worlds-household", world: "alfworld", params: { stepLimit: 1000 }, plural: "ALFWorld households", steps: 100 },
    program: "envs/tests/alfworld/package_speed.py",
  },
  {
    ...{ name: "worlds-household-plain", world: "alfworld", params: { stepLimit: 1000 }, steps: 25, rounds: 5 },
    plural: "ALFWorld households, played by the packages as they are,",
    environment: { LABYRINTH_PLAIN_ALFWORLD: "1" },
  },
  { name: "worlds-skills", world: "nethack", params: { idleCalls: 0 }, plural: "NetHack games, skills,", steps: 100 },
  {
    ...{ name: "worlds-laboratory", world: "scienceworld", params: { stepLimit: 1000 }, plural: "ScienceWorld laboratories", steps: 50 },
    megabytes: 8192,
  },
];

const BENCHMARKS: Readonly<Record<string, (scratch: string) => Promise<Measurement[]>>> = {
  language: async () => await askPython(["-m", "tests.language_speed"]) as Measurement[],
  startup: () => Promise.resolve(benchStartup()),
  ...Object.fromEntries(WORLDS.map((bench) => [bench.name, () => benchWorlds(bench)])),
  "worlds-first-step": async () => [await benchFirstStep()],
  "memory-step": async () => [await benchMemoryStep()],
  "memory-growth": benchMemoryGrowth,
  overhead: benchOverhead,
  "study-length": async (scratch) => [await benchStudyLength(scratch)],
  "in-flight": benchInFlight,
  search: () => Promise.resolve(benchSearch()),
  temporal: () => Promise.resolve(benchTemporalSearch()),
  wiki: benchWiki,
  view: benchView,
  ged: () => Promise.resolve(benchEditDistance()),
  "ged-noise": () => Promise.resolve(benchNoisyMaps()),
  "ged-networkx": async () => [await benchAgainstNetworkx(askNetworkx, NETWORKX_SECONDS)],
};

/** After which networkx is stopped on a pair. */
const NETWORKX_SECONDS = 60;

/** Runs the named benchmarks (all unless told), prints a line each as it is known, or one JSON array; status 1 if one is not as wanted. */
export const main = command({
  name: "bench",
  words: { "[benchmarks...]": { says: "the benchmarks, all unless told", choices: Object.keys(BENCHMARKS) } },
  options: { all: { says: "every benchmark, then every bound in one table" }, ...JSON_OPTION },
  commands: { replies: benchReplies },
}, async (values, words) => {
  if (values.all && words.length > 0) throw new UsageError(`--all measures every benchmark; leave out ${words.join(" ")}, or --all`);
  const names = words.length > 0 ? words : Object.keys(BENCHMARKS);
  const scratch = mkdtempSync(join(tmpdir(), "labyrinth-bench-"));
  const found: Measurement[] = [];
  try {
    for (const name of names) {
      if (!values.json) process.stderr.write(`measuring ${name} …\n`);
      const measuring = BENCHMARKS[name]?.(scratch);
      using stop = stopSignal(); // only now: a benchmark that computes without a pause would not hear it, and has started no process
      stop.signal.addEventListener("abort", () => {
        endBelow();
        rmSync(scratch, { recursive: true, force: true });
        complain(stop.signal.reason.message);
        process.exit(128 + constants.signals[stop.signal.reason.signal as NodeJS.Signals]);
      });
      const measured = await measuring ?? [];
      if (!values.json) process.stdout.write(measured.map(line).join(""));
      found.push(...measured);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const bounds = found.filter(({ holds }) => holds !== undefined);
  if (values.all && !values.json) {
    const missed = bounds.filter(({ holds }) => !holds).length;
    process.stdout.write(`\n${bounds.map(bound).join("")}${bounds.length} bounds, ${missed} missed\n`);
  }
  if (values.json) process.stdout.write(JSON.stringify(found, null, 2) + "\n");
  return found.every(({ holds }) => holds !== false) ? 0 : 1;
});

/** A bound of the table, as far as one looks for it: whether it holds, and by how much. */
function bound({ name, says, value, unit, holds }: Measurement): string {
  return `${holds ? "✓" : "✗"} ${name.padEnd(28)} ${`${Number(value.toPrecision(3))} ${unit}`.padStart(12)}  ${
    says.slice(says.lastIndexOf("wanted"))
  }\n`;
}

function line({ name, says, value, unit, holds, details }: Measurement): string {
  const mark = holds === undefined ? "·" : holds ? "✓" : "✗";
  const rest = Object.entries(details).map(([key, detail]) => `${key} ${Number(detail.toPrecision(3))}`).join(", ");
  return `${mark} ${name.padEnd(14)} ${Number(value.toPrecision(3))} ${unit}  ${says} (${rest})\n`;
}

/** What networkx finds for each pair within the time. */
async function askNetworkx(pairs: readonly MapPair[], timeout: number): Promise<OtherDistance[]> {
  const asked = pairs.map(({ built, truth }) => ({ a: built, b: truth, costs: UNIFORM_EDIT_COSTS, timeout }));
  return await askPython(["../tests/graph/networkx_distances.py"], asked) as OtherDistance[];
}

async function askPython(words: readonly string[], input?: unknown): Promise<unknown> {
  const answer = promisify(execFile)(serverCommand(), words, { cwd: join(checkoutRoot(), "envs") });
  answer.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await answer).stdout);
}
