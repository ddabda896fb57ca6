/**
 * Composes the layers in front of the models of an episode: router, record, retries, limits, budget and meter.
 *
 * @module
 */

import { BudgetError, ModelError } from "../errors.ts";
import { safeValue } from "../foreign-text.ts";
import { type Clock, systemClock } from "../platform.ts";
import { closeAttempt, openAttempt } from "../store/attempts.ts";
import { type CallRow, hasAnswer, putCall } from "../store/calls.ts";
import { sha256 } from "../store/canonical.ts";
import type { Store } from "../store/open.ts";
import { replyKey } from "../store/replies.ts";
import { type Budget, mostTokens } from "./budget.ts";
import { createBreaker } from "./breaker.ts";
import { type CacheMode, keyedRequest, withCache } from "./cache.ts";
import type { ChatModel, ChatReply, ChatRequest, Usage } from "./chat-model.ts";
import { NOT_CHARGED } from "./endpoint-errors.ts";
import { limiterOf, sharedOf } from "./endpoint-limits.ts";
import type { LimitOptions } from "./limit.ts";
import { isUnreported } from "./openai-reply.ts";
import { dollarsFor, type Price, priceOf } from "./prices.ts";
import type { Provider, ProviderContext, ServedModel } from "./provider.ts";
import { providerOf } from "./providers.ts";
import { type RetryOptions, withRetries } from "./retry.ts";
import { withVoteBatches } from "./vote-batch.ts";
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
  const { store, codeVersion, cacheMode = "record", keepCalls, budget, episode, limits, retry = {}, clock = systemClock, onCall } = options;
  const { host, identity = id, pure = false } = served;
  const price: Price | undefined = served.price ?? priceOf(id);
  const shared = sharedOf(store);
  const limiter = limiterOf(served, endpoint, { store, limits, clock });
  const breaker = host === undefined ? undefined : shared.breakers.getOrInsertComputed(host, () => createBreaker(host, clock));
  const meter = createMeter(id, price, { store, clock, episode, onCall, keepCalls, isRemote: host !== undefined });
  const keyOf = (request: ChatRequest): string => replyKey(keyedRequest(identity, request));

  const sent = withAttempts(served.model, { begin: (request) => meter.begin(keyOf(request), request), sendsKey: endpoint.idempotencyKey });
  const charged = budget ? withBudget(sent, id, price, { budget, isRemote: host !== undefined }) : sent;
  const retried = withRetries(charged, {
    clock,
    ...retry,
    limiter,
    breaker,
    onAttempt: ({ request, error, latencyMs }) => {
      if (error === undefined) limiter?.heard("answered", latencyMs);
      else if (error instanceof ModelError && error.kind === "rate-limit") limiter?.heard("rate-limited");
      // A call that the budget refuses is not sent.
      if (error === undefined || error instanceof BudgetError) return;
      meter.wasted(keyOf(request), request, error, latencyMs);
    },
  });
  const voted = served.drawsChoices
    ? withVoteBatches(retried, { place: `${identity} at ${host}`, keyOf, onDealt: (sent, last) => meter.handOn(keyOf(sent), keyOf(last)) })
    : retried;
  const recorded = withCache(voted, {
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

/** Writes each attempt before it is sent, as `begin` does, and gives it a key of its own where the endpoint takes one. */
function withAttempts(
  model: ChatModel,
  { begin, sendsKey = false }: { readonly begin: (request: ChatRequest) => string; readonly sendsKey?: boolean },
): ChatModel {
  return {
    id: model.id,
    chat: (request) => {
      request.signal?.throwIfAborted();
      const idempotencyKey = begin(request);
      return model.chat(sendsKey ? { ...request, idempotencyKey } : request);
    },
  };
}

/** Records what a model is asked. */
interface Meter {
  /** Records an attempt that is about to be sent, and returns a key of it that a run after a kill gives it again. */
  begin(key: string, request: ChatRequest): string;
  /** Records a reply, paid or from the record. */
  answered(kind: "paid" | "replayed", key: string, request: ChatRequest, reply: ChatReply): void;
  /** Leaves the attempt at a request to be closed with the answer to another one. */
  handOn(key: string, last: string): void;
  /** Records a failed attempt. */
  wasted(key: string, request: ChatRequest, error: unknown, latencyMs: number): void;
}

/** Creates the meter of a model. Attempts at a model in this process cost nothing and are not recorded before they are made. */
function createMeter(
  model: string,
  price: Price | undefined,
  { store, clock, episode, onCall, keepCalls = false, isRemote }: Pick<ModelsOptions, "store" | "episode" | "onCall" | "keepCalls"> & {
    readonly clock: Clock;
    readonly isRemote: boolean;
  },
): Meter {
  const open = new Map<string, number[]>(); // row ids of attempts under way, by the key of the request
  const numbers = new Map<string, number>(); // attempts so far, by the key of the request

  const placeOf = (
    { role, sample = {} }: ChatRequest,
  ): Pick<CallRow, "episode" | "pass" | "step" | "vote" | "reAsk" | "role" | "model"> => {
    const { pass, step, vote, reAsk } = sample;
    return { episode, pass, step, vote, reAsk, role, model };
  };

  function boundOf(request: ChatRequest, reply?: ChatReply): Required<Pick<CallRow, "boundTokens">> & Pick<CallRow, "boundDollars"> {
    const most = mostTokens(request, model, reply);
    return { boundTokens: most.prompt + most.completion, boundDollars: dollarsFor(most, price) ?? undefined };
  }

  function begin(key: string, request: ChatRequest): string {
    const number = 1 + (numbers.get(key) ?? 0);
    numbers.set(key, number);
    if (isRemote) {
      const id = openAttempt(store, { ...placeOf(request), key, ...boundOf(request), at: clock.now() });
      open.getOrInsertComputed(key, () => []).push(id);
    }
    return sha256(`${key} ${number}`).slice(0, 32);
  }

  function write(
    request: ChatRequest,
    call: Pick<CallRow, "kind" | "key" | "latencyMs"> & {
      readonly usage: Usage;
      readonly error?: string;
      readonly isUnknown: boolean;
      readonly reply?: ChatReply;
    },
  ): void {
    const { usage, isUnknown, reply, ...rest } = call;
    const row: CallRow = {
      ...placeOf(request),
      ...rest,
      promptTokens: usage.prompt,
      cachedTokens: usage.cached,
      completionTokens: usage.completion,
      reasoningTokens: usage.reasoning,
      dollars: dollarsFor(usage, price),
      ...(isUnknown && isRemote ? boundOf(request, reply) : {}),
      at: clock.now(),
    };
    store.transaction(() => {
      const attempt = call.kind === "replayed" ? undefined : open.get(call.key)?.shift();
      if (attempt !== undefined) closeAttempt(store, attempt);
      putCall(store, row);
    });
    onCall?.(row);
  }

  return {
    begin,
    answered: (kind, key, request, reply) => {
      if (keepCalls && kind === "replayed" && hasAnswer(store, episode, key)) return;
      const isUnknown = kind === "paid" && isUnreported(reply.usage);
      write(request, { kind, key, usage: reply.usage, latencyMs: reply.latencyMs ?? 0, isUnknown, reply });
    },
    handOn: (key, last) => {
      const attempt = open.get(key)?.shift();
      if (attempt !== undefined) open.getOrInsertComputed(last, () => []).push(attempt);
    },
    wasted: (key, request, error, latencyMs) => {
      if (isRemote && !open.get(key)?.length) return; // it was stopped before it was sent
      const known = error instanceof ModelError ? error : undefined;
      const usage = reportedBy(error);
      write(request, { kind: "wasted", key, usage: usage ?? NOT_CHARGED, latencyMs, error: known?.kind, isUnknown: !usage });
    },
  };
}

/** The usage of a failed attempt as the endpoint reported it: our own count of an answer that it gave no usage of is no bound. */
function reportedBy(error: unknown): Usage | undefined {
  const usage = error instanceof ModelError ? error.usage : undefined;
  return usage && !isUnreported(usage) ? usage : undefined;
}

/** Reserves what each call may cost, and settles it afterwards; an attempt of unknown usage at an endpoint is charged its maximum. */
function withBudget(
  model: ChatModel,
  id: string,
  price: Price | undefined,
  { budget, isRemote }: { readonly budget: Budget; readonly isRemote: boolean },
): ChatModel {
  return {
    id: model.id,
    chat: async (request) => {
      request.signal?.throwIfAborted(); // nothing is charged for what is not sent
      const reservation = budget.reserve(id, price, request);
      try {
        const reply = await model.chat(request);
        reservation.settle(isRemote && isUnreported(reply.usage) ? { unknown: reply } : reply.usage);
        return reply;
      } catch (error) {
        reservation.settle(reportedBy(error) ?? (isRemote ? { unknown: undefined } : undefined));
        throw error;
      }
    },
  };
}
