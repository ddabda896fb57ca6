/** ReasonPlanner's constants and options (Pham-Dinh et al. 2024, arXiv 2410.09252). */

import { z } from "zod";
import { type TemporalGraphOptions, temporalGraphOptions } from "../memory/temporal-graph.ts";
import { checkOptions } from "../text/registry.ts";
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

/** Settings that give the paper's own form where ours deviates (D9, D10, D12): the option `paper`. */
const PAPER_FORM = { trajectory: "whole", endsEarly: false, maxReplans: 10_000 } as const satisfies ReasonPlannerOptions;

/** Options of the method: those of its world model, and these; absent ones take their defaults. */
export interface ReasonPlannerOptions extends TemporalGraphOptions, LoopOptions {
  /** Steps that are planned ahead, L, 1 … 100. @default {5} */
  readonly lookAhead?: number;
  /** The most queries for one prediction, k, 0 … 100. @default {3} */
  readonly queries?: number;
  /** Whether there is a world model to ask; without it the plans rest on the models alone (Table 2). @default {true} */
  readonly worldModel?: boolean;
  /** Whether a query that finds nothing is followed by an exploration step (§3.4). @default {true} */
  readonly explore?: boolean;
  /** The most times that the critic may have the plan made anew in one episode, 0 … 10,000 (D12). @default {30} */
  readonly maxReplans?: number;
  /**
   * What prompts show of the steps that were taken or are predicted: `actions` shows actions and responses, and the present state alone in full;
   * `whole` shows every state, action and response uncut (D10). @default {"actions"}
   */
  readonly trajectory?: "actions" | "whole";
  /** Whether the look-ahead ends where the task is predicted to be over; Algorithm 1 goes on to L steps (D9). @default {true} */
  readonly endsEarly?: boolean;
  /** Whether `trajectory`, `endsEarly` and `maxReplans` take the paper's form unless they are given. @default {false} */
  readonly paper?: boolean;
}

/** The schema of the options. */
export const reasonPlannerOptions = z.strictObject({
  ...temporalGraphOptions.shape,
  ...{
    lookAhead: z.int().min(1).max(100).default(REASONPLANNER_PAPER.lookAhead),
    queries: z.int().min(0).max(100).default(REASONPLANNER_PAPER.queries),
    worldModel: z.boolean().default(true),
    explore: z.boolean().default(true),
    maxReplans: z.int().min(0).max(10_000).default(30),
    // without a default, so that the identity of an episode that does not set them is what it was
    trajectory: z.enum(["actions", "whole"]).exactOptional(),
    endsEarly: z.boolean().exactOptional(),
    paper: z.boolean().exactOptional(),
    ...loopOptions,
  } satisfies Record<Exclude<keyof ReasonPlannerOptions, keyof TemporalGraphOptions>, z.ZodType>,
});

/** The options with their defaults. */
export type CheckedReasonPlannerOptions = z.output<typeof reasonPlannerOptions>;

/** The options checked and complete. @throws {UsageError} if one is unknown or out of range. */
export function checkReasonPlannerOptions(options: ReasonPlannerOptions): CheckedReasonPlannerOptions {
  return checkOptions("the method reasonplanner", reasonPlannerOptions, options.paper ? { ...PAPER_FORM, ...options } : options);
}
