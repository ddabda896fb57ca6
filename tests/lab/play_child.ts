/**
 * A small study of the real thing, for a process of its own that can be killed: `<store> <base URL | offline> <steps> <lanes>`.
 * Lanes are played one after the other in the order given, e.g. `arigraph,wander`: a memory under Ariadne, or a
 * method that wanders at random.
 */

import process from "node:process";
import { playStudy } from "../../lib/lab/lab.ts";
import type { StudyResult } from "../../lib/lab/runner.ts";
import type { CustomMethod, Study } from "../../lib/lab/study.ts";
import { createDraw } from "../../lib/random.ts";
import { openStore } from "../../lib/store/open.ts";
import "../../lib/offline/mod.ts";

/** Plays the hunt with each memory, in this process. */
export async function playHunt(path: string, baseUrl: string, steps: number, lanes: string): Promise<StudyResult> {
  const study: Study = {
    id: "hunt",
    title: "A hunt with several memories",
    models: { "*": baseUrl === "offline" ? "offline" : { model: "counted", baseUrl } },
    lanes: lanes.split(",").map((memory) => ({
      id: memory,
      episodes: [{
        world: "textworld/hunt",
        params: { stepLimit: 10_000 },
        ...(memory === "wander" ? { method: wander(steps) } : { method: "ariadne", options: { method: { maxSteps: steps } }, memory }),
        attempt: 1,
        seed: 1,
      }],
    })),
  };
  using store = openStore(path);
  return await playStudy(study, { store, concurrency: 1 });
}

/** Takes so many random valid actions, all but the one that may end the game; draws from the episode's seed. */
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
          const action = draw.pick((await env.validActions() ?? []).filter((action) => !action.includes("treasure")));
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
  const [path = "", baseUrl = "", steps = "", lanes = ""] = process.argv.slice(2);
  await playHunt(path, baseUrl, Number(steps), lanes);
}
