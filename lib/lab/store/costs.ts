/** The tokens that episodes take of models. */

import type { Store } from "./open.ts";

/** The role of embeddings models, whose tokens the papers do not count among those of a method. */
export const EMBEDDING_ROLE = "lab/embed";

/**
 * The model bindings of each episode of a study, by its id: role, family or `*` → the model's id
 * with what else decides replies (see `boundModel`).
 */
export function boundModels(
  store: Store,
  study: string,
): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const rows = store.prepare(
    "select id, json_extract(identity, '$.models') as models from episodes where study = ?",
  ).all(study);
  return new Map(
    rows.map((
      { id, models },
    ) => [String(id), JSON.parse(typeof models === "string" ? models : "{}")]),
  );
}

/**
 * Tokens that a completed episode takes of one model in one role, if each request is asked once.
 */
export interface AnsweredTokens {
  readonly episode: string;
  readonly role: string;
  readonly model: string;
  /** Requests that were answered, each counted once. */
  readonly calls: number;
  /** Prompt tokens. */
  readonly prompt: number;
  /** Those of them that the endpoint says it read from its cache. */
  readonly cached: number;
  readonly completion: number;
  readonly reasoning: number;
  /** US dollars at the prices of the time of the call; null where the model has no price. */
  readonly dollars: number | null;
}

/**
 * Tokens of the completed episodes of a study by episode, role and model. Of each request the first
 * answer counts, as if no episode had been interrupted. Embeddings are left out.
 */
export function answeredTokens(store: Store, study: string): AnsweredTokens[] {
  return store.prepare(`
    with answered as (
      select episode, role, model, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, dollars, min(id) from calls
      where kind <> 'wasted' and role <> '${EMBEDDING_ROLE}' and episode in (select id from episodes where study = ? and status = 'completed')
      group by episode, key
    )
    select episode, role, model, count(*) as calls, sum(prompt_tokens) as prompt, sum(cached_tokens) as cached, sum(completion_tokens) as completion,
      sum(reasoning_tokens) as reasoning, case when count(dollars) = count(*) then total(dollars) end as dollars
    from answered group by 1, 2, 3 order by 1, 2, 3`).all(study) as unknown as AnsweredTokens[];
}
