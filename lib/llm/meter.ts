/**
 * The meter of a model: one row in the store for every attempt, with its tokens and cost.
 *
 * @module
 */

import { ModelError } from "../errors.ts";
import type { Clock } from "../platform.ts";
import { type CallRow, putCall } from "../store/calls.ts";
import type { Store } from "../store/open.ts";
import type { ChatReply, ChatRequest, Usage } from "./chat-model.ts";
import { dollarsFor, type Price } from "./prices.ts";

/** Records the calls of one model. */
export interface Meter {
  /** Records a reply, paid or from the record. */
  answered(kind: "paid" | "replayed", key: string, request: ChatRequest, reply: ChatReply): void;
  /** Records a failed attempt. */
  wasted(key: string, request: ChatRequest, error: unknown, latencyMs: number): void;
}

/** Options of `createMeter`. */
export interface MeterOptions {
  /** Holds the rows. */
  readonly store: Store;
  /** Dates the rows. */
  readonly clock: Clock;
  /** The id under which the role map binds the model. */
  readonly model: string;
  /** Price of the model; without one `dollars` is null. */
  readonly price?: Price;
  /** Id of the episode that asks; absent outside of episodes. */
  readonly episode?: string;
  /** Called with every row, e.g. for a progress line. */
  readonly onCall?: (row: CallRow) => void;
}

/** Creates a meter. */
export function createMeter(options: MeterOptions): Meter {
  const { store, clock, model, price, episode, onCall } = options;

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
    answered: (kind, key, request, reply) => write(request, { kind, key, usage: reply.usage, latencyMs: reply.latencyMs ?? 0 }),
    wasted: (key, request, error, latencyMs) => {
      const known = error instanceof ModelError ? error : undefined;
      write(request, { kind: "wasted", key, usage: known?.usage ?? NOTHING, latencyMs, error: known?.kind });
    },
  };
}

const NOTHING: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
