/**
 * What a study is run with.
 *
 * @module
 */

import type { Worlds } from "../env/worlds.ts";
import type { ChatModel } from "../llm/chat-model.ts";
import type { Provider } from "../llm/providers.ts";
import type { Clock } from "../platform.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import type { Store } from "../store/open.ts";

/** What a study is run with. */
export interface RunPorts {
  /** Where everything is recorded. */
  readonly store: Store;
  /** Opens the worlds. */
  readonly worlds: Pick<Worlds, "open">;
  /** A model that routes by role, its calls metered on the episode. */
  readonly models: (episode: { readonly id: string; readonly attempt: number }) => ChatModel;
  /** Its id is part of every episode's identity. */
  readonly embedder: Embedder;
  /** Asked for what an episode's models add to its identity, before the registered ones. */
  readonly providers?: readonly Provider[] | undefined;
  /** For times of the record and the time left. */
  readonly clock: Clock;
}
