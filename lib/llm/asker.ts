/**
 * Asking a model a prompt and getting a parsed value or a typed refusal back.
 *
 * @module
 */

import type { ChatModel, ChatReply, Message, Sample, Usage } from "./chat-model.ts";
import { type Prompt, type PromptOverrides, renderPrompt } from "./prompt.ts";
import { allowanceOf, type AskTools, chatWithTools } from "./tool-calls.ts";

/** Reads a reply's text: a value, or what is wrong with it in one line (shown to the model when it is asked again). */
export type ReplyParser<T> = (
  text: string,
) => { readonly kind: "ok"; readonly value: T } | { readonly kind: "malformed"; readonly problem: string };

/** What a parser makes of one reply. */
export type Reading<T> = ReturnType<ReplyParser<T>>;

/**
 * What came of asking. `text` is the last reply as it stood, `asked` how often the model was asked (from 1), `usage` the sum over all
 * askings; `problem` says in one line what stayed wrong with the last reply. `choices` are the last replies where several were wanted.
 */
export type Answer<T> =
  & { readonly text: string; readonly choices?: readonly string[]; readonly asked: number; readonly usage: Usage }
  & ({ readonly kind: "ok"; readonly value: T } | { readonly kind: "malformed"; readonly problem: string });

/** How one question is put. */
export interface AskOptions<T> {
  /** Reads each reply; its `problem` is shown to the model when it is asked again. */
  readonly parse: ReplyParser<T>;
  /** Titled texts shown after the prompt's own sections (what a memory recalled). */
  readonly extra?: Readonly<Record<string, string>>;
  /** Pictures shown after the text (PNG). */
  readonly images?: readonly Uint8Array[];
  /** Further asks after a malformed reply, ≥ 0. @default {2} */
  readonly reAsks?: number;
  /** Which vote of several this is, from 0: each vote is a sample of its own. Absent where there is one. */
  readonly vote?: number;
  /** Replies wanted of one asking, ≥ 1; the first that parses is the value, all of them are `choices`. @default {1} */
  readonly n?: number;
  /** Functions that the model may call before it answers; none unless told. */
  readonly tools?: AskTools;
}

/** Puts prompts to the models of one episode. */
export interface Asker {
  /** Asks; a reply that does not parse is asked again at most `reAsks` times, with the problem named. Throws `ModelError` if no reply comes. */
  <Name extends string, T>(
    prompt: Prompt<Name>,
    values: Readonly<Partial<Record<Name, string>>>,
    options: AskOptions<T>,
  ): Promise<Answer<T>>;
  /** The same asker for another step or pass; the sample enters the key of every recorded reply. */
  at(sample: Sample): Asker;
  /** The model underneath, for methods that keep a chat of their own (tools). */
  readonly model: ChatModel;
  /** The draw that requests are marked with, but for vote and re-ask. */
  readonly sample: Sample;
}

/**
 * Builds an asker over a model that routes by role.
 *
 * @param options `promptOverrides` holds the user's own wordings, `sample` marks every request, `signal` ends calls under way with its reason
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
 * assert.equal(answer.asked, 2); // the first reply was no answer, so it was asked again
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
    values: Readonly<Partial<Record<Name, string>>>,
    { parse, extra = {}, images = [], reAsks = 2, vote, n, tools }: AskOptions<T>,
  ): Promise<Answer<T>> {
    let messages = withImages(renderPrompt(prompt, values, { extra, ...(promptOverrides ? { promptOverrides } : {}) }), images);
    let usage: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
    const allowance = allowanceOf(tools);
    for (let asked = 1;; asked++) {
      const request = {
        role: prompt.role,
        messages,
        ...(prompt.sampling ? { sampling: prompt.sampling } : {}),
        ...(n === undefined ? {} : { n }),
        sample: { ...sample, ...(vote === undefined ? {} : { vote }), ...(asked > 1 ? { reAsk: asked - 1 } : {}) },
        ...(signal ? { signal } : {}),
      };
      const chat = tools ? await chatWithTools(model, request, { tools, allowance }) : { replies: [await model.chat(request)], messages };
      messages = [...chat.messages];
      for (const said of chat.replies) usage = addUsage(usage, said.usage);
      const reply = chat.replies.at(-1) as ChatReply;
      const texts = reply.choices.map((choice) => choice.text);
      const [text = ""] = texts;
      const readings = texts.map(parse);
      const parsed = readings.find(({ kind }) => kind === "ok") ?? readings[0] as Reading<T>;
      const came = { text, asked, usage, ...(n === undefined ? {} : { choices: texts }) };
      if (parsed.kind === "ok") return { kind: "ok", value: parsed.value, ...came };
      if (asked > reAsks) return { kind: "malformed", problem: parsed.problem, ...came };
      messages = [
        ...messages,
        { role: "assistant", content: text.slice(0, 4000) },
        { role: "user", content: `That answer could not be read: ${parsed.problem}. Answer again, in the required format only.` },
      ];
    }
  }

  return Object.assign(ask, {
    at: (next: Sample) => createAsker({ ...options, sample: { ...sample, ...next } }),
    model,
    sample,
  });
}

/** The sum of two usages. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    prompt: a.prompt + b.prompt,
    cached: a.cached + b.cached,
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
