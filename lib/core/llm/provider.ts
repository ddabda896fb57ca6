/** The port to providers: which models each of them serves, and how they are opened. */

import type { ChatModel } from "./chat-model.ts";
import type { Price } from "./prices.ts";
import type { Refusals } from "./refusals.ts";
import type { Endpoint } from "./roles.ts";

/** An opened model. */
export interface ServedModel {
  /** The bare model: one attempt a call, without retries, record and limits. */
  readonly model: ChatModel;
  /** Host of its endpoint; absent for a model in this process, which has no limits. */
  readonly host?: string;
  /**
   * Maximum number of requests in flight at that host, ≥ 1, where the binding names none.
   * @default {8}
   */
  readonly concurrency?: number;
  /** Its price. @default that of `data/prices.json` */
  readonly price?: Price;
  /**
   * The model in the key of recorded replies, where options next to the id change them.
   * @default the id
   */
  readonly identity?: string;
  /**
   * Whether votes on one question, and choices, may be asked for as several choices of one request
   * (`n`).
   * @default {false}
   */
  readonly drawsChoices?: boolean;
  /**
   * Most requests whose messages it takes as those of one request, and answers with one choice
   * each.
   * @default none: each goes by itself
   */
  readonly batch?: number;
  /**
   * Whether the model is a pure function without cost: its replies are recorded for inspection and
   * computed again.
   * @default {false}
   */
  readonly pure?: boolean;
}

/** The context in which a provider opens a model. */
export interface ProviderContext {
  /** Trial of the episode, from 1. */
  readonly attempt: number;
  /**
   * The study's settings for models in this process; each provider reads the keys that it knows.
   */
  readonly modelOptions?: Readonly<Record<string, number>>;
  /** Where models note what their endpoints refuse. @default a memory of each model's own */
  readonly refusals?: Refusals;
}

/** A provider of models. */
export interface Provider {
  /** Id of the provider, shown in error messages, e.g. `openai`. */
  readonly id: string;
  /**
   * Whether it serves the model with this id, at the endpoint of its binding; of several providers
   * the first one is taken.
   */
  serves(model: string, endpoint?: Endpoint): boolean;
  /** Opens a model, without sending anything. Called once for each model and episode. */
  open(model: string, endpoint: Endpoint, context: ProviderContext): ServedModel;
  /**
   * Throws if the model cannot be called as it is configured (no key, unknown setting), without
   * sending anything.
   * @default no check
   */
  check?(model: string, endpoint: Endpoint, context: ProviderContext): void;
  /**
   * The fields of a binding that would change nothing of what a model is asked. Nothing is sent.
   * @default none
   */
  ignores?(model: string, endpoint: Endpoint): readonly string[] | Promise<readonly string[]>;
  /**
   * JSON-able fields that it adds to the identity of each episode whose role map names some of its
   * models, which are given.
   * @default none
   */
  identity?(
    context: Pick<ProviderContext, "modelOptions">,
    models: readonly string[],
  ): Readonly<Record<string, unknown>>;
}
