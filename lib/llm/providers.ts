/**
 * Who serves which models. A new kind of provider is one file and one line here.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import { checkOpenAIModel, createOpenAIModel, openAIHost } from "./openai.ts";
import { styleOf } from "./openai-completion.ts";
import { isOffline, type Price } from "./prices.ts";
import type { Endpoint } from "./roles.ts";

/** A model as it is served. */
export interface ServedModel {
  /** One attempt a call, without the layers before it. */
  readonly model: ChatModel;
  /** Where; absent for a model within this process, which needs no retries and no limits. */
  readonly host?: string;
  /** Goes before the table of prices. */
  readonly price?: Price;
  /** What keys the record where the model's id does not say enough (an offline backbone's knobs). @default the id */
  readonly identity?: string;
  /** Whether equal requests get equal replies, for nothing: they are recorded to be looked at, and worked out afresh. @default {false} */
  readonly pure?: boolean;
}

/** A kind of provider. */
export interface Provider {
  /** Named where nobody serves a model, e.g. `openai`. */
  readonly id: string;
  /** Whether the id of a model is one of its own; of several providers the first that says so is taken. */
  serves(model: string): boolean;
  /** The model, ready to be asked; nothing is sent yet. Called once a model and episode. */
  open(model: string, endpoint: Endpoint): ServedModel;
  /** Refuses a model that could not be asked as things stand (no key, no such setting); nothing is sent. Left out: every one can be. */
  check?(model: string, endpoint: Endpoint): void;
}

/** Any OpenAI-compatible endpoint, for every model but the offline ones. */
export const openaiProvider: Provider = {
  id: "openai",
  serves: (model) => !isOffline(model),
  open: (model, endpoint) => ({
    model: createOpenAIModel(model, endpoint),
    host: openAIHost(endpoint),
    // the same model asked in another form answers otherwise
    ...((endpoint.style ?? styleOf(model)) === "completion" ? { identity: `${model} in plain text` } : {}),
    ...(endpoint.price ? { price: endpoint.price } : {}),
  }),
  check: checkOpenAIModel,
};

/**
 * The offline backbone as a provider. The laboratory collects the answers of all memories and methods and hands in what makes the backbone of
 * a model's id.
 *
 * @param knobs JSON-able, for all models or by the model's id; keys the record beside the id.
 */
export function offlineProvider(
  create: (model: string) => ChatModel,
  knobs: Readonly<Record<string, unknown>> | ((model: string) => object) = {},
): Provider {
  const keyed = (model: string): string => JSON.stringify(typeof knobs === "function" ? knobs(model) : knobs);
  return {
    id: "offline",
    serves: isOffline,
    open: (model) => ({ model: renamed(create(model), model), identity: `${model} ${keyed(model)}`, pure: true }),
    check: keyed,
  };
}

/**
 * One model in this process as a provider of that id: for notebooks and tests.
 *
 * @example
 * ```ts
 * import { localProvider, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const provider = localProvider(scripted(["hello"], { id: "mine" }));
 * assert.equal(provider.serves("mine"), true);
 * assert.equal(provider.serves("gpt-4o"), false);
 * ```
 */
export function localProvider(model: ChatModel): Provider {
  return { id: model.id, serves: (id) => id === model.id, open: () => ({ model }) };
}

/** The providers there are without being handed in. */
export const PROVIDERS: readonly Provider[] = [openaiProvider];

/** Opens a model at the first provider that serves it, those handed in first. @throws {UsageError} if none does. */
export function openModel(model: string, endpoint: Endpoint, providers: readonly Provider[] = []): ServedModel {
  return providerOf(model, providers).open(model, endpoint);
}

/** Refuses a model that could not be asked as things stand. @throws {UsageError} or {@linkcode ModelError}, by the provider. */
export function checkModel(model: string, endpoint: Endpoint, providers: readonly Provider[] = []): void {
  providerOf(model, providers).check?.(model, endpoint);
}

function providerOf(model: string, providers: readonly Provider[]): Provider {
  const all = [...providers, ...PROVIDERS];
  const provider = all.find((provider) => provider.serves(model));
  if (provider) return provider;
  throw new UsageError(`nobody serves the model ${model}: the providers are ${all.map(({ id }) => id).join(", ")}; hand in one that does`);
}

function renamed(model: ChatModel, id: string): ChatModel {
  return { id, chat: (request) => model.chat(request) };
}
