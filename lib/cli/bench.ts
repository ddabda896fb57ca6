/**
 * `./lab bench [name …] [--json]`: speed and memory, as ratios measured side by side in one run.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs, promisify } from "node:util";
import { connectWorlds, type Worlds } from "../env/worlds.ts";
import { UsageError } from "../errors.ts";
import { benchMemoryGrowth, benchMemoryStep, benchOverhead, benchSearch, type Measurement, median } from "../lab/benchmarks.ts";
import { projectRoot } from "../platform.ts";
import { benchReport } from "../report/benchmark.ts";

const BENCHMARKS: Readonly<Record<string, (scratch: string) => Promise<Measurement[]>>> = {
  worlds: benchWorlds,
  "memory-step": async () => [await benchMemoryStep()],
  "memory-growth": async () => [await benchMemoryGrowth()],
  overhead: async (scratch) => [await benchOverhead(scratch)],
  search: () => Promise.resolve(benchSearch()),
  report: benchReport,
};

/** Sessions side by side, and steps of each, in the benchmark of worlds. */
const SESSIONS = 8;
const STEPS = 250;
const ROUNDS = 3;

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

/** World steps a second through ZeroMQ ÷ the same worlds in-process in Python, in turns; and the memory of the 8-session run. */
async function benchWorlds(): Promise<Measurement[]> {
  const python = join(projectRoot, "envs", ".venv", "bin", "python");
  const command = ["-m", "labyrinth_envs", "bench", "--world", "textworld/hunt", "--steps", `${STEPS}`, "--sessions", `${SESSIONS}`];
  const worlds = connectWorlds();
  const direct: number[] = [];
  const served: number[] = [];
  let memory = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const { stdout } = await promisify(execFile)(python, command, { cwd: join(projectRoot, "envs") });
      const { stepsPerSecond, cycle } = JSON.parse(stdout) as { stepsPerSecond: number; cycle: string[] };
      direct.push(stepsPerSecond);
      const run = await serve(worlds, cycle);
      served.push(run.stepsPerSecond);
      memory = Math.max(memory, run.memory);
    }
  } finally {
    await worlds.close();
  }
  const value = median(served.map((rate, round) => rate / (direct[round] as number)));
  const shared = { sessions: SESSIONS, stepsEach: STEPS };
  return [
    {
      name: "worlds",
      says: `steps/s of ${SESSIONS} Treasure Hunts through ZeroMQ ÷ the same in-process; wanted ≥ 0.9`,
      value,
      unit: "×",
      holds: value >= 0.9,
      details: { servedPerSecond: median(served), directPerSecond: median(direct), ...shared },
    },
    {
      name: "worlds-memory",
      says: `resident memory of the lab, the server and ${SESSIONS} workers`,
      value: memory,
      unit: "MB",
      details: shared,
    },
  ];
}

async function serve(worlds: Worlds, cycle: readonly string[]): Promise<{ stepsPerSecond: number; memory: number }> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => worlds.open("textworld/hunt")));
  try {
    for (const session of sessions) {
      await session.reset();
      await session.step(cycle[0] as string);
    }
    const started = performance.now();
    await Promise.all(sessions.map(async (session) => {
      for (let number = 0; number < STEPS; number++) {
        if (number % cycle.length === 0) await session.reset();
        await session.step(cycle[number % cycle.length] as string);
      }
    }));
    const seconds = (performance.now() - started) / 1000;
    return { stepsPerSecond: SESSIONS * STEPS / seconds, memory: residentMegabytes(process.pid) };
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
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
