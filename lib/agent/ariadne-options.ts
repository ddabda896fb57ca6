/**
 * What can be chosen of Ariadne's loop, whatever method plays by it.
 *
 * @module
 */

import { z } from "zod";
import type { MemoryFactory } from "../memory/memory.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIADNE_PAPER = {
  /** Observations before the present one that planner and actor are shown (code). */
  nPrev: 5,
  /** Agent steps, where the world names no limit (§4; 60 in Cooking). */
  maxSteps: 150,
} as const;

/** Options of the method; absent ones take their defaults. */
export interface AriadneOptions {
  /** Makes the memory of an episode. */
  readonly memory: MemoryFactory;
  /** Observations before the present one that planner and actor are shown, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
  /** Whether "go to <place>" is possible. Unless told: if the memory can navigate. `true` without such a memory: by a map of the agent's own walks. */
  readonly goTo?: boolean;
  /**
   * Whether exits that the agent has seen and not taken are listed at every step, by a map of its own walks; for memories that list none
   * themselves. @default {false}
   */
  readonly exits?: boolean;
  /**
   * What the actor may choose from: the `possible` actions where the world tells them, or any call of the world's `forms` of action, where these
   * are many more than the world would list (NetHack's skills). Forms leave no room for "go to <place>". @default {"possible"}
   */
  readonly actions?: "possible" | "forms";
  /** Most agent steps, 1 … 1,000,000. Unless told: the world's parameter `stepLimit`, else 150. The world's own limit holds besides. */
  readonly maxSteps?: number;
  /** How often a model is asked again after an answer that cannot be read, 0 … 10. @default {2} */
  readonly reAsks?: number;
}

/** Reads the options, as a study gives them, but for the memory. */
export const ariadneOptions = z.strictObject(
  {
    nPrev: z.int().min(0).max(10_000).default(ARIADNE_PAPER.nPrev),
    goTo: z.boolean().exactOptional(),
    exits: z.boolean().exactOptional(),
    actions: z.enum(["possible", "forms"]).exactOptional(), // without a default: episodes that do not name it keep their identity
    maxSteps: z.int().min(1).max(1_000_000).exactOptional(),
    reAsks: z.int().min(0).max(10).default(2),
  } satisfies Record<Exclude<keyof AriadneOptions, "memory">, z.ZodType>,
);

/** The options as read, but for the memory. */
export type LoopOptions = z.output<typeof ariadneOptions>;
