/**
 * The budget of a study: a cap on dollars and tokens.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { BudgetError } from "../errors.ts";
import type { ChatReply, ChatRequest, Usage } from "./chat-model.ts";
import { completionLimit } from "./openai.ts";
import { dollarsFor, type Price, priceOf } from "./prices.ts";

/** The spending of a study. */
export interface Spent {
  /** US dollars, ≥ 0, without the calls of models that have no price. */
  readonly dollars: number;
  /** Prompt and completion tokens, ≥ 0, failed attempts included. */
  readonly tokens: number;
}

/** The most that a study may spend; an absent field is no cap. */
export type Cap = Partial<Spent>;

/** Dollars and tokens reserved for a call in flight. */
export interface Reservation {
  /**
   * Spends the usage of the call (nothing, if it cost nothing) and releases the rest. Of a call whose usage is unknown it spends the most that it can
   * have taken, with the reply where there is one. Idempotent.
   */
  settle(usage?: Usage | { readonly unknown: ChatReply | undefined }): void;
}

/** What a call of one role and model took: how long its answers were at most, over so many of them. */
export interface RoleHistory {
  /** Who asked, e.g. `arigraph/extract`. */
  readonly role: string;
  /** Id of the model. */
  readonly model: string;
  /** Number of answered calls. */
  readonly calls: number;
  /** Most completion tokens of one call. */
  readonly completion: number;
}

/** The budget of one study, shared by its episodes. */
export interface Budget {
  /** Spending so far, without reservations; it grows as reservations are settled. */
  readonly spent: Spent;
  /** Reserves what a call may cost. @throws {BudgetError} if that could exceed the cap. */
  reserve(model: string, price: Price | undefined, request: ChatRequest): Reservation;
}

/** Completion tokens reserved for a choice of a request without `maxTokens`. */
export const ASSUMED_COMPLETION_TOKENS = 4096;

/**
 * Creates a budget. `spent` is the spending of earlier runs of the study: see `totalCalls`.
 *
 * A call is admitted only if the cap holds at what it may cost. That is its maximum (see `mostTokens`), until 30 calls of its role have been
 * answered; from then on twice the longest answer of the role, if that is less. So the cap holds unless an answer is more than twice as long as
 * all before it in its role, or a request without `maxTokens` is answered with more than 4,096 tokens. An attempt whose usage is unknown is charged
 * its maximum.
 *
 * @example
 * ```ts
 * import { BudgetError } from "labyrinth";
 * import { createBudget } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const budget = createBudget({ tokens: 10_000 });
 * const request = { role: "a/b", messages: [{ role: "user" as const, content: "hello" }] };
 * budget.reserve("gpt-4o", undefined, request).settle({ prompt: 8, cached: 0, completion: 9_000, reasoning: 0 });
 * assert.throws(() => budget.reserve("gpt-4o", undefined, request), BudgetError);
 * ```
 *
 * @throws {RangeError} if a cap is negative or not a number.
 */
export function createBudget(cap: Cap, spent: Spent = { dollars: 0, tokens: 0 }, history: readonly RoleHistory[] = []): Budget {
  for (const [name, value] of Object.entries(cap)) {
    if (!(value >= 0)) throw new RangeError(`a budget's ${name} must be 0 or more, not ${value}`);
  }
  const total = { ...spent };
  const reserved = { dollars: 0, tokens: 0 };
  const known = new Map(history.map(({ role, model, calls, completion }) => [keyOf(model, role), { calls, completion }]));

  /** What a call may take: its maximum, or twice the longest answer of its role once that is known. */
  function expected(model: string, role: string, most: Usage): Usage {
    const seen = known.get(keyOf(model, role));
    return seen && seen.calls >= LEARNED_AFTER ? { ...most, completion: Math.min(most.completion, 2 * seen.completion) } : most;
  }

  function learn(model: string, role: string, { completion }: Usage): void {
    const seen = known.get(keyOf(model, role)) ?? { calls: 0, completion: 0 };
    known.set(keyOf(model, role), { calls: seen.calls + 1, completion: Math.max(seen.completion, completion) });
  }

  function check(what: "dollars" | "tokens", wanted: number): void {
    const limit = cap[what];
    if (limit === undefined || total[what] + reserved[what] + wanted <= limit) return;
    throw new BudgetError(
      `the study's cap of ${show(what, limit)} might be passed: spent ${show(what, total[what])}, set aside for calls under way ` +
        `${show(what, reserved[what])}, this call up to ${show(what, wanted)}; raise the cap and run the same command again`,
    );
  }

  return {
    spent: total,
    reserve: (model, price, request) => {
      const most = mostTokens(request, model);
      const wanted = expected(model, request.role, most);
      const tokens = wanted.prompt + wanted.completion;
      const dollars = dollarsFor(wanted, price);
      if (dollars === null && cap.dollars !== undefined) {
        throw new BudgetError(
          `a cap in dollars needs a price, and ${model} has none; give it a "price" in the role map, or cap tokens instead`,
        );
      }
      check("tokens", tokens);
      check("dollars", dollars ?? 0);
      reserved.tokens += tokens;
      reserved.dollars += dollars ?? 0;
      let open = true;
      return {
        settle: (usage) => {
          if (!open) return;
          open = false;
          reserved.tokens -= tokens;
          reserved.dollars -= dollars ?? 0;
          if (!usage) return;
          if ("prompt" in usage) learn(model, request.role, usage);
          const spent = "prompt" in usage ? usage : mostTokens(request, model, usage.unknown);
          total.tokens += spent.prompt + spent.completion;
          total.dollars += dollarsFor(spent, price) ?? 0;
        },
      };
    },
  };
}

/** Answered calls of a role after which its reservations go by them. */
const LEARNED_AFTER = 30;

function keyOf(model: string, role: string): string {
  return `${model}\n${role}`;
}

/**
 * Bounds the tokens of a call from above: one for every byte of text (English takes one for four, rare scripts nearly one each), 64 for the request and for each
 * message, 2,000 for an image or what the list of prices says, if that is more; `maxTokens`, else 4,096, for each choice, and 25,000 for the reasoning of a reasoning model. The prompt is counted
 * once for each choice, as the APIs charge it that give one choice at a time. Of a `reply` there are at most as many tokens as bytes: an endpoint may
 * have answered at greater length than it was allowed.
 */
export function mostTokens(request: ChatRequest, model: string, reply?: ChatReply): Usage {
  const picture = Math.max(2000, priceOf(model)?.picture ?? 0);
  let prompt = 64 + bytes(JSON.stringify([request.tools, request.schema]));
  for (const message of request.messages) {
    prompt += 64 + bytes(JSON.stringify(message.toolCalls ?? ""));
    const parts = typeof message.content === "string" ? [{ kind: "text" as const, text: message.content }] : message.content;
    for (const part of parts) prompt += part.kind === "image" ? picture : bytes(part.text);
  }
  const { maxTokens = ASSUMED_COMPLETION_TOKENS, effort } = request.sampling ?? {};
  const n = request.n ?? 1;
  const most = n * prompt;
  const said = reply ? bytes(JSON.stringify(reply.choices)) : 0;
  const completion = Math.max(n * completionLimit(model, maxTokens, effort), said);
  return { prompt: most, cached: 0, written: most, completion, reasoning: 0 };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function show(what: "dollars" | "tokens", value: number): string {
  return what === "dollars" ? `$${value.toFixed(4)}` : `${Math.ceil(value).toLocaleString("en")} tokens`;
}
