/**
 * Okapi BM25 (Robertson et al. 1995; Robertson & Zaragoza 2009) as the Python package `rank_bm25`
 * computes it.
 *
 * score(D, Q) = Σ_{q ∈ Q} idf(q) · f(q, D) · (k₁ + 1) / (f(q, D) + k₁ · (1 − b + b · |D| / avgdl))
 *
 * | symbol | here |
 * |---|---|
 * | f(q, D), \|D\|, avgdl | `count`, `lengths`, `meanLength`, in words |
 * | idf(q) = ln((N − n(q) + ½) / (n(q) + ½)) | `idf`; a negative value is replaced by ε times the mean idf, as in that package |
 * | k₁ · (1 − b + b · \|D\| / avgdl) | `lengthNorm` |
 * | k₁, b, ε | 1.5, 0.75, 0.25, as there |
 *
 * A search library does not fit here: MiniSearch multiplies its sum by the number of matching
 * words, which ranks differently.
 */

import { wordsOf } from "../text/tokens.ts";

const [K1, B, EPSILON] = [1.5, 0.75, 0.25];

/**
 * Indexes texts; the result scores each of them for a query, in order, 0 where text and query share
 * no word. Indexing takes time linear in the words of the texts, a query in texts × words of the
 * query.
 *
 * @example
 * ```ts
 * import { createBm25 } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const scores = createBm25(["The river Ilma.", "A poet of Tarn.", "Tarn lies on a river."]);
 * const [river = 0, poet = 0] = scores("Who was the poet of Tarn?");
 * assert.ok(poet > river);
 * ```
 */
export function createBm25(
  texts: readonly string[],
): (query: string) => number[] {
  const counts = texts.map((text) => countOf(wordsOf(text)));
  const lengths = counts.map((count) => sum(count.values()));
  const meanLength = sum(lengths) / texts.length;
  const idf = idfOf(counts);
  return (query) => {
    const words = wordsOf(query);
    return counts.map((count, text) => {
      const lengthNorm = K1 * (1 - B + B * (lengths[text] as number) / meanLength);
      return sum(words.map((word) => {
        const times = count.get(word) ?? 0;
        return times === 0 ? 0 : (idf.get(word) ?? 0) * times * (K1 + 1) / (times + lengthNorm);
      }));
    });
  };
}

function idfOf(counts: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const textsWith = countOf(counts.flatMap((count) => [...count.keys()]));
  const idf = new Map(
    [...textsWith].map((
      [word, n],
    ) => [word, Math.log(counts.length - n + 0.5) - Math.log(n + 0.5)]),
  );
  const floor = EPSILON * sum(idf.values()) / idf.size;
  for (const [word, value] of idf) if (value < 0) idf.set(word, floor);
  return idf;
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
