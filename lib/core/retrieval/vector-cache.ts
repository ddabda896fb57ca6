/** Similarities between texts that come in any order, each embedded once. */

import type { Embedder } from "./embedder.ts";
import { topK } from "./top-k.ts";
import { VectorIndex } from "./vector-index.ts";

/** The vectors of texts, by text. */
export class VectorCache {
  readonly #embedder: Embedder;
  readonly #index: VectorIndex;
  readonly #rows = new Map<string, number>();

  /** An empty cache of an embedder's vectors. */
  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#index = new VectorIndex(embedder.dimensions);
  }

  /** The cosines of one cue and each text, in order. */
  async similarities(cue: string, texts: readonly string[]): Promise<Float64Array> {
    return (await this.table([cue], texts))[0] as Float64Array;
  }

  /** The indices of the `k` texts most like a cue, most similar first; ties as in `topK`. */
  async nearest(
    cue: string,
    texts: readonly string[],
    k: number,
    ties?: "first" | "last",
  ): Promise<number[]> {
    return topK(await this.similarities(cue, texts), k, { ties });
  }

  /**
   * The cosines of each cue and each text, from one call of the embedder. The vectors of texts are
   * kept, those of cues are not.
   */
  async table(cues: readonly string[], texts: readonly string[]): Promise<Float64Array[]> {
    const added = [...new Set(texts)].filter((text) => !this.#rows.has(text));
    const vectors = await this.#embedder.embed([...cues, ...added]);
    for (const [at, text] of added.entries()) {
      this.#rows.set(text, this.#index.add(vectors[cues.length + at] as Float32Array));
    }
    return cues.map((_, at) => {
      const prepared = this.#index.prepare(vectors[at] as Float32Array);
      return Float64Array.from(
        texts,
        (text) => this.#index.similarity(this.#rows.get(text) as number, prepared),
      );
    });
  }
}
