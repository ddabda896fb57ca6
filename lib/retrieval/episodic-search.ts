/**
 * Episodic search over a memory graph: AriGraph (Anokhin et al. 2024, arXiv 2407.04363), §2, Eq. 1.
 *
 *   rel(vᵢ) = (nᵢ / max(Nᵢ, 1)) · log max(Nᵢ, 1)
 *
 * | paper | here | range |
 * |---|---|---|
 * | nᵢ | `shared` | recalled triplets on hyper-edge i, 0 … Nᵢ |
 * | Nᵢ | `total` | all triplets of hyper-edge i |
 * | k | `k` | episodes wanted |
 * | E_s^Q | `recalled` | |
 *
 * @module
 */

import { type Triplet, tripletKey } from "../graph/triplet.ts";

/**
 * Eq. 1, in natural logarithms (the paper's prose says base 2; only the ranking matters). A lone triplet weighs nothing.
 *
 * @example
 * ```ts
 * import { episodicRelevance } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * assert.equal(episodicRelevance(1, 1), 0);
 * assert.equal(episodicRelevance(2, 4), Math.log(4) / 2);
 * ```
 */
export function episodicRelevance(shared: number, total: number): number {
  return (shared / Math.max(total, 1)) * Math.log(Math.max(total, 1));
}

/** The hyper-edges of a graph, with the way from a triplet to those it lies on, so that a search touches only these. */
export class HyperEdges {
  readonly #totals: number[] = [];
  readonly #through = new Map<string, number[]>();

  /** Adds the hyper-edge of the next episode; equal triplets count once. */
  add(triplets: readonly Triplet[]): void {
    const keys = new Set(triplets.map(tripletKey));
    for (const key of keys) {
      const through = this.#through.get(key);
      if (through) through.push(this.#totals.length);
      else this.#through.set(key, [this.#totals.length]);
    }
    this.#totals.push(keys.size);
  }

  /** Number of episodes. */
  get size(): number {
    return this.#totals.length;
  }

  /** rel(vᵢ) of every episode, in order. */
  relevances(recalled: readonly Triplet[]): Float64Array {
    const shared = new Float64Array(this.#totals.length);
    for (const key of new Set(recalled.map(tripletKey))) {
      for (const episode of this.#through.get(key) ?? []) shared[episode] = (shared[episode] as number) + 1;
    }
    return shared.map((count, episode) => episodicRelevance(count, this.#totals[episode] as number));
  }
}

/** How episodes are chosen. */
export interface EpisodicSearchOptions {
  /** Episodes wanted, ≥ 0. */
  readonly k: number;
  /** Which episodes take part, by index; all unless told. */
  readonly among?: (episode: number) => boolean;
  /**
   * The authors' variant: a similarity an episode, in order of the episodes; this and the relevance are each divided by their maximum and
   * added.
   */
  readonly similarities?: ArrayLike<number>;
}

/**
 * The indices of the `k` most relevant episodes, most relevant first; of equal ones the younger first. Fewer than `k` only where fewer take
 * part.
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
 * assert.deepEqual(episodicSearch([], edges, { k: 2 }), [1, 0]); // equal ones: the younger first
 * ```
 */
export function episodicSearch(recalled: readonly Triplet[], edges: HyperEdges, options: EpisodicSearchOptions): number[] {
  const { k, among = () => true, similarities } = options;
  const relevances = edges.relevances(recalled);
  const scores = similarities ? sumOfScaled(relevances, similarities) : relevances;
  const best: number[] = [];
  for (let episode = scores.length - 1; episode >= 0 && k > 0; episode--) {
    if (!among(episode)) continue;
    const score = scores[episode] as number;
    let at = best.length;
    while (at > 0 && score > (scores[best[at - 1] as number] as number)) at--;
    if (at === k) continue;
    best.splice(at, 0, episode);
    if (best.length > k) best.pop();
  }
  return best;
}

function sumOfScaled(relevances: Float64Array, similarities: ArrayLike<number>): Float64Array {
  const relevance = largest(relevances);
  const similarity = largest(similarities);
  return relevances.map((value, episode) => value / relevance + (similarities[episode] ?? 0) / similarity);
}

/** The largest value, or 1 where none is above 0, so that dividing by it does no harm. */
function largest(values: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] as number);
  return most || 1;
}
