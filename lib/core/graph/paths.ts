/**
 * Shortest paths between known places over the compass relations of the graph ("kitchen, is north
 * of, hall").
 *
 * | AriGraph §3 | here |
 * |---|---|
 * | "go to location" | `shortestPath` |
 * | spatial relations | `Passage`, `passagesFrom` |
 */

import { type Compass, moveOf, opposite } from "./compass.ts";
import type { KnowledgeGraph } from "./knowledge-graph.ts";

/** The known places, in normal form. */
export type Places = ReadonlySet<string>;

export interface Passage {
  readonly to: string;
  readonly move: Compass;
}

/** A path between two places. */
export interface Path {
  /** From the first place to the last, both included: one entry more than `moves`. */
  readonly places: readonly string[];
  /** In order; empty for the path from a place to itself. */
  readonly moves: readonly Compass[];
}

/**
 * The moves from a place to adjacent `places`, in the order of their triplets, each neighbour once.
 * A passage leads both ways: "a, is north of, b" is a move north from b to a and south back. A
 * relation with the place as subject is preferred.
 */
export function passagesFrom(graph: KnowledgeGraph, place: string, places: Places): Passage[] {
  const moves = new Map<string, { move: Compass; outward: boolean }>();
  for (const { subject, relation, object } of graph.incident(place)) {
    if (subject === object) continue;
    const outward = subject === place;
    const to = outward ? object : subject;
    if (!places.has(to)) continue;
    const forth = moveOf(relation);
    if (!forth) continue;
    const known = moves.get(to);
    if (!known || (outward && !known.outward)) {
      moves.set(to, { move: outward ? forth : opposite(forth), outward });
    }
  }
  return [...moves].map(([to, { move }]) => ({ to, move }));
}

/**
 * A shortest path between two known places; `undefined` if none is known. Ties go to the path whose
 * first differing edge is older. O(edges of known places).
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, shortestPath } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "hall", relation: "is east of", object: "kitchen" }, 1);
 * graph.add({ subject: "attic", relation: "is north of", object: "hall" }, 2);
 * const path = shortestPath(graph, { from: "kitchen", to: "attic", places: new Set(["kitchen", "hall", "attic"]) });
 * assert.deepEqual(path, { places: ["kitchen", "hall", "attic"], moves: ["east", "north"] });
 * ```
 */
export function shortestPath(
  graph: KnowledgeGraph,
  query: { readonly from: string; readonly to: string; readonly places: Places },
): Path | undefined {
  const reached = explore(graph, query.from, query.places, query.to);
  if (!reached.has(query.to)) return undefined;
  const places: string[] = [query.to];
  const moves: Compass[] = [];
  for (let step = reached.get(query.to); step?.before; step = reached.get(step.before.place)) {
    places.unshift(step.before.place);
    moves.unshift(step.before.move);
  }
  return { places, moves };
}

/**
 * The number of moves on a shortest path from a place to each place that is known to be reachable,
 * itself included (0), nearest first.
 */
export function distancesFrom(
  graph: KnowledgeGraph,
  from: string,
  places: Places,
): Map<string, number> {
  return new Map(
    [...explore(graph, from, places)].map(([place, { distance }]) => [place, distance]),
  );
}

interface Reached {
  readonly distance: number;
  readonly before?: { readonly place: string; readonly move: Compass };
}

function explore(
  graph: KnowledgeGraph,
  from: string,
  places: Places,
  until?: string,
): Map<string, Reached> {
  const reached = new Map<string, Reached>([[from, { distance: 0 }]]);
  for (const [place, { distance }] of reached) { // entries added meanwhile are visited, too
    if (place === until) break;
    for (const { to, move } of passagesFrom(graph, place, places)) {
      if (!reached.has(to)) reached.set(to, { distance: distance + 1, before: { place, move } });
    }
  }
  return reached;
}
