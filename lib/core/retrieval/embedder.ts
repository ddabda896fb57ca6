/** The port to text embedders. */

/** Turns texts into vectors. The same text gives the same vector, whatever else is in the batch. */
export interface Embedder {
  /** Enters the identity of an episode, e.g. `lexical-v1`. */
  readonly id: string;
  /** Length of every vector, e.g. 384. */
  readonly dimensions: number;
  /** Embeds a batch: one vector of `dimensions` numbers for each text, in order. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /**
   * Opens it for one episode, with which its calls are recorded and metered; only the opened one
   * embeds. Absent where it makes no calls.
   */
  forEpisode?(episode: string, signal?: AbortSignal): Promise<Embedder>;
}

/** The context of an embedder that calls an endpoint. */
export interface EmbedderContext {
  /**
   * Opens an embeddings model for an episode: a function from texts to their vectors, whose calls
   * are recorded and metered.
   */
  readonly embeddings?: (
    model: string,
    episode: { readonly episode: string; readonly signal?: AbortSignal },
  ) => (texts: readonly string[]) => Promise<Float32Array[]>;
}

/**
 * How an embedder describes itself to studies: its file exports one entry, and `embedder-list.ts`
 * names it.
 */
export interface EmbedderEntry {
  /** The name that studies choose it by, e.g. `minilm`; an argument follows after a colon. */
  readonly id: string;
  /** How its vectors are made, in one line without a full stop. */
  readonly description: string;
  /** The meaning of its argument, e.g. `folder of a model`; absent where it takes none. */
  readonly argument?: string;
  /** Whether its argument names a model at an OpenAI-compatible endpoint. @default {false} */
  readonly endpoint?: true;
  /** Opens it. @throws {UsageError} if it cannot be opened. */
  open(argument: string, context: EmbedderContext): Promise<Embedder>;
}
