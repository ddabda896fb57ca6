/** One question to a model outside of any study. */

import { type AskOptions, createAsker } from "../core/llm/asker.ts";
import type { ChatModel, Message, Sample } from "../core/llm/chat-model.ts";
import { type Prompt, type PromptValues, renderPrompt } from "../core/llm/prompt.ts";
import { parseRoleMap } from "../core/llm/role-map.ts";
import type { RoleMap } from "../core/llm/roles.ts";
import { createModels } from "./llm/stack.ts";
import { openStore, type Store } from "./store/open.ts";
import { codeVersion } from "./models.ts";

/** Who is asked, and how: the options of a question with the models and the place in an episode. */
export interface AskOnceOptions<T> extends AskOptions<T>, Pick<Sample, "step" | "pass"> {
  /** The model of each role, as `--models` takes it (`gpt-4o`), or a model made in a cell. */
  readonly models: string | RoleMap | ChatModel;
  /** Where replies are recorded, and found when the same is asked again. @default nowhere */
  readonly store?: Store;
  /** Trial whose samples are drawn, from 1. @default 1 */
  readonly attempt?: number;
}

/** A question with its answer. */
export interface Asked<T> {
  /** The messages as text, instructions first, with a blank line between them. */
  readonly prompt: string;
  /** The reply as the model wrote it: the last one, if it had to be asked again. */
  readonly text: string;
  /** What was read of the reply; absent where none could be read. */
  readonly value?: T;
  /** Why no reply could be read. */
  readonly problem?: string;
}

/**
 * Puts a prompt to a model, once, outside of any study. The reply is recorded in `store` under the
 * key that an episode's has: where an episode of the same `attempt` asked the same at this
 * `pass` and `step`, its reply is found, and no model is asked.
 *
 * @throws {ModelError} without a reply; a reply that cannot be read is a `problem`, not an error.
 *
 * @example
 * ```ts
 * import { ask, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const weather = { role: "demo/weather", instructions: "Wet or dry?", sections: { sky: "Sky" } };
 * const { prompt, text, value } = await ask(weather, { sky: "grey" }, {
 *   models: scripted(["wet"]),
 *   parse: (reply) => ({ kind: "ok", value: reply === "wet" }),
 * });
 * assert.deepEqual([prompt, text, value], ["Wet or dry?\n\n### Sky\ngrey", "wet", true]);
 * ```
 */
export async function ask<Name extends string, T>(
  prompt: Prompt<Name>,
  values: PromptValues<Name>,
  options: AskOnceOptions<T>,
): Promise<Asked<T>> {
  const { models, store, attempt = 1, step, pass = 0, ...question } = options;
  using none = store ? undefined : openStore(":memory:");
  const asker = createAsker({
    model: modelOf(models, store ?? none as Store, attempt),
    sample: { pass, ...(step === undefined ? {} : { step }) },
  });
  const answer = await asker(prompt, values, question);
  const shown = renderPrompt(prompt, values, { extra: question.extra }).map(textOf).join("\n\n");
  const read = answer.kind === "ok" ? { value: answer.value } : { problem: answer.problem };
  return { prompt: shown, text: answer.text, ...read };
}

function modelOf(
  models: AskOnceOptions<unknown>["models"],
  store: Store,
  attempt: number,
): ChatModel {
  if (typeof models === "object" && typeof models["chat"] === "function") {
    return models as ChatModel;
  }
  const map = typeof models === "string" ? parseRoleMap(models) : models as RoleMap;
  return createModels({ map, store, codeVersion: codeVersion(), attempt });
}

function textOf({ content }: Message): string {
  return typeof content === "string"
    ? content
    : content.map((part) => part.kind === "text" ? part.text : "[picture]").join("\n");
}
