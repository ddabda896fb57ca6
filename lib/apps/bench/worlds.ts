/** Benchmarks of worlds: steps a second of the lab beside those of the same worlds without it, and the memory of the run. */

import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { quantile } from "simple-statistics";
import type { MeasuredEnvironment } from "../../core/env/environment.ts";
import { serverCommand } from "../../core/env/server.ts";
import { connectWorlds, type Worlds } from "../../core/env/worlds.ts";
import { UsageError } from "../../core/errors.ts";
import { type Measurement, measurement, median } from "./benchmarks.ts";
import { type Costs, servedMegabytes, spent, spentBy } from "./process-table.ts";
import { checkoutRoot } from "../../core/platform.ts";

/** Sessions at once, and rounds of all sides. */
const SESSIONS = 8;
const ROUNDS = 9;
/** Part of the steps that a package's own environment is given in a round: it is slower, and alone. */
const PACKAGE_SHARE = 1 / 5;

/** What is stepped in a benchmark of worlds: `steps` agent steps a session, `plural` as tables say it. */
export interface WorldBench {
  readonly name: string;
  readonly world: string;
  /** Left out: the world's defaults. They must allow more steps than a cycle of the benchmark has (50). */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly plural: string;
  readonly steps: number;
  /** Wanted of the ratio to Pythons side by side. @default {0.9} */
  readonly ratio?: number;
  /**
   * A program of the worlds' Python that steps the package's own environment, where we replaced so much of the package that users will ask what
   * it brings; it is given the steps that it takes in a round.
   */
  readonly program?: string;
  /** Set for the Pythons of all sides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Rounds of all sides. @default {9} */
  readonly rounds?: number;
  readonly megabytes?: number;
}

/** One side that is measured: a rate for each round. */
interface Side {
  readonly rates: number[];
  /** Milliseconds of processor for each step, a round each: of the lab by who spent them, of Pythons by themselves as a whole. */
  readonly costs: Partial<Costs & { readonly otherMs: number }>[];
  round(): Promise<void>;
}

/**
 * Up to five measurements of 8 sessions:
 *
 * - `name`: steps/s of the lab ÷ those of 8 Python processes that have all processors, and nobody who talks to them. The bound is on it;
 * - `name-through-server`: the same where steps go through the server, as they do to another machine;
 * - `name-in-turn`: steps/s of the lab ÷ those of one Python process that holds the worlds and steps them in turn, on one processor (what
 *   Gymnasium calls a synchronous vector of environments);
 * - `name-package`: steps/s of the lab, for each processor ÷ those of the package's own environment, where `program` is given;
 * - `name-memory`: of the lab, the server and its workers.
 *
 * All sides stand ready and run in turns, a second or so each: a machine that others use changes its pace within minutes. The value is the
 * median of the rounds' ratios, `low` and `high` their quartiles.
 */
export async function benchWorlds(bench: WorldBench): Promise<Measurement[]> {
  const { name, world, plural, steps, ratio = 0.9, program, environment = {}, rounds = ROUNDS, megabytes } = bench;
  const before = Object.fromEntries(Object.keys(environment).map((key) => [key, process.env[key]]));
  Object.assign(process.env, environment);
  const sideBySide = new Yardstick(world, ownWorlds(bench, SESSIONS), SESSIONS * steps);
  const inTurn = new Yardstick(world, ownWorlds(bench, 1), SESSIONS * steps);
  const few = Math.ceil(steps * PACKAGE_SHARE);
  const packaged = program === undefined ? undefined : new Yardstick(world, [join(checkoutRoot(), program), `${few}`], few);
  const yardsticks = [sideBySide, inTurn, ...packaged ? [packaged] : []];
  const [direct, through] = [connectWorlds(), connectWorlds({ direct: false })];
  let memory = 0;
  try {
    const [cycle] = await Promise.all(yardsticks.map((yardstick) => yardstick.ready())) as [string[]];
    const others = yardsticks.map(({ pid }) => pid);
    const served = new ServedSide(await openWarm(direct, bench, cycle), bench, cycle, others);
    memory = servedMegabytes(others);
    const throughServer = new ServedSide(await openWarm(through, bench, cycle), bench, cycle, others);
    const sides: Side[] = [sideBySide, served, throughServer, inTurn, ...packaged ? [packaged] : []];
    for (let round = 0; round < rounds; round++) {
      for (const side of round % 2 ? sides.toReversed() : sides) await side.round();
    }
    const shared = { sessions: SESSIONS, stepsEach: steps, rounds, processors: availableParallelism() };
    const ratios = (of: Side, to: Side, processors = 1): Omit<Measurement, "name" | "says"> => {
      const found = of.rates.map((rate, round) => rate / processors / (to.rates[round] as number));
      const [low, high] = [quantile(found, 0.25), quantile(found, 0.75)];
      const rates = { labPerSecond: median(of.rates), otherPerSecond: median(to.rates) };
      return { value: median(found), unit: "×", details: { low, high, ...rates, ...medians([...of.costs, ...to.costs]), ...shared } };
    };
    const lab = `steps/s of ${SESSIONS} ${plural}`;
    const fair = ` ÷ the same in ${SESSIONS} Pythons side by side, with no server and no client`;
    const rows = [
      measurement({ name, says: lab + fair, ...ratios(served, sideBySide) }, { is: "≥", bound: ratio }),
      measurement({ name: `${name}-through-server`, says: `${lab}, through the server${fair}`, ...ratios(throughServer, sideBySide) }),
      measurement({ name: `${name}-in-turn`, says: `${lab} ÷ the same in one Python, in turn`, ...ratios(served, inTurn) }),
      measurement({
        ...{ name: `${name}-memory`, says: `resident memory of the lab, the server and ${SESSIONS} workers`, value: memory, unit: "MB" },
        details: shared,
      }, megabytes === undefined ? undefined : { is: "<", bound: megabytes }),
    ];
    if (!packaged) return rows;
    const says = `${lab}, for each processor ÷ the package's own environment in-process`;
    return [...rows, measurement({ name: `${name}-package`, says, ...ratios(served, packaged, shared.processors) })];
  } finally {
    await Promise.all([direct.close(), through.close(), ...yardsticks.map((yardstick) => yardstick.close())]);
    for (const [key, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[key];
      else process.env[key] = value;
    }
  }
}

/** The command line for the same worlds without server and ZeroMQ, spread over Python processes of their own. */
function ownWorlds({ world, params = {}, steps }: WorldBench, processes: number): string[] {
  const given = { world, params: JSON.stringify(params), steps: `${steps}`, sessions: `${SESSIONS}`, processes: `${processes}` };
  const flags = Object.entries(given).flatMap(([flag, value]) => [`--${flag}`, value]);
  return ["-m", "labyrinth_envs", "bench", "--rounds", ...flags];
}

/** A Python that steps worlds by itself: it tells its actions, and then plays one round for each line that it is given. */
class Yardstick implements Side {
  /** Steps a second over all sessions, a round each. */
  readonly rates: number[] = [];
  readonly costs: { readonly otherMs: number }[] = [];
  readonly #steps: number;
  readonly pid: number;
  readonly #world: string;
  readonly #process;
  readonly #lines: AsyncIterator<string>;
  readonly #ended: Promise<void>;

  /** @param steps that it takes in a round, over all its sessions */
  constructor(world: string, command: readonly string[], steps: number) {
    this.#steps = steps;
    const child = spawn(serverCommand(), command, {
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
    const before = spentBy(this.pid);
    this.#process.stdin.write("\n");
    this.rates.push((await this.#line<{ stepsPerSecond: number }>()).stepsPerSecond);
    this.costs.push({ otherMs: (spentBy(this.pid) - before) / this.#steps });
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
async function openWarm(worlds: Worlds, { world, params = {} }: WorldBench, cycle: readonly string[]): Promise<MeasuredEnvironment[]> {
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, () => worlds.open(world, params)));
  for (const session of sessions) {
    await session.reset();
    for (const action of cycle) await session.step(action);
  }
  return sessions;
}

/** Medians over rounds. */
function medians(costs: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const names = [...new Set(costs.flatMap((round) => Object.keys(round)))];
  return Object.fromEntries(names.map((name) => [name, median(costs.flatMap((round) => round[name] ?? []))]));
}

/** Sessions of the lab. */
class ServedSide implements Side {
  readonly rates: number[] = [];
  readonly costs: Costs[] = [];

  /** @param others processes that do not serve */
  constructor(
    readonly sessions: readonly MeasuredEnvironment[],
    readonly bench: WorldBench,
    readonly cycle: readonly string[],
    readonly others: readonly number[],
  ) {}

  async round(): Promise<void> {
    const { sessions, cycle, bench: { steps } } = this;
    const [before, started] = [spent(this.others), performance.now()];
    await Promise.all(sessions.map(async (session) => {
      for (let number = 0; number < steps; number++) {
        if (number % cycle.length === 0) await session.reset();
        await session.step(cycle[number % cycle.length] as string);
      }
    }));
    const all = sessions.length * steps;
    this.rates.push(all / (performance.now() - started) * 1000);
    const after = spent(this.others);
    const perStep = (who: keyof Costs): number => (after[who] - before[who]) / all;
    this.costs.push({ clientMs: perStep("clientMs"), serverMs: perStep("serverMs"), workerMs: perStep("workerMs") });
  }
}
