/** An embedder without a model: hashed words, word pairs and pieces of words. */

import { fnv1a } from "../random.ts";
import { memoize } from "../text/memoize.ts";
import { wordsOf } from "../text/tokens.ts";
import type { Embedder, EmbedderEntry } from "./embedder.ts";

const DIMENSIONS = 384;
/** Frequent function words; they count a tenth. */
const STOP_WORDS = new Set(
  "the an of to in on at is are was be it its you your and or with by from for has have had that this there here as can not no into"
    .split(" "),
);
const WORD = 1;
const STOP_WORD = 0.1;
const PAIR = 0.5;
/** Weight shared by all pieces of a word; they relate "grill" to "grilling", "key" to "keys". */
const PIECES = 0.7;

export const lexical: EmbedderEntry = {
  id: "lexical",
  description: "hashed words, word pairs and pieces of words, without a model",
  open: () => Promise.resolve(createLexicalEmbedder()),
};

/**
 * The default embedder: deterministic, no download. Words, pairs of words ("room a", "key 1") and
 * 3- and 4-letter pieces are hashed (signed FNV-1a) into 384 numbers, weighted by the square root
 * of their counts, and scaled to length 1; an empty text gives zeros. About 20 µs a triplet.
 *
 * @example
 * ```ts
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import assert from "node:assert/strict";
 *
 * const embedder = createLexicalEmbedder();
 * const [grill, grilling, key] = await embedder.embed(["grill", "bbq, used for, grilling", "key 1, is in, locker"]);
 * const cosine = (a?: Float32Array, b?: Float32Array) => a!.reduce((sum, value, i) => sum + value * b![i]!, 0);
 * assert(cosine(grill, grilling) > cosine(grill, key));
 * ```
 */
export function createLexicalEmbedder(): Embedder {
  return {
    id: "lexical-v1",
    dimensions: DIMENSIONS,
    embed: (texts) => Promise.resolve(texts.map(embed)),
  };
}

function embed(text: string): Float32Array {
  const weights = new Map<string, number>();
  const count = (feature: string, weight: number): void =>
    void weights.set(feature, (weights.get(feature) ?? 0) + weight * weight);
  const words = wordsOf(text);
  words.forEach((word, i) => {
    const stopWord = STOP_WORDS.has(word);
    count(word, stopWord ? STOP_WORD : WORD);
    if (stopWord) return;
    const next = words[i + 1];
    if (next !== undefined && !STOP_WORDS.has(next)) count(`${word} ${next}`, PAIR);
    const pieces = piecesOf(word);
    for (const piece of pieces) count(piece, PIECES / Math.sqrt(pieces.length));
  });

  const vector = new Float32Array(DIMENSIONS);
  for (const [feature, squares] of weights) {
    const hash = mixed(fnv1a(feature));
    const at = hash % DIMENSIONS;
    // the sign is another bit of the hash, so that collisions cancel out on average
    vector[at] = (vector[at] as number) + (hash & 0x8000_0000 ? -1 : 1) * Math.sqrt(squares);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/**
 * The 3- and 4-letter pieces of a word whose ends are marked by ^ and $; a word of fewer than 3
 * letters has none.
 */
const piecesOf: (word: string) => readonly string[] = memoize((word) => {
  const letters = [...word];
  if (letters.length < 3) return [];
  const marked = ["^", ...letters, "$"];
  return [3, 4].flatMap((size) =>
    Array.from(
      { length: Math.max(0, marked.length - size + 1) },
      (_, at) => marked.slice(at, at + size).join(""),
    )
  );
});

/** Mixes a hash, so that its low bits depend on all of the text. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return (whole ^ (whole >>> 16)) >>> 0;
}
