/**
 * AriGraph's episodic memory (V_e, E_e): one vertex for each observation, and one hyper-edge to the
 * triplets extracted from it (Anokhin et al. 2024, arXiv 2407.04363, §2).
 */

import type { EpisodicVertex, KnowledgeGraph } from "../graph/knowledge-graph.ts";
import type { Triplet } from "../graph/triplet.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { episodicSearch, HyperEdges } from "../retrieval/episodic-search.ts";
import { VectorCache } from "../retrieval/vector-cache.ts";
import type { AriGraphSettings } from "./arigraph-options.ts";

export class EpisodicMemory {
  readonly #graph: KnowledgeGraph;
  readonly #options: AriGraphSettings;
  readonly #vectors: VectorCache;
  readonly #edges = new HyperEdges();

  constructor(graph: KnowledgeGraph, embedder: Embedder, options: AriGraphSettings) {
    this.#graph = graph;
    this.#options = options;
    this.#vectors = new VectorCache(embedder);
    for (const { triplets } of graph.episodes) this.#edges.add(triplets);
  }

  add(episode: EpisodicVertex): void {
    this.#graph.addEpisode(episode);
    this.#edges.add(episode.triplets);
  }

  /**
   * Texts of the episodes before `now` that are most relevant to the triplets E_s^Q, best first.
   *
   * @param at `cue`: the text that the authors' score compares with; `since`: the episode began
   *   after this time; `surplus`: as in `Cue`.
   */
  async search(
    recalled: readonly Triplet[],
    at: {
      readonly cue: string;
      readonly now: number;
      readonly since: number;
      readonly surplus?: number;
    },
  ): Promise<string[]> {
    const { k, episodicFilter, episodicScore } = this.#options;
    const nPrev = this.#options.nPrev + (at.surplus ?? 0);
    const episodes = this.#graph.episodes;
    const timeOf = (episode: number): number => episodes[episode]?.time ?? at.now;
    const isShown = (episode: number): boolean =>
      timeOf(episode) > at.since && timeOf(episode) >= at.now - nPrev;
    const best = episodicSearch(recalled, this.#edges, {
      k,
      among: (episode) =>
        timeOf(episode) < at.now && !(episodicFilter === "before" && isShown(episode)),
      similarities: episodicScore === "authors"
        ? await this.#vectors.similarities(at.cue, episodes.map(({ text }) => text))
        : undefined,
    });
    return best.filter((episode) => !(episodicFilter === "after" && isShown(episode))).map((
      episode,
    ) => episodes[episode]?.text ?? "");
  }
}
