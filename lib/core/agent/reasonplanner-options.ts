/** ReasonPlanner's constants and options (Pham-Dinh et al. 2024, arXiv 2410.09252). */

import { z } from "zod";
import { type TemporalGraphOptions, temporalGraphOptions } from "../memory/temporal-graph.ts";
import type { OptionsOf } from "../text/registry.ts";
import { type LoopOptions, loopOptions } from "./rollout.ts";

/** Constants of the paper. */
export const REASONPLANNER_PAPER = {
  /** L: steps that are planned ahead (§4.2.1). */
  lookAhead: 5,
  /** k: the most queries to the world model for one prediction (§4.2.1). */
  queries: 3,
  /** Other look-aheads that §4.2.1 speaks of. */
  otherLookAheads: [3, 10],
  /** Training episodes a task, and the first test variations of each (§4.2.1). */
  trainingVariations: 5,
  testVariations: 3,
  /** Copies of the trained agent side by side (§4.2.1). */
  agents: 4,
} as const;

/** Options of the method: those of its world model, and these. */
export interface ReasonPlannerOptions extends TemporalGraphOptions, LoopOptions {
  /** Steps that are planned ahead, L, 1 … 100. @default {5} */
  readonly lookAhead?: number;
  /** The most queries for one prediction, k, 0 … 100. @default {3} */
  readonly queries?: number;
  /**
   * Whether there is a world model to ask; without it the plans rest on the models alone (Table 2).
   * @default {true}
   */
  readonly worldModel?: boolean;
  /**
   * Whether a query that finds nothing is followed by an exploration step (§3.4).
   * @default {true}
   */
  readonly explore?: boolean;
  /**
   * The most times that the critic may have the plan made again in one episode, 0 … 10,000 (D12).
   * @default {1000}
   */
  readonly maxReplans?: number;
  /**
   * What prompts show of past and predicted steps: `whole`, every state, action and response; or
   * `actions`, actions and responses, and only the present state (D10).
   * @default {"whole"}
   */
  readonly trajectory?: "actions" | "whole";
  /**
   * Whether the look-ahead ends where the task is predicted to be over; Algorithm 1 goes on to L
   * steps (D9).
   * @default {false}
   */
  readonly endsEarly?: boolean;
}

export const reasonPlannerOptions = z.strictObject({
  ...temporalGraphOptions.shape,
  ...{
    lookAhead: z.int().min(1).max(100).default(REASONPLANNER_PAPER.lookAhead),
    queries: z.int().min(0).max(100).default(REASONPLANNER_PAPER.queries),
    worldModel: z.boolean().default(true),
    explore: z.boolean().default(true),
    maxReplans: z.int().min(0).max(10_000).default(1000),
    trajectory: z.enum(["actions", "whole"]).default("whole"),
    endsEarly: z.boolean().default(false),
    ...loopOptions,
  },
}) satisfies OptionsOf<ReasonPlannerOptions>;

export type CheckedReasonPlannerOptions = z.output<typeof reasonPlannerOptions>;
