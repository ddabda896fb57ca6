/** Steps a second of the lab's worlds compared with bare Python processes, and the memory. */

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
import { measured, type Measurement } from "./measure.ts";
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
    ...{ world: "babyai", params: { image: true }, steps: 100 },
    plural: "BabyAI levels with pictures, macro actions,",
  },
  "worlds-macro-text": {
    ...{ world: "babyai", steps: 100, ratio: 0.7 },
    plural: "BabyAI levels in text, macro actions,",
  },
  "worlds-household": {
    ...{ world: "alfworld", params: { stepLimit: 1000 }, steps: 100 },
    plural: "ALFWorld households",
  },
  "worlds-skills": {
    ...{ world: "nethack", params: { idleCalls: 0 }, steps: 100 },
    plural: "NetHack games, skills,",
  },
  "worlds-laboratory": {
    ...{ world: "scienceworld", params: { stepLimit: 1000 }, steps: 50 },
    plural: "ScienceWorld laboratories",
  },
};

/**
 * Steps 8 sessions through the lab and 8 bare Python worlds in turns; the value is the median of
 * the rounds' ratios, `low` and `high` their quartiles.
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
        `cannot measure ${world} in Python alone: it ended early, for the reason above`,
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
    const beside = `${SESSIONS} Pythons side by side, with no server and no client`;
    return [
      measured(
        name,
        `steps/s of ${SESSIONS} ${plural} ÷ the same in ${beside}`,
        median(ratios),
        "×",
        { least: ratio, details },
      ),
      measured(
        `${name}-memory`,
        `resident memory of the lab, the server and ${SESSIONS} workers`,
        memory,
        "MB",
      ),
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
