/**
 * The reading window: the part of a prompt that is read.
 *
 * @module
 */

import type { TokenCounter } from "../text/tokens.ts";

/**
 * Cuts sections to a window of tokens. Every section is kept; while the whole does not fit, the longest one loses its oldest part, which is its
 * first lines.
 *
 * @param window tokens of all sections together
 */
export function readWithin(sections: Readonly<Record<string, string>>, window: number, count: TokenCounter): Record<string, string> {
  const kept = Object.entries(sections).map(([title, text]) => ({ title, text, tokens: count(text) }));
  let excess = kept.reduce((sum, section) => sum + section.tokens, 0) - window;
  while (excess > 0) {
    const [longest, second] = [...kept].sort((a, b) => b.tokens - a.tokens);
    if (!longest || longest.tokens === 0) break;
    const wanted = Math.min(excess, Math.max(1, longest.tokens - (second?.tokens ?? 0)));
    const text = withoutOldest(longest.text, wanted, count);
    const tokens = count(text);
    excess -= longest.tokens - tokens;
    Object.assign(longest, { text, tokens });
  }
  return Object.fromEntries(kept.map(({ title, text }) => [title, text]));
}

/** The text without its first lines, as many as have at least `tokens` tokens. */
function withoutOldest(text: string, tokens: number, count: TokenCounter): string {
  let cut = 0;
  for (let gone = 0; gone < tokens && cut < text.length;) {
    const end = text.indexOf("\n", cut);
    const next = end < 0 ? text.length : end + 1;
    gone += count(text.slice(cut, next));
    cut = next;
  }
  return text.slice(cut);
}
