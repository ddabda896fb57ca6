/**
 * What there is to do, and all that a choice among actions rests on.
 *
 * @module
 */

import type { Action } from "../reading/actions.ts";
import type { Belief } from "../reading/belief.ts";
import type { Draw } from "../../random.ts";

/** One thing to do. `find` looks for something whose place is unknown, `explore` for whatever there may be. */
export interface Want {
  readonly kind: "take" | "unlock" | "open" | "read" | "treat" | "prepare" | "eat" | "place" | "find" | "explore";
  readonly thing: string;
  /** The key of a lock, the command of a treatment, the furniture or room of a placing. */
  readonly by?: string;
  readonly text: string;
  readonly reason: string;
}

/** All that a choice rests on. */
export interface Situation {
  readonly belief: Belief;
  readonly wants: readonly Want[];
  readonly actions: readonly Action[];
  /** What is seen now, as text. */
  readonly observation: string;
  /** Room → exits that lead nowhere known, where the prompt lists them. */
  readonly frontier?: ReadonlyMap<string, readonly string[]>;
  readonly draw: Draw;
}
