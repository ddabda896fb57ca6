/**
 * Steps a second of the lab's worlds compared with those of the same worlds in Pythons side by
 * side, and the memory of the run.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { median, quantile } from "simple-statistics";
import type { MeasuredEnvironment } from "../../core/env/environment.ts";
import { serverCommand } from "../../core/env/server.ts";
import { connectWorlds } from "../../core/env/worlds.ts";
import { UsageError } from "../../core/errors.ts";
import { checkoutRoot } from "../../core/platform.ts";
import { bounded, type Measurement } from "./measure.ts";
import { residentMegabytes } from "./processes.ts";

/** Sessions at once, and rounds of both sides. */
const [SESSIONS, ROUNDS] = [8, 9];

interface WorldBench {
  readonly world: string;
  /** They must allow more steps than a cycle has (50). */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly plural: string;
  /** Steps of a session in a round. */
  readonly steps: number;
  /** Wanted of the ratio. @default {0.9} */
  readonly ratio?: number;
}

/** What is stepped, by the benchmark's name. */
export const WORLD_BENCHES: Readonly<Record<string, WorldBench>> = {
  "worlds": { world: "textworld/hunt", plural: "Treasure Hunts", steps: 250 },
  "worlds-macro": {
    world: "babyai",
    params: { image: true },
    plural: "BabyAI levels with pictures, macro actions,",
    steps: 100,
  },
  "worlds-macro-text": {
    world: "babyai",
    plural: "BabyAI levels in text, macro actions,",
    steps: 100,
    ratio: 0.7,
  },
  "worlds-household": {
    world: "alfworld",
    params: { stepLimit: 1000 },
    plural: "ALFWorld households",
    steps: 100,
  },
  "worlds-skills": {
    world: "nethack",
    params: { idleCalls: 0 },
    plural: "NetHack games, skills,",
    steps: 100,
  },
  "worlds-laboratory": {
    world: "scienceworld",
    params: { stepLimit: 1000 },
    plural: "ScienceWorld laboratories",
    steps: 50,
  },
};

/**
 * Steps 8 sessions through the lab, and the same worlds in 8 Python processes that have all
 * processors and nobody who talks to them. Both sides stand ready and take turns, a second or so
 * each, because a machine that others use changes its pace within minutes. The value is the median
 * of the rounds' ratios, `low` and `high` their quartiles.
 */
export async function benchWorlds(name: string): Promise<Measurement[]> {
  const { world, params = {}, plural, steps, ratio = 0.9 } = WORLD_BENCHES[name] as WorldBench;
  const flags = { world, params: JSON.stringify(params), steps, sessions: SESSIONS };
  const words = [
    "-m",
    "labyrinth_envs",
    "bench",
    ...Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, String(value)]),
  ];
  const child = spawn(serverCommand(), words, {
    cwd: join(checkoutRoot(), "envs"),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close").catch(() => {});
  child.stdin.on("error", () => {}); // it has ended, which the missing line shows
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async <Line>(): Promise<Line> => {
    const { done, value } = await lines.next();
    if (done) {
      throw new UsageError(
        `cannot measure ${world} without the lab: it ended early, for the reason above; mend it and measure again`,
      );
    }
    return JSON.parse(value) as Line;
  };
  await using worlds = connectWorlds();
  try {
    const { cycle } = await nextLine<{ readonly cycle: readonly string[] }>();
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, () => worlds.open(world, params)),
    );
    await play(sessions, cycle, cycle.length); // a world may keep what it has read
    const memory = residentMegabytes([child.pid as number]);
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      const lab = async (): Promise<unknown> => ours.push(await play(sessions, cycle, steps));
      const other = async (): Promise<unknown> => {
        child.stdin.write("\n");
        return theirs.push((await nextLine<{ readonly stepsPerSecond: number }>()).stepsPerSecond);
      };
      for (const side of round % 2 ? [lab, other] : [other, lab]) await side();
    }
    const ratios = ours.map((rate, round) => rate / (theirs[round] as number));
    const details = {
      low: quantile(ratios, 0.25),
      high: quantile(ratios, 0.75),
      labPerSecond: median(ours),
      otherPerSecond: median(theirs),
    };
    const description =
      `steps/s of ${SESSIONS} ${plural} ÷ the same in ${SESSIONS} Pythons side by side, with no server and no client`;
    return [
      bounded({ name, description, value: median(ratios), unit: "×", details }, "≥", ratio),
      {
        name: `${name}-memory`,
        description: `resident memory of the lab, the server and ${SESSIONS} workers`,
        value: memory,
        unit: "MB",
      },
    ];
  } finally {
    child.stdin.end();
    await ended;
  }
}

/** Takes `steps` actions of the cycle in each session, and gives the steps a second of all. */
async function play(
  sessions: readonly MeasuredEnvironment[],
  cycle: readonly string[],
  steps: number,
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
