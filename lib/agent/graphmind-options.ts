/**
 * What can be chosen of GraphMind's loop.
 *
 * @module
 */

import { z } from "zod";
import type { MemoryFactory } from "../memory/memory.ts";

/** Options of the method; absent ones take their defaults. */
export interface GraphMindOptions {
  /** Makes the memory of an episode: `room-graph`, `stacked`, `none`, or any other. */
  readonly memory: MemoryFactory;
  /** Who carries out instructions: the world's own heuristic actor, or a model by primitive actions. @default {"heuristic"} */
  readonly actor?: "heuristic" | "llm";
  /** Whether planner, verifier and actor are shown pictures, where the world gives any. @default {true} */
  readonly image?: boolean;
  /** Most decision steps, 1 … 1,000,000; the world's own limit of primitive steps holds besides. @default {150} */
  readonly maxSteps?: number;
  /** Calls of the memory's functions that are answered before one plan, 1 … 100. @default {10} */
  readonly maxCalls?: number;
  /** How often an instruction is tried before its plan is given up, whatever the verifier says, 1 … 100. @default {5} */
  readonly maxTries?: number;
  /** How often a model is asked again after an answer that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them, but for the memory. */
export const graphmindOptions = z.strictObject(
  {
    actor: z.enum(["heuristic", "llm"]).default("heuristic"),
    image: z.boolean().default(true),
    maxSteps: z.int().min(1).max(1_000_000).default(150),
    maxCalls: z.int().min(1).max(100).default(10),
    maxTries: z.int().min(1).max(100).default(5),
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<Exclude<keyof GraphMindOptions, "memory">, z.ZodType>,
);

/** The options as read, but for the memory. */
export type GraphMindSetting = z.output<typeof graphmindOptions>;
