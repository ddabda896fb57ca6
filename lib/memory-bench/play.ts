/** Playing a benchmark in a notebook. */

import { connectWorlds } from "../env/worlds.ts";
import { playStudy, type PlayStudyOptions } from "../lab/lab.ts";
import { type BenchCard, benchCard } from "./card.ts";
import type { BenchPlan } from "./plan.ts";

/**
 * Plays a benchmark, or continues it, and makes its card. Errors are those of `playStudy`.
 *
 * @example
 * ```ts
 * import { planBench, playBench } from "labyrinth/memory-bench";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = planBench({ memories: ["none"], worlds: ["questions"], games: 1, models: { "*": "offline" } });
 * const { tables: [card], episodes } = await playBench(plan, { store });
 * assert.equal(episodes.length, 2); // one game in each range
 * assert.equal(card?.rows[0]?.[0], "none");
 * ```
 */
export async function playBench(plan: BenchPlan, options: PlayStudyOptions): Promise<BenchCard> {
  const worlds = options.worlds ?? connectWorlds();
  try {
    for (const study of plan.plays) await playStudy(study, { ...options, worlds });
  } finally {
    if (!options.worlds) await worlds.close();
  }
  return benchCard(options.store, plan);
}
