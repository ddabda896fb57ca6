/**
 * Events of an episode as typed rows: what is counted, such as malformed replies and fallback
 * actions.
 */

import type { Store } from "./open.ts";
import { createTable, insert } from "./table.ts";
import type { StepId } from "./turns.ts";

/** One event of a step. */
export interface EventRow extends StepId {
  /** Index within its step, from 0. */
  readonly ordinal: number;
  /**
   * A short name from the closed list of its method or memory: `malformed-reply`, `invalid-action`,
   * `fallback`, …
   */
  readonly kind: string;
  /** The particulars, in one line. */
  readonly detail: string;
}

const EVENTS = createTable<EventRow>("events");

/**
 * Inserts events; an event whose step and ordinal are recorded already is left as it is.
 *
 * @throws {StoreError} `disk` if they cannot be written.
 */
export function putEvents(store: Store, events: readonly EventRow[]): void {
  store.transaction(() =>
    events.forEach((event) => insert(store, "events", EVENTS, event, "or ignore"))
  );
}

/**
 * Lists every event of an episode, by pass, step and ordinal.
 *
 * @example
 * ```ts
 * import { listEvents, openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no episode yet
 * assert.equal(listEvents(store, "e1").filter(({ kind }) => kind === "fallback").length, 0);
 * ```
 */
export function listEvents(store: Store, episode: string): EventRow[] {
  return EVENTS.select(store, "where episode = ? order by pass, step, ordinal", episode);
}
