/**
 * Zep's search: by meaning, by words and along the graph, joined by reciprocal rank fusion
 * (Rasmussen et al. 2025, arXiv 2501.13956, §3).
 *
 * | paper | here |
 * |---|---|
 * | φ_cos, φ_bm25, φ_bfs | the three rankings of `hybridSearch` |
 * | ρ | `reciprocalRankFusion` (Cormack, Clarke & Büttcher 2009) |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md`.
 */

import type { Triplet } from "../graph/triplet.ts";
import { createBm25 } from "./bm25.ts";
import { topK } from "./top-k.ts";

/**
 * The number of facts of the paper (§4), and constants of its code: hops, how many times as many
 * hits each ranking holds, and c of the fusion.
 */
export const HYBRID_PAPER = { facts: 20, hops: 3, surplus: 2, constant: 1 } as const;

/**
 * Joins rankings: an item scores Σ 1 / (c + r) over the rankings that hold it at place r, from 0.
 * Ties keep the order of first appearance.
 */
export function reciprocalRankFusion<T>(
  rankings: readonly (readonly T[])[],
  constant: number = HYBRID_PAPER.constant,
): T[] {
  const scores = new Map<T, number>();
  for (const ranking of rankings) {
    for (const [place, item] of ranking.entries()) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (constant + place));
    }
  }
  return [...scores].sort(([, a], [, b]) => b - a).map(([item]) => item);
}

/**
 * The indices of the `k` best of some facts with their wording, best first; `similarities` are the
 * cosines of each wording and the query.
 */
export function hybridSearch(
  query: string,
  facts: readonly (Triplet & { readonly text: string })[],
  similarities: ArrayLike<number>,
  k: number,
): number[] {
  if (facts.length === 0) return [];
  const most = HYBRID_PAPER.surplus * k;
  const best = (scores: ArrayLike<number>): number[] =>
    topK(scores, most, { among: (index) => (scores[index] as number) > 0, ties: "last" });
  const [byMeaning, byWords] = [
    best(similarities),
    best(createBm25(facts.map(({ text }) => text))(query)),
  ];
  return reciprocalRankFusion([
    byMeaning,
    byWords,
    breadthFirst(facts, [...byMeaning, ...byWords], most),
  ]).slice(0, k);
}

function breadthFirst(facts: readonly Triplet[], from: readonly number[], most: number): number[] {
  const reached = new Set(from);
  const given = reached.size;
  const entities = new Set<string>();
  for (let hop = 0; hop < HYBRID_PAPER.hops && reached.size < given + most; hop++) {
    for (const index of reached) {
      for (const end of ["subject", "object"] as const) entities.add(facts[index]?.[end] ?? "");
    }
    for (const [index, { subject, object }] of facts.entries()) {
      if (entities.has(subject) || entities.has(object)) reached.add(index);
    }
  }
  return [...reached].slice(given, given + most);
}
