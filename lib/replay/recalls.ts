/**
 * What the published runs recalled: two ways that need no embeddings, and the invariants of the one that does.
 *
 * @module
 */

import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { type Triplet, tripletKey } from "../graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../memory/arigraph-options.ts";
import { tripletAsWritten } from "./answers.ts";

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
    for (const triplet of graph.incident(end)) if (!first.has(tripletKey(triplet))) second.set(tripletKey(triplet), triplet);
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
  const ends: string[] = [];
  const isReached = ({ subject, object }: Triplet): boolean => known.has(subject) || known.has(object);
  for (const triplet of graph.triplets().filter(isReached)) {
    found.set(tripletKey(triplet), triplet);
    ends.push(triplet.subject, triplet.object);
  }
  for (const end of ends) known.add(end);
  for (const triplet of graph.triplets()) {
    if (!isReached(triplet)) continue;
    found.set(tripletKey(triplet), triplet);
    known.add(triplet.subject).add(triplet.object);
  }
  return [...found.values()];
}

/** A recall by search and what it is held against. */
export interface SearchRecall {
  readonly recalled: readonly string[];
  /** Triplets new on this step, which are never recalled. */
  readonly fresh: readonly Triplet[];
  /** The graph after the step. */
  readonly graph: KnowledgeGraph;
  readonly items: ReadonlyMap<string, number>;
  /** How many the log says there are. */
  readonly length: number | undefined;
}

/** What is wrong with a recall by search, whatever its embedder: each triplet stands, none is new, none comes twice, not too many come. */
export function faultsOf({ recalled, fresh, graph, items, length }: SearchRecall): string[] {
  const isNew = new Set(fresh.map(tripletKey));
  const most = mostRecalled(items);
  return [
    ...recalled.filter((text) => !graph.has(tripletAsWritten(text))).map((text) => `${text} does not stand`),
    ...recalled.filter((text) => isNew.has(tripletKey(tripletAsWritten(text)))).map((text) => `${text} is new`),
    ...(new Set(recalled).size < recalled.length ? ["one comes twice"] : []),
    ...(length !== undefined && length !== recalled.length ? [`there should be ${length}`] : []),
    ...(recalled.length > most ? [`there are ${recalled.length}, more than ${most}`] : []),
  ];
}

/**
 * The most triplets that a search of width w can recall: for an item of importance d the sum of w·(2w)^i over the depths i = 0 … d − 1, for
 * the two ends of each hit are searched in turn (6, 78 and 942 for w = 6). An importance between two whole numbers counts as the higher.
 */
export function mostRecalled(items: ReadonlyMap<string, number>): number {
  const w = ARIGRAPH_PAPER.width;
  const most = (importance: number): number => importance <= 1 ? w : w * (2 * w) ** (Math.ceil(importance) - 1) + most(importance - 1);
  return [...items.values()].reduce((sum, importance) => sum + most(importance), 0);
}
