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

/** What a provider may know of the episode that asks. */
export interface ProviderContext {
  /** Attempt of the episode, from 1. */
  readonly attempt: number;
  /** The study's settings for models within this process; each provider reads those that it knows. */
  readonly knobs?: Readonly<Record<string, number>>;
}

/** A kind of provider. */
export interface Provider {
  /** Named where nobody serves a model, e.g. `openai`. */
  readonly id: string;
  /** Whether the id of a model is one of its own; of several providers the first that says so is taken. */
  serves(model: string): boolean;
  /** Opens the model, ready to be asked; nothing is sent yet. Called once a model and episode. */
  open(model: string, endpoint: Endpoint, context: ProviderContext): ServedModel;
  /** Refuses a model that could not be asked as things stand (no key, no such setting); nothing is sent. Left out: every one can be. */
  check?(model: string, endpoint: Endpoint, context: ProviderContext): void;
  /** What it adds to the identity of each episode whose role map names a model of its own. JSON-able. @default nothing */
  identity?(context: Pick<ProviderContext, "knobs">): Readonly<Record<string, unknown>>;
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
 * One model in this process as a provider of that id: for notebooks and tests.
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
 * Adds a provider for the whole process, before those already there; one of the same id is replaced.
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

/** Opens a model at the first provider that serves it, those handed in first. @throws {UsageError} if none does. */
export function openModel(
  model: string,
  endpoint: Endpoint,
  providers: readonly Provider[] = [],
  context: ProviderContext = { attempt: 1 },
): ServedModel {
  return providerOf(model, providers).open(model, endpoint, context);
}

/** Refuses a model that could not be asked as things stand. @throws {UsageError} or {@linkcode ModelError}, by the provider. */
export function checkModel(
  model: string,
  endpoint: Endpoint,
  providers: readonly Provider[] = [],
  context: ProviderContext = { attempt: 1 },
): void {
  providerOf(model, providers).check?.(model, endpoint, context);
}

/** What the providers of these models add to an episode's identity; a model that nobody serves adds nothing. */
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
  const remedy = isOffline(model) ? `import "labyrinth/offline"` : "hand in one that does";
  throw new UsageError(`nobody serves the model ${model}: the providers are ${all.map(({ id }) => id).join(", ")}; ${remedy}`);
}
