/**
 * What the published runs recalled: two ways that need no embeddings, and the invariants of the one that does.
 *
 * @module
 */

import type { KnowledgeGraph } from "../../graph/knowledge-graph.ts";
import { type Triplet, tripletKey } from "../../graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../../memory/arigraph.ts";

/** Most triplets that the dated version recalls. */
const MOST_TOUCHING = 30;

/** Triplets that touch the items, in two tiers: the first in order, the second in the order of a Python set. */
export interface Touching {
  readonly first: readonly Triplet[];
  readonly second: readonly Triplet[];
  /** How many of both are recalled. */
  readonly length: number;
}

/**
 * The dated version: for each item in order every triplet that touches it, in graph order; then those that touch their other ends, "itself"
 * left out; the first 30.
 */
export function touchingItems(graph: KnowledgeGraph, items: Iterable<string>): Touching {
  const first = new Map<string, Triplet>();
  const ends = new Set<string>();
  for (const item of items) {
    for (const triplet of graph.incident(item)) {
      first.set(tripletKey(triplet), triplet);
      ends.add(triplet.subject === item ? triplet.object : triplet.subject);
    }
  }
  ends.delete("itself");
  const second = new Map<string, Triplet>();
  for (const end of ends) {
    for (const triplet of graph.incident(end)) { if (!first.has(tripletKey(triplet))) second.set(tripletKey(triplet), triplet); }
  }
  return {
    first: [...first.values()].slice(0, MOST_TOUCHING),
    second: [...second.values()],
    length: Math.min(MOST_TOUCHING, first.size + second.size),
  };
}

/** The oldest version: two passes over the graph from the items; the second also follows the ends that it finds on its way. */
export function twoPasses(graph: KnowledgeGraph, items: Iterable<string>): Triplet[] {
  const known = new Set(items);
  const found = new Map<string, Triplet>();
  const ends = new Set<string>();
  for (const triplet of graph.triplets()) {
    if (!known.has(triplet.subject) && !known.has(triplet.object)) continue;
    found.set(tripletKey(triplet), triplet);
    ends.add(triplet.subject).add(triplet.object);
  }
  for (const end of ends) known.add(end);
  for (const triplet of graph.triplets()) {
    if (!known.has(triplet.subject) && !known.has(triplet.object)) continue;
    found.set(tripletKey(triplet), triplet);
    known.add(triplet.subject).add(triplet.object);
  }
  return [...found.values()];
}

/**
 * The most triplets that a search of width w can recall: w for an item of importance 1, else w + 2w·w, for the two ends of each hit are
 * searched in turn.
 */
export function mostRecalled(items: ReadonlyMap<string, number>): number {
  const w = ARIGRAPH_PAPER.width;
  return [...items.values()].reduce((sum, importance) => sum + (importance <= 1 ? w : w + 2 * w * w), 0);
}
