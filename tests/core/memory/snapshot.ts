/** Text compared with a committed file; `UPDATE_SNAPSHOTS=1` writes it anew. */

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type Message, type Prompt, renderPrompt } from "../../../lib/mod.ts";
import { formSchema } from "../../../lib/core/llm/prompt.ts";
import { env } from "../../../lib/core/platform.ts";

/** Compares with `<folder of the test>/snapshots/<name>.txt`. */
export function assertSnapshot(test: string, name: string, text: string): void {
  const file = fileURLToPath(new URL(`snapshots/${name}.txt`, test));
  if (env("UPDATE_SNAPSHOTS")) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert(existsSync(file), `${file} is missing; UPDATE_SNAPSHOTS=1 writes it`);
  assert.equal(
    text,
    readFileSync(file, "utf8"),
    `${name} has changed; if it should have, UPDATE_SNAPSHOTS=1 writes it anew`,
  );
}

/**
 * A prompt as a model gets it, with its sampling and the form of its answer: every message under
 * its role.
 */
export function shownPrompt(
  prompt: Prompt,
  values: Readonly<Record<string, string>>,
  extra: Readonly<Record<string, string>> = {},
): string {
  const messages: Message[] = renderPrompt(prompt, values, { extra });
  const parts = messages.map(({ role, content }) => `## ${role}\n\n${content}\n`);
  const form = prompt.form ? ` ${JSON.stringify(formSchema(prompt.form))}` : "";
  return [`# ${prompt.role} ${JSON.stringify(prompt.sampling ?? {})}${form}\n`, ...parts].join(
    "\n",
  );
}
