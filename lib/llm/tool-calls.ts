/**
 * A chat in which the model may call functions before it answers.
 *
 * @module
 */

import type { ChatModel, ChatReply, ChatRequest, Message, ToolCall, ToolSpec } from "./chat-model.ts";

/** Functions that a model may call, as often as it likes up to a limit, before it answers. */
export interface AskTools {
  /** Those offered. */
  readonly specs: readonly ToolSpec[];
  /** Answers one call, whatever it names and holds: what is wrong with a call is said to the model. */
  call(call: ToolCall): string | Promise<string>;
  /** Calls that are answered before one answer, ≥ 1, re-asks included; then the functions are taken away. @default {20} */
  readonly most?: number;
  /** Told when as many were made. */
  readonly onSpent?: () => void;
}

/** How many calls are still answered; one for all askings of a question. */
export interface CallAllowance {
  /** ≥ 0. */
  left: number;
}

/** What is allowed at first. */
export function allowanceOf(tools: AskTools | undefined): CallAllowance {
  return { left: tools?.most ?? MOST_CALLS };
}

const MOST_CALLS = 20;

/** The replies to a request and to the calls that followed; the last one calls nothing that is answered. `messages` is the chat before it. */
export async function chatWithTools(
  model: ChatModel,
  request: ChatRequest,
  options: { readonly tools: AskTools; readonly allowance: CallAllowance },
): Promise<{ readonly replies: readonly [ChatReply, ...ChatReply[]]; readonly messages: readonly Message[] }> {
  const { tools, allowance } = options;
  let messages = request.messages;
  const say = (): Promise<ChatReply> =>
    model.chat({ ...request, messages, ...(allowance.left > 0 && tools.specs.length > 0 ? { tools: tools.specs } : {}) });
  let reply = await say();
  const replies: [ChatReply, ...ChatReply[]] = [reply];
  while (allowance.left > 0 && reply.choices[0].toolCalls?.length) {
    messages = [...messages, ...await answered(reply, tools, allowance)];
    reply = await say();
    replies.push(reply);
  }
  return { replies, messages };
}

/** The reply's calls and their answers, as messages. Every call needs an answer, those beyond the limit too. */
async function answered(reply: ChatReply, tools: AskTools, allowance: CallAllowance): Promise<Message[]> {
  const [{ text, toolCalls = [] }] = reply.choices;
  const said: Message[] = [{ role: "assistant", content: text, toolCalls }];
  for (const call of toolCalls) {
    said.push({ role: "tool", toolCallId: call.id, content: allowance.left > 0 ? await tools.call(call) : "No further call is answered." });
    allowance.left = Math.max(0, allowance.left - 1);
  }
  if (allowance.left === 0) {
    tools.onSpent?.();
    said.push({ role: "user", content: "No function can be called any more. Answer now, from what you know, in the required format." });
  }
  return said;
}
