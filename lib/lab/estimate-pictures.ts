/** The pictures that the calls of an episode to play will show, and the tokens that they take. */

import type { Store } from "./store/open.ts";
import { promptsOf } from "./choices.ts";
import type { ResolvedEpisode } from "./plan.ts";

/** Completed episodes that an episode to play is compared with: a condition in SQL, with the values of its parameters. */
export interface Selection {
  readonly like: string;
  readonly values: readonly string[];
}

/** Whether an episode's world gave pictures, as a condition in SQL. */
export const IS_SEEN = "coalesce(json_extract(world_params, '$.image'), 0)";

/** Pictures of one call of a role, and how many of them the prompt tokens of the comparable episodes leave out. */
export interface CallPictures {
  readonly shown: number;
  readonly uncounted: number;
}

/**
 * Counts the pictures of one call of a role, for an episode whose world gives pictures, by the primitives of the comparable episodes. Where those
 * were played with pictures, their tokens are among those that the endpoint reported.
 */
export function countPictures(
  store: Store,
  { episode, identity }: ResolvedEpisode,
  { like, values }: Selection,
): (role: string) => CallPictures {
  const kinds = new Map(promptsOf(episode).map(({ role, pictures }) => [role, pictures]));
  const { options } = (identity["memory"] ?? {}) as { readonly options?: { readonly maxPictures?: number } };
  const steps = Number(
    store.prepare(
      `select avg(min(json_array_length(frames) + 1, ?)) as n from turns
       where json_array_length(frames) > 0 and episode in (select id from episodes where ${like})`,
    ).get(options?.maxPictures ?? Number.MAX_SAFE_INTEGER, ...values)?.n ?? 0,
  );
  const unseen = Number(store.prepare(`select avg(not ${IS_SEEN}) as share from episodes where ${like}`).get(...values)?.share ?? 0);
  return (role) => {
    const shown = kinds.get(role) === "view" ? 1 : kinds.get(role) === "steps" ? steps : 0;
    return { shown, uncounted: shown * unseen };
  };
}
