/** Asking a model a prompt for a parsed value, with re-asks after malformed replies. */

import type { z } from "zod";
import { reader, type Reading, type ReplyParser } from "../text/reply-text.ts";
import type { ChatModel, ChatReply, Message, Sample, Usage } from "./chat-model.ts";
import { formSchema, type Prompt, type PromptOverrides, type PromptValues, renderPrompt } from "./prompt.ts";
import { allowanceOf, type AskTools, chatWithTools } from "./tool-calls.ts";

/**
 * The answer to a prompt. `text` is the last reply as written, `asked` the number of requests (≥ 1), `usage` the sum over all of them;
 * `values` are those of all choices that could be read, where `n` is given.
 */
export type Answer<T> =
  & { readonly text: string; readonly values?: readonly T[]; readonly asked: number; readonly usage: Usage }
  & Reading<T>;

/** Options of one question to a model. */
export interface AskOptions<T> {
  /** Parses each reply. One that is not made by `reader` is given what is left of a reply without thoughts and tokens of chat templates. */
  readonly parse: ReplyParser<T>;
  /** The form of the answer to this one question in place of the prompt's, such as one that lists the actions that are possible now. */
  readonly form?: z.ZodType;
  /** Sections shown after those of the prompt, by title: what a memory has recalled. */
  readonly extra?: Readonly<Record<string, string>>;
  /** PNG images shown after the text. */
  readonly images?: readonly Uint8Array[];
  /** Maximum number of re-asks after a malformed reply, ≥ 0. @default {2} */
  readonly reAsks?: number;
  /** Index among several votes, from 0: each vote is a separate sample. Absent for a single one. */
  readonly vote?: number;
  /** Number of choices, ≥ 1: the first that parses gives the value, `values` holds all that do. @default {1} */
  readonly n?: number;
  /** Tools that the model may call before it answers. @default none */
  readonly tools?: AskTools;
}

/** Asks the models of one episode. */
export interface Asker {
  /** Asks a prompt; after a malformed reply it names the problem and asks again, `reAsks` times at most. @throws {ModelError} without a reply. */
  <Name extends string, T>(
    prompt: Prompt<Name>,
    values: PromptValues<Name>,
    options: AskOptions<T>,
  ): Promise<Answer<T>>;
  /** Returns the same asker for another step or pass; the sample is part of the key of every recorded reply. */
  at(sample: Sample): Asker;
  /** The model itself, for methods that build their own chat. */
  readonly model: ChatModel;
  /** The sample of its requests, without vote and re-ask. */
  readonly sample: Sample;
}

/**
 * Creates an asker over a model that routes by role.
 *
 * @param options `promptOverrides` are the user's wordings by role, `sample` is that of every request, `signal` aborts calls with its reason
 *
 * @example
 * ```ts
 * import { createAsker, type Prompt, scripted } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const weather: Prompt<"sky"> = { role: "demo/weather", instructions: "Answer wet or dry.", sections: { sky: "Sky" } };
 * const model = scripted(["Hm.", "wet"]);
 * const ask = createAsker({ model });
 * const answer = await ask(weather, { sky: "grey" }, {
 *   parse: (text) => text === "wet" || text === "dry" ? { kind: "ok", value: text } : { kind: "malformed", problem: "it is neither" },
 * });
 * assert.equal(answer.kind === "ok" && answer.value, "wet");
 * assert.equal(answer.asked, 2); // the first reply is malformed
 * ```
 */
export function createAsker(options: {
  readonly model: ChatModel;
  readonly promptOverrides?: PromptOverrides;
  readonly sample?: Sample;
  readonly signal?: AbortSignal;
}): Asker {
  const { model, promptOverrides, sample = {}, signal } = options;

  async function ask<Name extends string, T>(
    prompt: Prompt<Name>,
    values: PromptValues<Name>,
    { parse, form = prompt.form, extra = {}, images = [], reAsks = 2, vote, n, tools }: AskOptions<T>,
  ): Promise<Answer<T>> {
    let messages = withImages(renderPrompt(prompt, values, { extra, promptOverrides }), images);
    let usage: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
    const read = reader(parse);
    const allowance = allowanceOf(tools);
    for (let asked = 1;; asked++) {
      const request = {
        role: prompt.role,
        messages,
        sampling: prompt.sampling,
        schema: form && { name: prompt.role.replaceAll(/[^\w-]/g, "_"), schema: formSchema(form) },
        n,
        sample: { ...sample, ...(vote === undefined ? {} : { vote }), ...(asked > 1 ? { reAsk: asked - 1 } : {}) },
        signal,
      };
      const chat = tools ? await chatWithTools(model, request, { tools, allowance }) : { replies: [await model.chat(request)], messages };
      messages = [...chat.messages];
      for (const reply of chat.replies) usage = addUsage(usage, reply.usage);
      const reply = chat.replies.at(-1) as ChatReply;
      const [{ text }] = reply.choices;
      const readings = reply.choices.map((choice) => read(choice.text, choice.finish === "length"));
      const parsed = readings.find(({ kind }) => kind === "ok") ?? readings[0] as Reading<T>;
      if (parsed.kind === "ok" || asked > reAsks) {
        const values = readings.flatMap((reading) => reading.kind === "ok" ? [reading.value] : []);
        return { ...parsed, text, asked, usage, ...(n === undefined ? {} : { values }) };
      }
      messages = [
        ...messages,
        { role: "assistant", content: text.slice(0, 4000) },
        {
          role: "user",
          content: `That answer could not be read: ${problemOf(parsed.problem, reply)}. Answer again, in the required format only.`,
        },
      ];
    }
  }

  return Object.assign(ask, {
    at: (next: Sample) => createAsker({ ...options, sample: { ...sample, ...next } }),
    model,
    sample,
  });
}

function problemOf(problem: string, { choices: [{ finish }] }: ChatReply): string {
  return finish === "length" ? `it was too long and has been cut off; ${problem}` : problem;
}

/** Adds two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    prompt: a.prompt + b.prompt,
    cached: a.cached + b.cached,
    ...((a.written || b.written) && { written: (a.written ?? 0) + (b.written ?? 0) }),
    completion: a.completion + b.completion,
    reasoning: a.reasoning + b.reasoning,
  };
}

function withImages(messages: Message[], images: readonly Uint8Array[]): Message[] {
  const last = messages.at(-1);
  if (images.length === 0 || !last || typeof last.content !== "string") return messages;
  const parts = [{ kind: "text" as const, text: last.content }, ...images.map((png) => ({ kind: "image" as const, png }))];
  return [...messages.slice(0, -1), { ...last, content: parts }];
}
