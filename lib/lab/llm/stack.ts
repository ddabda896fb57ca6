/** The layers in front of a model: router, record, retries, limits, budget and meter. */

import { ModelError } from "../../core/errors.ts";
import { safeValue } from "../../core/foreign-text.ts";
import { type Clock, systemClock } from "../../core/platform.ts";
import type { Store } from "../store/open.ts";
import type { CallRow } from "../store/calls.ts";
import { getReply, replyKey } from "../store/replies.ts";
import { createMeter } from "./meter.ts";
import type { Budget } from "./budget.ts";
import { withAttempts, withBudget } from "./sending.ts";
import { createBreaker } from "../../core/llm/breaker.ts";
import { type CacheMode, keyedRequest, withCache } from "./cache.ts";
import type { ChatModel, ChatRequest, Sampling } from "../../core/llm/chat-model.ts";
import { LONGER_WINDOW } from "../../core/llm/endpoint-verdicts.ts";
import { limiterOf, sharedOf } from "./endpoint-limits.ts";
import type { LimitOptions } from "../../core/llm/limit.ts";
import { type Price, priceOf } from "../../core/llm/prices.ts";
import type { Provider, ProviderContext, ServedModel } from "../../core/llm/provider.ts";
import { providerOf, rememberKeys } from "../../core/llm/providers.ts";
import { isKnownToReason } from "../../core/llm/refusals.ts";
import { type RetryOptions, withRetries } from "../../core/llm/retry.ts";
import { withChoices, withSharedRequests } from "../../core/llm/shared-requests.ts";
import { createRouter, type Endpoint, type RoleMap, samplingOf } from "../../core/llm/roles.ts";
import { withWindowWatch } from "../../core/llm/window.ts";

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
  /**
   * Whether a call that is on record for the episode is not recorded again when it is replayed, as
   * after importing a pack.
   * @default {false}
   */
  readonly keepCalls?: boolean;
  /** The budget, shared by the episodes of a study. @default no cap */
  readonly budget?: Budget;
  /** Id of the episode, recorded with its calls. */
  readonly episode?: string;
  /** Trial of the episode, from 1: the `attempt` in the sample of every request that names none. */
  readonly attempt?: number;
  /** The study's settings for models in this process: see `ProviderContext`. */
  readonly modelOptions?: ProviderContext["modelOptions"];
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
  /**
   * Called where the endpoint cut a prompt in silence, for the record of the episode: a
   * `cut-prompt` of a step.
   */
  readonly onEvent?: (
    event: {
      readonly pass: number;
      readonly step: number;
      readonly kind: string;
      readonly detail: string;
    },
  ) => void;
  /** Called with one line for the user, once for each endpoint that cuts prompts in silence. */
  readonly onNotice?: (what: string) => void;
}

/**
 * Creates the models of an episode as one model: a router by role, and in front of each model the
 * record of replies, retries, limits, budget and meter. Equal requests in flight on one store, from
 * any episode, are sent once. The record keeps the raw reply; the caller gets safe text (see
 * `safeText`).
 *
 * @example
 * ```ts
 * import { createModels, listCalls, localProvider, openStore, scripted } from "labyrinth";
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
  const { map, attempt, modelOptions, providers, store } = options;
  rememberKeys(map);
  const context = { attempt: attempt ?? 1, modelOptions, refusals: sharedOf(store).refusals };
  const router = createRouter(
    map,
    (model, endpoint) =>
      layers(
        model,
        providerOf(model, endpoint, providers).open(model, endpoint, context),
        endpoint,
        options,
      ),
  );
  return {
    id: router.id,
    chat: (request) =>
      router.chat(
        attempt === undefined ? request : { ...request, sample: { attempt, ...request.sample } },
      ),
  };
}

function layers(
  id: string,
  served: ServedModel,
  endpoint: Endpoint,
  options: ModelsOptions,
): ChatModel {
  const {
    store,
    codeVersion,
    cacheMode = "record",
    keepCalls,
    budget,
    episode,
    limits,
    retry = {},
    clock = systemClock,
    onCall,
  } = options;
  const { host, identity = id, pure = false } = served;
  const price: Price | undefined = served.price ?? priceOf(id);
  const common = sharedOf(store);
  const limiter = limiterOf(served, endpoint, { store, limits, clock });
  const breaker = host === undefined
    ? undefined
    : common.breakers.getOrInsertComputed(host, () => createBreaker(host, clock));
  const keyOf = (request: ChatRequest): string => replyKey(keyedRequest(identity, request));
  const meter = createMeter(id, price, {
    store,
    clock,
    episode,
    onCall,
    keepCalls,
    isRemote: host !== undefined,
    keyOf,
  });

  const sent = withAttempts(served.model, { meter, clock, sendsKey: endpoint.idempotencyKey });
  const charged = budget
    ? withBudget(sent, id, price, { budget, isRemote: host !== undefined })
    : sent;
  const retried = withRetries(charged, {
    clock,
    ...retry,
    limiter,
    breaker,
    reasons: () => isKnownToReason(common.refusals, id),
    onAttempt: ({ request, error, latencyMs }) => {
      if (error === undefined) limiter?.heard("answered", latencyMs);
      else if (error instanceof ModelError && error.kind === "rate-limit") {
        limiter?.heard("rate-limited");
      }
      if (error !== undefined) meter.wasted(request, error, latencyMs);
    },
  });
  const shared = host === undefined ? retried : withSharedRequests(retried, {
    ...served,
    refusals: common.refusals,
    place: `${identity} at ${host}`,
    keyOf,
    onDealt: meter.dealt,
  });
  const recorded = withCache(shared, {
    store,
    clock,
    identity,
    pure,
    mode: cacheMode,
    endpoint: host ?? "local",
    codeVersion,
    pending: common.pending,
    onAnswer: meter.answered,
  });
  const isRecorded = (request: ChatRequest): boolean =>
    cacheMode !== "off" && getReply(store, keyOf(request)) !== undefined;
  const asked = host === undefined
    ? recorded
    : withWindowWatch(withChoices(recorded, isRecorded), noteCuts(id, host, options));
  const sampling = samplingOf(endpoint);
  return {
    id,
    chat: async ({ schema, ...request }) =>
      safeValue(
        await asked.chat({
          ...request,
          schema: endpoint.enforceForms === false ? undefined : schema,
          sampling: {
            ...request.sampling,
            ...sampling,
            ...bodyOf(request, endpoint),
            ...ceilingOf(request, endpoint),
          },
        }),
      ),
  };
}

function noteCuts(
  id: string,
  host: string,
  { store, onEvent, onNotice }: ModelsOptions,
): (request: ChatRequest, what: string) => void {
  const { cutting } = sharedOf(store);
  const place = `${id} at ${host}`;
  return ({ role, sample: { pass = 0, step = 1 } = {} }, what) => {
    onEvent?.({ pass, step, kind: "cut-prompt", detail: `${role}: ${what}` });
    if (!cutting.has(place)) {
      onNotice?.(
        `${place} truncates prompts silently (${what}): ${LONGER_WINDOW}, or take a memory that recalls less`,
      );
    }
    cutting.add(place);
  };
}

/** Further fields of both: a form that a memory's package asks for, and those of the binding. */
function bodyOf({ sampling }: ChatRequest, { extraBody }: Endpoint): Pick<Sampling, "extraBody"> {
  const asked = sampling?.extraBody;
  return asked === undefined ? {} : { extraBody: { ...asked, ...extraBody } };
}

/** The smaller limit of the prompt's and the user's, plus the tokens of a model's thoughts. */
function ceilingOf(
  { sampling }: ChatRequest,
  { maxTokens: most, thinkingTokens = 0 }: Endpoint,
): { readonly maxTokens?: number } {
  const limits = [sampling?.maxTokens, most].filter((limit) => limit !== undefined);
  return limits.length === 0 ? {} : { maxTokens: Math.min(...limits) + thinkingTokens };
}
