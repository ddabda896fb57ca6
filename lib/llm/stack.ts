/**
 * The one place where the layers before a model are put together.
 *
 * @module
 */

import { BudgetError, ModelError } from "../errors.ts";
import { type Clock, systemClock } from "../platform.ts";
import type { CallRow } from "../store/calls.ts";
import type { Store } from "../store/open.ts";
import { replyKey } from "../store/replies.ts";
import type { Budget } from "./budget.ts";
import { type CacheMode, keyedRequest, type PendingCalls, withCache } from "./cache.ts";
import type { ChatModel } from "./chat-model.ts";
import { createLimiter, type Limiter, type LimitOptions } from "./limit.ts";
import { createMeter } from "./meter.ts";
import { type Price, priceOf } from "./prices.ts";
import { openModel, type Provider, type ProviderContext, type ServedModel } from "./providers.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import { createRouter, type Endpoint, type RoleMap } from "./roles.ts";

/** The models of one episode. */
export interface ModelsOptions {
  /** Which model answers which role. */
  readonly map: RoleMap;
  /** Holds replies and calls; limits and calls under way are shared by all models on one store. */
  readonly store: Store;
  /** Recorded with every reply. */
  readonly codeVersion: string;
  /** Whether replies are read and written: see `CacheMode`. @default {"record"} */
  readonly cacheMode?: CacheMode;
  /** Shared by the episodes of a study. */
  readonly budget?: Budget;
  /** Id of the episode: its calls' rows carry it. */
  readonly episode?: string;
  /** Attempt of the episode, from 1; enters the sample of every request that does not name one. */
  readonly attempt?: number;
  /** The study's settings for models within this process: see `ProviderContext`. */
  readonly knobs?: NonNullable<ProviderContext["knobs"]>;
  /** Asked before the registered ones: models made in a notebook. */
  readonly providers?: readonly Provider[];
  /** Of each endpoint. What the first models on a store say holds for all on that store. */
  readonly limits?: LimitOptions;
  /** Most attempts (≥ 1), patience (in ms) and the seed of the jitter: see `RetryOptions`. */
  readonly retry?: Partial<Pick<RetryOptions, "attempts" | "patienceMs" | "seed">>;
  /** Dates rows and waits. @default the machine's */
  readonly clock?: Clock;
  /** Sees every call's row, e.g. for a progress line. */
  readonly onCall?: (row: CallRow) => void;
}

/**
 * The models of an episode, as one: a router by role, and before each model the record, retries, limits, budget and meter. Equal requests that
 * are under way at one time, in whatever episode on the same store, are asked once.
 *
 * @example
 * ```ts
 * import { createModels, localProvider, scripted } from "labyrinth/llm";
 * import { listCalls, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const mine = scripted(["hello"], { id: "mine" });
 * const models = createModels({ map: { "*": "mine" }, store, codeVersion: "0", episode: "e1", providers: [localProvider(mine)] });
 * const request = { role: "demo/greet", messages: [{ role: "user" as const, content: "Hi" }] };
 * await models.chat(request);
 * assert.equal((await models.chat(request)).choices[0].text, "hello"); // from the record: the script has one reply
 * assert.deepEqual(listCalls(store, "e1").map((call) => call.kind), ["paid", "replayed"]);
 * ```
 */
export function createModels(options: ModelsOptions): ChatModel {
  const { map, attempt, knobs, providers } = options;
  const context = { attempt: attempt ?? 1, ...(knobs ? { knobs } : {}) };
  const router = createRouter(map, (model, endpoint: Endpoint) => layers(model, openModel(model, endpoint, providers, context), options));
  return {
    id: router.id,
    chat: (request) => router.chat(attempt === undefined ? request : { ...request, sample: { attempt, ...request.sample } }),
  };
}

function layers(id: string, served: ServedModel, options: ModelsOptions): ChatModel {
  const { store, codeVersion, cacheMode = "record", budget, episode, limits = {}, retry = {}, clock = systemClock, onCall } = options;
  const { host, identity = id, pure = false } = served;
  const price: Price | undefined = served.price ?? priceOf(id);
  const shared = sharedOf(store);
  const limiter = host === undefined ? undefined : shared.limiters.getOrInsertComputed(host, () => createLimiter(limits, clock));
  const meter = createMeter({
    store,
    clock,
    model: id,
    ...(price ? { price } : {}),
    ...(episode === undefined ? {} : { episode }),
    ...(onCall ? { onCall } : {}),
  });

  const charged = budget ? withBudget(served.model, id, price, budget) : served.model;
  const patient = withRetries(charged, {
    clock,
    ...retry,
    ...(limiter ? { limiter } : {}),
    onAttempt: ({ request, error, latencyMs }) => {
      // A call that the budget stopped was never made.
      if (error === undefined || error instanceof BudgetError) return;
      meter.wasted(replyKey(keyedRequest(identity, request)), request, error, latencyMs);
    },
  });
  return withCache(patient, {
    store,
    clock,
    identity,
    pure,
    mode: cacheMode,
    endpoint: host ?? "local",
    codeVersion,
    pending: shared.pending,
    onAnswer: meter.answered,
  });
}

/** Sets aside what a call may cost before it is made. */
function withBudget(model: ChatModel, id: string, price: Price | undefined, budget: Budget): ChatModel {
  return {
    id: model.id,
    chat: async (request) => {
      const reservation = budget.reserve(id, price, request);
      try {
        const reply = await model.chat(request);
        reservation.settle(reply.usage);
        return reply;
      } catch (error) {
        reservation.settle(error instanceof ModelError ? error.usage : undefined);
        throw error;
      }
    },
  };
}

interface Shared {
  readonly pending: PendingCalls;
  readonly limiters: Map<string, Limiter>;
}

/** Episodes on one store share calls under way and limits, without having to know of each other. */
const sharedByStore = new WeakMap<Store, Shared>();

function sharedOf(store: Store): Shared {
  return sharedByStore.getOrInsertComputed(store, () => ({ pending: new Map(), limiters: new Map() }));
}
