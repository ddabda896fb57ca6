/**
 * WESE's retrieval of triplets around the entities of a task (Huang et al. 2024, arXiv 2404.07456,
 * §3.2): one-hop neighbours, as its prose has them, and Algorithm 2.
 *
 * | paper | here |
 * |---|---|
 * | G, G.E | `graph`, `graph.entities()` |
 * | E, the entities that the task involves | `entities` |
 * | M[e_i][e_j] | the current triplets from e_i to e_j |
 * | K, at most 10 for questions (§4.2.1) | the result, at most `limit` |
 */

import type { KnowledgeGraph } from "../graph/knowledge-graph.ts";
import { distinctTriplets, type Triplet } from "../graph/triplet.ts";

/**
 * Every current triplet that touches one of the entities, each once: those of the first entity
 * first, then in order of addition.
 *
 * @param limit The largest number of triplets; later ones are dropped. @default {Infinity}
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, parseTriplets } from "labyrinth/graph";
 * import { oneHop } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * for (const triplet of parseTriplets("mug 1, is on, shelf 2; shelf 2, is in, hall; pen 1, is on, desk 1")) graph.add(triplet, 1);
 * assert.deepEqual(oneHop(graph, ["shelf 2"]).map(({ subject }) => subject), ["mug 1", "shelf 2"]);
 * assert.equal(oneHop(graph, ["shelf 2", "desk 1"], 1).length, 1);
 * ```
 */
export function oneHop(
  graph: KnowledgeGraph,
  entities: readonly string[],
  limit = Infinity,
): Triplet[] {
  return distinctTriplets(entities.flatMap((entity) => graph.incident(entity))).slice(0, limit);
}

/**
 * Algorithm 2: every current triplet from one of the entities to another of them, each once, in the
 * order of the paper's loops.
 *
 * @param limit The largest number of triplets; later ones are dropped. @default {Infinity}
 *
 * @example
 * ```ts
 * import { KnowledgeGraph, parseTriplets } from "labyrinth/graph";
 * import { tripletsBetween } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const graph = new KnowledgeGraph();
 * for (const triplet of parseTriplets("mug 1, is on, shelf 2; shelf 2, is in, hall")) graph.add(triplet, 1);
 * assert.deepEqual(tripletsBetween(graph, ["shelf 2", "mug 1"]).map(({ relation }) => relation), ["is on"]);
 * assert.deepEqual(tripletsBetween(graph, ["mug 1", "hall"]), []);
 * ```
 */
export function tripletsBetween(
  graph: KnowledgeGraph,
  entities: readonly string[],
  limit = Infinity,
): Triplet[] {
  const found = entities.flatMap((from) => {
    const out = graph.incident(from).filter(({ subject, object }) =>
      subject === from && object !== from
    );
    return entities.flatMap((to) => out.filter(({ object }) => object === to));
  });
  return distinctTriplets(found).slice(0, limit);
}
