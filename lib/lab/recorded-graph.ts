/**
 * The recorded graph at any step.
 *
 * @module
 */

import type { Store } from "../store/open.ts";
import type { Triplet } from "../graph/triplet.ts";
import { tripletKey } from "../graph/triplet.ts";

/** The triplets that stood after a step of a pass, in order of addition: the recorded changes played up to it. */
export function tripletsAfter(store: Store, episode: string, at: { readonly pass: number; readonly step: number }): Triplet[] {
  const rows = store.prepare(
    "select op, subject, relation, object from graph_changes where episode = ? and pass = ? and step <= ? order by step, ordinal",
  ).all(episode, at.pass, at.step) as unknown as ({ op: "add" | "remove" } & Triplet)[];
  const standing = new Map<string, Triplet>();
  for (const { op, subject, relation, object } of rows) {
    const triplet = { subject, relation, object };
    if (op === "add") standing.set(tripletKey(triplet), triplet);
    else standing.delete(tripletKey(triplet));
  }
  return [...standing.values()];
}
