/**
 * Growth and update rate of a graph over the steps of an episode (AriGraph, Figures 5 and 6).
 *
 * | AriGraph §4, App. C | here |
 * |---|---|
 * | graph size (growth) | `Growth.triplets` |
 * | update rate | `Growth.replaced` |
 *
 * @module
 */

import type { GraphChange } from "./knowledge-graph.ts";
import { tripletKey } from "./triplet.ts";

/** The size of a graph after one step and its changes on that step, in triplets. */
export interface Growth {
  /** Agent step. */
  readonly step: number;
  /** Current triplets after the step. */
  readonly triplets: number;
  /** Triplets added on the step. */
  readonly added: number;
  /** The update rate: triplets removed on the step as outdated and not added again on it. */
  readonly replaced: number;
}

/**
 * The growth at every step from the first to the last, steps without a change included. O(changes + steps).
 *
 * @param last the last step; that of the last change by default
 *
 * @example
 * ```ts
 * import { graphGrowth, KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "key", relation: "is in", object: "locker" }, 1);
 * graph.remove({ subject: "key", relation: "is in", object: "locker" }, 3);
 * graph.add({ subject: "key", relation: "is in", object: "inventory" }, 3);
 * assert.deepEqual(graphGrowth(graph.changes), [
 *   { step: 1, triplets: 1, added: 1, replaced: 0 },
 *   { step: 2, triplets: 1, added: 0, replaced: 0 },
 *   { step: 3, triplets: 1, added: 1, replaced: 1 },
 * ]);
 * ```
 */
export function graphGrowth(changes: readonly GraphChange[], last: number = changes.at(-1)?.time ?? 0): Growth[] {
  const rows: Growth[] = [];
  let triplets = 0;
  let at = 0;
  for (let step = Math.min(1, changes[0]?.time ?? 1); step <= last; step++) {
    const net = new Map<string, number>(); // a triplet removed and added again on one step counts as unchanged
    for (let change = changes[at]; change && change.time <= step; change = changes[++at]) {
      const key = tripletKey(change.triplet);
      net.set(key, (net.get(key) ?? 0) + (change.op === "add" ? 1 : -1));
    }
    const added = [...net.values()].filter((sum) => sum > 0).length;
    const replaced = [...net.values()].filter((sum) => sum < 0).length;
    triplets += added - replaced;
    rows.push({ step, triplets, added, replaced });
  }
  return rows;
}
