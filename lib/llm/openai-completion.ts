/**
 * Plain-text completions, which base and instruct models speak in the place of chat: WESE's strong model, text-davinci-003, was one.
 *
 * @module
 */

import type OpenAI from "openai";
import { ModelError } from "../errors.ts";
import type { ChatRequest, Message } from "./chat-model.ts";

/** How a model is spoken to. */
export type EndpointStyle = "chat" | "completion";

/** OpenAI's models that know no chat; anybody else's are told by their entry in the role map. */
const NO_CHAT = /(^|\/)(text-(davinci|curie|babbage|ada)-\d+|gpt-3\.5-turbo-instruct(-\d+)?|(davinci|babbage)-002)$/;

/** Whether a model is spoken to in plain text, unless its entry says how. */
export function styleOf(model: string): EndpointStyle {
  return NO_CHAT.test(model) ? "completion" : "chat";
}

/** The form of the laboratory's sections: a model that goes on after its answer begins one. */
const SECTION = "### ";

/** The endpoint's own bound is 16 tokens, which cuts a thought short; it must leave room for the prompt in a window of 4097. */
const MAX_TOKENS = 256;

/** OpenAI takes no more. */
const MOST_STOPS = 4;

/**
 * A chat as one text: what was said, in order, the model's own words and the place of the next ones below a title like those of sections.
 *
 * @throws {ModelError} `bad-request` if the request offers functions or shows pictures, which a text cannot carry.
 */
export function promptOf({ messages, tools }: ChatRequest, model: string): string {
  if (tools?.length || messages.some(({ role }) => role === "tool")) {
    throw new ModelError("bad-request", `${model} completes plain text and can call no functions: bind a chat model to this role`);
  }
  const said = messages.map((message) => message.role === "assistant" ? answer(textOf(message, model)) : textOf(message, model));
  return [...said, answer("")].join("\n\n");
}

/** The body of a request for completions. */
export function completionBody(
  model: string,
  prompt: string,
  { sampling = {}, n }: ChatRequest,
): OpenAI.CompletionCreateParamsNonStreaming {
  const { temperature, topP, maxTokens = MAX_TOKENS, stop = [] } = sampling;
  return {
    model,
    prompt,
    max_tokens: maxTokens,
    stop: [...stop, `\n${SECTION}`].slice(0, MOST_STOPS),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(n === undefined || n === 1 ? {} : { n }),
  };
}

/** A completion in the form of a chat completion, so that both are read by the same rules; anything else as it stands. */
export function asChatCompletion(completion: unknown): unknown {
  const { choices } = (completion ?? {}) as { readonly choices?: unknown };
  if (!Array.isArray(choices)) return completion;
  return {
    ...completion as object,
    choices: choices.map((choice: unknown) => {
      const { text, ...rest } = (choice ?? {}) as Record<string, unknown>;
      return text === undefined ? choice : { ...rest, message: { content: text } };
    }),
  };
}

function answer(text: string): string {
  return `${SECTION}Answer\n${text}`;
}

function textOf({ content }: Message, model: string): string {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (part.kind === "text") return part.text;
    throw new ModelError("bad-request", `${model} completes plain text and sees no pictures: bind a chat model to this role`);
  }).join("\n");
}
