/**
 * Providers: which models each of them serves, and how they are opened.
 *
 * @module
 */

import { UsageError } from "../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import { checkOpenAIModel, createOpenAIModel, openAIHost } from "./openai.ts";
import { styleOf } from "./openai-completion.ts";
import { isOffline, type Price } from "./prices.ts";
import type { Endpoint } from "./roles.ts";

/** An opened model. */
export interface ServedModel {
  /** The bare model: one attempt a call, without retries, record and limits. */
  readonly model: ChatModel;
  /** Host of its endpoint; absent for a model in this process, which has no limits. */
  readonly host?: string;
  /** Its price. @default that of `data/prices.json` */
  readonly price?: Price;
  /** The model in the key of recorded replies, where options beside the id change them. @default the id */
  readonly identity?: string;
  /** Whether the model is a pure function without cost: its replies are recorded for inspection and computed anew. @default {false} */
  readonly pure?: boolean;
}

/** The context in which a provider opens a model. */
export interface ProviderContext {
  /** Trial of the episode, from 1. */
  readonly attempt: number;
  /** The study's settings for models in this process; each provider reads the keys that it knows. */
  readonly knobs?: Readonly<Record<string, number>>;
}

/** A provider of models. */
export interface Provider {
  /** Id of the provider, shown in error messages, e.g. `openai`. */
  readonly id: string;
  /** Whether it serves the model with this id; of several providers the first one is taken. */
  serves(model: string): boolean;
  /** Opens a model, without sending anything. Called once for each model and episode. */
  open(model: string, endpoint: Endpoint, context: ProviderContext): ServedModel;
  /** Throws if the model cannot be called as it is configured (no key, unknown setting), without sending anything. @default no check */
  check?(model: string, endpoint: Endpoint, context: ProviderContext): void;
  /** JSON-able fields that it adds to the identity of each episode whose role map names one of its models. @default none */
  identity?(context: Pick<ProviderContext, "knobs">): Readonly<Record<string, unknown>>;
}

/** The provider of every model but the offline ones: an OpenAI-compatible endpoint. */
export const openaiProvider: Provider = {
  id: "openai",
  serves: (model) => !isOffline(model),
  open: (model, endpoint) => ({
    model: createOpenAIModel(model, endpoint),
    host: openAIHost(endpoint),
    // A model replies differently to plain text than to chat.
    identity: (endpoint.style ?? styleOf(model)) === "completion" ? `${model} in plain text` : undefined,
    price: endpoint.price,
  }),
  check: checkOpenAIModel,
};

/**
 * Wraps one model of this process as a provider, for notebooks and tests.
 *
 * @example
 * ```ts
 * import { localProvider, scripted } from "labyrinth/llm";
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

const registered: Provider[] = [openaiProvider];

/**
 * Registers a provider for the whole process, before those already registered; it replaces one of the same id.
 *
 * @example
 * ```ts
 * import { createModels, localProvider, registerProvider, scripted } from "labyrinth/llm";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * registerProvider(localProvider(scripted(["hello"], { id: "mine" })));
 * using store = openStore(":memory:");
 * const models = createModels({ map: { "*": "mine" }, store, codeVersion: "0" });
 * const reply = await models.chat({ role: "demo/greet", messages: [{ role: "user", content: "Hi" }] });
 * assert.equal(reply.choices[0].text, "hello");
 * ```
 */
export function registerProvider(provider: Provider): void {
  registered.splice(0, registered.length, provider, ...registered.filter(({ id }) => id !== provider.id));
}

/** Opens a model at the first provider that serves it, the given ones before the registered ones. @throws {UsageError} if none does. */
export function openModel(
  model: string,
  endpoint: Endpoint,
  providers: readonly Provider[] = [],
  context: ProviderContext = { attempt: 1 },
): ServedModel {
  return providerOf(model, providers).open(model, endpoint, context);
}

/** Checks that a model can be called as it is configured. @throws {UsageError} or {@linkcode ModelError}, by the provider. */
export function checkModel(
  model: string,
  endpoint: Endpoint,
  providers: readonly Provider[] = [],
  context: ProviderContext = { attempt: 1 },
): void {
  providerOf(model, providers).check?.(model, endpoint, context);
}

/** Collects what the providers of these models add to an episode's identity; a model without provider adds nothing. */
export function providerIdentity(
  models: readonly string[],
  context: Pick<ProviderContext, "knobs">,
  providers: readonly Provider[] = [],
): Record<string, unknown> {
  const all = [...providers, ...registered];
  const asked = new Set(models.map((model) => all.find((provider) => provider.serves(model))));
  return Object.assign({}, ...[...asked].map((provider) => provider?.identity?.(context)));
}

function providerOf(model: string, providers: readonly Provider[]): Provider {
  const all = [...providers, ...registered];
  const provider = all.find((provider) => provider.serves(model));
  if (provider) return provider;
  const remedy = isOffline(model) ? `import "labyrinth/offline"` : "pass one that does as an option";
  throw new UsageError(`no provider serves the model ${model}: there are ${all.map(({ id }) => id).join(", ")}; ${remedy}`);
}
