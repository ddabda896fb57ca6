/**
 * The record of calls: one row for each reply and each failed attempt, with its tokens and cost.
 */

import type { RequestPlace } from "../../core/llm/chat-model.ts";
import type { Store } from "./open.ts";
import { createTable, hidden, insert, rounded } from "./table.ts";

/**
 * A reply, or an attempt that failed. Several replies may have come with one attempt: see
 * `AttemptRow`.
 */
export interface CallRow extends RequestPlace {
  /** Id of the episode that asked; absent for a call outside of episodes, as in a notebook. */
  readonly episode?: string;
  /** The role that asked, e.g. `arigraph/extract`. */
  readonly role: string;
  /** The id under which the role map binds the model, e.g. `gpt-4o`. */
  readonly model: string;
  /** The key of the request (see `replyKey`). */
  readonly key: string;
  /** `paid`: an endpoint answered; `replayed`: the record did; `wasted`: the attempt failed. */
  readonly kind: "paid" | "replayed" | "wasted";
  /**
   * The `ModelErrorKind` of a wasted attempt; `budget` if its answer was cut at the cap, `unknown`
   * if it was by the end of its process.
   */
  readonly error?: string;
  /**
   * Prompt tokens as the endpoint counts them, ≥ 0. All counts of a wasted attempt are 0 unless the
   * endpoint reports them.
   */
  readonly promptTokens: number;
  /** Those of the prompt tokens that the endpoint read from its cache. */
  readonly cachedTokens: number;
  /** Completion tokens of all choices, reasoning included. */
  readonly completionTokens: number;
  /** Those of the completion tokens that were spent on reasoning. */
  readonly reasoningTokens: number;
  /** Price in US dollars, not paid again by a replayed call; `null` for a model without a price. */
  readonly dollars: number | null;
  /**
   * The most tokens that the attempt can have taken, where its usage is unknown. Absent where the
   * endpoint reported the usage, or refused the request.
   */
  readonly boundTokens?: number;
  /** The price of `boundTokens` in US dollars; absent also where the model has no price. */
  readonly boundDollars?: number;
  /**
   * Row id of the attempt that brought it; absent of a replayed call, and where a model in this
   * process was asked.
   */
  readonly attempt?: number;
  /** 1 where the reply was put on record under the key. */
  readonly recorded?: number;
  /**
   * Time at the endpoint in milliseconds, without waiting; of a replayed call: that of the recorded
   * one.
   */
  readonly latencyMs: number;
  /** Time of the row, in milliseconds since 1970. */
  readonly at: number;
}

export interface CallTotals {
  readonly calls: number;
  /** Prompt and completion tokens. */
  readonly tokens: number;
  /** US dollars, at the prices of the time of the call. */
  readonly dollars: number;
  /** Number of calls whose model has no price; `dollars` does not include them. */
  readonly unpriced: number;
}

const CALLS = createTable<CallRow>("calls", {
  id: hidden,
  dollars: { nullable: true },
  at: rounded,
});

/**
 * Inserts the row of a call.
 *
 * @throws {StoreError} `disk` if it cannot be written.
 */
export function putCall(store: Store, row: CallRow): void {
  store.transaction(() => insert(store, "calls", CALLS, row));
}

/** Whether an answer to this request is on record among the calls of an episode. */
export function hasAnswer(store: Store, episode: string | undefined, key: string): boolean {
  const find = store.prepare(
    "select 1 from calls where episode is ? and key = ? and kind <> 'wasted' limit 1",
  );
  return find.get(episode ?? null, key) !== undefined;
}

/**
 * Lists the calls of an episode, or of one of its passes or steps, in the order in which they
 * ended.
 *
 * @example
 * ```ts
 * import { createModels, listCalls, localProvider, openStore, scripted } from "labyrinth";
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
export function listCalls(
  store: Store,
  episode: string,
  of: { readonly pass?: number; readonly step?: number } = {},
): CallRow[] {
  const clauses =
    "where episode = ? and (?2 is null or pass = ?2) and (?3 is null or step = ?3) order by id";
  return CALLS.select(store, clauses, episode, of.pass ?? null, of.step ?? null);
}

/** Lists the answered calls of an episode, each request once, as of an uninterrupted run. */
export function listAnswered(store: Store, episode: string): CallRow[] {
  return CALLS.select(
    store,
    "where id in (select min(id) from calls where episode = ? and kind <> 'wasted' group by key) order by id",
    episode,
  );
}

/**
 * Sums the calls of a study by kind, of those with a row id above `after`, and gives the highest row
 * id of all. `paid` and `wasted` together are the study's cost.
 */
export function totalCallsAfter(
  store: Store,
  study: string,
  after?: number,
): { readonly totals: Record<CallRow["kind"], CallTotals>; readonly last: number } {
  const totals: Record<CallRow["kind"], CallTotals> = { paid: NONE, replayed: NONE, wasted: NONE };
  const last = Number(
    store.prepare("select coalesce(max(id), 0) as last from calls").get()?.["last"],
  );
  // SQLite takes a cross join in the order in which it is written: of a long study only the new
  // calls are read, not every episode again.
  const rows = store.prepare(
    `select kind, count(*) as calls, sum(prompt_tokens + completion_tokens) as tokens,
      total(dollars) as dollars, count(*) - count(dollars) as unpriced
    from calls ${after === undefined ? "" : "cross"} join episodes on episodes.id = calls.episode
    where study = ? and calls.id > ? and calls.id <= ? group by kind`,
  ).all(study, after ?? 0, last);
  for (const { kind, ...sums } of rows) {
    totals[kind as CallRow["kind"]] = sums as unknown as CallTotals;
  }
  return { totals, last };
}

const NONE: CallTotals = { calls: 0, tokens: 0, dollars: 0, unpriced: 0 };

/** How long the answers of a study were at most, by role and model. */
export function roleHistory(store: Store, study: string): {
  readonly role: string;
  readonly model: string;
  readonly calls: number;
  readonly completion: number;
}[] {
  return store.prepare(
    `select role, model, count(*) as calls, max(completion_tokens) as completion
    from calls join episodes on episodes.id = calls.episode where study = ? and kind = 'paid' group by role, model`,
  ).all(study).map(({ role, model, calls, completion }) => ({
    role: String(role),
    model: String(model),
    calls: Number(calls),
    completion: Number(completion),
  }));
}

/** The most that a study was charged so far; calls of unknown usage count their bound. */
export function chargedCalls(
  store: Store,
  study: string,
): { readonly tokens: number; readonly dollars: number } {
  const row = store.prepare(
    `select total(coalesce(bound_tokens, prompt_tokens + completion_tokens)) as tokens, total(coalesce(bound_dollars, dollars)) as dollars
    from calls join episodes on episodes.id = calls.episode where study = ? and kind <> 'replayed'`,
  ).get(study);
  return { tokens: Number(row?.tokens), dollars: Number(row?.dollars) };
}
