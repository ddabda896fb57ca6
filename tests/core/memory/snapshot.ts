/**
 * Prompts compared by digest: another wording is another experiment. `UPDATE_SNAPSHOTS=1` writes the
 * digests; the diff of the prompts' source shows what has changed.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { type Message, type Prompt, renderPrompt } from "../../../lib/mod.ts";
import { formSchema } from "../../../lib/core/llm/prompt.ts";
import { env } from "../../../lib/core/platform.ts";
import { hashOf } from "../../../lib/core/text/canonical.ts";

const file = new URL("../prompts.json", import.meta.url);
const digests = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;

/** Compares a rendered prompt with its digest in `tests/core/prompts.json`. */
export function assertSnapshot(name: string, text: string): void {
  const digest = hashOf(text).slice(0, 12);
  if (env("UPDATE_SNAPSHOTS")) {
    digests[name] = digest;
    const sorted = Object.entries(digests).sort(([a], [b]) => a < b ? -1 : 1);
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`);
  }
  assert.equal(
    digest,
    digests[name],
    `the prompt ${name} has changed; if it should have, run with UPDATE_SNAPSHOTS=1\n\n${text}`,
  );
}

/**
 * A prompt as a model gets it, with its sampling and the form of its answer: every message under
 * its role. Without values each section has its own name.
 */
export function shownPrompt(
  prompt: Prompt,
  values: Readonly<Record<string, string>> = named(prompt),
  extra: Readonly<Record<string, string>> = {},
): string {
  const messages: Message[] = renderPrompt(prompt, values, { extra });
  const parts = messages.map(({ role, content }) => `## ${role}\n\n${content}\n`);
  const form = prompt.form ? ` ${JSON.stringify(formSchema(prompt.form))}` : "";
  return [`# ${prompt.role} ${JSON.stringify(prompt.sampling ?? {})}${form}\n`, ...parts].join(
    "\n",
  );
}

function named({ sections }: Prompt): Record<string, string> {
  return Object.fromEntries(Object.keys(sections).map((key) => [key, `<${key}>`]));
}

/** A test for each prompt by the name of its digest. */
export function testWordings(prompts: Readonly<Record<string, Prompt>>): void {
  for (const [name, prompt] of Object.entries(prompts)) {
    Deno.test(`prompt ${name} is worded as it was: another wording is another experiment`, () =>
      assertSnapshot(name, shownPrompt(prompt)));
  }
}
