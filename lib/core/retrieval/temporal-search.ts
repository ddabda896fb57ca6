/**
 * The temporal query over a temporal knowledge graph: ReasonPlanner (Pham-Dinh et al. 2024, arXiv
 * 2410.09252), §3.4 and Figure 3.
 *
 * | paper §3.4 | here |
 * |---|---|
 * | the two relevant entities | `TemporalQuery.from`, `TemporalQuery.to` |
 * | the path between them (BFS, time ignored) | `TemporalFinding.path` |
 * | k, the iterations of adding neighbours | `TemporalQuery.hops` |
 * | the maximal subgraph | `TemporalFinding.rings`, and all facts between their entities |
 * | edges re-ranked by timestamp | `TemporalFinding.facts` |
 */

import type { TemporalFact, TemporalFacts } from "../graph/temporal-facts.ts";

/** The facts around each entity, which is all that the search reads. */
export type Facts = Pick<TemporalFacts, "around">;

/** A query for the facts around two entities. */
export interface TemporalQuery {
  /** An entity's name, in normal form. */
  readonly from: string;
  /** The name of another entity, or of the same one. */
  readonly to: string;
  /** How often the neighbours of all entities found so far are added, a whole number ≥ 0. */
  readonly hops: number;
  /**
   * An entity with more neighbours than this is a hub: it may lie on the path, but its neighbours
   * are not added.
   * @default {Infinity}
   */
  readonly widest?: number;
}

/** The result of a temporal query. */
export interface TemporalFinding {
  /** The entities on a shortest path, both ends included; empty where the two are not connected. */
  readonly path: readonly string[];
  /**
   * Entity → its ring: 0 for the entities of the path (for the two entities, where there is no
   * path), then up to `hops`.
   */
  readonly rings: ReadonlyMap<string, number>;
  /** Hubs whose neighbours were not added. */
  readonly hubs: readonly string[];
  /**
   * Every fact between two of these entities, in order of time; a fact told twice is listed twice.
   */
  readonly facts: readonly TemporalFact[];
}

/**
 * A shortest path between two entities, the rings of neighbours around it (around each, if no path
 * joins them), and all facts between them in order of time. Only facts within the rings are
 * visited.
 * @throws {RangeError} if `hops` is not a whole number ≥ 0.
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
export function temporalSearch(
  graph: Facts,
  { from, to, hops, widest = Infinity }: TemporalQuery,
): TemporalFinding {
  if (!Number.isInteger(hops) || hops < 0) {
    throw new RangeError(
      `cannot search the temporal graph: hops must be a whole number ≥ 0, current value is ${hops}`,
    );
  }
  const path = shortestPath(graph, from, to);
  const start = path.length > 0
    ? path
    : [from, to].filter((entity) => graph.around(entity).size > 0);
  const rings = new Map(start.map((entity) => [entity, 0]));
  let outermost = [...rings.keys()];
  const hubs: string[] = [];
  for (let ring = 1; ring <= hops; ring++) {
    const next: string[] = [];
    for (const entity of outermost) {
      const around = graph.around(entity);
      if (around.size > widest) {
        hubs.push(entity);
        continue;
      }
      for (const neighbour of around.keys()) {
        if (rings.has(neighbour)) continue;
        rings.set(neighbour, ring);
        next.push(neighbour);
      }
    }
    outermost = next;
  }
  return { path, rings, hubs, facts: factsWithin(graph, rings) };
}

/**
 * All facts between the entities, in order of time. The loop runs over an entity's neighbours or
 * over the set, whichever is smaller.
 */
function factsWithin(graph: Facts, entities: ReadonlyMap<string, number>): TemporalFact[] {
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

/**
 * Bidirectional breadth-first search, one level of the smaller frontier at a time; empty if the two
 * sides never meet.
 */
function shortestPath(graph: Facts, from: string, to: string): string[] {
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

function advance(graph: Facts, side: Side, other: Side): string | undefined {
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

function chain(side: Side, from: string): string[] {
  const entities: string[] = [];
  for (let at: string | undefined = from; at !== undefined; at = side.cameFrom.get(at)) {
    entities.push(at);
  }
  return entities;
}
