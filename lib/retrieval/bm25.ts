/**
 * Okapi BM25 (Robertson et al. 1995; Robertson & Zaragoza 2009) as the Python package `rank_bm25` computes it.
 *
 * score(D, Q) = Σ_{q ∈ Q} idf(q) · f(q, D) · (k₁ + 1) / (f(q, D) + k₁ · (1 − b + b · |D| / avgdl))
 *
 * | symbol | here |
 * |---|---|
 * | f(q, D), \|D\|, avgdl | counts of words in a text, its length, the mean length |
 * | idf(q) = ln((N − n(q) + ½) / (n(q) + ½)) | below 0 replaced by ε times the mean idf, as in that package |
 * | k₁, b, ε | `k1`, `b`, `epsilon` |
 *
 * A search library would not do here: MiniSearch multiplies its sum by the number of words that matched, which ranks otherwise.
 *
 * @module
 */

/** Parameters of the score. */
export interface Bm25Options {
  /** How fast repetitions of a word stop to count, ≥ 0. @default {1.5} */
  readonly k1?: number;
  /** How much long texts are held back, in [0, 1]. @default {0.75} */
  readonly b?: number;
  /** What a word in more than half of the texts counts, as a share of the mean idf. @default {0.25} */
  readonly epsilon?: number;
  /** Parts a text into words. @default lower-cased runs of letters and digits */
  readonly tokenise?: (text: string) => readonly string[];
}

/**
 * Scores of every text for queries; each is 0 where they share no word. Indexing is linear in the words, a query in texts × its words.
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
export function createBm25(texts: readonly string[], options: Bm25Options = {}): (query: string) => number[] {
  const { k1 = 1.5, b = 0.75, epsilon = 0.25, tokenise = tokeniseWords } = options;
  const counts = texts.map((text) => countOf(tokenise(text)));
  const lengths = counts.map((count) => sum(count.values()));
  const mean = sum(lengths) / texts.length;
  const idf = idfOf(counts, epsilon);
  return (query) => {
    const words = tokenise(query);
    return counts.map((count, text) => {
      const held = k1 * (1 - b + b * (lengths[text] as number) / mean);
      return sum(words.map((word) => {
        const times = count.get(word) ?? 0;
        return times === 0 ? 0 : (idf.get(word) ?? 0) * times * (k1 + 1) / (times + held);
      }));
    });
  };
}

function idfOf(counts: readonly ReadonlyMap<string, number>[], epsilon: number): Map<string, number> {
  const holding = countOf(counts.flatMap((count) => [...count.keys()]));
  const idf = new Map([...holding].map(([word, n]) => [word, Math.log(counts.length - n + 0.5) - Math.log(n + 0.5)]));
  const floor = epsilon * sum(idf.values()) / idf.size;
  for (const [word, value] of idf) if (value < 0) idf.set(word, floor);
  return idf;
}

function tokeniseWords(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
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
