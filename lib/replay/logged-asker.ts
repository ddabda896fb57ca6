/**
 * An asker whose answers are those of a log, already read.
 *
 * @module
 */

import type { Answer, Asker } from "../llm/asker.ts";
import { scripted } from "../llm/scripted.ts";

/** Answers each role with what is logged for it on the present step. @throws {TypeError} for a role that the log has no answer for. */
export function loggedAsker(answers: () => Readonly<Record<string, unknown>>): Asker {
  const usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
  const asker: Asker = Object.assign(
    <Name extends string, T>(prompt: { readonly role: string }): Promise<Answer<T>> => {
      const value = answers()[prompt.role];
      if (value === undefined) throw new TypeError(`the log has no answer for ${prompt.role}`);
      return Promise.resolve({ kind: "ok", value: value as T, text: "", asked: 1, usage });
    },
    { at: () => asker, model: scripted([]), sample: {} },
  );
  return asker;
}
