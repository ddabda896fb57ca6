/**
 * Exits that were seen and never taken: AriGraph (Anokhin et al. 2024, arXiv 2407.04363), App. A,
 * Algorithm 3.
 *
 * | paper | here |
 * |---|---|
 * | v_l | `place` |
 * | GetOutgoing, GetIncoming | triplets with the place as subject, as object |
 * | RepresentExit(e) | `exitsIn` (outgoing), `cameFrom` (incoming) |
 * | FindRelatedExit(E^exp, e) | the exit of the same name |
 *
 * The paper leaves open which triplets tell of an exit; this follows the authors' code. A relation
 * with "has exit" names the exit in its object. A relation with "exit", "lead", "entr" or "path"
 * names it by a compass word of its own, else by one of its object. And "b, is south of, room"
 * tells that the exit south of the room is explored.
 */

import { compassWords } from "../graph/compass.ts";
import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";

/**
 * The unexplored exits of a place, each once, in the order in which they were learnt. O(triplets of
 * the place).
 *
 * @example
 * ```ts
 * import { KnowledgeGraph } from "labyrinth/graph";
 * import { unexploredExits } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * graph.add({ subject: "hall", relation: "has exit", object: "south" }, 1);
 * graph.add({ subject: "hall", relation: "has exit", object: "west" }, 1);
 * graph.add({ subject: "cellar", relation: "is south of", object: "hall" }, 2);
 * assert.deepEqual(unexploredExits(graph, "hall"), ["west"]);
 * ```
 */
export function unexploredExits(graph: KnowledgeGraph, place: string): string[] {
  const exits = new Set<string>();
  const explored = new Set<string>();
  for (const { subject, relation, object } of graph.incident(place)) {
    if (subject === place) { for (const exit of exitsIn(relation, object)) exits.add(exit); }
    if (object === place) explored.add(cameFrom(relation));
  }
  return [...exits].filter((exit) => !explored.has(exit));
}

/** One line `place: exit, exit` for each place that has unexplored exits. */
export function listUnexploredExits(graph: KnowledgeGraph, places: Iterable<string>): string[] {
  return [...places].flatMap((place) => {
    const exits = unexploredExits(graph, place);
    return exits.length > 0 ? [`${place}: ${exits.join(", ")}`] : [];
  });
}

function exitsIn(relation: string, object: string): readonly string[] {
  if (relation.includes("has exit")) return [object];
  if (!/exit|lead|entr|path/.test(relation)) return [];
  const named = compassWords(relation);
  return named.length > 0 ? named : compassWords(object);
}

/** "is south of" → "south". */
function cameFrom(relation: string): string {
  return relation.split(" ")[1] ?? "";
}
