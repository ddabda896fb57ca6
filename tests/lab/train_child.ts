/**
 * ReasonPlanner's training on two short tasks of the real ScienceWorld, for a process of its own
 * that can be killed: `<store>`.
 */

import process from "node:process";
import { playStudy } from "../../lib/lab/lab.ts";
import type { StudyResult } from "../../lib/lab/runner.ts";
import { reasonPlannerStudy } from "../../lib/papers/reasonplanner/study.ts";
import { openStore } from "../../lib/lab/store/open.ts";
import "../../lib/offline/mod.ts";

/** The tasks, in order of training; their gold paths take some ten steps. */
export const TASKS = ["find-living-thing", "lifespan-longest-lived"];

/** Trains in this process. */
export async function train(path: string): Promise<StudyResult> {
  const study = reasonPlannerStudy({ only: [...TASKS, "reasonplanner"] });
  using store = openStore(path);
  return await playStudy({ ...study, id: "training", chains: study.chains.slice(0, 1) }, {
    store,
    concurrency: 1,
  });
}

if (import.meta.main) await train(process.argv[2] ?? "");
