/** What GraphMind's modules ask of models in a trial, and how much of each prompt repeats the one before it. */

import { StoreError } from "../../core/errors.ts";
import { REMEDY } from "../../lab/store/errors.ts";
import { getRequest } from "../../lab/store/replies.ts";
import type { Store } from "../../lab/store/open.ts";

/** Role → its name in the paper's Tables 5 and 6, in their order; `Execute` is the model as actor, which they leave out. */
export const GRAPHMIND_MODULES: Readonly<Record<string, string>> = {
  "graphmind/verify-transition": "Verify Node Transition",
  "graphmind/locate": "Determine the Current Node",
  "graphmind/extract": "Extract Information",
  "graphmind/plan": "Plan with DSLs",
  "graphmind/verify-completion": "Verify Completion",
  "graphmind/update-entities": "Update Entity Information",
  "graphmind/execute": "Execute",
};

/**
 * Tokens of a module in a trial, each request counted once: those of its prompts (`input`), of these those that the endpoint read from its cache
 * (`cached`), those of its completions (`output`), and of these those spent on reasoning (`reasoning`); with one vote, and with all (`inputAll`, …).
 */
export interface ModuleTokens extends Readonly<Record<`${"input" | "output" | "cached" | "reasoning"}${"" | "All"}`, number>> {
  /** Who asked, e.g. `graphmind/plan`. */
  readonly role: string;
}

/** The modules' tokens of the completed episodes of a study, by episode. */
export function moduleTokens(store: Store, study: string): ReadonlyMap<string, readonly ModuleTokens[]> {
  const rows = store.prepare(`
    with asked as (
      select c.episode, c.role, coalesce(c.vote, 0) = 0 as first, c.prompt_tokens as prompt, c.completion_tokens as completion,
        c.cached_tokens as cached, c.reasoning_tokens as reasoning, min(c.id)
      from calls c join episodes e on e.id = c.episode
      where e.study = ? and e.status = 'completed' and c.kind <> 'wasted' and c.role like 'graphmind/%' group by c.episode, c.key
    )
    select episode, role, sum(first * prompt) as input, sum(first * completion) as output, sum(prompt) as inputAll, sum(completion) as outputAll,
      sum(first * cached) as cached, sum(cached) as cachedAll, sum(first * reasoning) as reasoning, sum(reasoning) as reasoningAll
    from asked group by episode, role`).all(study) as unknown as (ModuleTokens & { readonly episode: string })[];
  return Map.groupBy(rows, ({ episode }) => episode);
}

/** Conditions that Tables 5 and 6 compare. */
export const COMPARED = ["kg", "sm", "kg-static"];

/** The trials of the compared conditions on the layouts and missions that all of these have: a prompt grows with the map. */
export function comparableTrials<T extends Readonly<Record<"condition" | "mission" | "layout", string>>>(trials: readonly T[]): T[] {
  const compared = trials.filter(({ condition }) => COMPARED.includes(condition));
  const conditions = new Set(compared.map(({ condition }) => condition));
  const maps = Map.groupBy(compared, ({ mission, layout }) => `${mission} ${layout}`);
  return [...maps.values()].filter((map) => new Set(map.map(({ condition }) => condition)).size === conditions.size).flat();
}

/**
 * Characters of a module's prompts in a trial (`length`), and how many of them repeat the beginning of its prompt before (`repeated`); with one vote,
 * and with all (`lengthAll`, `repeatedAll`): a vote repeats its whole prompt. 0 of each where no prompt is recorded.
 */
export interface RepeatedCharacters extends Readonly<Record<`${"length" | "repeated"}${"" | "All"}`, number>> {
  /** Who asked, e.g. `graphmind/plan`. */
  readonly role: string;
  /** Whether its prompts are on record. */
  readonly isRecorded: boolean;
}

/** How much of each module's prompts repeats the prompt before, in an episode. */
export function repeatedCharacters(store: Store, episode: string): RepeatedCharacters[] {
  const calls = store.prepare(`
    select role, coalesce(vote, 0) as vote, key, min(id) as id from calls
    where episode = ? and kind <> 'wasted' and role like 'graphmind/%' group by key order by id`).all(episode);
  return [...Map.groupBy(calls, ({ role }) => String(role))].map(([role, mine]) => {
    const counts = { length: 0, repeated: 0, lengthAll: 0, repeatedAll: 0 };
    let [first, last] = ["", ""];
    const texts = mine.map(({ key }) => promptOf(store, String(key)));
    const isRecorded = texts.some((text) => text !== undefined);
    if (isRecorded && texts.includes(undefined)) {
      throw new StoreError("damaged", `the store ${store.path} lacks prompts of the episode ${episode}: ${REMEDY}`);
    }
    for (const [index, { vote }] of mine.entries()) {
      const text = texts[index] ?? "";
      counts.repeatedAll += commonLength(last, text);
      counts.lengthAll += text.length;
      last = text;
      if (Number(vote) > 0) continue;
      counts.repeated += commonLength(first, text);
      counts.length += text.length;
      first = text;
    }
    return { role, isRecorded, ...counts };
  });
}

/** The messages of a recorded request as one text; `undefined` where it is not recorded. */
function promptOf(store: Store, key: string): string | undefined {
  const messages = getRequest(store, key)?.messages;
  return Array.isArray(messages) ? messages.map((message) => JSON.stringify(message)).join("\n") : undefined;
}

function commonLength(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++;
  return length;
}
