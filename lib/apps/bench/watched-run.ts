/**
 * The run that a page watches, in a process of its own: `deno run -A lib/apps/bench/watched-run.ts <store> <episodes>` plays a study for each line
 * of standard input, which is its id, and prints what it took as JSON.
 */

import process from "node:process";
import { createInterface } from "node:readline";
import { matrixLanes, playStudy } from "../../lab/mod.ts";
import "../../offline/mod.ts";
import { openStore } from "../../lab/store/open.ts";
import { processorMs } from "./benchmarks.ts";

/** What a run took, in s. */
export interface Taken {
  /** Of processor time, by the run's process alone. */
  readonly processor: number;
  readonly wall: number;
}

async function play([path = "", episodes = ""]: readonly string[]): Promise<void> {
  using store = openStore(path);
  const [worlds, conditions] = [[{ world: "wiki/encyclopedia" }], [{ method: "act" }, { method: "react" }]];
  let seed = 0; // other questions in each study: an answer that is recorded costs less
  for await (const id of createInterface({ input: process.stdin })) {
    const lanes = matrixLanes({ worlds, conditions, attempts: Number(episodes) / conditions.length, seed: () => ++seed });
    const [begin, used] = [performance.now(), process.cpuUsage()];
    await playStudy({ id, title: "Watched", models: { "*": "offline" }, lanes }, { store });
    const taken: Taken = { processor: processorMs(used) / 1000, wall: (performance.now() - begin) / 1000 };
    process.stdout.write(`${JSON.stringify(taken)}\n`);
  }
}

if (import.meta.main) await play(process.argv.slice(2));
