/**
 * Checks the triplets that the published runs recalled: two versions recalled without embeddings
 * and are repeated exactly; of the search with embeddings the invariants are checked.
 */

import { sum } from "simple-statistics";
import type { KnowledgeGraph } from "../../core/graph/knowledge-graph.ts";
import { type Triplet, tripletKey } from "../../core/graph/triplet.ts";
import { ARIGRAPH_PAPER } from "../../core/memory/arigraph-options.ts";
import type { Embedder } from "../../core/retrieval/embedder.ts";
import { searchTriplets } from "../../core/retrieval/semantic-search.ts";
import { TripletIndex } from "../../core/retrieval/triplet-index.ts";
import { tripletAsWritten, without } from "./answers.ts";
import type { Overlap } from "./report.ts";

/** The largest number of triplets that the dated version recalls. */
const MAX_TOUCHING = 30;

/**
 * The triplets that touch the items: the first ones in order, the second ones in the order of a
 * Python set, which varies; and their number.
 */
interface Touching {
  readonly first: readonly Triplet[];
  readonly second: readonly Triplet[];
  readonly length: number;
}

/**
 * Recalls as the dated version did: for each item in order every triplet that touches it, in graph
 * order; then those that touch their other ends except "itself"; of all these the first 30.
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

/**
 * Recalls as the oldest version did, in two passes over the graph from the items; the second also
 * follows the ends that it finds meanwhile.
 */
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
  /** The graph after the step. */
  readonly graph: KnowledgeGraph;
  /** Entity → importance; rounded up it is the depth of the search. */
  readonly items: ReadonlyMap<string, number>;
  /** The number of recalled triplets that the log prints. */
  readonly length: number | undefined;
}

/**
 * Lists what is wrong with a recall by search, whatever its embedder: each triplet is current, none
 * is new, none occurs twice, none is too many.
 */
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
 * Returns the largest number of triplets that a search of width w can recall: for an item of
 * importance d the sum of w·(2w)^i over the depths i = 0 … d − 1, because both ends of each hit are
 * searched in turn (6, 78 and 942 for w = 6). An importance is rounded up.
 */
export function mostRecalled(items: ReadonlyMap<string, number>): number {
  const w = ARIGRAPH_PAPER.width;
  const most = (importance: number): number =>
    importance <= 1 ? w : w * (2 * w) ** (Math.ceil(importance) - 1) + most(importance - 1);
  return [...items.values()].reduce((sum, importance) => sum + most(importance), 0);
}

/**
 * Measures how far our semantic search, with any embedder, finds what one log recalled. The
 * authors' embedder is another one, so that a difference is no miss.
 */
export class RecallOverlap {
  readonly #embedder: Embedder;
  /** The numbers of logged, found and shared triplets of each step. */
  readonly #steps: { readonly logged: number; readonly found: number; readonly shared: number }[] =
    [];

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  /**
   * Compares recalls over one graph as it grows; each call sees the graph as it is then. Steps
   * without items or recalled triplets are skipped.
   */
  over(
    graph: KnowledgeGraph,
  ): (recall: Pick<SearchRecall, "items" | "recalled" | "fresh">) => Promise<void> {
    const index = new TripletIndex(this.#embedder);
    let seen = 0;
    return async ({ items, recalled, fresh }) => {
      if (items.size === 0 || recalled.length === 0) return;
      for (const { op, triplet } of graph.changes.slice(seen)) index[op](triplet);
      seen = graph.changes.length;
      const queries = [...items].map(([text, importance]) => ({
        text,
        depth: Math.max(1, Math.ceil(importance)),
      }));
      const retrieve = (texts: readonly string[], width: number): Promise<Triplet[][]> =>
        index.search(texts, width);
      const hits = without(
        await searchTriplets(queries, { width: ARIGRAPH_PAPER.width, retrieve }),
        fresh,
      );
      const logged = new Set(recalled.map((text) => tripletKey(tripletAsWritten(text))));
      const found = new Set(hits.map(tripletKey));
      this.#steps.push({
        logged: logged.size,
        found: found.size,
        shared: logged.intersection(found).size,
      });
    };
  }

  /** The sums and means of all steps; `undefined` where nothing could be compared. */
  get result(): Overlap | undefined {
    const steps = this.#steps;
    if (steps.length === 0) return undefined;
    const total = (value: (step: typeof steps[number]) => number): number => sum(steps.map(value));
    return {
      embedder: this.#embedder.id,
      steps: steps.length,
      logged: total(({ logged }) => logged),
      found: total(({ found }) => found),
      shared: total(({ shared }) => shared),
      recall: total(({ shared, logged }) => shared / logged) / steps.length,
      precision: total(({ shared, found }) => found === 0 ? 0 : shared / found) / steps.length,
      jaccard: total(({ shared, logged, found }) => shared / (logged + found - shared)) /
        steps.length,
    };
  }
}
