/** What each episode asked of models so far, summed in slices; later only new rows are read. */

import { setImmediate } from "node:timers/promises";
import { checkEpisode } from "../../lab/store/verify.ts";
import type { Store } from "../../lab/store/open.ts";

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
}

/** Sums of calls by episode. */
export interface Tally {
  /** Reads the calls recorded since the last time; the server answers other requests meanwhile. */
  catchUp(): Promise<void>;
  /** The episodes that are not as they were recorded; their calls are in no sum. */
  readonly damaged: ReadonlySet<string>;
  /** Whether every call and every episode that has ended has been read once. */
  readonly complete: boolean;
  spent(episodes: Iterable<string>): Spent;
}

/** Number of calls that are read at once. */
const SLICE = 2000;

const NOTHING: Spent = { calls: 0, tokens: 0, dollars: 0, unpriced: 0, replayed: 0 };

/** Creates the tally of a store; it is empty until `catchUp` has been awaited. */
export function createTally(store: Store): Tally {
  const byEpisode = new Map<string, Spent>();
  const checked = new Map<string, unknown>(); // when each ended
  const damaged = new Set<string>();
  let [read, complete] = [0, false];
  let running: Promise<void> | undefined;

  async function readNew(): Promise<void> {
    const last = Number(
      store.prepare("select coalesce(max(id), 0) as last from calls").get()?.last,
    );
    while (read < last) {
      const to = Math.min(read + SLICE, last);
      for (const { episode, ...more } of store.prepare(SUMS).all(read, to)) {
        const id = String(episode);
        byEpisode.set(id, plus(byEpisode.get(id) ?? NOTHING, more as unknown as Spent));
      }
      read = to;
      await setImmediate();
    }
    await checkNew();
    complete = true;
  }

  /** Checks the episodes that have ended since the last time. */
  async function checkNew(): Promise<void> {
    const ended = store.prepare(
      "select id, finished_at as at from main.episodes where status not in ('planned', 'running')",
    ).all();
    for (const { id, at } of ended.filter(({ id, at }) => checked.get(String(id)) !== at)) {
      checked.set(String(id), at);
      if (checkEpisode(store, String(id))?.state === "broken") damaged.add(String(id));
      else damaged.delete(String(id));
      await setImmediate();
    }
  }

  return {
    catchUp: () => running ??= readNew().finally(() => running = undefined),
    get complete() {
      return complete;
    },
    damaged,
    spent: (episodes) =>
      [...episodes].filter((id) => !damaged.has(id)).reduce(
        (sum, id) => plus(sum, byEpisode.get(id) ?? NOTHING),
        NOTHING,
      ),
  };
}

const SUMS = `
  select episode, sum(kind <> 'replayed') as calls, sum(kind = 'replayed') as replayed,
    total(iif(kind <> 'replayed', prompt_tokens + completion_tokens, 0)) as tokens, total(iif(kind <> 'replayed', dollars, 0)) as dollars,
    sum(kind <> 'replayed' and dollars is null) as unpriced
  from calls where id > ? and id <= ? and episode is not null group by episode`;

function plus(a: Spent, b: Spent): Spent {
  return {
    calls: a.calls + b.calls,
    tokens: a.tokens + b.tokens,
    dollars: a.dollars + b.dollars,
    unpriced: a.unpriced + b.unpriced,
    replayed: a.replayed + b.replayed,
  };
}
