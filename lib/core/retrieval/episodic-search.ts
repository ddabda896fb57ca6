/**
 * Episodic search over a memory graph: AriGraph (Anokhin et al. 2024, arXiv 2407.04363), §2, Eq. 1.
 *
 *   rel(vᵢ) = (nᵢ / max(Nᵢ, 1)) · log max(Nᵢ, 1)
 *
 * | paper | here | range |
 * |---|---|---|
 * | nᵢ | `shared` | recalled triplets on hyper-edge i, 0 … Nᵢ |
 * | Nᵢ | `total` | all triplets of hyper-edge i |
 * | k | `k` | episodes to return |
 * | E_s^Q | `recalled` | triplets that semantic search found |
 */

import { type Triplet, tripletKey } from "../graph/triplet.ts";
import { topK } from "./top-k.ts";

/**
 * Eq. 1 in natural logarithms (the paper's prose says base 2, which ranks alike). An episode of a
 * single triplet has relevance 0.
 */
export function episodicRelevance(shared: number, total: number): number {
  return (shared / Math.max(total, 1)) * Math.log(Math.max(total, 1));
}

/**
 * The hyper-edges of a graph, indexed by triplet, so that a search visits only the hyper-edges of
 * the recalled triplets.
 */
export class HyperEdges {
  readonly #totals: number[] = [];
  readonly #episodesOf = new Map<string, number[]>();

  /** Adds the hyper-edge of the next episode; equal triplets count once. */
  add(triplets: readonly Triplet[]): void {
    const keys = new Set(triplets.map(tripletKey));
    for (const key of keys) {
      this.#episodesOf.getOrInsertComputed(key, () => []).push(this.#totals.length);
    }
    this.#totals.push(keys.size);
  }

  /** rel(vᵢ) of every episode, in order. */
  relevances(recalled: readonly Triplet[]): Float64Array {
    const shared = new Float64Array(this.#totals.length);
    for (const key of new Set(recalled.map(tripletKey))) {
      for (const episode of this.#episodesOf.get(key) ?? []) {
        shared[episode] = (shared[episode] as number) + 1;
      }
    }
    return shared.map((count, episode) =>
      count && episodicRelevance(count, this.#totals[episode] as number)
    );
  }
}

/** How episodes are chosen. */
export interface EpisodicSearchOptions {
  /** Episodes to return, ≥ 0. */
  readonly k: number;
  /** Says which episodes take part, by index. @default all */
  readonly among?: (episode: number) => boolean;
  /**
   * One similarity for each episode, in order, for the authors' variant of the score: relevance and
   * similarity are each divided by their maximum and added.
   */
  readonly similarities?: ArrayLike<number>;
}

/**
 * The indices of the `k` most relevant episodes, most relevant first; ties go to the later episode.
 * The result is shorter than `k` only if fewer episodes take part.
 *
 * @example
 * ```ts
 * import { episodicSearch, HyperEdges } from "labyrinth/retrieval";
 * import { parseTriplets } from "labyrinth/graph";
 * import assert from "node:assert/strict";
 *
 * const edges = new HyperEdges();
 * edges.add(parseTriplets("hall, has exit, east; key, is in, hall")); // episode 0
 * edges.add(parseTriplets("kitchen, has exit, west; stove, is in, kitchen")); // episode 1
 * assert.deepEqual(episodicSearch(parseTriplets("key, is in, hall"), edges, { k: 1 }), [0]);
 * assert.deepEqual(episodicSearch([], edges, { k: 2 }), [1, 0]); // a tie: the later one first
 * ```
 */
export function episodicSearch(
  recalled: readonly Triplet[],
  edges: HyperEdges,
  options: EpisodicSearchOptions,
): number[] {
  const { k, among, similarities } = options;
  const relevances = edges.relevances(recalled);
  return topK(similarities ? sumOfScaled(relevances, similarities) : relevances, k, {
    among,
    ties: "last",
  });
}

function sumOfScaled(relevances: Float64Array, similarities: ArrayLike<number>): Float64Array {
  const [maxRelevance, maxSimilarity] = [maximum(relevances), maximum(similarities)];
  return relevances.map((value, episode) =>
    value / maxRelevance + (similarities[episode] ?? 0) / maxSimilarity
  );
}

function maximum(values: ArrayLike<number>): number {
  return Array.from(values).reduce((max, value) => Math.max(max, value), 0) || 1;
}
