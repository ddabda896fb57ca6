/**
 * What memories share: questions to models, where a reply that stays unreadable is reported and counts as no answer; numbered lists in them; and
 * reading a stored memory back.
 */

import type { Answer, AskOptions } from "../llm/asker.ts";
import type { Prompt, PromptValues } from "../llm/prompt.ts";
import type { Schema } from "../text/json.ts";
import type { Artefact, MemoryContext } from "./memory.ts";

/** Puts a prompt to its model and gives the value that was read of the reply, if it could be read. */
export type Ask = <Name extends string, T>(
  prompt: Prompt<Name>,
  values: PromptValues<Name>,
  options: AskOptions<T>,
) => Promise<T | undefined>;

/** The questions of one agent step. */
export function askAt(context: MemoryContext, step: number): Ask {
  const ask = context.ask.at({ step });
  return async (prompt, values, options) => valueOf(context, prompt, await ask(prompt, values, options));
}

/** The value of an answer; `undefined`, with the event `malformed-reply`, where the reply stayed unreadable. */
export function valueOf<T>({ onEvent }: Pick<MemoryContext, "onEvent">, { role }: Prompt, answer: Answer<T>): T | undefined {
  if (answer.kind === "ok") return answer.value;
  onEvent?.("malformed-reply", `${role}: ${answer.problem}`);
  return undefined;
}

/** The body of an artefact of a kind, read by its schema. @throws {TypeError} if it is of another kind or shape. */
export function readArtefact<T>({ kind, body }: Artefact, own: string, schema: Schema<T>): T {
  const parsed = schema.safeParse(body);
  if (kind === own && parsed.success) return parsed.data;
  throw new TypeError(`cannot load the memory: wanted what the memory ${own} saved, got ${JSON.stringify(kind)}; start from none`);
}

/** Texts as numbered lines, `1. text` or, in `brackets`, `[1] text`. */
export function numbered(texts: readonly string[], form?: "brackets"): string {
  return texts.map((text, at) => `${form ? `[${at + 1}]` : `${at + 1}.`} ${text.replaceAll("\n", " ")}`).join("\n");
}

/** Whether a number of a reply is one of a list of so many. */
export function isNumberOf(number: number, count: number): boolean {
  return Number.isInteger(number) && number >= 1 && number <= count;
}
