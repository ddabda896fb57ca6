/** Checks recalled triplets: two versions are repeated exactly, search by its invariants. */

import type { KnowledgeGraph } from "../../core/graph/knowledge-graph.ts";
import { type Triplet, tripletKey } from "../../core/graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../../core/memory/arigraph-options.ts";
import { tripletAsWritten } from "./answers.ts";

/** The largest number of triplets that the dated version recalls. */
const MAX_TOUCHING = 30;

/** The triplets that touch the items; the order of the second ones varies. */
interface Touching {
  readonly first: readonly Triplet[];
  readonly second: readonly Triplet[];
  readonly length: number;
}

/**
 * Recalls as the dated version did: the triplets of each item, then those of their other ends
 * except "itself", at most 30.
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
    for (const triplet of graph.incident(end)) {
      if (!first.has(tripletKey(triplet))) second.set(tripletKey(triplet), triplet);
    }
  }
  return {
    first: [...first.values()].slice(0, MAX_TOUCHING),
    second: [...second.values()],
    length: Math.min(MAX_TOUCHING, first.size + second.size),
  };
}

/** Recalls as the oldest version did, in two passes; the second follows ends that it finds. */
export function twoPasses(graph: KnowledgeGraph, items: Iterable<string>): Triplet[] {
  const known = new Set(items);
  const found = new Map<string, Triplet>();
  const ends: string[] = [];
  const isReached = ({ subject, object }: Triplet): boolean =>
    known.has(subject) || known.has(object);
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

/** A recall by search and what it is checked against. */
interface SearchRecall {
  readonly recalled: readonly string[];
  /** The triplets new on this step, which are never recalled. */
  readonly fresh: readonly Triplet[];
  readonly graph: KnowledgeGraph;
  /** Entity → importance; rounded up it is the depth of the search. */
  readonly items: ReadonlyMap<string, number>;
  /** The number of recalled triplets that the log prints. */
  readonly length: number | undefined;
}

/** Lists what is wrong with a recall by search: outdated, new, repeated or too many triplets. */
export function faultsOf({ recalled, fresh, graph, items, length }: SearchRecall): string[] {
  const isNew = new Set(fresh.map(tripletKey));
  const most = mostRecalled(items);
  return [
    ...recalled.filter((text) => !graph.has(tripletAsWritten(text))).map((text) =>
      `${text} does not stand`
    ),
    ...recalled.filter((text) => isNew.has(tripletKey(tripletAsWritten(text)))).map((text) =>
      `${text} is new`
    ),
    ...(new Set(recalled).size < recalled.length ? ["one comes twice"] : []),
    ...(length !== undefined && length !== recalled.length ? [`there should be ${length}`] : []),
    ...(recalled.length > most ? [`there are ${recalled.length}, more than ${most}`] : []),
  ];
}

/**
 * Returns the most triplets that a search of width w recalls: for importance d the sum of w·(2w)^i
 * over i = 0 … d − 1 (6, 78 and 942 for w = 6).
 */
export function mostRecalled(items: ReadonlyMap<string, number>): number {
  const w = ARIGRAPH_PAPER.width;
  const most = (importance: number): number =>
    importance <= 1 ? w : w * (2 * w) ** (Math.ceil(importance) - 1) + most(importance - 1);
  return [...items.values()].reduce((sum, importance) => sum + most(importance), 0);
}
