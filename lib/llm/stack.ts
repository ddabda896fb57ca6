/**
 * Composes the layers in front of the models of an episode: router, record, retries, limits, budget and meter.
 *
 * @module
 */

import { BudgetError, ModelError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import { type Clock, systemClock } from "../platform.ts";
import { type CallRow, hasAnswer, putCall } from "../store/calls.ts";
import type { Store } from "../store/open.ts";
import { replyKey } from "../store/replies.ts";
import type { Budget } from "./budget.ts";
import { type CacheMode, keyedRequest, type PendingCalls, withCache } from "./cache.ts";
import type { ChatModel, ChatReply, ChatRequest, Usage } from "./chat-model.ts";
import { createLimiter, type Limiter, type LimitOptions } from "./limit.ts";
import { dollarsFor, type Price, priceOf } from "./prices.ts";
import type { Provider, ProviderContext, ServedModel } from "./provider.ts";
import { providerOf } from "./providers.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import { createRouter, type Endpoint, type RoleMap, samplingOf } from "./roles.ts";

/** Options of `createModels`. */
export interface ModelsOptions {
  /** The model of each role. */
  readonly map: RoleMap;
  /** Holds replies and calls; all models on one store share limits and calls in flight. */
  readonly store: Store;
  /** Version of the code, recorded with every reply. */
  readonly codeVersion: string;
  /** How the record of replies is used. @default {"record"} */
  readonly cacheMode?: CacheMode;
  /** Whether a call that is on record for the episode is not recorded again when it is replayed, as after importing a pack. @default {false} */
  readonly keepCalls?: boolean;
  /** The budget, shared by the episodes of a study. @default no cap */
  readonly budget?: Budget;
  /** Id of the episode, recorded with its calls. */
  readonly episode?: string;
  /** Trial of the episode, from 1: the `attempt` in the sample of every request that names none. */
  readonly attempt?: number;
  /** The study's settings for models in this process: see `ProviderContext`. */
  readonly knobs?: ProviderContext["knobs"];
  /** Providers that are asked before the registered ones, e.g. of models made in a notebook. */
  readonly providers?: readonly Provider[];
  /** Limits of each endpoint. Those of the first models on a store hold for all models on it. */
  readonly limits?: LimitOptions;
  /** How failed calls are retried: see `RetryOptions`. */
  readonly retry?: Partial<Pick<RetryOptions, "attempts" | "patienceMs" | "seed">>;
  /** Dates rows and waits. @default the system clock */
  readonly clock?: Clock;
  /** Called with the row of every call, e.g. for a progress line. */
  readonly onCall?: (row: CallRow) => void;
}

/**
 * Creates the models of an episode as one model: a router by role, and in front of each model the record of replies, retries, limits, budget
 * and meter. Of equal requests in flight on one store, in whatever episode, one is sent. The record keeps each reply as it came; who asked is
 * given safe text (see `safeText`).
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
 * assert.equal((await models.chat(request)).choices[0].text, "hello"); // from the record, because the script has one reply
 * assert.deepEqual(listCalls(store, "e1").map((call) => call.kind), ["paid", "replayed"]);
 * ```
 */
export function createModels(options: ModelsOptions): ChatModel {
  const { map, attempt, knobs, providers } = options;
  const context = { attempt: attempt ?? 1, knobs };
  const router = createRouter(
    map,
    (model, endpoint) => layers(model, providerOf(model, endpoint, providers).open(model, endpoint, context), endpoint, options),
  );
  return {
    id: router.id,
    chat: (request) => router.chat(attempt === undefined ? request : { ...request, sample: { attempt, ...request.sample } }),
  };
}

function layers(id: string, served: ServedModel, endpoint: Endpoint, options: ModelsOptions): ChatModel {
  const { store, codeVersion, cacheMode = "record", keepCalls, budget, episode, limits = {}, retry = {}, clock = systemClock, onCall } =
    options;
  const { host, identity = id, pure = false } = served;
  const concurrency = endpoint.concurrency ?? served.concurrency;
  const price: Price | undefined = served.price ?? priceOf(id);
  const shared = sharedOf(store);
  const limiter = host === undefined
    ? undefined
    : shared.limiters.getOrInsertComputed(host, () => createLimiter({ ...limits, ...(concurrency && { concurrency }) }, clock));
  const meter = createMeter(id, price, { store, clock, episode, onCall, keepCalls });

  const charged = budget ? withBudget(served.model, id, price, budget) : served.model;
  const retried = withRetries(charged, {
    clock,
    ...retry,
    limiter,
    onAttempt: ({ request, error, latencyMs }) => {
      // A call that the budget refuses is not sent.
      if (error === undefined || error instanceof BudgetError) return;
      meter.wasted(replyKey(keyedRequest(identity, request)), request, error, latencyMs);
    },
  });
  const recorded = withCache(retried, {
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
  const sampling = samplingOf(endpoint);
  return {
    id,
    chat: async ({ schema, ...request }) =>
      safeValue(
        await recorded.chat({
          ...request,
          schema: endpoint.enforceForms === false ? undefined : schema,
          sampling: { ...request.sampling, ...sampling },
        }),
      ),
  };
}

/** Creates the meter of a model: the functions that record a row in the store for each reply, paid or from the record, and each failed attempt. */
function createMeter(
  model: string,
  price: Price | undefined,
  { store, clock, episode, onCall, keepCalls = false }: Pick<ModelsOptions, "store" | "episode" | "onCall" | "keepCalls"> & {
    readonly clock: Clock;
  },
): {
  answered(kind: "paid" | "replayed", key: string, request: ChatRequest, reply: ChatReply): void;
  wasted(key: string, request: ChatRequest, error: unknown, latencyMs: number): void;
} {
  function write(
    request: ChatRequest,
    call: Pick<CallRow, "kind" | "key" | "latencyMs"> & { readonly usage: Usage; readonly error?: string },
  ): void {
    const { usage, ...rest } = call;
    const { pass, step, vote, reAsk } = request.sample ?? {};
    const row: CallRow = {
      episode,
      pass,
      step,
      vote,
      reAsk,
      role: request.role,
      model,
      ...rest,
      promptTokens: usage.prompt,
      cachedTokens: usage.cached,
      completionTokens: usage.completion,
      reasoningTokens: usage.reasoning,
      dollars: dollarsFor(usage, price),
      at: clock.now(),
    };
    putCall(store, row);
    onCall?.(row);
  }

  return {
    answered: (kind, key, request, reply) => {
      if (keepCalls && kind === "replayed" && hasAnswer(store, episode, key)) return;
      write(request, { kind, key, usage: reply.usage, latencyMs: reply.latencyMs ?? 0 });
    },
    wasted: (key, request, error, latencyMs) => {
      const known = error instanceof ModelError ? error : undefined;
      write(request, { kind: "wasted", key, usage: known?.usage ?? NOTHING, latencyMs, error: known?.kind });
    },
  };
}

const NOTHING: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };

/** Reserves the maximum cost of each call, and settles it afterwards. */
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

/** What the episodes on one store share. */
const sharedByStore = new WeakMap<Store, Shared>();

function sharedOf(store: Store): Shared {
  return sharedByStore.getOrInsertComputed(store, () => ({ pending: new Map(), limiters: new Map() }));
}
