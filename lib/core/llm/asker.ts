/** Asking a model a prompt for a parsed value, with re-asks after malformed replies. */

import type { Schema } from "../text/json.ts";
import { reader, type Reading, type ReplyParser, replyText } from "../text/reply-text.ts";
import type {
  ChatModel,
  ChatReply,
  Choice,
  Message,
  Sample,
  Sampling,
  Usage,
} from "./chat-model.ts";
import {
  formSchema,
  type Prompt,
  type PromptOverrides,
  type PromptValues,
  renderPrompt,
} from "./prompt.ts";
import { allowanceOf, type AskTools, chatWithTools } from "./tool-calls.ts";

/**
 * The answer to a prompt. `text` is the last reply, `asked` the number of requests (≥ 1), `usage`
 * the sum over them; `values` are those of all readable choices, if `n` is given.
 */
export type Answer<T> =
  & {
    readonly text: string;
    readonly values?: readonly T[];
    readonly asked: number;
    readonly usage: Usage;
  }
  & Reading<T>;

/** Options of one question to a model. */
export interface AskOptions<T> {
  /**
   * Parses each reply. One that is not made by `reader` is given what is left of a reply without
   * thoughts and tokens of chat templates.
   */
  readonly parse: ReplyParser<T>;
  /**
   * The form of the answer to this one question in place of the prompt's, such as one that lists
   * the actions that are possible now.
   */
  readonly form?: Schema<unknown>;
  /** Sections shown after those of the prompt, by title: what a memory has recalled. */
  readonly extra?: Readonly<Record<string, string>>;
  /** PNG images shown after the text. */
  readonly images?: readonly Uint8Array[];
  /** Maximum number of re-asks after a malformed reply, ≥ 0. @default {2} */
  readonly reAsks?: number;
  /** Index among several votes, from 0: each vote is a separate sample. Absent for a single one. */
  readonly vote?: number;
  /**
   * Number of choices, ≥ 1: the first that parses gives the value, `values` holds all that do.
   * @default {1}
   */
  readonly n?: number;
  /**
   * Tools that the model may call before it answers.
   * @default none
   */
  readonly tools?: AskTools;
}

/** Asks the models of one episode. */
export interface Asker {
  /**
   * Asks a prompt; after a malformed reply it asks again, `reAsks` times at most, each time
   * otherwise.
   * @throws {ModelError} without a reply.
   */
  <Name extends string, T>(
    prompt: Prompt<Name>,
    values: PromptValues<Name>,
    options: AskOptions<T>,
  ): Promise<Answer<T>>;
  /**
   * Returns the same asker for another step or pass; the sample is part of the key of every
   * recorded reply.
   */
  at(sample: Sample): Asker;
  /** The model itself, for methods that build their own chat. */
  readonly model: ChatModel;
  /** The sample of its requests, without vote and re-ask. */
  readonly sample: Sample;
}

/**
 * Creates an asker over a model that routes by role.
 * @param options `promptOverrides` are custom wordings by role, `sample` is part of every request,
 * `signal` aborts calls
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
    { parse, form = prompt.form, extra = {}, images = [], reAsks = 2, vote, n, tools }: AskOptions<
      T
    >,
  ): Promise<Answer<T>> {
    const read = reader(parse);
    const schema = form &&
      { name: prompt.role.replaceAll(/[^\w-]/g, "_"), schema: formSchema(form) };
    const allowance = allowanceOf(tools);
    let chat: readonly Message[] = withImages(
      renderPrompt(prompt, values, { extra, promptOverrides }),
      images,
    );
    let again: Again = { sampling: prompt.sampling };
    let usage: Usage = { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
    for (let asked = 1;; asked++) {
      const messages = again.added?.(chat) ?? chat;
      const request = {
        role: prompt.role,
        messages,
        sampling: again.sampling,
        schema,
        n,
        sample: {
          ...sample,
          ...(vote === undefined ? {} : { vote }),
          ...(asked > 1 ? { reAsk: asked - 1 } : {}),
        },
        signal,
      };
      const offered = asked > 1 && schema ? undefined : tools; // no form is enforced with tools
      const said = offered
        ? await chatWithTools(model, request, { tools: offered, allowance })
        : { replies: [await model.chat(request)], messages };
      chat = [...chat, ...said.messages.slice(messages.length)];
      for (const reply of said.replies) usage = addUsage(usage, reply.usage);
      const reply = said.replies.at(-1) as ChatReply;
      const readings = reply.choices.map(({ text, finish }) => read(text, finish === "length"));
      const parsed = readings.find(({ kind }) => kind === "ok") ?? readings[0] as Reading<T>;
      if (parsed.kind === "ok" || asked > reAsks) {
        const values = readings.flatMap((reading) => reading.kind === "ok" ? [reading.value] : []);
        return {
          ...parsed,
          text: reply.choices[0].text,
          asked,
          usage,
          ...(n === undefined ? {} : { values }),
        };
      }
      again = askedAgain(asked, {
        choice: reply.choices[0],
        problem: parsed.problem,
        sampling: again.sampling,
      });
    }
  }

  return Object.assign(ask, {
    at: (next: Sample) => createAsker({ ...options, sample: { ...sample, ...next } }),
    model,
    sample,
  });
}

interface Again {
  readonly sampling: Sampling | undefined;
  readonly added?: (chat: readonly Message[]) => readonly Message[];
}

/** Temperature from the second re-ask on, where the prompt's is lower. */
const WARMER = 0.7;

/**
 * After a malformed reply: the first re-ask shows the reply and names the problem; further ones
 * leave it out, and are drawn at a higher temperature. A reply cut before its answer began gets
 * twice the room.
 */
function askedAgain(
  asked: number,
  { choice, problem, sampling }: {
    readonly choice: Choice;
    readonly problem: string;
    readonly sampling: Sampling | undefined;
  },
): Again {
  const { text } = replyText(choice.text);
  const isCut = choice.finish === "length";
  const { temperature, maxTokens } = sampling ?? {};
  const drawn = asked === 1 || temperature === undefined
    ? sampling
    : { ...sampling, temperature: Math.max(temperature, WARMER) };
  if (isCut && text === "") {
    return { sampling: maxTokens === undefined ? drawn : { ...drawn, maxTokens: 2 * maxTokens } };
  }
  const what = isCut ? "was too long and has been cut off" : `could not be read: ${problem}`;
  const wish = isCut
    ? "with fewer and shorter entries, in the required format only"
    : "in the required format only";
  return {
    sampling: drawn,
    added: (chat) =>
      asked > 1 || text === ""
        ? withNote(chat, `An earlier answer ${what}. Answer ${wish}.`)
        : [...chat, { role: "assistant", content: text.slice(0, 4000) }, {
          role: "user",
          content: `That answer ${what}. Answer again, ${wish}.`,
        }],
  };
}

/**
 * Adds a note to the last message, where the user's turn it is: some templates want users and
 * assistants to take turns.
 */
function withNote(chat: readonly Message[], note: string): readonly Message[] {
  const last = chat.at(-1);
  if (last?.role !== "user") return [...chat, { role: "user", content: note }];
  const { content } = last;
  const noted = typeof content === "string"
    ? `${content}\n\n${note}`
    : [...content, { kind: "text" as const, text: note }];
  return [...chat.slice(0, -1), { ...last, content: noted }];
}

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
  const parts = [
    { kind: "text" as const, text: last.content },
    ...images.map((png) => ({ kind: "image" as const, png })),
  ];
  return [...messages.slice(0, -1), { ...last, content: parts }];
}
