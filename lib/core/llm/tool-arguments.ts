/**
 * The arguments of tool calls: one JSON text of whatever a server writes, and nothing but an object
 * sent back.
 */

import { isObject } from "../text/canonical.ts";
import { jsonOf } from "../text/json.ts";
import type { Message } from "./chat-model.ts";

/**
 * The arguments of a call as one JSON text. They may be an object, JSON, JSON encoded twice, or
 * missing (`{}`). Text that is not JSON stays as it is.
 */
export function argumentsOf(written: unknown): string {
  if (typeof written !== "string") return JSON.stringify(written ?? {});
  if (written.trim() === "") return "{}";
  const value = jsonOf(written);
  return typeof value === "string" || value === null ? argumentsOf(value) : written;
}

/**
 * The messages as they can be sent: a call whose arguments are no JSON object gets none, and its
 * result quotes what was written. Servers such as vLLM and llama.cpp would refuse the chat.
 */
export function withSoundCalls(messages: readonly Message[]): Message[] {
  let broken: ReadonlyMap<string, string> = new Map();
  return messages.map((message) => {
    const { toolCalls, toolCallId = "", content } = message;
    if (toolCalls) {
      broken = new Map(
        toolCalls.filter((call) => !isObject(jsonOf(call.arguments))).map((
          call,
        ) => [call.id, call.arguments]),
      );
      return {
        ...message,
        toolCalls: toolCalls.map((call) =>
          broken.has(call.id) ? { ...call, arguments: "{}" } : call
        ),
      };
    }
    const written = broken.get(toolCallId);
    if (written === undefined) return message;
    const quote = `The arguments of this call were: ${written}`;
    return {
      ...message,
      content: typeof content === "string"
        ? `${content}\n${quote}`
        : [...content, { kind: "text", text: quote }],
    };
  });
}
