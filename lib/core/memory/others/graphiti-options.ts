/** The options of Graphiti (Zep, arXiv 2501.13956). */

import { z } from "zod";
import { HYBRID_PAPER } from "../../retrieval/hybrid-search.ts";
import type { OptionsOf } from "../../text/registry.ts";
import { type ModuleOptions, moduleOptions } from "../modules.ts";

const { extraction, conflictResolution, retrieval } = moduleOptions.shape;

/** Options of the memory: the paper's modules `graphiti`, `graphiti` and `hybrid`. */
export interface GraphitiOptions extends ModuleOptions {
  /** Facts recalled, 0 … 1,000. @default {20} */
  readonly k?: number;
  /** Past observations recalled with them, 0 … 100; the paper shows none (D321). @default {0} */
  readonly episodes?: number;
  /** Whether facts that no longer hold are recalled, too. @default {true} */
  readonly past?: boolean;
  /** Steps after which communities are found again, 1 … 10,000; 0 keeps none. @default {10} */
  readonly refresh?: number;
  /** Summaries of communities recalled, 0 … 100. @default {3} */
  readonly summaries?: number;
}

export const ID = "graphiti";

export const graphitiOptions = z.strictObject({
  ...moduleOptions.shape,
  extraction: extraction.unwrap().default("graphiti"),
  conflictResolution: conflictResolution.unwrap().default("graphiti"),
  retrieval: retrieval.unwrap().default("hybrid"),
  k: z.int().min(0).max(1000).default(HYBRID_PAPER.facts),
  episodes: z.int().min(0).max(100).default(0),
  past: z.boolean().default(true),
  refresh: z.int().min(0).max(10_000).default(10),
  summaries: z.int().min(0).max(100).default(3),
}) satisfies OptionsOf<GraphitiOptions>;

export type Settings = z.output<typeof graphitiOptions>;
