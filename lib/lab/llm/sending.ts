/** The layers next to a model: the record of attempts, and the budget. */

import { BudgetError } from "../../core/errors.ts";
import type { ChatModel, ChatRequest } from "../../core/llm/chat-model.ts";
import { isUnreported } from "../../core/llm/openai-reply.ts";
import type { Price } from "../../core/llm/prices.ts";
import { type Clock, delayAbort } from "../../core/platform.ts";
import { type Budget, limitedTo } from "./budget.ts";
import { type Meter, reportedBy } from "./meter.ts";

/**
 * Records each attempt before it is sent, with an idempotency key if `sendsKey`. An aborted request
 * gets one more second to be sent or answered. One that was never sent is removed from the record.
 */
export function withAttempts(
  model: ChatModel,
  { meter, clock, sendsKey = false }: {
    readonly meter: Meter;
    readonly clock: Clock;
    readonly sendsKey?: boolean;
  },
): ChatModel {
  return {
    id: model.id,
    chat: async (request) => {
      request.signal?.throwIfAborted();
      const { attempt, idempotencyKey } = meter.begin(request);
      const { signal, ticket = {}, ...sent } = limitedTo(request, request.ticket?.maxTokens);
      ticket.attempt = attempt;
      let isWritten = false;
      try {
        if (attempt !== undefined) await meter.settled();
        isWritten = true;
        using late = delayAbort(attempt === undefined ? undefined : signal, SENDING_MS, clock);
        const reply = await model.chat({
          ...sent,
          signal: late.signal ?? signal,
          ticket,
          ...(sendsKey && { idempotencyKey }),
        });
        return meter.brought(attempt, request, reply);
      } catch (error) {
        if (attempt !== undefined && (!isWritten || ticket.isSent === false)) {
          meter.withdraw(attempt);
          ticket.attempt = undefined;
        }
        throw error;
      }
    },
  };
}

/** Milliseconds in which a request reaches its endpoint. */
const SENDING_MS = 1000;

/** Reserves what each call may cost; an attempt of unknown usage is charged its maximum. */
export function withBudget(
  model: ChatModel,
  id: string,
  price: Price | undefined,
  { budget, isRemote }: { readonly budget: Budget; readonly isRemote: boolean },
): ChatModel {
  return {
    id: model.id,
    chat: async (request) => {
      request.signal?.throwIfAborted(); // nothing is charged for what is not sent
      const reservation = await budget.reserve(id, price, request);
      const { maxTokens } = reservation;
      const ticket: ChatRequest["ticket"] = Object.assign(request.ticket ?? {}, { maxTokens });
      try {
        const reply = await model.chat({ ...request, ticket });
        reservation.settle(
          isRemote && isUnreported(reply.usage) ? { unknown: reply } : reply.usage,
        );
        const isCut = maxTokens !== undefined &&
          maxTokens < (request.sampling?.maxTokens ?? Infinity) &&
          reply.choices.some(({ finish }) => finish === "length");
        if (!isCut) return reply;
        throw new BudgetError(
          `the study's cap left ${maxTokens} tokens for an answer of ${id}, which was longer: raise the cap and run the same command again`,
          { usage: reply.usage },
        );
      } catch (error) {
        reservation.settle(
          reportedBy(error) ?? (ticket.attempt === undefined ? undefined : { unknown: undefined }),
        );
        throw error;
      }
    },
  };
}
