/**
 * The budget of a study: a hard cap on dollars and tokens.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { BudgetError } from "../errors.ts";
import type { ChatRequest, Usage } from "./chat-model.ts";
import { completionLimit } from "./openai.ts";
import { dollarsFor, type Price } from "./prices.ts";

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
  /** Spends the usage of the call (nothing, if it cost nothing) and releases the rest. Idempotent. */
  settle(usage?: Usage): void;
}

/** The budget of one study, shared by its episodes. */
export interface Budget {
  /** Spending so far, without reservations; it grows as reservations are settled. */
  readonly spent: Spent;
  /** Reserves the maximum cost of a call. @throws {BudgetError} if that could exceed the cap. */
  reserve(model: string, price: Price | undefined, request: ChatRequest): Reservation;
}

/** Completion tokens reserved for a choice of a request without `maxTokens`. */
export const ASSUMED_COMPLETION_TOKENS = 4096;

/**
 * Creates a budget. `spent` is the spending of earlier runs of the study: see `totalCalls`.
 *
 * A call is admitted only if the cap holds even at its maximum cost (see `mostTokens`). So the cap is never exceeded where requests name
 * `maxTokens`, and otherwise only by a completion of more than 4,096 tokens.
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
export function createBudget(cap: Cap, spent: Spent = { dollars: 0, tokens: 0 }): Budget {
  for (const [name, value] of Object.entries(cap)) {
    if (!(value >= 0)) throw new RangeError(`a budget's ${name} must be 0 or more, not ${value}`);
  }
  const total = { ...spent };
  const reserved = { dollars: 0, tokens: 0 };

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
      const tokens = most.prompt + most.completion;
      const dollars = dollarsFor(most, price);
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
          total.tokens += usage.prompt + usage.completion;
          total.dollars += dollarsFor(usage, price) ?? 0;
        },
      };
    },
  };
}

/**
 * Bounds the tokens of a call from above: one for every two bytes of text (English takes one for four), 64 for the request and for each
 * message, 2,000 for an image; `maxTokens`, else 4,096, for each choice, and 25,000 for the reasoning of a reasoning model. The prompt is counted
 * once for each choice, as the APIs charge it that give one choice at a time.
 */
export function mostTokens(request: ChatRequest, model: string): Usage {
  let prompt = 64 + bytes(JSON.stringify([request.tools, request.schema])) / 2;
  for (const message of request.messages) {
    prompt += 64 + bytes(JSON.stringify(message.toolCalls ?? "")) / 2;
    const parts = typeof message.content === "string" ? [{ kind: "text" as const, text: message.content }] : message.content;
    for (const part of parts) prompt += part.kind === "image" ? 2000 : bytes(part.text) / 2;
  }
  const { maxTokens = ASSUMED_COMPLETION_TOKENS, effort } = request.sampling ?? {};
  const n = request.n ?? 1;
  const most = n * Math.ceil(prompt);
  return { prompt: most, cached: 0, written: most, completion: n * completionLimit(model, maxTokens, effort), reasoning: 0 };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function show(what: "dollars" | "tokens", value: number): string {
  return what === "dollars" ? `$${value.toFixed(4)}` : `${Math.ceil(value).toLocaleString("en")} tokens`;
}
