/** The options of AriGraph, with the constants of its paper (Anokhin et al. 2024, arXiv 2407.04363) and of its authors' code. */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import type { PromptOrder } from "./observation.ts";

/** Constants of the paper and, where it is silent, of the authors' code. */
export const ARIGRAPH_PAPER = {
  /** Search width w, in triplets for each query (code). */
  width: 6,
  /** Episodes recalled (code). */
  k: 2,
  /** Last observations n_prev, which the prompt shows anyway (code). */
  nPrev: 5,
  /** Largest importance of an entity, which is its search depth (code; 3 for questions). */
  deepest: 2,
  /** Known triplets that contain one of these are never offered as stale (code; see `outdateFilter`). */
  outdateExclusions: ["west", "east", "south", "north", "associated with", "used for", "to be"],
} as const;

/** Steps for which the examples of the extraction grow before they begin anew. */
export const EXAMPLE_STEPS = 5;

/** Options of the memory; absent ones take their defaults. */
export interface AriGraphOptions {
  /** Search depth d of every query, 0 … 10. @default its entity's importance, 1 … `deepest` */
  readonly depth?: number;
  /** Largest importance that the model may give an entity, 1 … 10. @default {2} */
  readonly deepest?: number;
  /** Search width w, in triplets for each query, 1 … 1,000. @default {6} */
  readonly width?: number;
  /** Smallest similarity of a hit, on the embedder's scale (a cosine where `normalise`). @default none */
  readonly threshold?: number;
  /** Whether cosines are compared; `false` compares the embedder's raw products, as the authors do. @default {true} */
  readonly normalise?: boolean;
  /** Whether past observations are recalled. `false` is the paper's ablation "w/o episodic". @default {true} */
  readonly episodic?: boolean;
  /** Past observations recalled, 0 … 100. @default {2} */
  readonly k?: number;
  /** Last observations n_prev, which the method shows anyway, 0 … 10,000. @default {5} */
  readonly nPrev?: number;
  /**
   * `eq1` is Eq. 1 over the triplets just recalled. `authors` is Eq. 1 over those of the step before, scaled, plus the scaled similarity of the
   * texts. @default {"eq1"}
   */
  readonly episodicScore?: "eq1" | "authors";
  /**
   * Whether the last `nPrev` observations are excluded `before` the best k are chosen, `after` that (then fewer come back), or not at all.
   * @default {"before"}
   */
  readonly episodicFilter?: "before" | "after" | "none";
  /** Whether unexplored exits are listed when the plan calls for it. `false` is the paper's ablation "w/o exploration". @default {true} */
  readonly exploration?: boolean;
  /**
   * The triplets that known ones are compared with: those that are `new` to the graph (the authors), or all `extracted` on this step.
   * @default {"new"}
   */
  readonly staleAgainst?: "new" | "extracted";
  /** Whether known triplets that contain one of `ARIGRAPH_PAPER.outdateExclusions` are never offered as stale. @default {false} */
  readonly outdateFilter?: boolean;
  /** Whether stale triplets are looked for. `false` where the texts describe no changing world, as in questions. @default {true} */
  readonly stale?: boolean;
  /**
   * The kind of texts: `observations` of a game, or `paragraphs` with a question as the cue. It decides the wording of the prompts, and
   * whether texts carry the step's number. @default {"observations"}
   */
  readonly texts?: "observations" | "paragraphs";
  /**
   * The layout of the prompts: `cacheable` by servers that keep what they computed for a prefix, or the `paper`'s. In the former the examples of
   * the extraction grow for `EXAMPLE_STEPS` steps before they begin anew (D60). @default {"cacheable"}
   */
  readonly order?: PromptOrder;
}

/** The schema of the options. */
export const arigraphOptions = z.strictObject({
  depth: z.int().min(0).max(10).exactOptional(),
  deepest: z.int().min(1).max(10).default(ARIGRAPH_PAPER.deepest),
  width: z.int().min(1).max(1000).default(ARIGRAPH_PAPER.width),
  threshold: z.number().exactOptional(),
  normalise: z.boolean().default(true),
  episodic: z.boolean().default(true),
  k: z.int().min(0).max(100).default(ARIGRAPH_PAPER.k),
  nPrev: z.int().min(0).max(10_000).default(ARIGRAPH_PAPER.nPrev),
  episodicScore: z.enum(["eq1", "authors"]).default("eq1"),
  episodicFilter: z.enum(["before", "after", "none"]).default("before"),
  exploration: z.boolean().default(true),
  staleAgainst: z.enum(["new", "extracted"]).default("new"),
  outdateFilter: z.boolean().default(false),
  stale: z.boolean().default(true),
  texts: z.enum(["observations", "paragraphs"]).default("observations"),
  order: z.enum(["cacheable", "paper"]).default("cacheable"),
}) satisfies OptionsOf<AriGraphOptions>;

/** The options as the schema has read them. */
export type AriGraphSettings = z.output<typeof arigraphOptions>;
