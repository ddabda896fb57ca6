/** The options of every text agent, and the rules of SwiftSage's evaluation. */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import { type LoopOptions, loopOptions } from "./rollout.ts";

/** Options of one play by a text agent. */
export interface TextAgentOptions extends LoopOptions {
  /**
   * Most replies of the model that are used, thoughts included, 1 … 2,000,000.
   * @default twice `maxSteps`
   */
  readonly maxTurns?: number;
  /**
   * Whether a thought without an action takes a step (ReAct on ALFWorld) or none (SwiftSage).
   * @default true, but for questions
   */
  readonly thoughtsCount?: boolean;
  /**
   * Which actions the prompt lists: their forms, those possible now, or none.
   * @default none; `forms` for questions, and where no example shows how actions are written
   */
  readonly actions?: "forms" | "possible" | "none";
  /**
   * What is sent for an answer that is not possible: the answer, the possible action that shares
   * most words with it, or the nearest by the embedder.
   * @default {"none"}
   */
  readonly grounding?: "none" | "overlap" | "embedder";
  /**
   * Which possible actions are left out: none, or those that SwiftSage leaves out in ScienceWorld
   * (`swiftsageActions`).
   * @default {"none"}
   */
  readonly filter?: "none" | "swiftsage";
  /** Whether the play ends when the last five actions are two different ones. @default {false} */
  readonly stopOnLoop?: boolean;
  /**
   * Tokens of the prompt; of a longer one the examples are dropped first, then the oldest steps.
   * 200 … 10,000,000.
   * @default {8000}
   */
  readonly contextTokens?: number;
  /**
   * Worked examples shown, where there are any for the world and task, 0 … 10.
   * @default 6 for questions, 3 for claims, 2 for other tasks
   */
  readonly examples?: number;
}

export const textAgentOptions = z.strictObject({
  maxSteps: loopOptions.maxSteps,
  maxTurns: z.int().min(1).max(2_000_000).exactOptional(),
  thoughtsCount: z.boolean().exactOptional(),
  actions: z.enum(["forms", "possible", "none"]).exactOptional(),
  grounding: z.enum(["none", "overlap", "embedder"]).default("none"),
  filter: z.enum(["none", "swiftsage"]).default("none"),
  stopOnLoop: z.boolean().default(false),
  contextTokens: z.int().min(200).max(10_000_000).default(8000),
  examples: z.int().min(0).max(10).exactOptional(),
  reAsks: loopOptions.reAsks,
}) satisfies OptionsOf<TextAgentOptions>;

/**
 * The rules of SwiftSage's evaluation on ScienceWorld, which ReasonPlanner's baselines are run by
 * (arXiv 2410.09252, §4.2.2).
 */
export const SWIFTSAGE_RULES = {
  maxSteps: 100,
  maxTurns: 200,
  thoughtsCount: false,
  actions: "none",
  grounding: "overlap",
  filter: "swiftsage",
  stopOnLoop: true,
  examples: 1,
} as const satisfies TextAgentOptions;
