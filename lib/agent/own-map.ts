/**
 * A map of the agent's own walks, for memories that know no ways themselves: where it has been, how the places lie, which exits it has not
 * taken. It is drawn from the world's `location` and the possible actions alone.
 *
 * @module
 */

import { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { normaliseEntity } from "../graph/triplet.ts";
import { compassWords } from "../graph/compass.ts";
import type { Navigation, Perception } from "../memory/memory.ts";
import { Navigator } from "../memory/navigator.ts";
import { listUnexploredExits } from "../retrieval/unexplored-exits.ts";

/** The map; it is what "go to" walks by. */
export interface OwnMap extends Navigation {
  /** Takes in where the agent is and which actions are possible there. */
  follow(perception: Perception, possible: readonly string[]): void;
  /** "Unexplored exits" as AriGraph lists them, `place: exit, exit` a line; no section where there is none. */
  section(): Readonly<Record<string, string>>;
}

/** An empty map. */
export function createOwnMap(): OwnMap {
  const graph = new KnowledgeGraph();
  const navigator = new Navigator(graph);

  function follow(perception: Perception, possible: readonly string[]): void {
    for (const triplet of navigator.arrive(perception.location, perception)) graph.add(triplet, perception.step);
    const here = navigator.here;
    if (here === undefined) return;
    for (const action of possible) {
      const [direction] = /^(?:go )?\w+$/.test(action) ? compassWords(action) : [];
      if (direction !== undefined) {
        graph.add({ subject: here, relation: "has exit", object: normaliseEntity(direction) }, perception.step);
      }
    }
  }

  function section(): Readonly<Record<string, string>> {
    const lines = listUnexploredExits(graph, navigator.places);
    return lines.length > 0 ? { "Unexplored exits": lines.join("\n") } : {};
  }

  return { destinations: () => navigator.destinations(), route: (destination) => navigator.route(destination), follow, section };
}
