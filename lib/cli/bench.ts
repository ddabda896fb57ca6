/**
 * `./lab bench [name …] [--json]`: speed and memory, as ratios measured side by side in one run.
 *
 * @module
 */

import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { parseArgs, promisify } from "node:util";
import type { MeasuredEnvironment } from "../env/environment.ts";
import { connectWorlds, type Worlds } from "../env/worlds.ts";
import { UsageError } from "../errors.ts";
import { UNIFORM_EDIT_COSTS } from "../graph/edit-costs.ts";
import { benchAgainstNetworkx, benchEditDistance, type MapPair, type OtherDistance } from "../lab/benchmark-distance.ts";
import { benchMemoryGrowth, benchMemoryStep, benchOverhead, benchSearch, type Measurement, median } from "../lab/benchmarks.ts";
import { benchTemporalSearch } from "../lab/benchmark-temporal.ts";
import { projectRoot } from "../platform.ts";
import { benchReport } from "../report/benchmark.ts";

const BENCHMARKS: Readonly<Record<string, (scratch: string) => Promise<Measurement[]>>> = {
  worlds: () => benchWorlds({ name: "worlds", world: "textworld/hunt", plural: "Treasure Hunts", steps: 250 }),
  "worlds-macro": () =>
    benchWorlds({
      name: "worlds-macro",
      world: "babyai",
      params: { image: true },
      plural: "BabyAI levels with pictures, macro actions,",
      steps: 100,
    }),
  "worlds-macro-text": () =>
    benchWorlds({ name: "worlds-macro-text", world: "babyai", plural: "BabyAI levels in text, macro actions,", steps: 100, ratio: null }),
  "worlds-household": () =>
    benchWorlds({ name: "worlds-household", world: "alfworld", params: { stepLimit: 1000 }, plural: "ALFWorld households", steps: 100 }),
  "worlds-skills": () =>
    benchWorlds({ name: "worlds-skills", world: "nethack", params: { idleCalls: 0 }, plural: "NetHack games, skills,", steps: 100 }),
  "worlds-laboratory": () =>
    benchWorlds({
      name: "worlds-laboratory",
      world: "scienceworld",
      params: { stepLimit: 1000 },
      plural: "ScienceWorld laboratories",
      steps: 50,
      ratio: 0.95,
      megabytes: 8192,
    }),
  "memory-step": async () => [await benchMemoryStep()],
  "memory-growth": async () => [await benchMemoryGrowth()],
  overhead: async (scratch) => [await benchOverhead(scratch)],
  search: () => Promise.resolve(benchSearch()),
  temporal: () => Promise.resolve(benchTemporalSearch()),
  report: benchReport,
  ged: () => Promise.resolve(benchEditDistance()),
  "ged-networkx": async () => [await benchAgainstNetworkx(askNetworkx, NETWORKX_SECONDS)],
};

/** Sessions side by side in the benchmarks of worlds, and rounds of both sides. */
const SESSIONS = 8;
const ROUNDS = 9;
/** After which networkx is stopped on a pair. */
const NETWORKX_SECONDS = 60;
const PYTHON = join(projectRoot, "envs", ".venv", "bin", "python");

/** Runs the named benchmarks (all unless told), prints a line each or one JSON array; status 1 if one is not as wanted. */
export async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false } },
    allowPositionals: true,
    strict: true,
  });
  const names = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
  const unknown = names.find((name) => BENCHMARKS[name] === undefined);
  if (unknown !== undefined) {
    throw new UsageError(`there is no benchmark "${unknown}"; choose ${Object.keys(BENCHMARKS).join(", ")}`);
  }
  const scratch = mkdtempSync(join(tmpdir(), "labyrinth-bench-"));
  const found: Measurement[] = [];
  try {
    for (const name of names) {
      if (!values.json) process.stderr.write(`measuring ${name} …\n`);
      found.push(...await BENCHMARKS[name]?.(scratch) ?? []);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  process.stdout.write(values.json ? JSON.stringify(found, null, 2) + "\n" : found.map(line).join(""));
  return found.every(({ holds }) => holds !== false) ? 0 : 1;
}

function line({ name, says, value, unit, holds, details }: Measurement): string {
  const mark = holds === undefined ? "·" : holds ? "✓" : "✗";
  const rest = Object.entries(details).map(([key, detail]) => `${key} ${Number(detail.toPrecision(3))}`).join(", ");
  return `${mark} ${name.padEnd(14)} ${Number(value.toPrecision(3))} ${unit}  ${says} (${rest})\n`;
}

/** What is stepped in a benchmark of worlds: `steps` agent steps a session, `plural` as tables say it. */
interface WorldBench {
  readonly name: string;
  readonly world: string;
  /** Left out: the world's defaults. They must allow more steps than a cycle of the benchmark has (50). */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly plural: string;
  readonly steps: number;
  /** Wanted of the ratio; null where a step is so cheap that the way to it must weigh. @default {0.9} */
  readonly ratio?: number | null;
  /** Wanted of the memory. */
  readonly megabytes?: number;
}

/**
 * World steps a second through ZeroMQ ÷ the same worlds in-process in Python, and the memory of the 8-session run.
 *
 * Both stand ready and run in turns, a second or so each: a machine that others use changes its pace within minutes.
 */
async function benchWorlds({ name, world, params = {}, plural, steps, ratio = 0.9, megabytes }: WorldBench): Promise<Measurement[]> {
  const given = { world, params: JSON.stringify(params), steps: `${steps}`, sessions: `${SESSIONS}` };
  const flags = Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, value]);
  const yardstick = spawn(PYTHON, ["-m", "labyrinth_envs", "bench", "--rounds", ...flags], {
    cwd: join(projectRoot, "envs"),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => yardstick.once("close", () => resolve()).once("error", () => resolve()));
  yardstick.stdin.on("error", () => {}); // it has ended, which the missing line tells
  const worlds = connectWorlds();
  const direct: number[] = [];
  const served: number[] = [];
  let memory = 0;
  try {
    const lines = createInterface({ input: yardstick.stdout })[Symbol.asyncIterator]();
    const answer = async (): Promise<unknown> => {
      const { done, value } = await lines.next();
      if (done) throw new UsageError(`cannot measure ${world} in-process: it ended early, for the reason above; mend it and measure again`);
      return JSON.parse(value);
    };
    const { cycle } = await answer() as { cycle: string[] };
    const sessions = await openWarm(worlds, { world, params, cycle });
    for (let round = 0; round < ROUNDS; round++) {
      yardstick.stdin.write("\n");
      direct.push((await answer() as { stepsPerSecond: number }).stepsPerSecond);
      served.push(await stepAll(sessions, { steps, cycle }));
      memory = Math.max(memory, residentMegabytes(process.pid) - residentMegabytes(yardstick.pid as number));
    }
  } finally {
    yardstick.stdin.end();
    await Promise.all([worlds.close(), ended]);
  }
  const value = median(served.map((rate, round) => rate / (direct[round] as number)));
  const shared = { sessions: SESSIONS, stepsEach: steps, rounds: ROUNDS };
  return [
    {
      name,
      says: `steps/s of ${SESSIONS} ${plural} through ZeroMQ ÷ the same in-process${ratio === null ? "" : `; wanted ≥ ${ratio}`}`,
      value,
      unit: "×",
      ...(ratio === null ? {} : { holds: value >= ratio }),
      details: { servedPerSecond: median(served), directPerSecond: median(direct), ...shared },
    },
    {
      name: `${name}-memory`,
      says: `resident memory of the lab, the server and ${SESSIONS} workers${megabytes === undefined ? "" : `; wanted < ${megabytes}`}`,
      value: memory,
      unit: "MB",
      ...(megabytes === undefined ? {} : { holds: memory < megabytes }),
      details: shared,
    },
  ];
}

/** Sessions that have gone through the cycle once before the time is taken: a world may keep what it has read. */
async function openWarm(
  worlds: Worlds,
  { world, params, cycle }: {
    readonly world: string;
    readonly params: Readonly<Record<string, unknown>>;
    readonly cycle: readonly string[];
  },
): Promise<MeasuredEnvironment[]> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => worlds.open(world, params)));
  for (const session of sessions) {
    await session.reset();
    for (const action of cycle) await session.step(action);
  }
  return sessions;
}

/** Steps a second over all sessions, each of which takes `steps`. */
async function stepAll(
  sessions: readonly MeasuredEnvironment[],
  { steps, cycle }: { readonly steps: number; readonly cycle: readonly string[] },
): Promise<number> {
  const started = performance.now();
  await Promise.all(sessions.map(async (session) => {
    for (let number = 0; number < steps; number++) {
      if (number % cycle.length === 0) await session.reset();
      await session.step(cycle[number % cycle.length] as string);
    }
  }));
  return sessions.length * steps / (performance.now() - started) * 1000;
}

/** What networkx finds for each pair within the time. */
async function askNetworkx(pairs: readonly MapPair[], timeout: number): Promise<OtherDistance[]> {
  const answer = promisify(execFile)(PYTHON, [join(projectRoot, "tests", "graph", "networkx_distances.py")]);
  answer.child.stdin?.end(JSON.stringify(pairs.map(({ built, truth }) => ({ a: built, b: truth, costs: UNIFORM_EDIT_COSTS, timeout }))));
  return JSON.parse((await answer).stdout) as OtherDistance[];
}

/** Resident memory of a process and all its descendants (pages shared between them are counted in each); NaN where there is no /proc. */
function residentMegabytes(root: number): number {
  const parents = new Map<number, number>();
  const resident = new Map<number, number>();
  try {
    for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
      try {
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        parents.set(Number(name), Number(status.match(/^PPid:\s+(\d+)/m)?.[1] ?? 0));
        resident.set(Number(name), Number(status.match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0) / 1024);
      } catch { /* it ended while we looked */ }
    }
  } catch {
    return NaN;
  }
  const below = (pid: number): boolean => pid === root || (parents.has(pid) && below(parents.get(pid) as number));
  return [...resident].reduce((sum, [pid, megabytes]) => below(pid) ? sum + megabytes : sum, 0);
}
