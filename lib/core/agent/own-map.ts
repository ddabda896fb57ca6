/**
 * A map of the agent's own walks, for memories that cannot navigate: places, their layout, and
 * exits not taken, from the world's `location` and the possible actions.
 */

import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { normaliseEntity } from "../graph/triplet.ts";
import { compassWords } from "../graph/compass.ts";
import type { Navigation, Perception } from "../memory/memory.ts";
import { Navigator } from "../memory/navigator.ts";
import { listUnexploredExits } from "../retrieval/unexplored-exits.ts";

export interface OwnMap extends Navigation {
  follow(perception: Perception, possible: readonly string[]): void;
  /**
   * Lists the unexplored exits as AriGraph does, with a line `place: exit, exit` for each place.
   */
  exits(): string[];
}

export function createOwnMap(): OwnMap {
  const graph = new KnowledgeGraph();
  const navigator = new Navigator(graph);

  function follow(perception: Perception, possible: readonly string[]): void {
    for (const triplet of navigator.arrive(perception.location, perception)) {
      graph.add(triplet, perception.step);
    }
    const here = navigator.here;
    if (here === undefined) return;
    for (const action of possible) {
      const [direction] = /^(?:go )?\w+$/.test(action) ? compassWords(action) : [];
      if (direction !== undefined) {
        graph.add(
          { subject: here, relation: "has exit", object: normaliseEntity(direction) },
          perception.step,
        );
      }
    }
  }

  return {
    destinations: (which) => navigator.destinations(which),
    route: (destination) => navigator.route(destination),
    follow,
    exits: () => listUnexploredExits(graph, navigator.places),
  };
}
