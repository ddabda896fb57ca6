/**
 * Attempts under way: each is written before it is sent, so that one that is cut off leaves a trace.
 *
 * @module
 */

import { type CallRow, putCall } from "./calls.ts";
import type { Store } from "./open.ts";
import { createTable, hidden, rounded } from "./table.ts";

/** An attempt before it is sent. */
export interface AttemptRow
  extends Pick<CallRow, "episode" | "pass" | "step" | "vote" | "reAsk" | "role" | "model" | "key" | "boundDollars" | "at"> {
  /** The most tokens that it can take. */
  readonly boundTokens: number;
}

const ATTEMPTS = createTable<AttemptRow>("attempts", { id: hidden, at: rounded });

/** Writes an attempt that is about to be sent, and returns its row id. */
export function openAttempt(store: Store, row: AttemptRow): number {
  return store.transaction(() => {
    ATTEMPTS.insert(store, row);
    return Number(store.prepare("select last_insert_rowid() as id").get()?.id);
  });
}

/** Deletes an attempt whose call is recorded, in the same transaction. */
export function closeAttempt(store: Store, id: number): void {
  store.prepare("delete from main.attempts where id = ?").run(id);
}

/**
 * Records the attempts that an earlier process left open as wasted calls of the error `unknown`. The run lock must be held; attempts outside of
 * episodes, as of a notebook that may be at work beside the run, are left a day.
 *
 * @returns Their number.
 */
export function closeLeftAttempts(store: Store, now: number): number {
  return store.transaction(() => {
    const where = "where episode is not null or at < ?";
    const left = ATTEMPTS.select(store, where, Math.round(now) - DAY_MS);
    for (const row of left) {
      const tokens = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
      putCall(store, { ...row, ...tokens, kind: "wasted", error: "unknown", dollars: 0, latencyMs: 0, at: row.at });
    }
    store.prepare(`delete from main.attempts ${where}`).run(Math.round(now) - DAY_MS);
    return left.length;
  });
}

const DAY_MS = 86_400_000;
