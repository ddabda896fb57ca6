/**
 * Plays a small study of the real thing in a process of its own, so that it can be killed: `<store> <base URL | offline> <steps> <lanes>`.
 * Lanes are played one after the other in the order given, e.g. `arigraph,full-history`.
 */

import process from "node:process";
import { playStudy } from "../../lib/lab/lab.ts";
import type { Study } from "../../lib/lab/study.ts";
import { openStore } from "../../lib/store/open.ts";

const [path = "", baseUrl = "", steps = "", lanes = ""] = process.argv.slice(2);

export const study: Study = {
  id: "child",
  title: "A hunt in a process of its own",
  models: { "*": baseUrl === "offline" ? "offline" : { model: "counted", baseUrl } },
  lanes: lanes.split(",").map((memory) => ({
    id: memory,
    episodes: [{
      world: "textworld/hunt",
      params: { stepLimit: 10_000 },
      method: "ariadne",
      options: { method: { maxSteps: Number(steps) } },
      memory,
      attempt: 1,
      seed: 1,
    }],
  })),
};

if (import.meta.main) {
  using store = openStore(path);
  const result = await playStudy(study, { store, concurrency: 1 });
  for (const { lane, status, failureMessage } of result.episodes) console.log(lane, status, failureMessage ?? "");
}
