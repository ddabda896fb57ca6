/** Ariadne's constants and options (Anokhin et al. 2024, arXiv 2407.04363). */

import { z } from "zod";
import { type OptionsOf, withVariant } from "../text/registry.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import type { PromptOrder } from "../memory/observation.ts";
import { type LoopOptions, loopOptions } from "./rollout.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIADNE_PAPER = {
  /** Observations before the present one that planner and actor are shown (code). */
  nPrev: 5,
  /** Agent steps, where the world names no limit (§4; 60 in Cooking). */
  maxSteps: 150,
  /**
   * Temperature of the actor with a memory that lists unexplored exits, and with any other (code).
   */
  temperature: { exploring: 0.2, other: 1 },
} as const;

/** Options of the method. */
export interface AriadneOptions extends LoopOptions {
  /** Makes the memory of a question. */
  readonly memory: MemoryFactory;
  /**
   * Observations before the present one that planner and actor are shown, 0 … 10,000.
   * @default {5}
   */
  readonly nPrev?: number;
  /**
   * Whether "go to <place>" is possible; a memory that cannot navigate gets a map of the agent's
   * own walks.
   * @default whether the memory can navigate
   */
  readonly goTo?: boolean;
  /**
   * Whether exits seen and not taken are listed at every step, by a map of the agent's own walks.
   * @default {false}
   */
  readonly exits?: boolean;
  /**
   * What the actor chooses from: the `possible` actions, or any call of the world's `forms` of
   * action if these are too many to list (NetHack's skills); then there is no "go to <place>".
   * @default {"possible"}
   */
  readonly actions?: "possible" | "forms";
  /**
   * The layout of the prompts: the `paper`'s, or `cacheable` by servers that keep what they
   * computed for a prefix (D60).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
  /**
   * Observations by which the window of past ones moves at once, 1 … 10,000 (D61).
   * @default 1; in the cacheable order `nPrev`, at least 1
   */
  readonly slide?: number;
  /**
   * Whether a past observation is shown with the action taken `after` it, or with the one `before`
   * it (D22). A memory that is the whole history always has the latter.
   * @default {"after"}; `before` in the cacheable order
   */
  readonly actionLine?: "after" | "before";
  /**
   * The places that "go to" is offered for: those with a known path, or all `known` ones, as the
   * authors do (D15).
   * @default {"reachable"}
   */
  readonly goToPlaces?: "reachable" | "known";
  /**
   * Whether a "go to" ends at the first move that changes nothing, in place of sending all of its
   * moves (D16).
   * @default {false}
   */
  readonly stopsAtDoors?: boolean;
  /**
   * What becomes of an action that is not possible: it is `sent` as it stands, or the world's
   * `fallback` is taken (D19).
   * @default {"sent"}
   */
  readonly impossible?: "sent" | "fallback";
  /**
   * What becomes of a plan that stays unreadable: it is `used` as it stands, as the authors do, or
   * the plan before it `stays` (D20).
   * @default {"used"}
   */
  readonly unreadablePlan?: "stays" | "used";
  /**
   * Temperature of the actor, 0 … 2.
   * @default 0.2 with a memory that lists unexplored exits, else 1 (D6)
   */
  readonly temperature?: number;
  /**
   * Whose form it has: `authors` stands for `ARIADNE_AUTHORS`; options next to it hold over these.
   * @default {"paper"}
   */
  readonly variant?: "paper" | "authors";
}

/** The authors' code where it differs from the paper, and no re-asking (D38). */
export const ARIADNE_AUTHORS = { goToPlaces: "known", reAsks: 0 } as const;

export const ariadneFields = z.strictObject({
  variant: z.enum(["paper", "authors"]).default("paper"),
  nPrev: z.int().min(0).max(10_000).default(ARIADNE_PAPER.nPrev),
  goTo: z.boolean().exactOptional(),
  exits: z.boolean().exactOptional(),
  actions: z.enum(["possible", "forms"]).default("possible"),
  order: z.enum(["cacheable", "paper"]).default("paper"),
  slide: z.int().min(1).max(10_000).exactOptional(),
  actionLine: z.enum(["after", "before"]).exactOptional(),
  goToPlaces: z.enum(["reachable", "known"]).default("reachable"),
  stopsAtDoors: z.boolean().default(false),
  impossible: z.enum(["sent", "fallback"]).default("sent"),
  unreadablePlan: z.enum(["stays", "used"]).default("used"),
  temperature: z.number().min(0).max(2).exactOptional(),
  ...loopOptions,
}) satisfies OptionsOf<Omit<AriadneOptions, "memory">>;

export const ariadneOptions = withVariant(ariadneFields, { authors: ARIADNE_AUTHORS });
