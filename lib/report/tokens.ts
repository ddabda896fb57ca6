/**
 * What episodes took in tokens and dollars, each question counted once: what one undisturbed run takes.
 *
 * @module
 */

import type { Store } from "../store/open.ts";
import { type DataFrame, frameOf, type FrameSchema } from "./frame.ts";

/** One row of `tokensFrame`. */
export interface TokenRow {
  /** Id of the episode. */
  readonly episode: string;
  /** The game's label, else the world's id. */
  readonly game: string;
  /** Label of the row in tables, e.g. `arigraph`. */
  readonly condition: string;
  /** Agent steps of all passes of the episode. */
  readonly steps: number;
  /** Who asked, e.g. `arigraph/extract`. */
  readonly role: string;
  /** Requests that were answered, each once. */
  readonly calls: number;
  /** Their prompt tokens. */
  readonly prompt: number;
  /** Their completion tokens, reasoning included. */
  readonly completion: number;
  /** US dollars at the prices of the time of the call; null where the model has no price. */
  readonly dollars: number | null;
}

/**
 * Tokens of the completed episodes of a study, a row an episode and role, in order of game, condition, episode and role.
 *
 * A resumed episode has rows of calls that were paid and rows of the same calls replayed: of each request the first answer counts. Attempts
 * that failed do not count.
 *
 * @example
 * ```ts
 * import { createModels, localProvider, scripted } from "labyrinth/llm";
 * import { endEpisode, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import { rowsOf, type TokenRow, tokensFrame } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * const mine = scripted(["True"], { id: "mine", usage: { prompt: 12, cached: 0, completion: 1, reasoning: 0 } });
 * const model = createModels({ map: { "*": "mine" }, store, codeVersion: "0", episode: "e1", providers: [localProvider(mine)] });
 * const request = { role: "arigraph/explore", messages: [{ role: "user" as const, content: "Explore?" }] };
 * await model.chat(request);
 * await model.chat(request); // as a resumed run does: answered from the record
 * endEpisode(store, "e1", { status: "completed", passes: [{ kind: "only", score: 3, maxScore: 4, steps: 12, end: "limit" }] }, 0);
 * const [row] = rowsOf<TokenRow>(tokensFrame(store, "mine"));
 * assert.deepEqual([row?.role, row?.calls, row?.prompt, row?.steps], ["arigraph/explore", 1, 12, 12]);
 * ```
 */
export function tokensFrame(store: Store, study: string): DataFrame {
  return frameOf(tokenRows(store, study), TOKEN_COLUMNS);
}

/** The rows of `tokensFrame` as plain objects. */
export function tokenRows(store: Store, study: string): TokenRow[] {
  return store.prepare(`
    with answered as (
      select episode, role, prompt_tokens, completion_tokens, dollars, min(id) from calls
      where kind <> 'wasted' and episode in (select id from episodes where study = ?1 and status = 'completed') group by episode, key
    ), sums as (
      select episode, role, count(*) as calls, sum(prompt_tokens) as prompt, sum(completion_tokens) as completion,
        case when count(dollars) = count(*) then total(dollars) end as dollars
      from answered group by episode, role
    )
    select s.*, coalesce(e.label, e.world) as game, e.condition,
      (select sum(json_extract(value, '$.steps')) from json_each(e.passes)) as steps
    from sums s join episodes e on e.id = s.episode order by game, e.condition, e.id, s.role`).all(study) as unknown as TokenRow[];
}

const TOKEN_COLUMNS: FrameSchema = {
  episode: "text",
  game: "text",
  condition: "text",
  steps: "integer",
  role: "text",
  calls: "integer",
  prompt: "number",
  completion: "number",
  dollars: "number",
};
