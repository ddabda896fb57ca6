/**
 * An embedder whose vectors a test writes down: every text with the word gets its vector, all
 * others zeros.
 */

import type { Embedder } from "../../../lib/mod.ts";

/** `vectors`: word → two numbers; the last word of the list that stands in a text decides. */
export function byWord(vectors: Readonly<Record<string, readonly [number, number]>>): Embedder {
  return {
    id: "by-word",
    dimensions: 2,
    embed: (texts) =>
      Promise.resolve(
        texts.map((text) =>
          Float32Array.from(
            Object.entries(vectors).findLast(([word]) => text.includes(word))?.[1] ?? [0, 0],
          )
        ),
      ),
  };
}
