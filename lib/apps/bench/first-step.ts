/** What many sessions of one game take until each has taken its first step. */

import { availableParallelism } from "node:os";
import { connectWorlds } from "../../core/env/worlds.ts";
import { type Measurement, measurement } from "./benchmarks.ts";
import { spent } from "./process-table.ts";

const SESSIONS = 64;
/** Wanted at most, in seconds of all processors. */
const SECONDS = 3;

/**
 * 64 sessions of one Treasure Hunt on a server that has opened it before, from the first opening to the last first step. Processor time of client,
 * server and workers, divided by the processors: what it takes where no other program runs.
 */
export async function benchFirstStep(): Promise<Measurement> {
  const worlds = connectWorlds();
  try {
    await (await worlds.open("textworld/hunt", {})).close(); // compiles the game, and starts the server
    const [before, started] = [spent([]), performance.now()];
    const sessions = await Promise.all(Array.from({ length: SESSIONS }, async () => {
      const session = await worlds.open("textworld/hunt", {});
      await session.reset();
      await session.step("look");
      return session;
    }));
    const wallSeconds = (performance.now() - started) / 1000;
    const after = spent([]);
    await Promise.all(sessions.map((session) => session.close()));
    const [clientMs, serverMs, workerMs] = (["clientMs", "serverMs", "workerMs"] as const).map((who) => after[who] - before[who]) as [
      number,
      number,
      number,
    ];
    const processors = availableParallelism();
    const value = (clientMs + serverMs + workerMs) / 1000 / processors;
    const says = `processor time of ${SESSIONS} sessions of one Treasure Hunt to their first step ÷ the processors`;
    const details = { clientMs, serverMs, workerMs, processors, wallSeconds };
    return measurement({ name: "worlds-first-step", says, value, unit: "s", details }, { is: "≤", bound: SECONDS });
  } finally {
    await worlds.close();
  }
}
