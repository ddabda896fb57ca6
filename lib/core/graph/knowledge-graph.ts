/**
 * The knowledge graph: labelled directed edges with the times of their addition and removal,
 * episodic vertices and hyper-edges.
 *
 * | paper (AriGraph §2) | here |
 * |---|---|
 * | V_s, E_s | `entities()`, `triplets()` |
 * | V_e, v_e^t = o_t | `episodes`, `EpisodicVertex.text` |
 * | E_e, e_e^t = (v_e^t, E_s^t) | `EpisodicVertex.triplets` |
 */

import { displaySymbol, type MimeBundle } from "../platform.ts";
import { formatTriplet, type Triplet, tripletKey } from "./triplet.ts";

/** One addition or removal of a triplet. */
export interface GraphChange {
  /** A removed triplet stays in the history; adding it again starts a new interval of validity. */
  readonly op: "add" | "remove";
  /** In normal form. */
  readonly triplet: Triplet;
  /** The agent step, from 1; in a memory that spans episodes the count continues. */
  readonly time: number;
}

/** An episodic vertex and its hyper-edge: an observation and every triplet extracted from it. */
export interface EpisodicVertex {
  /** The agent step, from 1; in a memory that spans episodes the count continues. */
  readonly time: number;
  /** The observation o_t, as memory and prompts show it. */
  readonly text: string;
  /** The hyper-edge E_s^t: all triplets extracted from the text, new or known, in normal form. */
  readonly triplets: readonly Triplet[];
}

/**
 * A knowledge graph with its history, of triplets in normal form. The history keeps every interval
 * from addition to removal.
 *
 * @example
 * ```ts
 * import { KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * const key = { subject: "key", relation: "is in", object: "locker" };
 * assert.equal(graph.add(key, 1), true);
 * assert.equal(graph.add(key, 2), false); // it is current already
 * graph.remove(key, 3);
 * assert.deepEqual([graph.size, graph.changes.length], [0, 2]);
 * ```
 */
export class KnowledgeGraph {
  readonly #current = new Map<string, Triplet>();
  readonly #incident = new Map<string, Map<string, Triplet>>();
  readonly #changes: GraphChange[] = [];
  readonly #episodes: EpisodicVertex[] = [];

  /** Adds a triplet at a time; `false` if it is current already. Other fields stay outside. */
  add({ subject, relation, object }: Triplet, time: number): boolean {
    const triplet = { subject, relation, object };
    const key = tripletKey(triplet);
    if (this.#current.has(key)) return false;
    this.#current.set(key, triplet);
    for (const entity of [triplet.subject, triplet.object]) {
      this.#incident.getOrInsertComputed(entity, () => new Map()).set(key, triplet);
    }
    this.#changes.push({ op: "add", triplet, time });
    return true;
  }

  /** Removes a triplet at a time; `false` if it is not current. The history keeps both times. */
  remove(named: Triplet, time: number): boolean {
    const key = tripletKey(named);
    const triplet = this.#current.get(key);
    if (!triplet) return false;
    this.#current.delete(key);
    this.#incident.get(triplet.subject)?.delete(key);
    this.#incident.get(triplet.object)?.delete(key);
    this.#changes.push({ op: "remove", triplet, time });
    return true;
  }

  /**
   * What a cell shows whose last value is the graph: its size and its current triplets, a line
   * each.
   */
  [displaySymbol](): MimeBundle {
    const size = `${this.size} triplets, ${this.#episodes.length} episodes`;
    return { "text/plain": [size, ...this.triplets().map(formatTriplet)].join("\n") };
  }

  /** Whether the triplet is current. */
  has(triplet: Triplet): boolean {
    return this.#current.has(tripletKey(triplet));
  }

  /** Current triplets, in order of addition. */
  triplets(): Triplet[] {
    return [...this.#current.values()];
  }

  /** Number of current triplets. */
  get size(): number {
    return this.#current.size;
  }

  /** Entities of current triplets. */
  entities(): string[] {
    return [...this.#incident].filter(([, touching]) => touching.size > 0).map(([entity]) =>
      entity
    );
  }

  /** Current triplets that contain the entity, in order of addition. */
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
