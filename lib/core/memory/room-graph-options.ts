/** The options of the room graph memory (GraphMind, Shin et al. 2026, App. A.1). */

import { z } from "zod";
import type { OptionsOf } from "../text/registry.ts";
import type { PromptOrder } from "./observation.ts";

/** Options of the memory. */
export interface RoomGraphOptions {
  /** Votes on each passage, 1 … 99; the majority decides, and a tie is no passage. @default {5} */
  readonly votes?: number;
  /**
   * `dynamic`: the planner is told its room and may query the graph; `static`: every prompt shows
   * the whole graph.
   * @default {"dynamic"}
   */
  readonly access?: "dynamic" | "static";
  /**
   * What the localiser is shown: `neighbours`, the previous room, those connected with it and all
   * numbers (App. A.1); or `global-map`, ours, every known room, and the hint that rooms are
   * squares.
   * @default {"neighbours"}
   */
  readonly locator?: "neighbours" | "global-map";
  /** Whether the modules also run where no step was taken. @default {true} */
  readonly whenIdle?: boolean;
  /**
   * Whether the modules that read observations are also shown pictures, where the world gives any.
   * @default {true}
   */
  readonly image?: boolean;
  /**
   * Most pictures that one request shows, 1 … 1,000; of more, evenly spread ones with the first and
   * the last.
   * @default {1000}
   */
  readonly maxPictures?: number;
  /**
   * The layout of the prompts: the `paper`'s, or `cacheable`, what changes least first (D20).
   * @default {"paper"}
   */
  readonly order?: PromptOrder;
}

export const ID = "room-graph";

export const roomGraphOptions = z.strictObject({
  votes: z.int().min(1).max(99).default(5),
  access: z.enum(["dynamic", "static"]).default("dynamic"),
  locator: z.enum(["neighbours", "global-map"]).default("neighbours"),
  whenIdle: z.boolean().default(true),
  image: z.boolean().default(true),
  maxPictures: z.int().min(1).max(1000).default(1000),
  order: z.enum(["paper", "cacheable"]).default("paper"),
}) satisfies OptionsOf<RoomGraphOptions>;
