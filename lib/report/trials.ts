/**
 * The trials of episodes that repeat their game (Reflexion).
 *
 * @module
 */

import type { PassRow } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";

/** Episode → how many trials it may have, and those that were played. Episodes of one pass are not in it. */
export type Trials = ReadonlyMap<string, { readonly planned: number; readonly passes: readonly PassRow[] }>;

/** The trials of a study's episodes. */
export function trialsOf(store: Store, study: string): Trials {
  const rows = store.prepare(`
    select id, passes, coalesce(json_extract(identity, '$.method.options.trials'), json_array_length(passes)) as planned from episodes
    where study = ? and (json_extract(identity, '$.method.options.trials') is not null or json_extract(passes, '$[0].kind') = 'trial')`)
    .all(study) as { id: string; passes: string | null; planned: number }[];
  return new Map(rows.map(({ id, passes, planned }) => [id, { planned, passes: passes === null ? [] : JSON.parse(passes) }]));
}
