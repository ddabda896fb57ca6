/**
 * Named sections, of which prompts consist; readers of a prompt (the stand-in, `./lab
 * show`) parse them again.
 */

import type { TokenCounter } from "./tokens.ts";

const HEADING = "### ";

/**
 * Writes sections as text, in order: a heading line `### <title>`, then the body, or `(none)` for
 * an empty one. Lines of a body that look like headings are indented by one space, so that
 * `readSections` restores them.
 *
 * @example
 * ```ts
 * import { readSections, renderSections } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const text = renderSections({ "Main goal": "Find the treasure", Plan: "" });
 * assert.deepEqual(readSections(text), { "Main goal": "Find the treasure", Plan: "" });
 * ```
 */
export function renderSections(sections: Readonly<Record<string, string>>): string {
  return Object.entries(sections)
    .map(([title, body]) =>
      `${HEADING}${title}\n${body.trim() === "" ? "(none)" : escapeHeadings(body)}`
    )
    .join("\n\n");
}

export function escapeHeadings(text: string): string {
  return text.replaceAll(/^ *###/gm, " $&");
}

/**
 * Parses the text of `renderSections` into title → body. Text before the first heading is ignored;
 * of equal titles the last one is kept.
 *
 * @example
 * ```ts
 * import { readSections } from "labyrinth/text";
 * import assert from "node:assert/strict";
 *
 * const text = "### Main goal\nFind the treasure\n\n### Plan\n(none)";
 * assert.deepEqual(readSections(`Hello.\n${text}`), { "Main goal": "Find the treasure", Plan: "" });
 * ```
 */
export function readSections(text: string): Record<string, string> {
  const sections: Record<string, string> = {};
  for (const block of text.split(/^### /m).slice(1)) {
    const end = block.indexOf("\n");
    const title = (end < 0 ? block : block.slice(0, end)).trim();
    const body = end < 0 ? "" : block.slice(end + 1).replace(/\n+$/, "");
    sections[title] = body === "(none)" ? "" : body.replaceAll(/^ ( *###)/gm, "$1");
  }
  return sections;
}

/**
 * Cuts sections to a number of tokens. Every section is kept; while they have more together, the
 * longest one loses lines.
 *
 * @param most tokens of all sections together
 * @param loses which lines the longest section loses: its first or its last ones
 */
export function cutSections(
  sections: Readonly<Record<string, string>>,
  most: number,
  count: TokenCounter,
  loses: "first" | "last" = "first",
): Record<string, string> {
  const kept = Object.entries(sections).map(([title, text]) => ({
    title,
    text,
    tokens: count(text),
  }));
  let excess = kept.reduce((sum, section) => sum + section.tokens, 0) - most;
  while (excess > 0) {
    const [longest, second] = [...kept].sort((a, b) => b.tokens - a.tokens);
    if (!longest || longest.tokens === 0) break;
    const lines = longest.text.split(/(?<=\n)/);
    const wanted = Math.min(excess, Math.max(1, longest.tokens - (second?.tokens ?? 0)));
    for (let gone = 0; gone < wanted && lines.length > 0;) {
      gone += count((loses === "first" ? lines.shift() : lines.pop()) ?? "");
    }
    const text = lines.join("");
    const tokens = count(text);
    excess -= longest.tokens - tokens;
    Object.assign(longest, { text, tokens });
  }
  return Object.fromEntries(kept.map(({ title, text }) => [title, text]));
}
