/** The constants and options of GraphRAG (arXiv 2404.16130). */

import { z } from "zod";
import type { OptionsOf } from "../../text/registry.ts";

/** Constants of the paper (`global`) and of the authors' release 0.4. */
export const GRAPHRAG_PAPER = {
  types: ["organization", "person", "geo", "event"],
  gleanings: 1,
  size: 10,
  /** The deepest level of communities that questions are answered from. */
  level: 2,
  entities: 10,
  relations: 10,
  /** Tokens: of a report's input, and of a context. */
  report: 8000,
  local: 12_000,
  global: 8000,
} as const;

/** Options of the memory. */
export interface GraphRagOptions {
  /**
   * Whether a question is answered from all reports, as in the paper, or from what is near it, as
   * the release offers.
   * @default {"global"}
   */
  readonly search?: "local" | "global";
  /** Types of entities, 1 … 50. @default {["organization", "person", "geo", "event"]} */
  readonly types?: readonly string[];
  /** Further looks at a text for what was missed, 0 … 10. @default {1} */
  readonly gleanings?: number;
  /** Local: entities near the question, 1 … 1,000. @default {10} */
  readonly k?: number;
  /**
   * Tokens (o200k) of a context: all of a local one, one part of the reports, or the points, 100 …
   * 1,000,000.
   * @default 12,000 local, 8,000 global
   */
  readonly window?: number;
}

export const ID = "graphrag";

export const graphRagOptions = z.strictObject({
  search: z.enum(["local", "global"]).default("global"),
  types: z.array(z.string().min(1)).min(1).max(50).default([...GRAPHRAG_PAPER.types]),
  gleanings: z.int().min(0).max(10).default(GRAPHRAG_PAPER.gleanings),
  k: z.int().min(1).max(1000).default(GRAPHRAG_PAPER.entities),
  window: z.int().min(100).max(1_000_000).exactOptional(),
}) satisfies OptionsOf<GraphRagOptions>;

export type Settings = z.output<typeof graphRagOptions>;
