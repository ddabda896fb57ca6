/**
 * The temporal query over a temporal knowledge graph: ReasonPlanner (Pham-Dinh et al. 2024, arXiv 2410.09252), §3.4 and Figure 3.
 *
 * | paper §3.4 | here |
 * |---|---|
 * | the two relevant entities | `TemporalQuery.from`, `TemporalQuery.to` |
 * | the path between them (BFS, time ignored) | `TemporalFinding.path` |
 * | k, the iterations of adding neighbours | `TemporalQuery.hops` |
 * | the maximal subgraph | `TemporalFinding.rings`, and all facts between their entities |
 * | edges re-ranked by timestamp | `TemporalFinding.facts` |
 *
 * @module
 */

import type { FactsAround, TemporalFact } from "../graph/temporal-facts.ts";

/** What is asked. */
export interface TemporalQuery {
  /** An entity's name, in normal form. */
  readonly from: string;
  /** Another, or the same one. */
  readonly to: string;
  /** How often the neighbours of all entities found so far are added, a whole number ≥ 0. */
  readonly hops: number;
  /** An entity with more neighbours than this is a hub: it may lie on the path, yet its neighbours are not added. @default {Infinity} */
  readonly widest?: number;
}

/** What was found. */
export interface TemporalFinding {
  /** The entities on a shortest path, both ends included; empty where the two are not connected. */
  readonly path: readonly string[];
  /** Entity → the ring in which it was found: 0 on the path (or an end of it, where there is none), up to `hops`. */
  readonly rings: ReadonlyMap<string, number>;
  /** Every telling of a fact between two of these entities, in order of time. */
  readonly facts: readonly TemporalFact[];
}

/**
 * Path, rings, and the facts between them in order of time. Where no path joins the two, the rings grow around each. The cost is that of the
 * smaller of the two balls that meet half-way, and of the rings: facts farther off are not looked at, not even those of an entity in the
 * outermost ring.
 *
 * @throws {RangeError} if `hops` is no whole number ≥ 0.
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, TemporalFacts } from "labyrinth/graph";
 * import { temporalSearch } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const facts = new TemporalFacts(new KnowledgeGraph());
 * facts.tell({ subject: "pot", relation: "moved to", object: "stove" }, 2);
 * facts.tell({ subject: "pot", relation: "contains", object: "water" }, 1);
 * facts.tell({ subject: "stove", relation: "is", object: "on" }, 3);
 * const { path, facts: found } = temporalSearch(facts, { from: "water", to: "stove", hops: 0 });
 * assert.deepEqual(path, ["water", "pot", "stove"]);
 * assert.deepEqual(found.map(({ time }) => time), [1, 2]);
 * assert.equal(temporalSearch(facts, { from: "water", to: "stove", hops: 1 }).facts.length, 3);
 * ```
 */
export function temporalSearch(graph: FactsAround, { from, to, hops, widest = Infinity }: TemporalQuery): TemporalFinding {
  if (!Number.isInteger(hops) || hops < 0) {
    throw new RangeError(`cannot search the temporal graph: hops must be a whole number ≥ 0, current value is ${hops}`);
  }
  const path = shortestPath(graph, from, to);
  const start = path.length > 0 ? path : [from, to].filter((entity) => graph.around(entity).size > 0);
  const rings = new Map(start.map((entity) => [entity, 0]));
  let outermost = [...rings.keys()];
  for (let ring = 1; ring <= hops; ring++) {
    const next: string[] = [];
    for (const entity of outermost) {
      const around = graph.around(entity);
      if (around.size > widest) continue;
      for (const neighbour of around.keys()) {
        if (rings.has(neighbour)) continue;
        rings.set(neighbour, ring);
        next.push(neighbour);
      }
    }
    outermost = next;
  }
  return { path, rings, facts: factsWithin(graph, rings) };
}

/** All facts between the entities, in order of time. Of an entity and the set, whichever is smaller is run through. */
function factsWithin(graph: FactsAround, entities: ReadonlyMap<string, number>): TemporalFact[] {
  const found: TemporalFact[] = [];
  for (const entity of entities.keys()) {
    const around = graph.around(entity);
    for (const other of (around.size <= entities.size ? around : entities).keys()) {
      if (other < entity || !entities.has(other)) continue; // each pair from its first side
      const between = around.get(other);
      if (between) found.push(...between);
    }
  }
  return found.sort((a, b) => a.time - b.time || a.order - b.order);
}

/** Breadth first from both ends, a whole level of the smaller frontier at a time, until they meet; empty if they do not. */
function shortestPath(graph: FactsAround, from: string, to: string): string[] {
  if (graph.around(from).size === 0 || graph.around(to).size === 0) return [];
  if (from === to) return [from];
  const near: Side = { cameFrom: new Map([[from, undefined]]), frontier: [from] };
  const far: Side = { cameFrom: new Map([[to, undefined]]), frontier: [to] };
  while (near.frontier.length > 0 && far.frontier.length > 0) {
    const [side, other] = near.frontier.length <= far.frontier.length ? [near, far] : [far, near];
    const met = advance(graph, side, other);
    if (met !== undefined) return [...chain(near, met).reverse(), ...chain(far, met).slice(1)];
  }
  return [];
}

interface Side {
  readonly cameFrom: Map<string, string | undefined>;
  frontier: string[];
}

/** Adds the next level; the entity at which it touches the other side, if it does. */
function advance(graph: FactsAround, side: Side, other: Side): string | undefined {
  const level: string[] = [];
  for (const entity of side.frontier) {
    for (const neighbour of graph.around(entity).keys()) {
      if (side.cameFrom.has(neighbour)) continue;
      side.cameFrom.set(neighbour, entity);
      if (other.cameFrom.has(neighbour)) return neighbour;
      level.push(neighbour);
    }
  }
  side.frontier = level;
  return undefined;
}

/** From an entity back to where its side began. */
function chain(side: Side, from: string): string[] {
  const entities: string[] = [];
  for (let at: string | undefined = from; at !== undefined; at = side.cameFrom.get(at)) entities.push(at);
  return entities;
}
