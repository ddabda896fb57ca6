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
  /** Embeds a batch: one vector of `dimensions` numbers for each text, in order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
}

/** How an embedder describes itself to studies: its file exports one entry, and `embedder-list.ts` names it. */
export interface EmbedderEntry {
  /** The name that studies choose it by, e.g. `minilm`; an argument follows after a colon. */
  readonly id: string;
  /** What its vectors are made of, in one line without a full stop. */
  readonly description: string;
  /** What its argument is, e.g. `folder of a model`; absent where it takes none. */
  readonly argument?: string;
  /** Opens it. @throws {UsageError} if it cannot be opened. */
  open(argument: string): Promise<Embedder>;
}
