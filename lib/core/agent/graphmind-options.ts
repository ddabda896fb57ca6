/** GraphMind's options (Shin et al. 2026). */

import { z } from "zod";
import type { MemoryFactory } from "../memory/memory.ts";
import type { PromptOrder } from "../memory/observation.ts";
import { type LoopOptions, loopOptions } from "./rollout.ts";

/** Options of the method. */
export interface GraphMindOptions extends LoopOptions {
  /** Makes the memory of an episode: `room-graph`, `stacked`, `none`, or any other. */
  readonly memory: MemoryFactory;
  /**
   * Who carries out instructions: the world's own heuristic actor, or a model by primitive actions.
   * @default {"heuristic"}
   */
  readonly actor?: "heuristic" | "llm";
  /**
   * Whether planner, verifier and actor are shown pictures, where the world gives any.
   * @default {true}
   */
  readonly image?: boolean;
  /**
   * Most decision steps, 1 … 1,000,000 (§4.1); the world's own limit of primitive steps holds
   * besides.
   * @default {400}
   */
  readonly maxSteps?: number;
  /**
   * Calls of the memory's functions that are answered before one plan, 1 … 1,000,000.
   * @default {100}
   */
  readonly maxCalls?: number;
  /**
   * How often an instruction is tried before its plan is given up, whatever the verifier says, 1 …
   * 1,000,000.
   * @default {100}
   */
  readonly maxTries?: number;
  /**
   * Whether verifier and planner are told what the heuristic actor reports, such as that a door is
   * locked (D21).
   * @default {false}
   */
  readonly actorReport?: boolean;
  /**
   * The layout of the prompts: the `paper`'s, or `cacheable`, what changes least first (D20).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
}

const MOST = 1_000_000;

export const graphmindOptions = z.strictObject(
  {
    actor: z.enum(["heuristic", "llm"]).default("heuristic"),
    image: z.boolean().default(true),
    maxSteps: z.int().min(1).max(MOST).default(400),
    maxCalls: z.int().min(1).max(MOST).default(100),
    maxTries: z.int().min(1).max(MOST).default(100),
    actorReport: z.boolean().default(false),
    order: z.enum(["paper", "cacheable"]).default("paper"),
    reAsks: loopOptions.reAsks,
  } satisfies Record<Exclude<keyof GraphMindOptions, "memory">, z.ZodType>,
);
