/** Converts the messages of a request to the AI SDK's form, with Anthropic's cache marks. */

import type { JSONObject, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import type { Message } from "./chat-model.ts";
import { textOf } from "./openai.ts";
import { withSoundCalls } from "./tool-arguments.ts";

/**
 * Asks Anthropic to cache everything up to this message; the others cache by themselves. Writing a
 * cached prefix costs a quarter more, reading it nine tenths less.
 */
const CACHE_MARK = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Converts messages to the AI SDK's form. Two are marked for the cache: the system message, and the
 * last one that the next request repeats (the last tool result, else the message before the last).
 * With `marksParts` a partly repeated text is split, and its last two repeated parts are marked,
 * because the cache is read only at the end of a marked block.
 */
export function nativePrompt(
  messages: readonly Message[],
  options: { readonly marksParts?: boolean } = {},
): LanguageModelV4Prompt {
  const tools = new Map(
    messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id, name }) => [id, name])),
  );
  const stable = messages.length - (messages.at(-1)?.role === "tool" ? 1 : 2);
  return withSoundCalls(messages).map((message, index) => ({
    ...(options.marksParts && isRepeated(message) ? inParts(message) : convert(message, tools)),
    ...((message.role === "system" || index === stable) && { providerOptions: CACHE_MARK }),
  }));
}

type RepeatedMessage = Omit<Message, "content"> & {
  readonly content: string;
  readonly repeats: readonly number[];
};

function isRepeated(message: Message): message is RepeatedMessage {
  const { role, content, repeats = [] } = message;
  return role === "user" && typeof content === "string" && repeats.length > 0;
}

function inParts({ content, repeats }: RepeatedMessage): LanguageModelV4Message {
  const ends = repeats.at(-1) === content.length ? repeats : [...repeats, content.length];
  return {
    role: "user",
    content: ends.map((end, index) => ({
      type: "text",
      text: content.slice(ends[index - 1] ?? 0, end),
      ...(index < repeats.length && index >= repeats.length - 2 && { providerOptions: CACHE_MARK }),
    })),
  };
}

function convert(
  { role, content, toolCalls = [], toolCallId = "" }: Message,
  tools: ReadonlyMap<string, string>,
): LanguageModelV4Message {
  switch (role) {
    case "system":
      return { role, content: textOf(content) };
    case "user":
      return {
        role,
        content:
          (typeof content === "string" ? [{ kind: "text" as const, text: content }] : content).map((
            part,
          ) =>
            part.kind === "text"
              ? { type: "text", text: part.text }
              : { type: "file", mediaType: "image/png", data: { type: "data", data: part.png } }
          ),
      };
    case "tool": {
      const output = { type: "text" as const, value: textOf(content) };
      return {
        role,
        content: [{
          type: "tool-result",
          toolCallId,
          toolName: tools.get(toolCallId) ?? "unknown",
          output,
        }],
      };
    }
    case "assistant": {
      // The makers refuse empty texts.
      const text = textOf(content) || (toolCalls.length > 0 ? "" : "(no answer)");
      const calls = toolCalls.map(({ id, name, arguments: args }) => ({
        type: "tool-call" as const,
        toolCallId: id,
        toolName: name,
        input: JSON.parse(args) as JSONObject,
      }));
      return { role, content: [...(text ? [{ type: "text" as const, text }] : []), ...calls] };
    }
  }
}
