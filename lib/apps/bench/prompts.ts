/**
 * What a server that caches prefixes can keep of recorded prompts: the requests of each episode in order, against a cache of blocks of tokens, as
 * vLLM has it. A block is held if it and all before it stood at the beginning of an earlier request of the episode to the same model.
 */

import { dollarsFor, priceOf } from "../../core/llm/prices.ts";
import { TABLE3_CONDITIONS } from "../../papers/arigraph/conditions.ts";
import { conditionOrder } from "../../report/textworld-names.ts";
import { paperTable } from "../../lab/paper-numbers.ts";
import { listAnswered } from "../../lab/store/calls.ts";
import type { Store } from "../../lab/store/open.ts";
import { getReplyRow } from "../../lab/store/replies.ts";
import { loadTokenizer } from "../../core/text/tokens.ts";

/** Tokens of a block; vLLM's default. */
const BLOCK = 16;

/** What the prompts of a condition came to, or those of one of its roles. */
export interface PromptCosts {
  readonly study: string;
  readonly condition: string;
  /** Absent for all roles together. */
  readonly role?: string;
  readonly episodes: number;
  /** Agent steps of all passes; an episode without any counts as one. */
  readonly steps: number;
  readonly calls: number;
  /** Prompt tokens a step. */
  readonly prompt: number;
  /** Share of them that the cache holds, in [0, 1]. */
  readonly held: number;
  /** Prompt tokens a step that it does not hold. */
  readonly uncached: number;
  /** US dollars a step, replies included; null where the model has no price. */
  readonly dollars: number | null;
  /** Prompt tokens in AriGraph's Table 3, and of which step: "step" for the mean. Absent where it does not have the condition. */
  readonly paper?: { readonly prompt: number; readonly of: string };
}

interface Sums {
  calls: number;
  prompt: number;
  held: number;
  completion: number;
}

interface EpisodeRow {
  readonly id: string;
  readonly study: string;
  readonly condition: string;
  readonly steps: number;
}

/**
 * Measures the prompts of every completed episode of a store, or of one study, each request counted once.
 *
 * @param options `study`: the only one to measure; `price`: the model at whose price tokens are paid
 */
export async function measurePrompts(
  store: Store,
  options: { readonly study?: string; readonly price: string },
): Promise<PromptCosts[]> {
  const encode = await loadTokenizer();
  const conditions = Map.groupBy(episodesOf(store, options.study), ({ study, condition }) => `${study}\n${condition}`);
  return [...conditions.values()].flatMap((episodes) => {
    const roles = new Map<string, Sums>();
    for (const { id } of episodes) addEpisode(store, id, { roles, encode });
    return roles.size === 0 ? [] : rowsOf(episodes, roles, options.price);
  });
}

function episodesOf(store: Store, study: string | undefined): EpisodeRow[] {
  const rows = store.prepare(`
    select id, study, condition, coalesce((select sum(json_extract(value, '$.steps')) from json_each(passes)), 0) as steps
    from episodes where status = 'completed' and study = coalesce(?, study) order by study, condition, id`).all(study ?? null);
  return (rows as unknown as EpisodeRow[]).sort((a, b) => a.study < b.study ? -1 : a.study > b.study ? 1 : rank(a) - rank(b));
}

function rank({ condition }: EpisodeRow): number {
  return conditionOrder(condition);
}

/** Sends an episode's requests past a cache that is empty at first. */
function addEpisode(
  store: Store,
  episode: string,
  { roles, encode }: { readonly roles: Map<string, Sums>; readonly encode: (text: string) => readonly number[] },
): void {
  const caches = new Map<string, PrefixCache>();
  for (const { role, key, completionTokens } of listAnswered(store, episode)) {
    const row = getReplyRow(store, key);
    if (!row) continue; // the record of replies was off
    const tokens = encode(textOf(row.request));
    const held = caches.getOrInsertComputed(`${row.endpoint} ${row.request.model}`, () => new PrefixCache()).add(tokens);
    const sums = roles.getOrInsertComputed(role, () => ({ calls: 0, prompt: 0, held: 0, completion: 0 }));
    sums.calls += 1;
    sums.prompt += tokens.length;
    sums.held += held;
    sums.completion += completionTokens;
  }
}

/** The beginnings of the texts seen so far, in whole blocks. */
class PrefixCache {
  /** The number of the prefix before a block, and the block → the number of the prefix with it. */
  readonly #prefixes = new Map<string, number>();

  /** Adds a text, and returns how many of its first tokens were there before. */
  add(tokens: readonly number[]): number {
    let held = 0;
    let prefix = 0;
    for (let end = BLOCK; end <= tokens.length; end += BLOCK) {
      const block = `${prefix}:${tokens.slice(end - BLOCK, end).join()}`;
      const known = this.#prefixes.get(block);
      if (known !== undefined) held = end;
      prefix = known ?? this.#prefixes.size + 1;
      if (known === undefined) this.#prefixes.set(block, prefix);
    }
    return held;
  }
}

/** A request as one text: tools, then each message under its role; of pictures nothing. */
function textOf({ tools, messages }: Readonly<Record<string, unknown>>): string {
  type Part = { readonly text?: string };
  const said = (content: string | readonly Part[]): string =>
    typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
  const list = messages as readonly { readonly role: string; readonly content: string | readonly Part[] }[];
  return JSON.stringify(tools) + list.map(({ role, content }) => `<|${role}|>\n${said(content)}\n`).join("");
}

function rowsOf(episodes: readonly EpisodeRow[], roles: ReadonlyMap<string, Sums>, price: string): PromptCosts[] {
  const [{ study, condition }] = episodes as [EpisodeRow];
  const steps = episodes.reduce((sum, episode) => sum + Math.max(1, episode.steps), 0);
  const row = (sums: readonly Sums[], more: Pick<PromptCosts, "role" | "paper">): PromptCosts => {
    const sum = (field: keyof Sums): number => sums.reduce((total, one) => total + one[field], 0);
    const [prompt, cached] = [sum("prompt"), sum("held")];
    const dollars = dollarsFor({ prompt, cached, completion: sum("completion"), reasoning: 0 }, priceOf(price));
    return {
      ...{ study, condition, ...more, episodes: episodes.length, steps, calls: sum("calls") },
      ...{ prompt: prompt / steps, held: cached / prompt, uncached: (prompt - cached) / steps },
      dollars: dollars === null ? null : dollars / steps,
    };
  };
  return [
    row([...roles.values()], { paper: paperTokens(condition) }),
    ...[...roles].sort(([a], [b]) => a < b ? -1 : 1).map(([role, sums]) => row([sums], { role })),
  ];
}

function paperTokens(condition: string): PromptCosts["paper"] {
  const method = Object.entries(TABLE3_CONDITIONS.step).find(([, ours]) => ours === condition)?.[0];
  const line = paperTable("arigraph_table3_tokens").find((line) => line["task"] === "text games" && line["method"] === method);
  return line && { prompt: Number(line["prompt_tokens"]), of: line["unit"] ?? "" };
}
