/**
 * An embedder without a model: hashed words, word pairs and pieces of words.
 *
 * @module
 */

import type { Embedder, EmbedderEntry } from "./embedder.ts";

const DIMENSIONS = 384;
/** Words that say little about what a text is about; they count a tenth. */
const FAINT = new Set(
  "the an of to in on at is are was be it its you your and or with by from for has have had that this there here as can not no into"
    .split(" "),
);
const WORD = 1;
const FAINT_WORD = 0.1;
const PAIR = 0.5;
/** Shared by all pieces of one word: relates "grill" to "grilling", "key" to "keys". */
const PIECES = 0.7;

/** The embedder as studies name it. */
export const lexical: EmbedderEntry = {
  id: "lexical",
  description: "hashed words, word pairs and pieces of words, without a model",
  open: () => Promise.resolve(createLexicalEmbedder()),
};

/**
 * The default embedder: deterministic, without download, the same in every process. A text's vector is the signed hash (FNV-1a) of its
 * words, its pairs of neighbouring words ("room a", "key 1") and the 3- and 4-letter pieces of its words, counts dampened by a square root,
 * scaled to length 1. An empty text gives the zero vector. About 20 µs a triplet.
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
  const count = (feature: string, weight: number): void => void weights.set(feature, (weights.get(feature) ?? 0) + weight * weight);
  const words = text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  words.forEach((word, i) => {
    const faint = FAINT.has(word);
    count(word, faint ? FAINT_WORD : WORD);
    const next = words[i + 1];
    if (next !== undefined && !faint && !FAINT.has(next)) count(`${word} ${next}`, PAIR);
    if (faint) return;
    const pieces = piecesOf(word);
    for (const piece of pieces) count(piece, PIECES / Math.sqrt(pieces.length));
  });

  const vector = new Float32Array(DIMENSIONS);
  for (const [feature, squares] of weights) {
    const hash = fnv1a(feature);
    const at = hash % DIMENSIONS;
    // the sign is another bit of the hash, so that collisions cancel out on average
    vector[at] = (vector[at] as number) + (hash & 0x8000_0000 ? -1 : 1) * Math.sqrt(squares);
  }
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

/** The 3- and 4-letter pieces of a word with its ends marked; none for words of fewer than 3 letters. */
function piecesOf(word: string): string[] {
  const letters = [...word];
  if (letters.length < 3) return [];
  const marked = ["^", ...letters, "$"];
  return [3, 4].flatMap((size) =>
    Array.from({ length: Math.max(0, marked.length - size + 1) }, (_, at) => marked.slice(at, at + size).join(""))
  );
}

/** 32-bit FNV-1a over UTF-16 units, with a final mix so that the low bits depend on all of the text. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
