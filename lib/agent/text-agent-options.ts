/**
 * What the step-by-step text agents (Act, ReAct, SayCan and what is built on them) can be told. Papers differ in these rules and leave some of
 * them open; see `docs/deviations/reasonplanner.md` and `docs/deviations/wese.md`.
 *
 * @module
 */

import { z } from "zod";

/** Options of one play by a text agent; absent ones take their defaults. */
export interface TextAgentOptions {
  /** Most agent steps, 1 … 1,000,000. @default the world's own `stepLimit`; else 8 for questions, 50 for other worlds */
  readonly maxSteps?: number;
  /** Most replies of the model that are used, thoughts included, 1 … 2,000,000. @default twice `maxSteps` */
  readonly maxTurns?: number;
  /** Whether a thought without an action takes a step (ReAct on ALFWorld) or none (SwiftSage). @default {true} */
  readonly thoughtsCount?: boolean;
  /** What the prompt tells of the actions: their forms, those that are possible now where the world tells, or nothing. @default {"forms"} */
  readonly actions?: "forms" | "possible" | "none";
  /**
   * What becomes of an answer that is not among the possible actions: it is sent as it stands, or the possible one is taken that shares the
   * most words with it, or the one nearest by the embedder. @default {"none"}
   */
  readonly grounding?: "none" | "overlap" | "embedder";
  /** Which possible actions are left out: none, or those that SwiftSage leaves out in ScienceWorld (`swiftsageActions`). @default {"none"} */
  readonly filter?: "none" | "swiftsage";
  /** Whether two actions in turn, five times on end, end the play. @default {false} */
  readonly stopOnLoop?: boolean;
  /** Tokens of the prompt; of a longer one the examples go first, then the oldest steps. 200 … 10,000,000. @default {8000} */
  readonly contextTokens?: number;
  /** Examples shown, where there are any for the world and task, 0 … 10. @default {2} */
  readonly examples?: number;
  /** How often a model is asked again after an answer that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them. */
export const textAgentOptions = z.strictObject(
  {
    maxSteps: z.int().min(1).max(1_000_000).exactOptional(),
    maxTurns: z.int().min(1).max(2_000_000).exactOptional(),
    thoughtsCount: z.boolean().default(true),
    actions: z.enum(["forms", "possible", "none"]).default("forms"),
    grounding: z.enum(["none", "overlap", "embedder"]).default("none"),
    filter: z.enum(["none", "swiftsage"]).default("none"),
    stopOnLoop: z.boolean().default(false),
    contextTokens: z.int().min(200).max(10_000_000).default(8000),
    examples: z.int().min(0).max(10).default(2),
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<keyof TextAgentOptions, z.ZodType>,
);

/** The options with their defaults. */
export type CheckedTextAgentOptions =
  & Required<Omit<TextAgentOptions, "maxSteps" | "maxTurns">>
  & Pick<TextAgentOptions, "maxSteps" | "maxTurns">;

/** The rules of SwiftSage's evaluation on ScienceWorld, which ReasonPlanner's baselines are run by (arXiv 2410.09252, §4.2.2). */
export const SWIFTSAGE_RULES = {
  maxSteps: 100,
  maxTurns: 200,
  thoughtsCount: false,
  grounding: "overlap",
  filter: "swiftsage",
  stopOnLoop: true,
  examples: 1,
} as const satisfies TextAgentOptions;

/** Steps of a play where nobody says how many (WESE, arXiv 2404.07456, §4.1.1 and §4.2.1: N_e = N_t). */
export const TEXT_AGENT_STEPS = { questions: 8, other: 50 } as const;
