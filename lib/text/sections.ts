/**
 * Prompts are made of named sections; whoever reads a prompt (the offline backbone, `./lab show`) reads them back the same way.
 *
 * @module
 */

const HEADING = "### ";

/**
 * Writes sections as text: a heading line `### <title>` and the body under it, in order. Empty bodies are written as `(none)`.
 * A body's own lines that look like headings are indented by one space, so that reading gives them back as body.
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
    .map(([title, body]) => `${HEADING}${title}\n${body.trim() === "" ? "(none)" : body.replaceAll(/^ *###/gm, " $&")}`)
    .join("\n\n");
}

/**
 * Reads what `renderSections` wrote: title → body. Text before the first heading is left out; of equal titles the last one counts.
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
