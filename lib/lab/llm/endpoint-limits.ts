/** What the models on one store share: calls in flight, limiters, breakers, refusals. */

import { type Clock, systemClock } from "../../core/platform.ts";
import type { Store } from "../store/open.ts";
import type { Breaker } from "../../core/llm/breaker.ts";
import type { PendingCalls } from "./cache.ts";
import { type AdaptiveLimiter, createLimiter, type LimitOptions } from "../../core/llm/limit.ts";
import type { Provider, ProviderContext, ServedModel } from "../../core/llm/provider.ts";
import { providerOf } from "../../core/llm/providers.ts";
import type { Refusals } from "../../core/llm/refusals.ts";
import type { Endpoint, ModelBinding } from "../../core/llm/roles.ts";

/**
 * What the limiters of a store are made of; those that are made first hold for all models on it.
 */
export interface LimitersOptions extends Pick<ProviderContext, "modelOptions"> {
  readonly store: Store;
  readonly limits?: LimitOptions;
  readonly clock?: Clock;
  readonly providers?: readonly Provider[];
}

/** The limiter of an endpoint, shared on the store; `undefined` for a model in this process. */
export function limiterOf(
  served: ServedModel,
  endpoint: Endpoint,
  { store, limits, clock = systemClock }: LimitersOptions,
): AdaptiveLimiter | undefined {
  const { concurrency = served.concurrency } = endpoint;
  const own = concurrency && { concurrency };
  if (served.host === undefined) return undefined;
  return sharedOf(store).limiters.getOrInsertComputed(
    served.host,
    () => createLimiter({ ...limits, ...own }, clock),
  );
}

/** The limiters of the endpoints that some bindings name. */
export function limitersOf(
  bindings: Iterable<ModelBinding>,
  options: LimitersOptions,
): AdaptiveLimiter[] {
  const { providers, modelOptions } = options;
  const limiters = Array.from(bindings, (binding) => {
    const { model, ...endpoint } = typeof binding === "string" ? { model: binding } : binding;
    return limiterOf(
      providerOf(model, endpoint, providers).open(model, endpoint, { attempt: 1, modelOptions }),
      endpoint,
      options,
    );
  });
  return [...new Set(limiters.filter((limiter) => limiter !== undefined))];
}

export interface Shared {
  readonly pending: PendingCalls;
  readonly limiters: Map<string, AdaptiveLimiter>;
  readonly breakers: Map<string, Breaker>;
  readonly refusals: Refusals;
  readonly cutting: Set<string>;
}

const sharedByStore = new WeakMap<Store, Shared>();

/** What the models on a store share; empty at first. */
export function sharedOf(store: Store): Shared {
  return sharedByStore.getOrInsertComputed(store, () => ({
    pending: new Map(),
    limiters: new Map(),
    breakers: new Map(),
    refusals: new Map(),
    cutting: new Set(),
  }));
}
