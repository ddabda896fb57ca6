/** The meter of a model: writes each attempt before it is sent, and each reply and failure. */

import { BudgetError, ModelError } from "../../core/errors.ts";
import type { Clock } from "../../core/platform.ts";
import { closeAttempt, deleteAttempt, openAttempt } from "../store/attempts.ts";
import { type CallRow, hasAnswer, putCall } from "../store/calls.ts";
import { sha256 } from "../../core/text/canonical.ts";
import type { Store } from "../store/open.ts";
import { limitedTo, mostTokens } from "./budget.ts";
import type { AnswerSource } from "./cache.ts";
import type { ChatReply, ChatRequest, Usage } from "../../core/llm/chat-model.ts";
import { NOT_CHARGED } from "../../core/llm/endpoint-errors.ts";
import { isUnreported } from "../../core/llm/openai-reply.ts";
import { dollarsFor, type Price } from "../../core/llm/prices.ts";

export interface Meter {
  /**
   * Records an attempt before it is sent, and gives its row id and a key that a run after a kill
   * gives it again; neither for a model in this process.
   */
  begin(request: ChatRequest): { readonly attempt?: number; readonly idempotencyKey?: string };
  settled(): Promise<void>;
  withdraw(attempt: number): void;
  brought(attempt: number | undefined, request: ChatRequest, reply: ChatReply): ChatReply;
  /** Notes that an attempt brought so many replies: the last one ends it. */
  dealt(attempt: number, replies: number): void;
  answered(
    kind: "paid" | "replayed",
    key: string,
    request: ChatRequest,
    reply: ChatReply,
    source: AnswerSource,
  ): void;
  /** Records the failure of an attempt that was sent. */
  wasted(request: ChatRequest, error: unknown, latencyMs: number): void;
}

export interface MeterOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Id of the episode that asks. */
  readonly episode?: string;
  readonly onCall?: (row: CallRow) => void;
  /** Whether a replayed call that is on record for the episode is not recorded again. */
  readonly keepCalls?: boolean;
  readonly isRemote: boolean;
  readonly keyOf: (request: ChatRequest) => string;
}

type Bound = Required<Pick<CallRow, "boundTokens">> & Pick<CallRow, "boundDollars">;

export function createMeter(model: string, price: Price | undefined, options: MeterOptions): Meter {
  const { store, clock, episode, onCall, keepCalls = false, isRemote, keyOf } = options;
  /**
   * Of attempts whose replies are not all recorded: how many are left, and the bound of an unknown
   * usage, which the first one carries.
   */
  const open = new Map<number, { left: number; bound: Bound | undefined }>();
  const numbers = new Map<string, number>(); // attempts so far, by the key of the request

  const placeOf = (
    { role, sample = {} }: ChatRequest,
  ): Pick<CallRow, "episode" | "pass" | "step" | "vote" | "reAsk" | "role" | "model"> => {
    const { pass, step, vote, reAsk } = sample;
    return { episode, pass, step, vote, reAsk, role, model };
  };

  function boundOf(request: ChatRequest, reply?: ChatReply): Bound {
    const most = mostTokens(limitedTo(request, request.ticket?.maxTokens), model, reply);
    return {
      boundTokens: most.prompt + most.completion,
      boundDollars: dollarsFor(most, price) ?? undefined,
    };
  }

  type Call =
    & Pick<
      CallRow,
      | "kind"
      | "key"
      | "latencyMs"
      | "attempt"
      | "error"
      | "recorded"
      | "boundTokens"
      | "boundDollars"
    >
    & {
      readonly usage: Usage;
    };

  function write(request: ChatRequest, { usage, ...call }: Call, outcome: string): void {
    const row: CallRow = {
      ...placeOf(request),
      ...call,
      promptTokens: usage.prompt,
      cachedTokens: usage.cached,
      completionTokens: usage.completion,
      reasoningTokens: usage.reasoning,
      dollars: dollarsFor(usage, price),
      at: clock.now(),
    };
    store.write(() => {
      putCall(store, row);
      const { attempt } = call;
      if (attempt === undefined) return;
      const state = open.get(attempt);
      if (state && --state.left > 0) return;
      open.delete(attempt);
      closeAttempt(store, attempt, outcome, clock.now());
    });
    onCall?.(row);
  }

  return {
    begin: (request) => {
      if (request.ticket) request.ticket.sentAt = clock.now(); // it may have waited for the budget
      if (!isRemote) return {};
      const key = keyOf(request);
      const number = 1 + (numbers.get(key) ?? 0);
      numbers.set(key, number);
      const idempotencyKey = sha256(`${key} ${number}`).slice(0, 32);
      return {
        attempt: store.write(() =>
          openAttempt(store, { ...placeOf(request), key, ...boundOf(request), at: clock.now() })
        ),
        idempotencyKey,
      };
    },
    settled: () => store.settled(),
    withdraw: (attempt) => store.write(() => deleteAttempt(store, attempt)),
    brought: (attempt, request, reply) => {
      if (attempt === undefined) return reply;
      open.set(attempt, {
        left: 1,
        bound: isUnreported(reply.usage) ? boundOf(request, reply) : undefined,
      });
      return { ...reply, attempt };
    },
    dealt: (attempt, replies) => {
      const state = open.get(attempt);
      if (state) state.left = replies;
    },
    answered: (kind, key, request, reply, { attempt, recorded }) => {
      if (keepCalls && kind === "replayed" && hasAnswer(store, episode, key)) return;
      const state = attempt === undefined ? undefined : open.get(attempt);
      const bound = state?.bound;
      if (state && bound) {
        state.bound = {
          boundTokens: 0,
          boundDollars: bound.boundDollars === undefined ? undefined : 0,
        };
      }
      const { usage, latencyMs = 0 } = reply;
      const source = {
        ...(attempt !== undefined && { attempt }),
        ...(recorded && { recorded: 1 }),
      };
      write(request, { kind, key, usage, latencyMs, ...source, ...bound }, "answered");
    },
    wasted: (request, error, latencyMs) => {
      const attempt = request.ticket?.attempt;
      if (attempt === undefined && (isRemote || error instanceof BudgetError)) return;
      const kind = error instanceof ModelError
        ? error.kind
        : error instanceof BudgetError
        ? "budget"
        : undefined;
      const usage = reportedBy(error);
      const bound = usage || !isRemote ? {} : boundOf(request);
      const call = {
        kind: "wasted" as const,
        key: keyOf(request),
        latencyMs,
        attempt,
        error: kind,
        ...bound,
      };
      write(request, { ...call, usage: usage ?? NOT_CHARGED }, kind ?? "unknown");
    },
  };
}

/**
 * The usage of a failed attempt as the endpoint reported it: our own count of an answer is not a
 * bound.
 */
export function reportedBy(error: unknown): Usage | undefined {
  const usage = error instanceof ModelError || error instanceof BudgetError
    ? error.usage
    : undefined;
  return usage && !isUnreported(usage) ? usage : undefined;
}
