/**
 * Ways between known places, walked over the compass relations of the graph ("kitchen, is north of, hall").
 *
 * | AriGraph §3 | here |
 * |---|---|
 * | "go to location" | `shortestPath` |
 * | spatial relations | `Passage`, `passagesFrom` |
 *
 * @module
 */

import { type Compass, moveOf, opposite } from "./compass.ts";
import type { KnowledgeGraph } from "./knowledge-graph.ts";

/** The places that count as such, in normal form. */
export type Places = ReadonlySet<string>;

/** One step between two places. */
export interface Passage {
  /** The neighbouring place, in normal form. */
  readonly to: string;
  /** The direction to walk; the action is `go <move>`. */
  readonly move: Compass;
}

/** A way between two places. */
export interface Path {
  /** From the first place to the last, both included: one entry more than `moves`. */
  readonly places: readonly string[];
  /** In order; empty for the way from a place to itself. */
  readonly moves: readonly Compass[];
}

/**
 * The steps that the graph knows from a place to other known places, in the order in which their triplets were added; each neighbour once,
 * with the first relation that names a direction. Passages are walkable both ways: "a, is north of, b" leads from b north to a and back.
 * A relation written down for this way is preferred to one of the way back.
 *
 * @param places those that count; others are not walked to
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, passagesFrom } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "attic", relation: "is north of", object: "hall" }, 1);
 * const places = new Set(["hall", "attic"]);
 * assert.deepEqual(passagesFrom(graph, "hall", places), [{ to: "attic", move: "north" }]);
 * assert.deepEqual(passagesFrom(graph, "attic", places), [{ to: "hall", move: "south" }]);
 * ```
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
    if (!known || (outward && !known.outward)) moves.set(to, { move: outward ? forth : opposite(forth), outward });
  }
  return [...moves].map(([to, { move }]) => ({ to, move }));
}

/**
 * A shortest way between two known places, breadth first; of several the one whose first differing edge is older. `undefined` if none is
 * known. The way from a place to itself has no moves. O(edges of known places).
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
  way: { readonly from: string; readonly to: string; readonly places: Places },
): Path | undefined {
  const reached = explore(graph, way.from, way.places, way.to);
  if (!reached.has(way.to)) return undefined;
  const places: string[] = [way.to];
  const moves: Compass[] = [];
  for (let step = reached.get(way.to); step?.before; step = reached.get(step.before.place)) {
    places.unshift(step.before.place);
    moves.unshift(step.before.move);
  }
  return { places, moves };
}

/**
 * Moves on a shortest way from a place to each place that is known to be reachable, itself included (0), nearest first.
 *
 * @example
 * ```ts
 * import { distancesFrom, KnowledgeGraph } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "hall", relation: "is east of", object: "kitchen" }, 1);
 * graph.add({ subject: "attic", relation: "is north of", object: "hall" }, 2);
 * const places = new Set(["kitchen", "hall", "attic", "cellar"]);
 * assert.deepEqual([...distancesFrom(graph, "kitchen", places)], [["kitchen", 0], ["hall", 1], ["attic", 2]]);
 * ```
 */
export function distancesFrom(graph: KnowledgeGraph, from: string, places: Places): Map<string, number> {
  return new Map([...explore(graph, from, places)].map(([place, { distance }]) => [place, distance]));
}

interface Reached {
  readonly distance: number;
  readonly before?: { readonly place: string; readonly move: Compass };
}

function explore(graph: KnowledgeGraph, from: string, places: Places, until?: string): Map<string, Reached> {
  const reached = new Map<string, Reached>([[from, { distance: 0 }]]);
  for (const [place, { distance }] of reached) { // a Map hands out entries that are added while it is walked: it is the queue
    if (place === until) break;
    for (const { to, move } of passagesFrom(graph, place, places)) {
      if (!reached.has(to)) reached.set(to, { distance: distance + 1, before: { place, move } });
    }
  }
  return reached;
}
