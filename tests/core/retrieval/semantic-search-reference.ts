/**
 * AriGraph's Algorithm 2, line by line and one query at a time: the oracle of `semantic-search.ts`.
 */

import type { Triplet } from "../../../lib/core/graph/mod.ts";

/** One query after the other, over a plain list of edges and any similarity. */
export function referenceSearch(
  q: string,
  E: readonly Triplet[],
  d: number,
  w: number,
  similarity: (query: string, edge: Triplet) => number,
): Triplet[] {
  const result = new Set<Triplet>();
  const L: string[] = [];
  const D = new Map<string, number>();
  L.push(q);
  D.set(q, 0);
  while (L.length > 0) {
    const query = L.shift() as string;
    const distance = D.get(query) as number;
    if (distance >= d) continue;
    const nearest = E.map((edge, i) => ({ edge, i, score: similarity(query, edge) }))
      .sort((a, b) => b.score - a.score || a.i - b.i)
      .slice(0, w);
    for (const { edge } of nearest) {
      result.add(edge);
      for (const v of [edge.subject, edge.object]) {
        if (D.has(v)) continue; // "if v not in L": every vertex is queued once
        L.push(v);
        D.set(v, distance + 1);
      }
    }
  }
  return [...result];
}
