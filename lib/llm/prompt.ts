/**
 * A prompt is data: a role, instructions, and named sections that its caller fills.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { UsageError } from "../errors.ts";
import { renderSections } from "../text/sections.ts";
import type { Message, Sampling } from "./chat-model.ts";

/**
 * A prompt with the sections `Name`. The offline backbone finds a section by its title, so titles are part of the contract between
 * `<name>.prompts.ts` and `<name>.offline.ts`.
 */
export interface Prompt<Name extends string = string> {
  /** `<memory or method>/<what>`, e.g. `arigraph/extract`. */
  readonly role: string;
  /** What to do and how to answer; becomes the system message. */
  readonly instructions: string;
  /** Section key → title, in the order in which they are shown. */
  readonly sections: Readonly<Record<Name, string>>;
  /** How its replies are drawn; the endpoint's own defaults where absent. Part of the prompt's hash. */
  readonly sampling?: Sampling;
}

/**
 * The wording of a user's own, by role (`arigraph/extract`): text with `{section}` slots by the keys of the prompt's sections, and
 * `{memory}` for what a memory recalled; sent as one user message.
 */
export type PromptOverrides = Readonly<Record<string, string>>;

/**
 * The messages of a prompt: instructions as system message, sections as user message. Sections without a value are left out.
 * Where `promptOverrides` has a wording for the role, that one is filled instead.
 *
 * @throws {UsageError} if `promptOverrides`'s wording names a section that the prompt does not have.
 *
 * @example
 * ```ts
 * import { type Prompt, renderPrompt } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const prompt: Prompt<"plan"> = { role: "arigraph/explore", instructions: "True or False?", sections: { plan: "Plan" } };
 * assert.deepEqual(renderPrompt(prompt, { plan: "find the key" }), [
 *   { role: "system", content: "True or False?" },
 *   { role: "user", content: "### Plan\nfind the key" },
 * ]);
 * const promptOverrides = { "arigraph/explore": "Does this plan explore: {plan}?" };
 * assert.equal(renderPrompt(prompt, { plan: "find the key" }, { promptOverrides })[0]?.content, "Does this plan explore: find the key?");
 * ```
 */
export function renderPrompt<Name extends string>(
  prompt: Prompt<Name>,
  values: Readonly<Partial<Record<Name, string>>>,
  options: { readonly extra?: Readonly<Record<string, string>>; readonly promptOverrides?: PromptOverrides } = {},
): Message[] {
  const template = options.promptOverrides?.[prompt.role];
  if (template !== undefined) return [{ role: "user", content: fill(template, prompt, values, options.extra ?? {}) }];
  const shown: Record<string, string> = {};
  for (const [name, title] of Object.entries<string>(prompt.sections)) {
    const value = values[name as Name];
    if (value !== undefined) shown[title] = value;
  }
  return [
    { role: "system", content: prompt.instructions },
    { role: "user", content: renderSections({ ...shown, ...options.extra }) },
  ];
}

/** SHA-256 (hex) over the prompts as they would be sent: part of an episode's identity. */
export function promptHash(prompts: readonly Prompt[], promptOverrides: PromptOverrides = {}): string {
  const parts = prompts
    .map(({ role, instructions, sections, sampling }) =>
      JSON.stringify([role, promptOverrides[role] ?? [instructions, sections], sampling ?? {}])
    )
    .sort();
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function fill(
  template: string,
  prompt: Prompt,
  values: Readonly<Record<string, string | undefined>>,
  extra: Readonly<Record<string, string>>,
): string {
  return template.replaceAll(/\{(\w+)\}/g, (slot, name: string) => {
    if (name === "memory") return Object.entries(extra).map(([title, body]) => `${title}:\n${body}`).join("\n\n");
    if (!(name in prompt.sections)) {
      throw new UsageError(
        `the wording for ${prompt.role} has the slot ${slot}, which that prompt lacks; its slots are ${
          [...Object.keys(prompt.sections), "memory"].map((known) => `{${known}}`).join(", ")
        }`,
      );
    }
    return values[name] ?? "";
  });
}
