/**
 * Benchmarks of worlds: steps a second through ZeroMQ beside the same worlds without it, and the memory of the run.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import type { MeasuredEnvironment } from "../env/environment.ts";
import { connectWorlds, type Worlds } from "../env/worlds.ts";
import { UsageError } from "../errors.ts";
import { type Measurement, measurement, median } from "./benchmarks.ts";
import { checkoutRoot } from "../platform.ts";

/** Sessions at once, and rounds of all sides. */
const SESSIONS = 8;
const ROUNDS = 9;
/** Part of the steps that a package's own environment is given in a round: it is slower, and alone. */
const PACKAGE_SHARE = 1 / 5;
/** The Python of the worlds. */
export function python(): string {
  return join(checkoutRoot(), "envs", ".venv", "bin", "python");
}

/** What is stepped in a benchmark of worlds: `steps` agent steps a session, `plural` as tables say it. */
export interface WorldBench {
  readonly name: string;
  readonly world: string;
  /** Left out: the world's defaults. They must allow more steps than a cycle of the benchmark has (50). */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly plural: string;
  readonly steps: number;
  /** Wanted of the ratio; null where a step is so cheap that the way to it must weigh. @default {0.9} */
  readonly ratio?: number | null;
  /**
   * What `name` is measured against. `one Python`: that steps our worlds in turn, on one processor. A program of the worlds' Python that steps
   * the package's own environment, for each processor: where we replaced so much of the package that users will ask what it brings; it is given
   * the steps that it takes in a round. `side by side`: nothing but what `name-side-by-side` is, and that row is left out. @default {"one Python"}
   */
  readonly against?: "one Python" | "side by side" | { readonly program: string };
  /** Set for the Pythons of all sides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Rounds of all sides. @default {9} */
  readonly rounds?: number;
  readonly megabytes?: number;
}

/**
 * Up to three measurements:
 *
 * - `name`: steps/s of 8 sessions through ZeroMQ ÷ the same 8 in-process, that is in one Python process that holds the
 *   worlds and steps them in turn, on one processor (what Gymnasium calls a synchronous vector of environments), or ÷ what `against` names. It
 *   says what a user gains or loses, and the bound is on it, except against a package's own environment, which lacks what we made faster;
 * - `name-side-by-side`: the same steps/s ÷ those of 8 Python processes that have all processors, and nobody who talks to them. It says what
 *   the way to a world costs. No way reaches 1 here where worlds keep all processors at work with steps of few milliseconds. With a package's own
 *   environment as `name`'s other side the bound is on this one;
 * - `name-memory`: of the lab, the server and its workers.
 *
 * All sides stand ready and run in turns, a second or so each: a machine that others use changes its pace within minutes.
 */
export async function benchWorlds(bench: WorldBench): Promise<Measurement[]> {
  const { name, world, params = {}, plural, steps, ratio = 0.9, against = "one Python", environment = {}, rounds = ROUNDS, megabytes } =
    bench;
  const before = Object.fromEntries(Object.keys(environment).map((key) => [key, process.env[key]]));
  Object.assign(process.env, environment);
  const sideBySide = new Yardstick(world, ownWorlds(bench, SESSIONS));
  const other = against === "side by side" ? sideBySide : new Yardstick(
    world,
    against === "one Python" ? ownWorlds(bench, 1) : [join(checkoutRoot(), against.program), `${Math.ceil(steps * PACKAGE_SHARE)}`],
  );
  const yardsticks = [...new Set([sideBySide, other])];
  const worlds = connectWorlds();
  const served: number[] = [];
  let memory = 0;
  try {
    const [cycle] = await Promise.all(yardsticks.map((yardstick) => yardstick.ready())) as [string[]];
    const sessions = await openWarm(worlds, { world, params, cycle });
    for (let round = 0; round < rounds; round++) {
      for (const yardstick of yardsticks) await yardstick.round();
      served.push(await stepAll(sessions, { steps, cycle }));
      memory = Math.max(memory, yardsticks.reduce((rest, { pid }) => rest - residentMegabytes(pid), residentMegabytes(process.pid)));
    }
  } finally {
    await Promise.all([worlds.close(), ...yardsticks.map((yardstick) => yardstick.close())]);
    for (const [key, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
  const shared = { sessions: SESSIONS, stepsEach: steps, rounds, processors: availableParallelism() };
  const through = `steps/s of ${SESSIONS} ${plural} through ZeroMQ`;
  const row = (name: string, yardstick: Yardstick, says: string, processors = 1): Measurement => ({
    name,
    says: `${through}${says}`,
    value: median(served.map((rate, round) => rate / processors / (yardstick.rates[round] as number))),
    unit: "×",
    details: { servedPerSecond: median(served), otherPerSecond: median(yardstick.rates), ...shared },
  });
  const bounded = (found: Measurement): Measurement => measurement(found, ratio === null ? undefined : { is: "≥", bound: ratio });
  const says = `resident memory of the lab, the server and ${SESSIONS} workers`;
  const fair = ` ÷ the same in ${SESSIONS} Pythons side by side, with no server and no client`;
  return [
    ...(against === "side by side"
      ? [bounded(row(name, sideBySide, fair))]
      : against === "one Python"
      ? [bounded(row(name, other, " ÷ the same in-process, in one Python")), row(`${name}-side-by-side`, sideBySide, fair)]
      : [
        row(name, other, ", for each processor ÷ the package's own environment in-process", shared.processors),
        bounded(row(`${name}-side-by-side`, sideBySide, fair)),
      ]),
    measurement(
      { name: `${name}-memory`, says, value: memory, unit: "MB", details: shared },
      megabytes === undefined ? undefined : { is: "<", bound: megabytes },
    ),
  ];
}

/** The command line for the same worlds without server and ZeroMQ, spread over Python processes of their own. */
function ownWorlds({ world, params = {}, steps }: WorldBench, processes: number): string[] {
  const given = { world, params: JSON.stringify(params), steps: `${steps}`, sessions: `${SESSIONS}`, processes: `${processes}` };
  const flags = Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, value]);
  return ["-m", "labyrinth_envs", "bench", "--rounds", ...flags];
}

/** A Python that steps worlds by itself: it tells its actions, and then plays one round for each line that it is given. */
class Yardstick {
  /** Steps a second over all sessions, a round each. */
  readonly rates: number[] = [];
  readonly pid: number;
  readonly #world: string;
  readonly #process;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<void>;

  constructor(world: string, command: readonly string[]) {
    const child = spawn(python(), command, {
      cwd: join(checkoutRoot(), "envs"),
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.#ended = new Promise((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
    child.stdin.on("error", () => {}); // it has ended, which the missing line tells
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    this.#process = child;
    this.#world = world;
    this.pid = child.pid as number;
  }

  /** The actions that all sides take again and again, once its worlds are warm. */
  async ready(): Promise<string[]> {
    return (await this.#line<{ cycle: string[] }>()).cycle;
  }

  /** Plays one round. */
  async round(): Promise<void> {
    this.#process.stdin.write("\n");
    this.rates.push((await this.#line<{ stepsPerSecond: number }>()).stepsPerSecond);
  }

  async close(): Promise<void> {
    this.#process.stdin.end();
    await this.#ended;
  }

  async #line<Told>(): Promise<Told> {
    const { done, value } = await this.#lines.next();
    if (done) {
      throw new UsageError(`cannot measure ${this.#world} in-process: it ended early, for the reason above; mend it and measure again`);
    }
    return JSON.parse(value) as Told;
  }
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
