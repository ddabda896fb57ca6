/** Events of an episode: malformed replies, fallback actions and what else is counted. */

import type { Store } from "./open.ts";
import { createTable, insert } from "./table.ts";
import type { StepId } from "./turns.ts";

/** One event of a step. */
export interface EventRow extends StepId {
  /** Index within its step, from 0. */
  readonly ordinal: number;
  /** From the closed list of its method or memory: `malformed-reply`, `fallback`, … */
  readonly kind: string;
  /** The particulars, in one line. */
  readonly detail: string;
}

const EVENTS = createTable<EventRow>("events");

/** Inserts events; one whose step and ordinal are recorded already stays as it is. */
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
