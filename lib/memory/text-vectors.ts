/** Similarities between a cue and a growing list of texts. */

import type { Embedder } from "../retrieval/embedder.ts";
import { VectorIndex } from "../retrieval/vector-index.ts";

/** The vectors of a list of texts that only grows at its end; each text is embedded once, when it is first compared. */
export class TextVectors {
  readonly #embedder: Embedder;
  #index: VectorIndex;

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
    this.#index = new VectorIndex(embedder.dimensions);
  }

  /** The cosine of the cue and each text, in order. `texts` begins with the texts of the last call. */
  async similarities(cue: string, texts: readonly string[]): Promise<Float64Array> {
    const [vector, ...added] = await this.#embedder.embed([cue, ...texts.slice(this.#index.size)]);
    for (const one of added) this.#index.add(one);
    const prepared = this.#index.prepare(vector as Float32Array);
    return Float64Array.from(texts, (_, row) => this.#index.similarity(row, prepared));
  }

  /** Forgets all texts. */
  clear(): void {
    this.#index = new VectorIndex(this.#embedder.dimensions);
  }
}

/** The vectors of texts that come, change and go; each distinct text is embedded once. */
export class ChangingTextVectors {
  readonly #rows = new Map<string, number>();
  readonly #vectors: TextVectors;

  constructor(embedder: Embedder) {
    this.#vectors = new TextVectors(embedder);
  }

  /** The cosine of the cue and each text, in order. */
  async similarities(cue: string, texts: readonly string[]): Promise<Float64Array> {
    for (const text of texts) this.#rows.getOrInsertComputed(text, () => this.#rows.size);
    const all = await this.#vectors.similarities(cue, [...this.#rows.keys()]);
    return Float64Array.from(texts, (text) => all[this.#rows.get(text) as number] as number);
  }
}
