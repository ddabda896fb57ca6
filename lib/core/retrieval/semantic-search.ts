/**
 * Semantic search over a memory graph: AriGraph (Anokhin et al. 2024, arXiv 2407.04363), Algorithms
 * 1 and 2.
 *
 * | paper | here | range |
 * |---|---|---|
 * | Q, q | `queries`, a query's `text` | |
 * | d | `Query.depth` | hops, ≥ 0 |
 * | w | `width` | triplets a query, ≥ 1 |
 * | L | the level's `queue` | |
 * | D[q] | the level that is being searched | 0 … d |
 * | EmbedAndRetrieve(E_s, q′, w) | `retrieve` | |
 * | E_s^q, E_s^Q | the result | |
 */

import { distinctTriplets, type Triplet, tripletKey } from "../graph/triplet.ts";

/** A text to search for, and how far from it the search goes. */
export interface Query {
  /** An entity's name, or any text that an embedder takes. */
  readonly text: string;
  /** Depth d in hops, a whole number ≥ 0; 0 finds nothing. */
  readonly depth: number;
}

/**
 * EmbedAndRetrieve for several queries at once: for each the `width` most similar triplets, most
 * similar first.
 */
export type RetrieveTriplets = (
  queries: readonly string[],
  width: number,
) => Promise<readonly (readonly Triplet[])[]>;

/**
 * Algorithm 1, first loop: the union of the searches of all queries, each triplet once, in order of
 * first finding.
 *
 * @param options `width` is w, the triplets retrieved for each text of a level, ≥ 1. Errors of
 *   `retrieve` propagate.
 */
export async function searchTriplets(
  queries: readonly Query[],
  options: { readonly width: number; readonly retrieve: RetrieveTriplets },
): Promise<Triplet[]> {
  const found: Triplet[] = [];
  for (const query of queries) found.push(...await semanticSearch(query, options));
  return distinctTriplets(found);
}

/**
 * Algorithm 2: a breadth-first search from the query. Each level retrieves the triplets nearest to
 * its texts; their unsearched vertices are the texts of the next level. Each triplet is given once,
 * in order of first finding. A level is one batch, which gives the same result as the paper's
 * queue.
 *
 * @example
 * ```ts
 * import { semanticSearch } from "labyrinth/retrieval";
 * import { type Triplet } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const grill: Triplet = { subject: "bbq", relation: "used for", object: "grilling" };
 * const garden: Triplet = { subject: "bbq", relation: "is in", object: "garden" };
 * const retrieve = async (queries: readonly string[]) => queries.map((query) => query === "grill" ? [grill] : query === "bbq" ? [garden] : []);
 * assert.deepEqual(await semanticSearch({ text: "grill", depth: 1 }, { width: 1, retrieve }), [grill]);
 * assert.deepEqual(await semanticSearch({ text: "grill", depth: 2 }, { width: 1, retrieve }), [grill, garden]);
 * ```
 */
export async function semanticSearch(
  query: Query,
  options: { readonly width: number; readonly retrieve: RetrieveTriplets },
): Promise<Triplet[]> {
  const found = new Map<string, Triplet>();
  const seen = new Set([query.text]);
  let queue = [query.text];
  for (let level = 0; level < query.depth && queue.length > 0; level++) {
    const deeper: string[] = [];
    for (const triplets of await options.retrieve(queue, options.width)) {
      for (const triplet of triplets) {
        const key = tripletKey(triplet);
        if (!found.has(key)) found.set(key, triplet);
        for (const vertex of [triplet.subject, triplet.object]) {
          if (seen.has(vertex)) continue;
          seen.add(vertex);
          deeper.push(vertex);
        }
      }
    }
    queue = deeper;
  }
  return [...found.values()];
}
