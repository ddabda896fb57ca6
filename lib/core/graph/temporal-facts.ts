/**
 * A temporal knowledge graph as a view of a `KnowledgeGraph` (ReasonPlanner, Pham-Dinh et al. 2024,
 * arXiv 2410.09252, §2.3).
 *
 * | paper | here |
 * |---|---|
 * | G = (V, R, E, T) | `TemporalFacts` over a `KnowledgeGraph` |
 * | (entity₁, relation, entity₂) ∈ E | `TemporalFact.triplet` |
 * | a fact's timestamp in T | `TemporalFact.time` |
 *
 * A fact is never overwritten or retracted: asserting it again starts a new interval of validity,
 * so that each assertion keeps its time.
 * `snapshotAt` and `diffBetween` apply to it as to every graph.
 */

import type { GraphChange, KnowledgeGraph } from "./knowledge-graph.ts";
import { type Triplet, tripletKey } from "./triplet.ts";

/** One assertion of a fact. */
export interface TemporalFact {
  /** In normal form. */
  readonly triplet: Triplet;
  /** The time of the assertion. */
  readonly time: number;
  /** Index among all assertions, from 0; it orders assertions of one time. */
  readonly order: number;
}

/**
 * The assertions of a graph's facts, indexed by entity. The index is updated from the graph at each
 * query.
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, snapshotAt, TemporalFacts } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * const facts = new TemporalFacts(graph);
 * const door = (state: string) => ({ subject: "door", relation: "is", object: state });
 * facts.tell(door("open"), 1);
 * facts.tell(door("closed"), 4);
 * facts.tell(door("open"), 7);
 * assert.deepEqual(facts.around("door").get("open")?.map(({ time }) => time), [1, 7]);
 * assert.deepEqual(snapshotAt(graph.changes, 5), [door("open"), door("closed")]); // facts are kept
 * ```
 */
export class TemporalFacts {
  readonly #graph: KnowledgeGraph;
  readonly #around = new Map<string, Map<string, TemporalFact[]>>();
  readonly #lastAsserted = new Map<string, number>();
  #read = 0;
  #size = 0;

  /** Creates a view of the graph, its present facts included. */
  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
  }

  /**
   * Asserts a fact at a time, also if it is current; `false` if it was asserted at the same time
   * before.
   */
  tell(triplet: Triplet, time: number): boolean {
    this.#follow();
    if (this.#lastAsserted.get(tripletKey(triplet)) === time) return false;
    this.#graph.remove(triplet, time);
    return this.#graph.add(triplet, time);
  }

  /** Neighbour → the facts between the two, in order of time; empty for an unknown entity. */
  around(entity: string): ReadonlyMap<string, readonly TemporalFact[]> {
    this.#follow();
    return this.#around.get(entity) ?? new Map();
  }

  /** Number of assertions. */
  get size(): number {
    this.#follow();
    return this.#size;
  }

  /** All entities, in order of first assertion. */
  entities(): string[] {
    this.#follow();
    return [...this.#around.keys()];
  }

  /** The time of the last change, 0 of an empty graph. */
  get now(): number {
    return this.#graph.changes.at(-1)?.time ?? 0;
  }

  #follow(): void {
    const { changes } = this.#graph;
    for (; this.#read < changes.length; this.#read++) {
      const { op, triplet, time } = changes[this.#read] as GraphChange;
      if (op === "remove") continue;
      const fact = { triplet, time, order: this.#size++ };
      this.#lastAsserted.set(tripletKey(triplet), time);
      this.#put(triplet.subject, triplet.object, fact);
      if (triplet.subject !== triplet.object) this.#put(triplet.object, triplet.subject, fact);
    }
  }

  #put(entity: string, neighbour: string, fact: TemporalFact): void {
    const between = this.#around.getOrInsertComputed(
      entity,
      () => new Map<string, TemporalFact[]>(),
    );
    between.getOrInsertComputed(neighbour, () => []).push(fact);
  }
}
