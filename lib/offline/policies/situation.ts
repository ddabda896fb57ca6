/**
 * Goals, and the situation in which an action is chosen.
 *
 * @module
 */

import type { Action } from "../reading/actions.ts";
import type { Belief } from "../reading/belief.ts";
import type { Draw } from "../../random.ts";

/** One thing to do. `find` looks for something whose place is unknown, `explore` for anything. */
export interface Goal {
  readonly kind: "take" | "unlock" | "open" | "read" | "treat" | "prepare" | "eat" | "place" | "find" | "explore";
  readonly thing: string;
  /** The key of a lock, the command of a treatment, the furniture or room of a placing. */
  readonly by?: string;
  /** The goal as a sentence, as plans write it. */
  readonly text: string;
  /** The reason for it, as a sentence. */
  readonly reason: string;
}

/** Everything that the choice of an action depends on. */
export interface Situation {
  readonly belief: Belief;
  readonly goals: readonly Goal[];
  readonly actions: readonly Action[];
  /** The present observation. */
  readonly observation: string;
  readonly draw: Draw;
}
