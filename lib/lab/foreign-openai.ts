/** Requests and replies of OpenAI's interface, as the meter of a memory reads and writes them. */

import { Buffer } from "node:buffer";
import { z } from "zod";
import type { ChatReply, ChatRequest } from "../core/llm/chat-model.ts";
import type { Embedder } from "../core/retrieval/embedder.ts";

const text = z.string();
const content = z.union([
  text,
  z.array(z.looseObject({ type: z.literal("text"), text })).transform((parts) =>
    parts.map((part) => part.text).join("\n")
  ),
]);
const tool = z.looseObject({
  function: z.looseObject({
    name: text,
    description: text.default(""),
    parameters: z.record(text, z.unknown()).default({ type: "object", properties: {} }),
  }),
});
const toolCall = z.looseObject({ id: text, function: z.object({ name: text, arguments: text }) });
/** A request for a chat completion. */
export const chat = z.looseObject({
  messages: z.array(z.looseObject({
    role: z.enum(["system", "developer", "user", "assistant", "tool"]),
    content: content.nullish(),
    tool_calls: z.array(toolCall).nullish(),
    tool_call_id: text.nullish(),
  })).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: z.unknown().optional(),
  response_format: z.looseObject({
    type: text,
    json_schema: z.looseObject({ name: text, schema: z.record(text, z.unknown()).optional() })
      .optional(),
  }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([text, z.array(text)]).nullish(),
  n: z.int().min(1).max(16).nullish(),
  stream: z.boolean().nullish(),
});
/** A request for embeddings. */
export const embeddings = z.looseObject({
  input: z.union([text, z.array(text).min(1)]),
  encoding_format: z.enum(["float", "base64"]).nullish(),
});

/** The request of the lab that a request for a chat completion becomes. */
export function requestOf(wanted: z.output<typeof chat>): Omit<ChatRequest, "role"> {
  const { response_format: format, stop, tools, n } = wanted;
  const schema = format?.json_schema;
  const isStrict = schema?.schema !== undefined && schema["strict"] === true;
  const sampling = {
    temperature: wanted.temperature ?? undefined,
    topP: wanted.top_p ?? undefined,
    maxTokens: wanted.max_completion_tokens ?? wanted.max_tokens ?? undefined,
    seed: wanted.seed ?? undefined,
    stop: typeof stop === "string" ? [stop] : stop ?? undefined,
    // As the package writes it, but for a strict schema, which the lab's models know themselves.
    extraBody: format && !isStrict && format.type !== "text"
      ? { response_format: format }
      : undefined,
  };
  return {
    messages: wanted.messages.map(({ role, content, tool_calls: calls, tool_call_id: id }) => ({
      role: role === "developer" ? "system" : role,
      content: content ?? "",
      ...(calls?.length && {
        toolCalls: calls.map(({ id, function: { name, arguments: given } }) => ({
          id,
          name,
          arguments: given,
        })),
      }),
      ...(typeof id === "string" && { toolCallId: id }),
    })),
    sampling: Object.fromEntries(
      Object.entries(sampling).filter(([, value]) => value !== undefined),
    ),
    ...(tools?.length && wanted.tool_choice !== "none" && {
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        parameters,
      })),
    }),
    ...(isStrict && schema.schema && { schema: { name: schema.name, schema: schema.schema } }),
    ...((n ?? 1) > 1 && { n: n ?? 1 }),
  };
}

const FINISH = { stop: "stop", length: "length", tools: "tool_calls", filter: "content_filter" };

/** A reply as a client of OpenAI expects it: an object, or the text of an event stream. */
export function completionOf(
  { choices, usage, model }: ChatReply,
  role: string,
  isStream: boolean,
): object | string {
  const messages = choices.map(({ text, toolCalls }) => ({
    role: "assistant",
    content: text === "" && toolCalls?.length ? null : text,
    ...(toolCalls?.length && {
      tool_calls: toolCalls.map(({ id, name, arguments: given }, index) => ({
        ...(isStream && { index }),
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    }),
  }));
  const body = {
    id: "labyrinth",
    object: isStream ? "chat.completion.chunk" : "chat.completion",
    created: 0,
    model: model === "" ? role : model,
    choices: messages.map((message, index) => ({
      index,
      [isStream ? "delta" : "message"]: message,
      finish_reason: FINISH[choices[index]?.finish ?? "stop"],
    })),
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
    },
  };
  return isStream ? `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n` : body;
}

/** The vectors of some texts, as a client of OpenAI expects them. */
export async function embed(
  embedder: Embedder,
  { input, encoding_format: form }: z.output<typeof embeddings>,
): Promise<unknown> {
  const vectors = await embedder.embed([input].flat());
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: form === "base64"
      ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64")
      : [...vector],
  }));
  const usage = { prompt_tokens: 0, total_tokens: 0 };
  return { object: "list", data, model: embedder.id, usage };
}
