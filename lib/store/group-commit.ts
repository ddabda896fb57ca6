/** Group commit: work that must be on the disk before it counts as done waits for the disk together with what is done at the same time. */

import { setImmediate, setTimeout } from "node:timers/promises";
import type { Store } from "./open.ts";

interface Group {
  readonly work: (() => unknown)[];
  readonly results: Promise<unknown[]>;
}

const groups = new WeakMap<Store, Group>();

/**
 * Runs `work` in one durable transaction with all that is given for the store until the event loop turns, and at most one in 20 ms, in order, and
 * returns its result. Where some of it fails, none of it is committed.
 *
 * @throws what the work that failed throws, to all of them; `StoreError` for an error of SQLite.
 */
export async function commitTogether<T>(store: Store, work: () => T): Promise<T> {
  const group = groups.getOrInsertComputed(store, () => ({ work: [], results: commitNext(store) }));
  const place = group.work.push(work) - 1;
  return (await group.results)[place] as T;
}

/** Milliseconds from one commit to the next: under load the disk has some of the time, and each commit more to do. */
const PAUSE_MS = 20;

/** When each store was last committed to, in milliseconds. */
const committed = new WeakMap<Store, number>();

async function commitNext(store: Store): Promise<unknown[]> {
  await setImmediate();
  const wait = (committed.get(store) ?? -Infinity) + PAUSE_MS - performance.now();
  if (wait > 0) await setTimeout(wait);
  const { work } = groups.get(store) as Group;
  groups.delete(store);
  try {
    return store.transaction(() => work.map((one) => one()), { durable: true });
  } finally {
    committed.set(store, performance.now());
  }
}
