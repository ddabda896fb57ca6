/**
 * HippoRAG 2's graph search: passages by personalised PageRank over phrases and passages (Gutiérrez
 * et al. 2025, arXiv 2502.14802, §3).
 *
 * | paper | here |
 * |---|---|
 * | phrase nodes, relation edges | subjects and objects; an edge of weight 1 for each triplet of each passage |
 * | passage nodes, context edges | passages; an edge of weight 1 to each of their phrases |
 * | synonym edges | `synonyms`, weighted by their cosine |
 * | filtered triples | `seeds`, each with its score for the query in [0, 1] |
 * | reset probabilities | phrases: the mean score of their seeds over the number of passages with them (D303); passages: `passageWeight` · similarity |
 *
 * Deviations are numbered in `docs/explanation/deviations/memories.md`.
 */

import { personalisedPageRank, type WeightedEdge } from "../graph/pagerank.ts";
import type { Triplet } from "../graph/triplet.ts";
import { topK } from "./top-k.ts";

/** Constants of the paper (App.) and, for the number of phrases, of its code. */
export const HIPPORAG_PAPER = {
  links: 5,
  passages: 5,
  phrases: 5,
  synonym: 0.8,
  passageWeight: 0.05,
  damping: 0.5,
} as const;

export interface PassageGraph {
  readonly passages: readonly (readonly Triplet[])[];
  /** Whether a triplet makes an edge between its phrases. @default all do */
  readonly isCurrent?: (triplet: Triplet) => boolean;
  readonly synonyms: readonly {
    readonly phrases: readonly [string, string];
    readonly similarity: number;
  }[];
}

/**
 * The PageRank of each passage; `undefined` where the seeds give the walk no place to start.
 * `similarities` are those of passages and query.
 */
export function rankPassages(
  { passages, isCurrent = () => true, synonyms }: PassageGraph,
  seeds: readonly { readonly triplet: Triplet; readonly score: number }[],
  similarities: ArrayLike<number>,
  { passageWeight, damping }: { readonly passageWeight: number; readonly damping: number } =
    HIPPORAG_PAPER,
): Float64Array | undefined {
  const phrases = new Map<string, { readonly node: number; passages: number }>();
  const edges: WeightedEdge[] = [];
  for (const [passage, triplets] of passages.entries()) {
    for (const phrase of phrasesOf(triplets)) {
      const known = phrases.getOrInsertComputed(
        phrase,
        () => ({ node: passages.length + phrases.size, passages: 0 }),
      );
      known.passages++;
      edges.push({ ends: [passage, known.node], weight: 1 });
    }
  }
  const link = (from: string, to: string, weight: number): void => {
    const [a, b] = [phrases.get(from)?.node, phrases.get(to)?.node];
    if (a !== undefined && b !== undefined) edges.push({ ends: [a, b], weight });
  };
  for (const triplet of passages.flat()) {
    if (isCurrent(triplet)) link(triplet.subject, triplet.object, 1);
  }
  for (const { phrases: [a, b], similarity } of synonyms) link(a, b, similarity);

  const scaled = minMax(similarities);
  const reset = Float64Array.from(
    { length: passages.length + phrases.size },
    (_, node) => passageWeight * (scaled[node] ?? 0),
  );
  const weights = phrasesOf(seeds.map(({ triplet }) => triplet)).flatMap((phrase) => {
    const known = phrases.get(phrase);
    const scores = seeds.filter(({ triplet }) =>
      triplet.subject === phrase || triplet.object === phrase
    ).map(({ score }) => score);
    return known
      ? [{
        node: known.node,
        weight: scores.reduce((sum, score) => sum + score, 0) / scores.length / known.passages,
      }]
      : [];
  });
  for (const at of topK(weights.map(({ weight }) => weight), HIPPORAG_PAPER.phrases)) {
    reset[weights[at]?.node ?? 0] = weights[at]?.weight ?? 0;
  }
  return reset.some((weight) => weight > 0)
    ? personalisedPageRank(edges, reset, { damping }).subarray(0, passages.length)
    : undefined;
}

/** Scales numbers to [0, 1]; equal ones are all 1. */
export function minMax(numbers: ArrayLike<number>): number[] {
  const all = Array.from(numbers);
  const [least, most] = [
    all.reduce((a, b) => Math.min(a, b), Infinity),
    all.reduce((a, b) => Math.max(a, b), -Infinity),
  ];
  return all.map((number) => most > least ? (number - least) / (most - least) : 1);
}

export function phrasesOf(triplets: readonly Triplet[]): string[] {
  return [...new Set(triplets.flatMap(({ subject, object }) => [subject, object]))];
}
