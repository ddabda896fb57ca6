/** The graph of an episode at any of its steps. */

import type { GraphView } from "./graph.ts";
import type { StepLine } from "./record.ts";

/** Triplets by their index, as they stand after a step. */
export interface Moment {
  readonly standing: ReadonlySet<number>;
  /**
   * Standing, and not before the step: a triplet that was removed and added again is none of them.
   */
  readonly added: ReadonlySet<number>;
  /** Standing before the step, and no longer. */
  readonly removed: ReadonlySet<number>;
}

/** Computes the graph after the step with this index among the steps of the episode. O(changes). */
export function momentAt(
  { inherited, changes }: GraphView,
  steps: readonly Pick<StepLine, "pass" | "step" | "graphSize">[],
  index: number,
): Moment {
  let standing = new Set(inherited);
  let before: ReadonlySet<number> = standing;
  let next = 0;
  for (const [at, { pass, step, graphSize }] of steps.slice(0, index + 1).entries()) {
    if (at === index) before = new Set(standing);
    const begin = next;
    for (; changes[next]?.pass === pass && changes[next]?.step === step; next++) {
      const { op, triplet } = changes[next] as GraphView["changes"][number];
      if (op === "add") standing.add(triplet);
      else standing.delete(triplet);
    }
    // A pass may begin with a graph of its own, which holds nothing of the one before.
    const isNewPass = at > 0 && steps[at - 1]?.pass !== pass;
    if (isNewPass && graphSize !== undefined && graphSize !== standing.size) {
      const own = changes.slice(begin, next).reduce(
        (set, { op, triplet }) => op === "add" ? set.add(triplet) : (set.delete(triplet), set),
        new Set<number>(),
      );
      if (own.size === graphSize) [standing, before] = [own, new Set()];
    }
  }
  return { standing, added: standing.difference(before), removed: before.difference(standing) };
}
