/**
 * The recorded graph of an episode at any step.
 *
 * @module
 */

import type { Store } from "../store/open.ts";
import { type Triplet, tripletKey } from "../graph/triplet.ts";

/**
 * Computes the current triplets after a step of a pass, in order of addition, from the recorded changes.
 *
 * @example
 * ```ts
 * import { observationHash, openStore, putEpisode, putStudy, putTurn } from "labyrinth/store";
 * import { tripletsAfter } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const shown = { observation: "You are in a hall.", sections: {}, score: 0 };
 * const id = { episode: "e1", pass: 0, step: 1 };
 * const turn = { ...id, ...shown, goal: "Win.", frames: [], maxScore: 1, observationHash: observationHash(shown), details: {} };
 * const key = { subject: "key", relation: "is in", object: "locker" };
 * putTurn(store, turn, { changes: [{ ...id, ordinal: 0, op: "add", ...key }] });
 * assert.deepEqual(tripletsAfter(store, "e1", { pass: 0, step: 0 }), []);
 * assert.deepEqual(tripletsAfter(store, "e1", { pass: 0, step: 1 }), [key]);
 * ```
 */
export function tripletsAfter(store: Store, episode: string, at: { readonly pass: number; readonly step: number }): Triplet[] {
  const rows = store.prepare(
    "select op, subject, relation, object from graph_changes where episode = ? and pass = ? and step <= ? order by step, ordinal",
  ).all(episode, at.pass, at.step) as unknown as ({ op: "add" | "remove" } & Triplet)[];
  const current = new Map<string, Triplet>();
  for (const { op, subject, relation, object } of rows) {
    const triplet = { subject, relation, object };
    if (op === "add") current.set(tripletKey(triplet), triplet);
    else current.delete(tripletKey(triplet));
  }
  return [...current.values()];
}
