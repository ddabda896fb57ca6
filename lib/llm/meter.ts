/**
 * What every attempt cost, as rows.
 *
 * @module
 */

import { ModelError } from "../errors.ts";
import type { Clock } from "../platform.ts";
import { type CallRow, putCall } from "../store/calls.ts";
import type { Store } from "../store/open.ts";
import type { ChatReply, ChatRequest, Usage } from "./chat-model.ts";
import { dollarsFor, type Price } from "./prices.ts";

/** Writes the rows of one model's calls. */
export interface Meter {
  /** An answer, paid for or from the record. */
  answered(kind: "paid" | "replayed", key: string, request: ChatRequest, reply: ChatReply): void;
  /** An attempt that failed. */
  wasted(key: string, request: ChatRequest, error: unknown, latencyMs: number): void;
}

/** What a meter needs to know. */
export interface MeterOptions {
  /** Takes the rows. */
  readonly store: Store;
  /** Dates the rows. */
  readonly clock: Clock;
  /** The id under which the model was bound; rows show it. */
  readonly model: string;
  /** What `dollars` is worked out with; without one it is null. */
  readonly price?: Price;
  /** Id of the episode that asks; absent outside of any. */
  readonly episode?: string;
  /** Sees every row, e.g. for a progress line. */
  readonly onCall?: (row: CallRow) => void;
}

/** A meter: each call of it is one row in the store. */
export function createMeter(options: MeterOptions): Meter {
  const { store, clock, model, price, episode, onCall } = options;

  function write(
    request: ChatRequest,
    call: Pick<CallRow, "kind" | "key" | "latencyMs"> & { readonly usage: Usage; readonly error?: string },
  ): void {
    const { usage, ...rest } = call;
    const { pass, step, vote, reAsk } = request.sample ?? {};
    const row: CallRow = {
      ...(episode === undefined ? {} : { episode }),
      ...(pass === undefined ? {} : { pass }),
      ...(step === undefined ? {} : { step }),
      ...(vote === undefined ? {} : { vote }),
      ...(reAsk === undefined ? {} : { reAsk }),
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
      const model = error instanceof ModelError ? error : undefined;
      write(request, { kind: "wasted", key, usage: model?.usage ?? NOTHING, latencyMs, ...(model ? { error: model.kind } : {}) });
    },
  };
}

const NOTHING: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
