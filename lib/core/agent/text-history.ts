/** The history of a text agent: `> action` and what came of it, made to fit a prompt. */

import type { TokenCounter } from "../text/tokens.ts";

/** One step of the dialogue with the world. */
export interface HistoryEntry {
  /** The action or the thought. */
  readonly action: string;
  /** The observation after it. */
  readonly observation: string;
}

/**
 * An entry as prompts show it: an overlong action is cut (`withShortAction`).
 *
 * @example
 * ```ts
 * import { formatEntry } from "labyrinth/agent";
 * import assert from "node:assert/strict";
 *
 * assert.equal(formatEntry({ action: "go north", observation: "A hall.\n" }), "> go north\nA hall.");
 * ```
 */
export function formatEntry(entry: HistoryEntry): string {
  const { action, observation } = withShortAction(entry);
  return `> ${action}\n${observation.trim()}`;
}

/**
 * Characters of the longest action that prompts show whole. The world may repeat a longer one in
 * the latest step, which is never dropped.
 */
const LONGEST_ACTION = 500;

const BEGINNING = 200;

/**
 * The entry with an action above 500 characters cut to its beginning, also where the observation
 * repeats the action or its argument in brackets. Thoughts are not cut.
 */
export function withShortAction({ action, observation }: HistoryEntry): HistoryEntry {
  const said = action.trim();
  if (said.length <= LONGEST_ACTION || /^think\b/i.test(said)) return { action, observation };
  const argument = said.match(/\[(.*)\]$/s)?.[1] ?? "";
  const answer = [said, said.charAt(0).toLowerCase() + said.slice(1), argument].filter((
    { length },
  ) => length > LONGEST_ACTION)
    .reduce((text, part) => text.replaceAll(part, () => shortened(part)), observation);
  return { action: shortened(said), observation: answer };
}

function shortened(text: string): string {
  const [beginning = ""] = text.match(new RegExp(`^.{0,${BEGINNING}}`, "su")) ?? [];
  return `${beginning}… (${text.length - beginning.length} more characters)`;
}

/**
 * Drops text until all fits: the oldest step of the longest example, again and again; then whole
 * examples; then the oldest steps of the history, but never the latest.
 * @param examples each a list of its opening and its steps, oldest first
 * @param room tokens for all of them together
 * @returns the examples left, as one text each, and the steps left, oldest first
 */
export function shortenHistory(
  examples: readonly (readonly string[])[],
  history: readonly string[],
  options: { readonly room: number; readonly count: TokenCounter },
): { readonly examples: readonly string[]; readonly history: readonly string[] } {
  const { room, count } = options;
  const kept = examples.map((entries) => entries.map((text) => ({ text, tokens: count(text) })));
  const steps = history.map((text) => ({ text, tokens: count(text) }));
  let total = [...kept.flat(), ...steps].reduce((sum, { tokens }) => sum + tokens, 0);
  while (total > room) {
    const longest = kept.reduce<typeof steps | undefined>(
      (a, b) => b.length > 1 && b.length > (a?.length ?? 1) ? b : a,
      undefined,
    );
    if (longest) total -= longest.splice(1, 1)[0]?.tokens ?? 0;
    else if (kept.length > 0) {
      total -= (kept.shift() ?? []).reduce((sum, { tokens }) => sum + tokens, 0);
    } else if (steps.length > 1) total -= steps.shift()?.tokens ?? 0;
    else break;
  }
  return {
    examples: kept.map((entries) => entries.map(({ text }) => text).join("\n")),
    history: steps.map(({ text }) => text),
  };
}
