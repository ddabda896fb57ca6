/**
 * The port to text embedders.
 *
 * @module
 */

/** Turns texts into vectors. The same text gives the same vector, whatever else is in the batch. */
export interface Embedder {
  /** Enters the identity of an episode, e.g. `lexical-v1`. */
  readonly id: string;
  /** Length of every vector, e.g. 384. */
  readonly dimensions: number;
  /** One vector of `dimensions` numbers a text, in order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}
