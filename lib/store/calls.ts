/**
 * The record of calls: one row per attempt to reach a model, and what it cost.
 *
 * @module
 */

import type { Store } from "./open.ts";

/** One attempt. */
export interface CallRow {
  /** Id of the episode that asked; absent for a call outside of any, as in a notebook. */
  readonly episode?: string;
  /** 0-based pass of the episode; absent where the request named none. So are step, vote and re-ask. */
  readonly pass?: number;
  /** Agent step of the episode, from 1. */
  readonly step?: number;
  /** Which of several votes on one question, from 0. */
  readonly vote?: number;
  /** Which repetition after a malformed reply, from 1; absent for the first asking. */
  readonly reAsk?: number;
  /** Who asked, e.g. `arigraph/extract`. */
  readonly role: string;
  /** The id under which the role map binds the model, e.g. `gpt-4o`. */
  readonly model: string;
  /** The key of the request (see `replyKey`). */
  readonly key: string;
  /** `paid`: an endpoint answered; `replayed`: the record did; `wasted`: the attempt failed. */
  readonly kind: "paid" | "replayed" | "wasted";
  /** What a wasted attempt failed of: a `ModelErrorKind`. */
  readonly error?: string;
  /** As the endpoint counts them, ≥ 0; of a wasted attempt: 0 unless it said so. So are the other counts. */
  readonly promptTokens: number;
  /** Of the prompt tokens: those that the endpoint read from its own cache. */
  readonly cachedTokens: number;
  /** All choices together, reasoning included. */
  readonly completionTokens: number;
  /** Of the completion tokens: those spent on reasoning. */
  readonly reasoningTokens: number;
  /** US dollars that these tokens cost at an endpoint (of a replayed call: once cost); `null` where the model has no price. */
  readonly dollars: number | null;
  /** How long the endpoint took, in milliseconds, without any waiting before it (of a replayed call: once took). */
  readonly latencyMs: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** What calls of one kind sum up to. */
export interface CallTotals {
  /** Number of rows: attempts, not questions. */
  readonly calls: number;
  /** Prompt and completion tokens. */
  readonly tokens: number;
  /** US dollars at the prices of the time of the call. */
  readonly dollars: number;
  /** Calls whose model has no price: `dollars` does not hold them. */
  readonly unpriced: number;
}

/**
 * Writes a call's row.
 *
 * @throws {StoreError} `disk` if it cannot be written.
 */
export function putCall(store: Store, row: CallRow): void {
  const insert = store.prepare(
    `insert into calls (episode, pass, step, vote, re_ask, role, model, key, kind, error,
      prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, dollars, latency_ms, at)
    values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  // In a transaction, so that a full disk comes out as the store's own error.
  store.transaction(() =>
    insert.run(
      row.episode ?? null,
      row.pass ?? null,
      row.step ?? null,
      row.vote ?? null,
      row.reAsk ?? null,
      row.role,
      row.model,
      row.key,
      row.kind,
      row.error ?? null,
      row.promptTokens,
      row.cachedTokens,
      row.completionTokens,
      row.reasoningTokens,
      row.dollars,
      row.latencyMs,
      Math.round(row.at),
    )
  );
}

/**
 * The calls of an episode in the order they ended, or those of one of its steps.
 *
 * @example
 * ```ts
 * import { createModels, localProvider, scripted } from "labyrinth/llm";
 * import { listCalls, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const mine = scripted(["True"], { id: "mine", usage: { prompt: 12, cached: 0, completion: 1, reasoning: 0 } });
 * const model = createModels({ map: { "*": "mine" }, store, codeVersion: "0", episode: "e1", providers: [localProvider(mine)] });
 * await model.chat({ role: "arigraph/explore", messages: [{ role: "user", content: "Explore?" }], sample: { step: 3 } });
 * const [call] = listCalls(store, "e1", { step: 3 });
 * assert.deepEqual([call?.role, call?.kind, call?.promptTokens], ["arigraph/explore", "paid", 12]);
 * ```
 */
export function listCalls(store: Store, episode: string, place: { readonly pass?: number; readonly step?: number } = {}): CallRow[] {
  return store.prepare(
    "select * from calls where episode = ? and (?2 is null or pass = ?2) and (?3 is null or step = ?3) order by id",
  ).all(episode, place.pass ?? null, place.step ?? null).map(toCall);
}

/**
 * The answered calls of an episode, each request once, in order: what one undisturbed run takes, however often it was stopped and resumed.
 */
export function listAnswered(store: Store, episode: string): CallRow[] {
  return store.prepare("select *, min(id) as first from calls where episode = ? and kind <> 'wasted' group by key order by first")
    .all(episode).map(toCall);
}

/**
 * What the calls of a study sum up to, by kind. `paid` and `wasted` together are what it has cost so far.
 *
 * @example
 * ```ts
 * import { openStore, totalCalls } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(totalCalls(store, "a study without calls").paid, { calls: 0, tokens: 0, dollars: 0, unpriced: 0 });
 * ```
 */
export function totalCalls(store: Store, study: string): Record<CallRow["kind"], CallTotals> {
  return totalCallsAfter(store, study, 0).totals;
}

/** The sums of the calls that were entered after call number `after`, and the number of the last of them. */
export function totalCallsAfter(
  store: Store,
  study: string,
  after: number,
): { readonly totals: Record<CallRow["kind"], CallTotals>; readonly last: number } {
  const totals: Record<CallRow["kind"], CallTotals> = { paid: NONE, replayed: NONE, wasted: NONE };
  const rows = store.prepare(
    `select kind, count(*) as calls, sum(prompt_tokens + completion_tokens) as tokens,
      total(dollars) as dollars, count(*) - count(dollars) as unpriced, max(calls.id) as last
    from calls join episodes on episodes.id = calls.episode where study = ? and calls.id > ? group by kind`,
  ).all(study, after);
  for (const row of rows) {
    totals[row.kind as CallRow["kind"]] = {
      calls: Number(row.calls),
      tokens: Number(row.tokens),
      dollars: Number(row.dollars),
      unpriced: Number(row.unpriced),
    };
  }
  return { totals, last: Math.max(after, ...rows.map(({ last }) => Number(last))) };
}

const NONE: CallTotals = { calls: 0, tokens: 0, dollars: 0, unpriced: 0 };

function toCall(row: Record<string, unknown>): CallRow {
  return {
    ...(row.episode === null ? {} : { episode: String(row.episode) }),
    ...(row.pass === null ? {} : { pass: Number(row.pass) }),
    ...(row.step === null ? {} : { step: Number(row.step) }),
    ...(row.vote === null ? {} : { vote: Number(row.vote) }),
    ...(row.re_ask === null ? {} : { reAsk: Number(row.re_ask) }),
    role: String(row.role),
    model: String(row.model),
    key: String(row.key),
    kind: row.kind as CallRow["kind"],
    ...(row.error === null ? {} : { error: String(row.error) }),
    promptTokens: Number(row.prompt_tokens),
    cachedTokens: Number(row.cached_tokens),
    completionTokens: Number(row.completion_tokens),
    reasoningTokens: Number(row.reasoning_tokens),
    dollars: row.dollars === null ? null : Number(row.dollars),
    latencyMs: Number(row.latency_ms),
    at: Number(row.at),
  };
}
