/**
 * Plain-text completions for base and instruct models without chat, such as WESE's strong model,
 * text-davinci-003.
 */

import type OpenAI from "openai";
import { ModelError } from "../errors.ts";
import type { ChatRequest, Message } from "./chat-model.ts";

/** The API of a model: chat completions, plain-text completions, or OpenAI's Responses. */
export type EndpointStyle = "chat" | "completion" | "responses";

/** OpenAI's models without chat; those of other makers name the style in the role map. */
const NO_CHAT =
  /(^|\/)(text-(davinci|curie|babbage|ada)-\d+|gpt-3\.5-turbo-instruct(-\d+)?|(davinci|babbage)-002)$/;

export function styleOf(model: string): EndpointStyle {
  return NO_CHAT.test(model) ? "completion" : "chat";
}

const SECTION = "### ";

/**
 * Default limit of the completion: the endpoint's own is 16 tokens, and the prompt needs room in a
 * window of 4,097.
 */
const MAX_TOKENS = 256;

const MAX_STOPS = 4;

/**
 * Joins a chat into one text: its messages in order, replies of the model and the one to come below
 * a section title.
 *
 * @throws {ModelError} `bad-request` if the request has tools or images.
 */
export function promptOf({ messages, tools }: ChatRequest, model: string): string {
  if (tools?.length || messages.some(({ role }) => role === "tool")) {
    throw new ModelError(
      "bad-request",
      `${model} completes plain text and can call no functions: bind a chat model to this role`,
    );
  }
  const texts = messages.map((message) =>
    message.role === "assistant" ? answer(textOf(message, model)) : textOf(message, model)
  );
  return [...texts, answer("")].join("\n\n");
}

export function completionBody(
  model: string,
  prompt: string,
  { sampling = {}, n }: ChatRequest,
): OpenAI.CompletionCreateParamsNonStreaming {
  const { temperature, topP, maxTokens = MAX_TOKENS, stop = [], seed, extraBody } = sampling;
  return {
    model,
    prompt,
    max_tokens: maxTokens,
    stop: [...stop, `\n${SECTION}`].slice(0, MAX_STOPS),
    temperature,
    top_p: topP,
    n: n === 1 ? undefined : n,
    seed,
    ...extraBody,
  };
}

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
    throw new ModelError(
      "bad-request",
      `${model} completes plain text and sees no pictures: bind a chat model to this role`,
    );
  }).join("\n");
}
