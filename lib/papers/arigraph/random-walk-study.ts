/**
 * How AriGraph's graph grows while the actions are random (Anokhin et al. 2024, arXiv 2407.04363, App. C, Fig. 6): in Cleaning, which has many
 * things and cannot be lost.
 *
 * @module
 */

import { matrixLanes, type Study } from "../../lab/study.ts";
import { STEP_LIMITS } from "./game-files.ts";
import { paperStudy, type StudyOptions } from "../study-options.ts";

/** Which form of the study. */
export interface RandomWalkStudyOptions extends StudyOptions {
  /** Walks, ≥ 1. The paper says no number. @default {5} */
  readonly attempts?: number;
}

const ATTEMPTS = 5;

/**
 * The study, as data. Run it with one model after another, into one store: the figure shows all that are there.
 *
 * @example
 * ```ts
 * import { randomWalkStudy } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * assert.equal(randomWalkStudy({ models: { "*": "gpt-4o" } }).id, "arigraph-random-walk@gpt-4o");
 * ```
 */
export function randomWalkStudy(options: RandomWalkStudyOptions = {}): Study {
  return paperStudy("arigraph-random-walk", options, ATTEMPTS, {
    title: "AriGraph, Figure 6: the graph during a random walk",
    lanes: matrixLanes({
      worlds: [{ world: "textworld/cleaning", params: { stepLimit: STEP_LIMITS.other } }],
      conditions: [{
        method: "random-walk",
        memory: "arigraph",
        condition: "random-walk",
        options: { method: { maxSteps: STEP_LIMITS.other } },
      }],
      attempts: options.attempts ?? ATTEMPTS,
    }),
  });
}
