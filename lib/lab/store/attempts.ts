/**
 * The record of attempts: one row for each request that is sent to an endpoint, written before it
 * is sent, so that one that is cut off leaves a trace.
 */

import { type CallRow, putCall } from "./calls.ts";
import { deleteDigested, updateDigested } from "./digest.ts";
import type { Store } from "./open.ts";
import { createTable, hidden, insert, rounded } from "./table.ts";

/**
 * A request to an endpoint. It may bring several replies, such as votes, each with a row of
 * `calls`.
 */
export interface AttemptRow extends
  Pick<
    CallRow,
    | "episode"
    | "pass"
    | "step"
    | "vote"
    | "reAsk"
    | "role"
    | "model"
    | "key"
    | "boundDollars"
    | "at"
  > {
  /** The most tokens that it can take. */
  readonly boundTokens: number;
  /**
   * What came of it: `answered`, a `ModelErrorKind`, or `unknown`, if its process ended before it
   * did; absent while it is under way.
   */
  readonly outcome?: string;
  /** Number of the rows of `calls` that tell of it, once it is over. */
  readonly calls?: number;
  /** When it was over, in milliseconds since 1970. */
  readonly endedAt?: number;
}

const ATTEMPTS = createTable<AttemptRow>("attempts", { id: hidden, at: rounded });

/** Writes an attempt that is about to be sent, and returns its row id. */
export function openAttempt(store: Store, row: AttemptRow): number {
  return store.transaction(() => {
    insert(store, "attempts", ATTEMPTS, row);
    return Number(store.prepare("select max(id) as id from main.attempts").get()?.id);
  });
}

export function deleteAttempt(store: Store, id: number): void {
  store.transaction(() => deleteDigested(store, "attempts", "id = ?", id));
}

/** Records the outcome of an attempt, after all its calls. */
export function closeAttempt(store: Store, id: number, outcome: string, now: number): void {
  store.transaction(() => {
    const set =
      "outcome = ?, ended_at = ?, calls = (select count(*) from main.calls where attempt = main.attempts.id)";
    updateDigested(store, "attempts", set, id, outcome, Math.round(now));
  });
}

/**
 * Records the attempts that an earlier process left open as wasted calls of the error `unknown`.
 * The run lock must be held; attempts outside of episodes, as of a notebook, are left a day.
 * @returns Their number.
 */
export function closeLeftAttempts(store: Store, now: number): number {
  return store.transaction(() => {
    const left = store.prepare(
      "select * from main.attempts where outcome is null and (episode is not null or at < ?)",
    ).all(Math.round(now) - DAY_MS);
    for (const columns of left) {
      const [row, id] = [ATTEMPTS.read(columns), Number(columns["id"])];
      const tokens = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
      putCall(store, {
        ...row,
        ...tokens,
        attempt: id,
        kind: "wasted",
        error: "unknown",
        dollars: 0,
        latencyMs: 0,
      });
      closeAttempt(store, id, "unknown", now);
    }
    return left.length;
  });
}

const DAY_MS = 86_400_000;
