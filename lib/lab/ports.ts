/**
 * The ports of a run.
 *
 * @module
 */

import type { Worlds } from "../env/worlds.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import type { Provider } from "../llm/provider.ts";
import type { Clock } from "../platform.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import type { Store } from "../store/open.ts";

/** The ports of a run: store, worlds, models, embedder and clock. */
export interface RunPorts {
  /** Holds the record. */
  readonly store: Store;
  /** Opens the worlds. */
  readonly worlds: Pick<Worlds, "open">;
  /** Creates an episode's model, which routes by role and meters its calls on the episode. */
  readonly models: (episode: { readonly id: string; readonly attempt: number }) => ChatModel;
  /** Embeds texts; its id is part of every episode's identity. */
  readonly embedder: Embedder;
  /** Providers that are asked before the registered ones what a model adds to an episode's identity. */
  readonly providers?: readonly Provider[];
  /** Dates the record and estimates the time left. */
  readonly clock: Clock;
}
