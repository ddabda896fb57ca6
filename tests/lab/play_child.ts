/**
 * A small study of the real thing, for a process of its own that can be killed: `<store> <base URL
 * | offline> <steps> <chains> [<accidents>]`. Chains are played one after the other in the order
 * given, e.g. `arigraph,wander`: a memory under Ariadne, a method that wanders at random, or
 * `science`, which plays ScienceWorld. Accidents are JSON: see `Accidents`.
 */

import process from "node:process";
import { connectWorlds } from "../../lib/core/env/worlds.ts";
import { playStudy } from "../../lib/lab/lab.ts";
import type { StudyResult } from "../../lib/lab/runner.ts";
import type { CustomMethod, Study } from "../../lib/lab/study.ts";
import { interruption, STOP_SIGNALS } from "../../lib/core/platform.ts";
import { createDraw } from "../../lib/core/random.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import "../../lib/offline/mod.ts";

/** What may happen to a run. */
export interface Accidents {
  /** Pages that the store may still grow by: then the disk is full. */
  readonly pages?: number;
  /** Address of a world server that is reached by a bad link. */
  readonly worlds?: string;
  /** Whether failed episodes are played again. */
  readonly retry?: boolean;
  /** Stops the run in order. */
  readonly signal?: AbortSignal;
}

/** Plays the hunt with each memory, in this process. */
export async function playHunt(
  path: string,
  baseUrl: string,
  steps: number,
  chains: string,
  { pages, worlds: endpoint, retry = false, signal }: Accidents = {},
): Promise<StudyResult> {
  const study: Study = {
    id: "hunt",
    title: "A hunt with several memories",
    models: { "*": baseUrl === "offline" ? "offline" : { model: "counted", baseUrl } },
    chains: chains.split(",").map((memory) => ({
      id: memory,
      episodes: [{
        ...(memory === "science"
          ? { world: "scienceworld", params: { task: "find-plant", variation: 0 } }
          : { world: "textworld/hunt", params: { stepLimit: 10_000 } }),
        ...(memory === "wander" ? { method: wander(steps) } : {
          method: "ariadne",
          options: { method: { maxSteps: steps } },
          memory: memory === "science" ? "arigraph" : memory,
        }),
        attempt: 1,
        seed: 1,
      }],
    })),
  };
  using store = openStore(path);
  if (pages !== undefined) {
    const used = Number(store.database.prepare("pragma page_count").get()?.["page_count"]);
    store.database.exec(`pragma max_page_count = ${used + pages}`);
  }
  const worlds = endpoint === undefined ? undefined : connectWorlds({ endpoint, silence: 5000 });
  try {
    return await playStudy(study, { store, concurrency: 1, worlds, retry, signal });
  } finally {
    await worlds?.close();
  }
}

/**
 * Takes so many random valid actions, all but the one that may end the game; draws from the
 * episode's seed.
 */
function wander(steps: number): CustomMethod {
  return {
    id: "wander",
    version: "1",
    create: () => ({
      id: "wander",
      run: async ({ world, recorder, seed }) => {
        const env = await world();
        const draw = createDraw(`wander ${seed}`);
        let turn = await env.reset();
        await recorder.step({ pass: 0, step: 0, turn });
        for (let step = 1; step <= steps; step++) {
          const action = draw.pick(
            (await env.validActions() ?? []).filter((action) => !action.includes("treasure")),
          );
          turn = await env.step(action);
          await recorder.step({ pass: 0, step, action, turn });
        }
        await env.close();
        return { passes: [{ kind: "only", score: turn.score, maxScore: turn.maxScore, steps }] };
      },
    }),
  };
}

if (import.meta.main) {
  const [path = "", baseUrl = "", steps = "", chains = "", accidents = "{}"] = process.argv.slice(
    2,
  );
  const stop = new AbortController();
  for (const signal of STOP_SIGNALS) process.once(signal, () => stop.abort(interruption(signal)));
  const given = { ...JSON.parse(accidents) as Accidents, signal: stop.signal };
  const { completed, planned } = await playHunt(path, baseUrl, Number(steps), chains, given);
  process.exitCode = completed === planned ? 0 : 3;
}
