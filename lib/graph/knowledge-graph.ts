/**
 * The one knowledge graph of the laboratory: a labelled multigraph whose edges know when they were added and removed, with episodic
 * vertices and hyper-edges.
 *
 * | paper (AriGraph §2) | here |
 * |---|---|
 * | V_s, E_s | `entities()`, `triplets()` |
 * | V_e, v_e^t = o_t | `episodes`, `Episode.text` |
 * | E_e, e_e^t = (v_e^t, E_s^t) | `Episode.triplets` |
 *
 * @module
 */

import { MultiDirectedGraph } from "graphology";
import { type Triplet, tripletKey } from "./triplet.ts";

/** One addition or removal of a triplet. */
export interface GraphChange {
  /** A removed triplet stays in the history; added again it is a new stretch of standing. */
  readonly op: "add" | "remove";
  /** In normal form. */
  readonly triplet: Triplet;
  /** The agent's step, from 1; of a memory that lives on through episodes it counts on. */
  readonly time: number;
}

/** An episodic vertex and its hyper-edge: what was observed at a time, and every triplet extracted from it. */
export interface EpisodicVertex {
  /** The agent's step, from 1. */
  readonly time: number;
  /** The observation o_t, as memory and prompts show it. */
  readonly text: string;
  /** The hyper-edge E_s^t: all that was extracted from the text, known before or not, in normal form. */
  readonly triplets: readonly Triplet[];
}

/** The attributes of a semantic edge. */
export interface EdgeAttributes {
  /** Label, in normal form. */
  relation: string;
  /** The agent's step at which the triplet was added. */
  added: number;
  /** The step at which it was removed; absent while it stands. */
  removed?: number;
}

/**
 * The graph. Triplets are expected in normal form; equal ones are one at any time, yet each stretch of standing is an edge of its own.
 *
 * @example
 * ```ts
 * import { KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * const key = { subject: "key", relation: "is in", object: "locker" };
 * assert.equal(graph.add(key, 1), true);
 * assert.equal(graph.add(key, 2), false); // it stands already
 * graph.remove(key, 3);
 * assert.deepEqual([graph.size, graph.changes.length], [0, 2]);
 * ```
 */
export class KnowledgeGraph {
  readonly #graph = new MultiDirectedGraph<Record<string, never>, EdgeAttributes>();
  /** Standing triplets in order of addition: key → edge id. */
  readonly #standing = new Map<string, { readonly triplet: Triplet; readonly edge: string }>();
  readonly #incident = new Map<string, Map<string, Triplet>>();
  readonly #changes: GraphChange[] = [];
  readonly #episodes: EpisodicVertex[] = [];

  /** Adds a triplet at a time; `false` if it already stands. */
  add(triplet: Triplet, time: number): boolean {
    const key = tripletKey(triplet);
    if (this.#standing.has(key)) return false;
    this.#graph.mergeNode(triplet.subject);
    this.#graph.mergeNode(triplet.object);
    const edge = this.#graph.addEdge(triplet.subject, triplet.object, { relation: triplet.relation, added: time });
    this.#standing.set(key, { triplet, edge });
    for (const entity of [triplet.subject, triplet.object]) {
      let touching = this.#incident.get(entity);
      if (!touching) this.#incident.set(entity, touching = new Map());
      touching.set(key, triplet);
    }
    this.#changes.push({ op: "add", triplet, time });
    return true;
  }

  /** Removes a triplet at a time; `false` if it does not stand. The edge stays, with the time of its removal. */
  remove(triplet: Triplet, time: number): boolean {
    const key = tripletKey(triplet);
    const standing = this.#standing.get(key);
    if (!standing) return false;
    this.#graph.setEdgeAttribute(standing.edge, "removed", time);
    this.#standing.delete(key);
    this.#incident.get(triplet.subject)?.delete(key);
    this.#incident.get(triplet.object)?.delete(key);
    this.#changes.push({ op: "remove", triplet, time });
    return true;
  }

  /** Whether the triplet stands now. */
  has(triplet: Triplet): boolean {
    return this.#standing.has(tripletKey(triplet));
  }

  /** Standing triplets, in order of addition. */
  triplets(): Triplet[] {
    return [...this.#standing.values()].map((entry) => entry.triplet);
  }

  /** Number of standing triplets. */
  get size(): number {
    return this.#standing.size;
  }

  /** Entities that a standing triplet touches. */
  entities(): string[] {
    return [...this.#incident].filter(([, touching]) => touching.size > 0).map(([entity]) => entity);
  }

  /** Standing triplets that touch the entity, in order of addition. */
  incident(entity: string): Triplet[] {
    return [...(this.#incident.get(entity)?.values() ?? [])];
  }

  /** Adds an episodic vertex with its hyper-edge. */
  addEpisode(episode: EpisodicVertex): void {
    this.#episodes.push(episode);
  }

  /** Episodic vertices in order of time. */
  get episodes(): readonly EpisodicVertex[] {
    return this.#episodes;
  }

  /** Every addition and removal, in order. */
  get changes(): readonly GraphChange[] {
    return this.#changes;
  }
}
