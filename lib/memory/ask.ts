/**
 * The questions that a memory asks models: a reply that stays unreadable is reported and counts as no answer.
 *
 * @module
 */

import type { Answer, AskOptions } from "../llm/asker.ts";
import type { Prompt } from "../llm/prompt.ts";
import type { MemoryContext } from "./memory.ts";

/** Puts a prompt to its model and gives the value that was read of the reply, if it could be read. */
export type Ask = <Name extends string, T>(
  prompt: Prompt<Name>,
  values: Readonly<Partial<Record<Name, string>>>,
  options: AskOptions<T>,
) => Promise<T | undefined>;

/** The questions of one agent step. */
export function askAt(context: MemoryContext, step: number): Ask {
  const ask = context.ask.at({ step });
  return async (prompt, values, options) => valueOf(context, prompt, await ask(prompt, values, options));
}

/** The value of an answer; `undefined`, with the event `malformed-reply`, where the reply stayed unreadable. */
export function valueOf<T>({ onEvent }: MemoryContext, { role }: Prompt, answer: Answer<T>): T | undefined {
  if (answer.kind === "ok") return answer.value;
  onEvent?.("malformed-reply", `${role}: ${answer.problem}`);
  return undefined;
}
