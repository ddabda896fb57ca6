/**
 * A temporal knowledge graph as a reading of the one knowledge graph: ReasonPlanner (Pham-Dinh et al. 2024, arXiv 2410.09252), §2.3.
 *
 * | paper | here |
 * |---|---|
 * | G = (V, R, E, T) | `TemporalFacts` over a `KnowledgeGraph` |
 * | (entity₁, relation, entity₂) ∈ E | `TemporalFact.triplet` |
 * | a fact's timestamp in T | `TemporalFact.time` |
 *
 * A fact is never overwritten and never taken back: told again it begins a new stretch of standing, so that each telling keeps its time, and
 * `snapshotAt` and `diffBetween` hold for it as for every graph.
 *
 * @module
 */

import type { GraphChange, KnowledgeGraph } from "./knowledge-graph.ts";
import { type Triplet, tripletKey } from "./triplet.ts";

/** One telling of a fact. */
export interface TemporalFact {
  /** In normal form. */
  readonly triplet: Triplet;
  /** When it was told. */
  readonly time: number;
  /** Its place among all tellings, from 0: what was told at one time keeps the order in which it was told. */
  readonly order: number;
}

/** What a temporal search walks: each entity's neighbours with the facts between them, in order of time. An unknown entity has none. */
export interface FactsAround {
  /** Neighbour → the facts between the two, in order of time. */
  around(entity: string): ReadonlyMap<string, readonly TemporalFact[]>;
}

/**
 * The tellings of a graph's facts, entity by entity. It follows the graph: what is added to it later is read at the next look.
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
export class TemporalFacts implements FactsAround {
  readonly #graph: KnowledgeGraph;
  readonly #around = new Map<string, Map<string, TemporalFact[]>>();
  readonly #lastTold = new Map<string, number>();
  #read = 0;
  #size = 0;

  /** A view of the graph, with all that it holds. */
  constructor(graph: KnowledgeGraph) {
    this.#graph = graph;
  }

  /** Tells a fact at a time, again where it stands already; `false` if it was told at this very time before. */
  tell(triplet: Triplet, time: number): boolean {
    this.#follow();
    if (this.#lastTold.get(tripletKey(triplet)) === time) return false;
    this.#graph.remove(triplet, time);
    return this.#graph.add(triplet, time);
  }

  /** Neighbour → the facts between the two, in order of time. */
  around(entity: string): ReadonlyMap<string, readonly TemporalFact[]> {
    this.#follow();
    return this.#around.get(entity) ?? NOBODY;
  }

  /** Number of tellings. */
  get size(): number {
    this.#follow();
    return this.#size;
  }

  /** All entities, in order of first telling. */
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
      this.#lastTold.set(tripletKey(triplet), time);
      this.#put(triplet.subject, triplet.object, fact);
      if (triplet.subject !== triplet.object) this.#put(triplet.object, triplet.subject, fact);
    }
  }

  #put(entity: string, neighbour: string, fact: TemporalFact): void {
    const between = this.#around.getOrInsertComputed(entity, () => new Map<string, TemporalFact[]>());
    between.getOrInsertComputed(neighbour, () => []).push(fact);
  }
}

const NOBODY: ReadonlyMap<string, readonly TemporalFact[]> = new Map();
