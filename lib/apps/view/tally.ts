/** What each episode has asked of models so far. A million calls are summed once and in slices; afterwards only new rows are read. */

import { setImmediate } from "node:timers/promises";
import { damagedCalls } from "../../lab/store/damage.ts";
import type { Store } from "../../lab/store/open.ts";

/** What was spent on some calls. */
export interface Spent {
  /** Number of calls that an endpoint answered or that failed. */
  readonly calls: number;
  /** Prompt and completion tokens. */
  readonly tokens: number;
  /** US dollars at the prices of the time of the call. */
  readonly dollars: number;
  /** Calls whose model has no price; `dollars` does not include them. */
  readonly unpriced: number;
  /** Number of calls that were answered from the record; nothing is spent on them. */
  readonly replayed: number;
  /** Number of calls that are not as they were recorded; no other number includes them. */
  readonly damaged: number;
}

/** Sums of calls by episode. */
export interface Tally {
  /** Reads the calls recorded since the last time; the server answers other requests meanwhile. */
  catchUp(): Promise<void>;
  /** Whether every call that is recorded has been read once. */
  readonly complete: boolean;
  /** The sum over some episodes. */
  spent(episodes: Iterable<string>): Spent;
}

/** Number of calls that are read at once: to hold them against their hashes takes some 20 ms. */
const SLICE = 2000;

const NOTHING: Spent = { calls: 0, tokens: 0, dollars: 0, unpriced: 0, replayed: 0, damaged: 0 };

/** Creates the tally of a store; it is empty until `catchUp` has been awaited. */
export function createTally(store: Store): Tally {
  const byEpisode = new Map<string, Spent>();
  let [read, complete] = [0, false];
  let running: Promise<void> | undefined;

  async function readNew(): Promise<void> {
    const last = Number(store.prepare("select coalesce(max(id), 0) as last from calls").get()?.last);
    while (read < last) {
      const to = Math.min(read + SLICE, last);
      const damaged = JSON.stringify(damagedCalls(store, read, to));
      for (const { episode, ...more } of store.prepare(SUMS).all(damaged, read, to)) {
        const id = String(episode);
        byEpisode.set(id, plus(byEpisode.get(id) ?? NOTHING, more as unknown as Spent));
      }
      read = to;
      await setImmediate();
    }
    complete = true;
  }

  return {
    catchUp: () => running ??= readNew().finally(() => running = undefined),
    get complete() {
      return complete;
    },
    spent: (episodes) => [...episodes].reduce((sum, id) => plus(sum, byEpisode.get(id) ?? NOTHING), NOTHING),
  };
}

const SUMS = `
  with read as (select *, id in (select value from json_each(?)) as is_damaged from calls where id > ? and id <= ? and episode is not null)
  select episode, sum(is_damaged) as damaged, sum(not is_damaged and kind <> 'replayed') as calls, sum(not is_damaged and kind = 'replayed') as replayed,
    total(iif(not is_damaged and kind <> 'replayed', prompt_tokens + completion_tokens, 0)) as tokens,
    total(iif(not is_damaged and kind <> 'replayed', dollars, 0)) as dollars,
    sum(not is_damaged and kind <> 'replayed' and dollars is null) as unpriced
  from read group by episode`;

function plus(a: Spent, b: Spent): Spent {
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    dollars: a.dollars + b.dollars,
    unpriced: a.unpriced + b.unpriced,
    replayed: a.replayed + b.replayed,
    damaged: a.damaged + b.damaged,
  };
}
