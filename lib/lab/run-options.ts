/** What a run is given: its ports and its options. */

import type { Worlds } from "../core/env/worlds.ts";
import type { ChatModel } from "../core/llm/chat-model.ts";
import type { Provider } from "../core/llm/provider.ts";
import type { Clock } from "../core/platform.ts";
import type { Embedder } from "../core/retrieval/embedder.ts";
import type { ModelsOptions } from "./llm/stack.ts";
import type { Progress } from "./progress.ts";
import type { Shard } from "./shard.ts";
import type { EpisodeRecord } from "./store/episodes.ts";
import type { Store } from "./store/open.ts";

/** The ports of a run: store, worlds, models, embedder and clock. */
export interface RunPorts {
  readonly store: Store;
  readonly worlds: Pick<Worlds, "open" | "specOf">;
  /** Creates an episode's model, which routes by role and meters its calls on the episode. */
  readonly models: (
    episode: { readonly id: string; readonly attempt: number } & Pick<ModelsOptions, "onEvent">,
  ) => ChatModel;
  /** Embeds texts; its id is part of every episode's identity. */
  readonly embedder: Embedder;
  /** Providers asked before the registered ones what a model adds to an identity. */
  readonly providers?: readonly Provider[];
  readonly clock: Clock;
}

/** Options of a run. */
export interface RunOptions {
  /**
   * Number of chains played in parallel, ≥ 1. @default one more than there are cores, since chains
   * wait for their worlds now and then; `playStudy` takes as many as keep the study's endpoints
   * busy
   */
  readonly concurrency?: number | ChainCount;
  /**
   * Stops the run at the next step; the next run resumes its episodes.
   * @default the user's interrupt
   */
  readonly signal?: AbortSignal;
  /** Called with the reason of a longer wait. */
  readonly onDelay?: (what: string) => void;
  /** Called with one line for the user, e.g. that an edited memory reruns its episodes. */
  readonly onNotice?: (what: string) => void;
  /** Called with the error of each episode that failed. */
  readonly onFailure?: (episode: EpisodeRecord, error: unknown) => void;
  /** Called at each start, step and end of an episode. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether failed episodes are played again. @default {false} */
  readonly retry?: boolean;
  /** Whether recorded episodes of another identity are discarded. @default {false} */
  readonly fresh?: boolean;
  /**
   * Whether replies are recorded; without them an interrupted episode starts again.
   * @default {true}
   */
  readonly recorded?: boolean;
  /**
   * The part of the study that is played and entered; the store need not hold the other ones.
   * @default the whole study
   */
  readonly shard?: Shard;
  /**
   * How often episodes that failed by the infrastructure are played again at the end of the study,
   * ≥ 0.
   * @default {1}
   */
  readonly retryPasses?: number;
}

/** A number of chains that changes while a study is played. */
export interface ChainCount {
  /** The number now, ≥ 1. */
  now(): number;
  /**
   * Calls the listener whenever the number has grown, until the function that it returns is called.
   */
  onGrowth(listener: () => void): () => void;
}
