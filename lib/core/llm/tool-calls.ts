/** A chat in which the model may call tools before it answers. */

import { z } from "zod";
import { jsonObjectIn, parseJson, spansIn } from "../text/json.ts";
import { readCall } from "../text/read-calls.ts";
import { replyText } from "../text/reply-text.ts";
import type {
  ChatModel,
  ChatReply,
  ChatRequest,
  Message,
  ToolCall,
  ToolSpec,
} from "./chat-model.ts";

/** Tools that a model may call before it answers, up to a limit. */
export interface AskTools {
  /** The tools that are offered. */
  readonly specs: readonly ToolSpec[];
  /**
   * Returns the result of a call as text; for an unknown tool or malformed arguments, the problem.
   */
  call(call: ToolCall): string | Promise<string>;
  /**
   * Maximum number of calls for one answer, ≥ 1, re-asks included; after that no tool is offered.
   * @default {20}
   */
  readonly most?: number;
  /** Called when the maximum is reached. */
  readonly onSpent?: () => void;
}

export interface CallAllowance {
  left: number;
}

export function allowanceOf(tools: AskTools | undefined): CallAllowance {
  return { left: tools?.most ?? MAX_CALLS };
}

const MAX_CALLS = 20;

/**
 * Sends a request, and again after each reply with tool calls, also those written as text. The last
 * reply is the answer, `messages` the chat before it.
 */
export async function chatWithTools(
  model: ChatModel,
  request: ChatRequest,
  options: { readonly tools: AskTools; readonly allowance: CallAllowance },
): Promise<
  { readonly replies: readonly [ChatReply, ...ChatReply[]]; readonly messages: readonly Message[] }
> {
  const { tools, allowance } = options;
  let messages = request.messages;
  const send = (): Promise<ChatReply> =>
    model.chat({
      ...request,
      messages,
      ...(allowance.left > 0 && tools.specs.length > 0 ? { tools: tools.specs } : {}),
    });
  const replies: [ChatReply, ...ChatReply[]] = [await send()];
  for (;;) {
    const [{ text, toolCalls }] = (replies.at(-1) as ChatReply).choices;
    const calls = toolCalls ?? callsIn(text, tools.specs, replies.length);
    if (allowance.left === 0 || calls.length === 0) return { replies, messages };
    messages = [
      ...messages,
      ...await callTools(calls, toolCalls ? text : "", { tools, allowance }),
    ];
    replies.push(await send());
  }
}

/**
 * Calls the tools and returns the calls and their results as messages. Every call needs a result,
 * even beyond the limit.
 */
async function callTools(
  calls: readonly ToolCall[],
  text: string,
  { tools, allowance }: { readonly tools: AskTools; readonly allowance: CallAllowance },
): Promise<Message[]> {
  const read = calls.map((call) => ({ ...call, arguments: givenIn(call.arguments) }));
  const messages: Message[] = [{ role: "assistant", content: text, toolCalls: read }];
  for (const call of read) {
    messages.push({
      role: "tool",
      toolCallId: call.id,
      content: allowance.left > 0 ? await tools.call(call) : "No further call is answered.",
    });
    allowance.left = Math.max(0, allowance.left - 1);
  }
  if (allowance.left === 0) {
    tools.onSpent?.();
    messages.push({
      role: "user",
      content:
        "No function can be called any more. Answer now, from what you know, in the required format.",
    });
  }
  return messages;
}

/**
 * The arguments of a call as JSON, without those that are null, as absent ones are written; text
 * that holds no object stays as it is.
 */
function givenIn(text: string): string {
  const object = jsonObjectIn(text);
  return object
    ? JSON.stringify(
      Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null)),
    )
    : text;
}

const readObjects = parseJson(
  z.union([z.record(z.string(), z.unknown()), z.array(z.record(z.string(), z.unknown())).min(1)]),
);

/**
 * The tools that a model calls in its text: objects with the name of one, in a list, one after the
 * other, or each between tags (Hermes, Qwen, Mistral).
 */
function callsIn(text: string, specs: readonly ToolSpec[], turn: number): ToolCall[] {
  const { text: said } = replyText(text);
  const tagged = [...said.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)].map((
    [, inside = ""],
  ) => inside);
  const spans = spansIn(said).filter((span) => span.startsWith("{"));
  const parts = spans.length > 1 ? spans : [said];
  const objects = (tagged.length > 0 ? tagged : parts).flatMap((part) => {
    const reading = readObjects(part);
    return reading.kind === "ok" ? reading.value : [{}];
  });
  const calls = objects.map((object, at) => {
    const { name = "", given = [] } = readCall(object) ?? {};
    const spec = specs.find((spec) => spec.name === name);
    const names = Object.keys(spec?.parameters["properties"] ?? {});
    const named = Array.isArray(given)
      ? Object.fromEntries(given.map((value, at) => [names[at] ?? at, value]))
      : given;
    return spec && { id: `call_${turn}_${at}`, name, arguments: JSON.stringify(named) };
  });
  return calls.some((call) => call === undefined) ? [] : calls.filter((call) => call !== undefined);
}
