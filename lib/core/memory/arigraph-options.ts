/**
 * The options of AriGraph, with the constants of its paper (Anokhin et al. 2024, arXiv 2407.04363)
 * and of its authors' code.
 */

import { z } from "zod";
import { type OptionsOf, withVariant } from "../text/registry.ts";
import type { PromptOrder } from "./observation.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIGRAPH_PAPER = {
  /**
   * Search depth d (no value in the paper; the largest importance of an entity in the code, for
   * questions 3).
   */
  depth: 2,
  /** Search width w, in triplets for each query (code). */
  width: 6,
  /** Episodes recalled (code). */
  k: 2,
  /** Last observations n_prev, which the prompt shows anyway (code). */
  nPrev: 5,
  /** Largest importance of an entity, which is its search depth in the code (3 for questions). */
  deepest: 2,
  /**
   * Known triplets that contain one of these are never offered as stale (code; see
   * `outdateFilter`).
   */
  outdateExclusions: ["west", "east", "south", "north", "associated with", "used for", "to be"],
} as const;

export const ARIGRAPH_AUTHORS = {
  depth: "importance",
  episodicScore: "authors",
  omitFresh: true,
  staleAgainst: "new",
  outdateFilter: true,
  keepPlaces: true,
} as const satisfies AriGraphOptions;

/** Steps for which the examples of the extraction grow before they start over. */
export const EXAMPLE_STEPS = 5;

/** Options of the memory, which are the paper's. */
export interface AriGraphOptions {
  /**
   * Whose form it has: `authors` stands for `ARIGRAPH_AUTHORS`; options next to it hold over these.
   * @default {"paper"}
   */
  readonly variant?: "paper" | "authors";
  /**
   * Search depth d of every query, 0 … 10, or each entity's `importance`, 1 … `deepest`, as the
   * authors do.
   * @default {2}
   */
  readonly depth?: number | "importance";
  /** Largest importance that the model may give an entity, 1 … 10. @default {2} */
  readonly deepest?: number;
  /** Search width w, in triplets for each query, 1 … 1,000. @default {6} */
  readonly width?: number;
  /**
   * Smallest similarity of a hit, on the embedder's scale (a cosine where `normalise`).
   * @default none
   */
  readonly threshold?: number;
  /**
   * Whether cosines are compared; `false` compares dot products of the embedder's vectors.
   * @default {false}
   */
  readonly normalise?: boolean;
  /**
   * Whether past observations are recalled. `false` is the paper's ablation "w/o episodic".
   * @default {true}
   */
  readonly episodic?: boolean;
  /** Past observations recalled, 0 … 100. @default {2} */
  readonly k?: number;
  /**
   * Last observations n_prev that the method shows anyway, 0 … 10,000; only `episodicFilter` uses
   * it.
   * @default {5}
   */
  readonly nPrev?: number;
  /**
   * `eq1` is Eq. 1 over the triplets just recalled. `authors` is Eq. 1 over those of the step
   * before, scaled, plus the scaled similarity of the texts. @default {"eq1"}
   */
  readonly episodicScore?: "eq1" | "authors";
  /**
   * Whether the last `nPrev` observations are excluded `before` the best k are chosen, `after` that
   * (then fewer come back), or not at all.
   * @default {"none"}
   */
  readonly episodicFilter?: "before" | "after" | "none";
  /**
   * Whether triplets that were extracted on the same step are left out of what is recalled.
   * @default {false}
   */
  readonly omitFresh?: boolean;
  /**
   * Whether unexplored exits are listed when the plan calls for it. `false` is the paper's ablation
   * "w/o exploration".
   * @default {true}
   */
  readonly exploration?: boolean;
  /**
   * The triplets that known ones are compared with: all `extracted` on this step, or those that are
   * `new` to the graph (the authors).
   * @default {"extracted"}
   */
  readonly staleAgainst?: "new" | "extracted";
  /**
   * Whether known triplets that contain one of `ARIGRAPH_PAPER.outdateExclusions` are never offered
   * as stale.
   * @default {false}
   */
  readonly outdateFilter?: boolean;
  /**
   * Whether triplets between two places that the agent has been to are never removed.
   * @default {false}
   */
  readonly keepPlaces?: boolean;
  /**
   * Whether stale triplets are looked for. `false` where the texts describe no changing world, as
   * in questions.
   * @default {true}
   */
  readonly stale?: boolean;
  /**
   * The kind of texts: `observations` of a game, or `paragraphs` with a question as the cue; it
   * decides the wording of the prompts.
   * @default {"observations"}
   */
  readonly texts?: "observations" | "paragraphs";
  /**
   * The layout of the prompts: the `paper`'s, or `cacheable`, in which the extraction's examples
   * grow for `EXAMPLE_STEPS` steps before they start again (D60).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
}

const schema = z.strictObject({
  variant: z.enum(["paper", "authors"]).default("paper"),
  depth: z.union([z.int().min(0).max(10), z.literal("importance")]).default(ARIGRAPH_PAPER.depth),
  deepest: z.int().min(1).max(10).default(ARIGRAPH_PAPER.deepest),
  width: z.int().min(1).max(1000).default(ARIGRAPH_PAPER.width),
  threshold: z.number().exactOptional(),
  normalise: z.boolean().default(false),
  episodic: z.boolean().default(true),
  k: z.int().min(0).max(100).default(ARIGRAPH_PAPER.k),
  nPrev: z.int().min(0).max(10_000).default(ARIGRAPH_PAPER.nPrev),
  episodicScore: z.enum(["eq1", "authors"]).default("eq1"),
  episodicFilter: z.enum(["before", "after", "none"]).default("none"),
  omitFresh: z.boolean().default(false),
  exploration: z.boolean().default(true),
  staleAgainst: z.enum(["new", "extracted"]).default("extracted"),
  outdateFilter: z.boolean().default(false),
  keepPlaces: z.boolean().default(false),
  stale: z.boolean().default(true),
  texts: z.enum(["observations", "paragraphs"]).default("observations"),
  order: z.enum(["cacheable", "paper"]).default("paper"),
}) satisfies OptionsOf<AriGraphOptions>;

export const arigraphOptions = withVariant(schema, { authors: ARIGRAPH_AUTHORS });

export type AriGraphSettings = z.output<typeof arigraphOptions>;
