/** The budget of a study: a cap on dollars and tokens. */

import { Buffer } from "node:buffer";
import { BudgetError } from "../../core/errors.ts";
import { unlessAborted } from "../../core/platform.ts";
import type { ChatReply, ChatRequest, Usage } from "../../core/llm/chat-model.ts";
import { completionLimit } from "../../core/llm/openai.ts";
import { dollarsFor, type Price, priceOf } from "../../core/llm/prices.ts";

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
  /** The most tokens that each choice may have; absent where the request's own limit holds. */
  readonly maxTokens?: number;
  /**
   * Spends the usage of the call (nothing, if it cost nothing) and releases the rest. Of a call
   * whose usage is unknown it spends the most that it can have taken, with the reply where there is
   * one. Idempotent.
   */
  settle(usage?: Usage | { readonly unknown: ChatReply | undefined }): void;
}

/** How long the answers of one role and model were at most. */
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
  /**
   * Reserves what a call may cost; where that does not fit with the calls under way, it waits for
   * them.
   *
   * @throws {BudgetError} if it could exceed the cap, whatever they leave; the reason of the
   *   request's signal.
   */
  reserve(model: string, price: Price | undefined, request: ChatRequest): Promise<Reservation>;
}

/** Completion tokens reserved for a choice of a request without `maxTokens`. */
export const ASSUMED_COMPLETION_TOKENS = 4096;

/**
 * Creates a budget. `spent` is the spending of earlier runs of the study: see `chargedCalls`.
 *
 * A call is admitted only if the cap holds at what it may cost: its maximum (see `mostTokens`)
 * until 30 calls of its role have been answered, then at most twice the longest answer of the role.
 * Where the maximum no longer fits, a call goes by its role's history of three answers, with a
 * limit on its answer that keeps the cap, which models that reason do not take. An attempt of
 * unknown usage is charged its maximum. So the cap holds, unless prompts of a role suddenly take a
 * quarter more tokens a byte, or a model that reasons answers twice as long as ever before.
 *
 * @example
 * ```ts
 * import { BudgetError, createBudget } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const budget = createBudget({ tokens: 10_000 });
 * const request = { role: "a/b", messages: [{ role: "user" as const, content: "hello" }] };
 * const reservation = await budget.reserve("gpt-4o", undefined, request);
 * reservation.settle({ prompt: 8, cached: 0, completion: 9_000, reasoning: 0 });
 * await assert.rejects(budget.reserve("gpt-4o", undefined, request), BudgetError);
 * ```
 *
 * @throws {RangeError} if a cap is negative or not a number.
 */
export function createBudget(
  cap: Cap,
  spent: Spent = { dollars: 0, tokens: 0 },
  history: readonly RoleHistory[] = [],
): Budget {
  for (const [name, value] of Object.entries(cap)) {
    if (!(value >= 0)) throw new RangeError(`a budget's ${name} must be 0 or more, not ${value}`);
  }
  const total = { ...spent };
  const reserved = { dollars: 0, tokens: 0 };
  const known = new Map<string, Known>(
    history.map((
      { role, model, calls, completion },
    ) => [keyOf(model, role), { calls, completion, measured: 0, promptShare: 0 }]),
  );
  let settled = Promise.withResolvers<void>();

  function learn(model: string, request: ChatRequest, { prompt, completion }: Usage): void {
    const key = keyOf(model, request.role);
    const { calls, measured, ...seen } = known.get(key) ?? NOTHING_KNOWN;
    known.set(key, {
      calls: calls + 1,
      measured: measured + 1,
      completion: Math.max(seen.completion, Math.ceil(completion / (request.n ?? 1))),
      promptShare: Math.max(seen.promptShare, prompt / mostTokens(request, model).prompt),
    });
  }

  function fits(wanted: Spent, beside: boolean): boolean {
    return (["tokens", "dollars"] as const).every((what) =>
      total[what] + (beside ? reserved[what] : 0) + wanted[what] <= (cap[what] ?? Infinity)
    );
  }

  /**
   * What a call may take and the limit of its answer; `undefined` if it is to wait.
   * @throws {BudgetError}
   */
  function admit(
    model: string,
    price: Price | undefined,
    request: ChatRequest,
  ): { readonly wanted: Spent; readonly maxTokens?: number } | undefined {
    const seen = known.get(keyOf(model, request.role)) ?? NOTHING_KNOWN;
    const bound = mostTokens(request, model);
    // Some servers put more before a prompt than is accounted for.
    const most = { ...bound, prompt: Math.ceil(Math.max(1, seen.promptShare) * bound.prompt) };
    const n = request.n ?? 1;
    const { maxTokens, effort } = request.sampling ?? {};
    const obeys = completionLimit(model, 0, effort, request.ticket?.reasons) === 0;
    const costOf = (prompt: number, completion: number): Spent => ({
      tokens: prompt + completion,
      dollars: dollarsFor({ ...most, prompt, written: prompt, completion }, price) ?? 0,
    });
    const limited = (wanted: Spent, completion: number): { wanted: Spent; maxTokens?: number } =>
      obeys ? { wanted, maxTokens: Math.floor(completion / n) } : { wanted };

    const longest = Math.min(most.completion, 2 * n * seen.completion);
    const expected = seen.calls >= LEARNED_AFTER ? longest : most.completion;
    const room = maxTokens === undefined ? 2 : 1; // a request without a limit may be answered at greater length than is assumed
    const isLast = !fits(costOf(room * most.prompt, room * most.completion), false);
    if (fits(costOf(most.prompt, expected), true)) {
      const wanted = costOf(most.prompt, expected);
      return isLast ? limited(wanted, expected) : { wanted };
    }
    const isKnown = seen.measured >= KNOWN_AFTER && (obeys || seen.calls >= LEARNED_AFTER);
    const prompt = isKnown ? Math.ceil(MARGIN * seen.promptShare * bound.prompt) : most.prompt;
    if (isKnown && fits(costOf(prompt, longest), true)) {
      return limited(costOf(prompt, longest), longest);
    }
    if (reserved.tokens > 0) return undefined;
    // Nothing is under way: all that is left is for this call.
    const least = Math.min(most.completion, n * (seen.calls > 0 ? seen.completion : MIN_ANSWER));
    if (!obeys || !fits(costOf(prompt, least), true)) {
      throw exceeded(costOf(prompt, obeys ? least : expected));
    }
    const left = (cap.tokens ?? Infinity) - total.tokens - prompt;
    const affordable = ((cap.dollars ?? Infinity) - total.dollars - costOf(prompt, 0).dollars) /
      (costOf(0, 1).dollars || 1e-12);
    const completion = Math.max(
      least,
      Math.min(most.completion, Math.floor(left), Math.floor(affordable * (1 - 1e-9))),
    );
    return limited(costOf(prompt, completion), completion);
  }

  function exceeded(wanted: Spent): BudgetError {
    const what = fits({ tokens: wanted.tokens, dollars: 0 }, true) ? "dollars" : "tokens";
    return new BudgetError(
      `the study's cap of ${show(what, cap[what] ?? 0)} might be passed: spent ${
        show(what, total[what])
      }, this call up to ` +
        `${show(what, wanted[what])}; raise the cap and run the same command again`,
    );
  }

  return {
    spent: total,
    reserve: async (model, price, request) => {
      if (dollarsFor(mostTokens(request, model), price) === null && cap.dollars !== undefined) {
        throw new BudgetError(
          `a cap in dollars needs a price, and ${model} has none; give it a "price" in the role map, or cap tokens instead`,
        );
      }
      let admitted: ReturnType<typeof admit>;
      while (!(admitted = admit(model, price, request))) {
        await unlessAborted(settled.promise, request.signal);
      }
      const { wanted, maxTokens } = admitted;
      reserved.tokens += wanted.tokens;
      reserved.dollars += wanted.dollars;
      let open = true;
      return {
        maxTokens,
        settle: (usage) => {
          if (!open) return;
          open = false;
          reserved.tokens -= wanted.tokens;
          reserved.dollars = reserved.tokens === 0 ? 0 : reserved.dollars - wanted.dollars; // without the rest of rounding
          if (usage) {
            if ("prompt" in usage && usage.prompt + usage.completion > 0) {
              learn(model, request, usage); // a refusal is no answer
            }
            const spent = "prompt" in usage
              ? usage
              : mostTokens(limitedTo(request, maxTokens), model, usage.unknown);
            total.tokens += spent.prompt + spent.completion;
            total.dollars += dollarsFor(spent, price) ?? 0;
          }
          settled.resolve();
          settled = Promise.withResolvers();
        },
      };
    },
  };
}

/**
 * What is known of the calls of a role: answered, answered here, the longest choice, and the share
 * that prompts took of their bound.
 */
interface Known {
  readonly calls: number;
  readonly measured: number;
  readonly completion: number;
  readonly promptShare: number;
}

const NOTHING_KNOWN: Known = { calls: 0, measured: 0, completion: 0, promptShare: 0 };

/** Answered calls after which reservations go by them, and do where the maximum does not fit. */
const [LEARNED_AFTER, KNOWN_AFTER] = [30, 3];
/** How many times as many tokens a byte of a prompt may take as any before. */
const MARGIN = 1.25;
/** Tokens that must be left for the first answer of a role. */
const MIN_ANSWER = 256;

export function limitedTo(request: ChatRequest, maxTokens: number | undefined): ChatRequest {
  return maxTokens === undefined
    ? request
    : { ...request, sampling: { ...request.sampling, maxTokens } };
}

function keyOf(model: string, role: string): string {
  return `${model}\n${role}`;
}

/**
 * Bounds the tokens of a call from above: one for every byte of text, 64 for the request and for
 * each message, 2,000 or the listed price's tokens for an image; `maxTokens`, else 4,096, for each
 * choice, and 25,000 for the reasoning of a reasoning model. The prompt counts once for each
 * choice, as some APIs charge it. A `reply` has at most as many tokens as bytes.
 */
export function mostTokens(request: ChatRequest, model: string, reply?: ChatReply): Usage {
  const picture = Math.max(2000, priceOf(model)?.picture ?? 0);
  let prompt = 64 + bytes(JSON.stringify([request.tools, request.schema]));
  for (const message of request.messages) {
    prompt += 64 + bytes(JSON.stringify(message.toolCalls ?? ""));
    const parts = typeof message.content === "string"
      ? [{ kind: "text" as const, text: message.content }]
      : message.content;
    for (const part of parts) prompt += part.kind === "image" ? picture : bytes(part.text);
  }
  const { maxTokens = ASSUMED_COMPLETION_TOKENS, effort } = request.sampling ?? {};
  const n = request.n ?? 1;
  const most = n * prompt;
  const said = reply ? bytes(JSON.stringify(reply.choices)) : 0;
  const completion = Math.max(
    n * completionLimit(model, maxTokens, effort, request.ticket?.reasons),
    said,
  );
  return { prompt: most, cached: 0, written: most, completion, reasoning: 0 };
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function show(what: "dollars" | "tokens", value: number): string {
  return what === "dollars"
    ? `$${value.toFixed(4)}`
    : `${Math.ceil(value).toLocaleString("en")} tokens`;
}
