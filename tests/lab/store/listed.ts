/** The record as tests look at it: attempts and sums that the library itself never lists. */

import type { AttemptRow } from "../../../lib/lab/store/attempts.ts";
import { type CallRow, type CallTotals, totalCallsAfter } from "../../../lib/lab/store/calls.ts";
import type { Store } from "../../../lib/lab/store/open.ts";

/** The attempts of an episode in the order in which they were sent. */
export function listAttempts(store: Store, episode: string): AttemptRow[] {
  return store.prepare("select * from attempts where episode = ? order by id").all(episode).map(
    (columns) =>
      Object.fromEntries(
        Object.entries(columns).filter(([name, value]) => name !== "id" && value !== null).map((
          [name, value],
        ) => [name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()), value]),
      ) as unknown as AttemptRow,
  );
}

/** The sums of a study's calls by kind. */
export function totalCalls(store: Store, study: string): Record<CallRow["kind"], CallTotals> {
  return totalCallsAfter(store, study).totals;
}
