/** Prompts as data: a role, instructions, and named sections that the caller fills. */

import { z } from "zod";
import { UsageError } from "../errors.ts";
import { sha256 } from "../text/canonical.ts";
import type { Schema } from "../text/json.ts";
import { escapeHeadings, renderSections } from "../text/sections.ts";
import type { Message, Sampling } from "./chat-model.ts";

/**
 * A prompt with the sections `Name`. The stand-in finds sections by title
 * (`lib/offline/responders/`).
 */
export interface Prompt<Name extends string = string> {
  /** The role that asks, `<memory or method>/<task>`, e.g. `arigraph/extract`. */
  readonly role: string;
  /** The system message: the task and the answer format. */
  readonly instructions: string;
  /** Section key → title, in the order in which the sections are shown. */
  readonly sections: Readonly<Record<Name, string>>;
  /**
   * The texts of sections that say the same in every request, part of the prompt's hash.
   * @default none
   */
  readonly texts?: Readonly<Partial<Record<Name, string>>>;
  /**
   * The section before which the sections that a memory recalls are shown.
   * @default none: they come last
   */
  readonly memoryBefore?: Name;
  /**
   * Sections without a heading: each is the last entry of the section that it continues, which
   * stands before it.
   * @default none
   */
  readonly continues?: Readonly<Partial<Record<Name, Name>>>;
  /**
   * The section before which the text ends that other roles' requests repeat; caches are marked
   * there. Not part of the prompt's hash.
   * @default none
   */
  readonly repeatedBefore?: Name;
  /**
   * The end of the user message, which tells prompts apart that are the same before it.
   * @default none
   */
  readonly closing?: string;
  /**
   * The pictures that a request shows: the view, or one of each primitive since the last step and
   * of the view before. Not part of the prompt's hash.
   * @default none
   */
  readonly pictures?: "view" | "steps";
  /** Sampling parameters, part of the prompt's hash. @default those of the endpoint */
  readonly sampling?: Sampling;
  /**
   * The form of a JSON answer, a Zod schema, part of the prompt's hash; endpoints enforce it if
   * they can. OpenAI's strict mode takes objects with all fields (nullable, not optional), lists,
   * enumerations and unions.
   * @default any text
   */
  readonly form?: Schema<unknown>;
}

export function formSchema(form: Schema<unknown>): Record<string, unknown> {
  const { $schema: _, ...schema } = schemas.getOrInsertComputed(
    form,
    () => z.toJSONSchema(form as z.ZodType),
  );
  return structuredClone(schema); // who sends it may change it
}

const schemas = new WeakMap<Schema<unknown>, Record<string, unknown>>();

/**
 * Custom wordings by role (`arigraph/extract`): templates with a `{section}` slot for each section
 * key and `{memory}` for the recalled context, sent as one user message.
 */
export type PromptOverrides = Readonly<Record<string, string>>;

/** The texts of sections by key; the entries of a list are shown with a blank line between them. */
export type PromptValues<Name extends string = string> = Readonly<
  Partial<Record<Name, string | readonly string[]>>
>;

/**
 * Renders a prompt: the instructions as system message, the sections that have a value as user
 * message. A template of `promptOverrides` for the role replaces both.
 * @throws {UsageError} if the template has a slot that the prompt lacks.
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
  values: PromptValues<Name>,
  options: {
    readonly extra?: Readonly<Record<string, string>>;
    readonly promptOverrides?: PromptOverrides;
  } = {},
): Message[] {
  const template = options.promptOverrides?.[prompt.role];
  if (template !== undefined) {
    return [{ role: "user", content: fill(template, prompt, values, options.extra ?? {}) }];
  }
  const { shown, lasting, repeated } = layOut(prompt, values, options.extra ?? {});
  const text = renderSections(textsOf(shown));
  return [
    { role: "system", content: prompt.instructions },
    {
      role: "user",
      content: prompt.closing === undefined ? text : `${text}\n\n${prompt.closing}`,
      ...(repeated === undefined ? {} : { repeats: repeats(shown, lasting ?? repeated, repeated) }),
    },
  ];
}

type Shown = (readonly [title: string, entries: readonly string[]])[];

/**
 * Puts sections in order; `lasting` of them stand before what a memory recalls, `repeated` before
 * `repeatedBefore`.
 */
function layOut<Name extends string>(
  { sections, texts, memoryBefore, repeatedBefore, continues }: Prompt<Name>,
  values: PromptValues<Name>,
  extra: Readonly<Record<string, string>>,
): { readonly shown: Shown; readonly lasting?: number; readonly repeated?: number } {
  const shown = new Map<string, readonly string[]>();
  let [lasting, repeated]: (number | undefined)[] = [];
  const recall = (): void => {
    for (const [title, text] of Object.entries(extra)) shown.set(title, [text]);
  };
  for (const [name, title] of Object.entries(sections) as [Name, string][]) {
    if (name === memoryBefore) {
      lasting = shown.size;
      recall();
    }
    if (name === repeatedBefore) repeated = shown.size;
    const value = values[name] ?? texts?.[name];
    if (value === undefined) continue;
    const entries: readonly string[] = [value].flat();
    const before = continues?.[name];
    if (before === undefined) shown.set(title, entries);
    else {shown.set(
        sections[before],
        [...shown.get(sections[before]) ?? [], ...entries].filter((entry) => entry !== ""),
      );}
  }
  recall();
  return { shown: [...shown], lasting, repeated };
}

/**
 * Where repeated parts end: after each entry of the first `lasting` sections, and after the first
 * `repeated` sections.
 */
function repeats(shown: Shown, lasting: number, repeated: number): number[] {
  const ends: number[] = [];
  for (const [index, [title, entries]] of shown.slice(0, lasting).entries()) {
    const [first = "", ...rest] = entries;
    ends.push(
      (ends.at(-1) ?? 0) + (index === 0 ? 0 : GAP.length) +
        renderSections({ [title]: first }).length,
    );
    for (const entry of rest) {
      ends.push((ends.at(-1) ?? 0) + GAP.length + escapeHeadings(entry).length);
    }
  }
  return [...new Set([...ends, renderSections(textsOf(shown.slice(0, repeated))).length])];
}

function textsOf(shown: Shown): Record<string, string> {
  return Object.fromEntries(shown.map(([title, entries]) => [title, entries.join(GAP)]));
}

const GAP = "\n\n";

/** Hashes prompts as they are sent, in any order: SHA-256 (hex), part of an episode's identity. */
export function promptHash(
  prompts: readonly Prompt[],
  promptOverrides: PromptOverrides = {},
): string {
  const parts = prompts
    .map(
      (
        { role, instructions, sections, texts, memoryBefore, continues, closing, sampling, form },
      ) => {
        const wording = [
          instructions,
          sections,
          ...[texts, memoryBefore, continues, closing].filter((part) => part !== undefined),
        ];
        return JSON.stringify([
          role,
          promptOverrides[role] ?? wording,
          sampling ?? {},
          ...(form ? [formSchema(form)] : []),
        ]);
      },
    )
    .sort();
  return sha256(JSON.stringify(parts));
}

function fill(
  template: string,
  prompt: Prompt,
  values: PromptValues,
  extra: Readonly<Record<string, string>>,
): string {
  return template.replaceAll(/\{(\w+)\}/g, (slot, name: string) => {
    if (name === "memory") {
      return Object.entries(extra).map(([title, body]) => `${title}:\n${body}`).join("\n\n");
    }
    if (!(name in prompt.sections)) {
      throw new UsageError(
        `the wording for ${prompt.role} has the slot ${slot}, which that prompt does not have; its slots are ${
          [...Object.keys(prompt.sections), "memory"].map((known) => `{${known}}`).join(", ")
        }`,
      );
    }
    return [values[name] ?? prompt.texts?.[name] ?? ""].flat().join(GAP);
  });
}
