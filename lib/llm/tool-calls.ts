/** A chat in which the model may call tools before it answers. */

import type { ChatModel, ChatReply, ChatRequest, Message, ToolCall, ToolSpec } from "./chat-model.ts";

/** Tools that a model may call before it answers, up to a limit. */
export interface AskTools {
  /** The tools that are offered. */
  readonly specs: readonly ToolSpec[];
  /** Returns the result of a call as text; for an unknown tool or malformed arguments, the problem. */
  call(call: ToolCall): string | Promise<string>;
  /** Maximum number of calls for one answer, ≥ 1, re-asks included; after that no tool is offered. @default {20} */
  readonly most?: number;
  /** Called when the maximum is reached. */
  readonly onSpent?: () => void;
}

/** The remaining number of calls, shared by all requests for one answer. */
export interface CallAllowance {
  /** Remaining calls, ≥ 0. */
  left: number;
}

/** Creates the allowance of one answer. */
export function allowanceOf(tools: AskTools | undefined): CallAllowance {
  return { left: tools?.most ?? MOST_CALLS };
}

const MOST_CALLS = 20;

/** Sends a request, and again after each reply with tool calls. The last of the replies is the answer, `messages` is the chat before it. */
export async function chatWithTools(
  model: ChatModel,
  request: ChatRequest,
  options: { readonly tools: AskTools; readonly allowance: CallAllowance },
): Promise<{ readonly replies: readonly [ChatReply, ...ChatReply[]]; readonly messages: readonly Message[] }> {
  const { tools, allowance } = options;
  let messages = request.messages;
  const send = (): Promise<ChatReply> =>
    model.chat({ ...request, messages, ...(allowance.left > 0 && tools.specs.length > 0 ? { tools: tools.specs } : {}) });
  let reply = await send();
  const replies: [ChatReply, ...ChatReply[]] = [reply];
  while (allowance.left > 0 && reply.choices[0].toolCalls?.length) {
    messages = [...messages, ...await callTools(reply, tools, allowance)];
    reply = await send();
    replies.push(reply);
  }
  return { replies, messages };
}

/** Calls the tools and returns the calls and their results as messages. Every call needs a result, even beyond the limit. */
async function callTools(reply: ChatReply, tools: AskTools, allowance: CallAllowance): Promise<Message[]> {
  const [{ text, toolCalls = [] }] = reply.choices;
  const messages: Message[] = [{ role: "assistant", content: text, toolCalls }];
  for (const call of toolCalls) {
    messages.push({
      role: "tool",
      toolCallId: call.id,
      content: allowance.left > 0 ? await tools.call(call) : "No further call is answered.",
    });
    allowance.left = Math.max(0, allowance.left - 1);
  }
  if (allowance.left === 0) {
    tools.onSpent?.();
    messages.push({ role: "user", content: "No function can be called any more. Answer now, from what you know, in the required format." });
  }
  return messages;
}
