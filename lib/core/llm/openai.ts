/**
 * Models at OpenAI-compatible endpoints, by chat or plain-text completions: OpenAI, vLLM, Ollama,
 * llama.cpp, gateways.
 */

import type OpenAI from "openai";
import type { ModelError } from "../errors.ts";
import type { ChatModel, ChatRequest, Effort, Message, MessagePart } from "./chat-model.ts";
import {
  connectionFailure,
  fetchJson,
  httpFailure,
  protocolFailure,
  timeoutFailure,
} from "./endpoint-errors.ts";
import { createEndpointModel } from "./endpoint-model.ts";
import type { Api, Connection, EndpointOptions } from "./endpoint-connection.ts";
import { asChatCompletion, completionBody, promptOf, styleOf } from "./openai-completion.ts";
import type { Endpoint } from "./roles.ts";
import { withSoundCalls } from "./tool-arguments.ts";

/** Options of a model at an OpenAI-compatible endpoint. */
export interface OpenAIOptions extends EndpointOptions, Pick<Endpoint, "style"> {}

export const OPENAI: Api = {
  baseUrl: "https://api.openai.com/v1",
  baseUrlEnv: "OPENAI_BASE_URL",
  keyEnv: "OPENAI_API_KEY",
};

/**
 * Creates a model at an OpenAI-compatible endpoint. Each call is one attempt; `createModels` adds
 * retries. Key and address are read at the first call.
 * @throws {ModelError} from `chat`, of every kind but `cache-miss`, `unknown-role` and `exhausted`.
 *
 * @example
 * ```ts
 * import { createOpenAIModel } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const model = createOpenAIModel("gpt-4o", { env: () => undefined });
 * assert.equal(model.id, "gpt-4o"); // no key is needed before the first call
 * const call = model.chat({ role: "demo/greet", messages: [{ role: "user", content: "Hi" }] });
 * await assert.rejects(call, { name: "ModelError", kind: "no-endpoint", message: /set OPENAI_API_KEY/ });
 * ```
 */
export function createOpenAIModel(model: string, options: OpenAIOptions = {}): ChatModel {
  const { style = styleOf(model) } = options;
  return createEndpointModel(model, OPENAI, {
    send: async (request, connection) => {
      const { counted, send } = style === "completion"
        ? inPlainText(model, request)
        : inChat(model, request, connection.refused);
      const client = await connect(connection);
      request.signal?.throwIfAborted();
      const { signal, idempotencyKey } = request;
      if (request.ticket) request.ticket.isSent = true;
      const options = {
        signal,
        headers: idempotencyKey === undefined ? undefined : { "Idempotency-Key": idempotencyKey },
      };
      return { counted, completion: await send(client, options) };
    },
    explain,
  }, options);
}

/**
 * The clients, by where and how they send: each episode asks by a model of its own, and a client
 * takes as long to make as a request to send.
 */
const clients = new Map<string, Promise<OpenAI>>();

export function connect({ key, baseUrl, timeoutMs, headers }: Connection): Promise<OpenAI> {
  const options = {
    apiKey: key,
    baseURL: baseUrl,
    timeout: timeoutMs,
    defaultHeaders: headers,
    maxRetries: 0,
    logLevel: "off",
  } as const;
  return clients.getOrInsertComputed(JSON.stringify(options), async () => {
    const { default: Client } = await import("openai");
    return new Client({ ...options, fetch: fetchJson });
  });
}

export async function explain(error: unknown, connection: Connection): Promise<ModelError> {
  const OpenAI = await import("openai"); // loaded already, by the request that failed
  const refused = httpFailure(error, connection);
  if (refused) return refused;
  if (error instanceof OpenAI.APIConnectionTimeoutError) return timeoutFailure(error, connection);
  if (error instanceof OpenAI.APIConnectionError) return connectionFailure(error, connection);
  return protocolFailure(
    error instanceof SyntaxError ? "answered with malformed JSON" : "cut its answer short",
    error,
    connection,
  );
}

interface Outgoing {
  readonly counted: ChatRequest;
  readonly send: (
    client: OpenAI,
    options: { readonly signal?: AbortSignal; readonly headers?: Record<string, string> },
  ) => Promise<unknown>;
}

function inChat(model: string, request: ChatRequest, refused?: readonly string[]): Outgoing {
  const body = requestBody(model, request, refused);
  return {
    counted: request,
    send: (client, options) => client.chat.completions.create(body, options),
  };
}

function inPlainText(model: string, request: ChatRequest): Outgoing {
  const prompt = promptOf(request, model);
  const body = completionBody(model, prompt, request);
  return {
    counted: { ...request, messages: [{ role: "user", content: prompt }] },
    send: async (client, options) =>
      asChatCompletion(await client.completions.create(body, options)),
  };
}

export function openaiBody(model: string, request: ChatRequest, style = styleOf(model)): unknown {
  return style === "completion"
    ? completionBody(model, promptOf(request, model), request)
    : requestBody(model, request);
}

/**
 * Tokens that a reasoning model may spend before its answer; OpenAI's guide to reasoning advises at
 * least as many.
 */
export const REASONING_TOKENS = 25_000;

/** Reasoning models, whose parameters differ from the others'; the first match is taken. */
const DIALECTS: readonly { readonly models: RegExp; readonly effortWithTools?: "none" }[] = [
  // GPT-6 calls functions through chat completions only with reasoning switched off.
  { models: /(^|\/)gpt-([6-9]|1\d)\b(?!.*chat)/, effortWithTools: "none" },
  { models: /(^|\/)(o\d|gpt-5(?!.*chat))/ },
];

/** Models of other makers that reason unless they are told not to. */
const OTHERS_THAT_REASON = /(^|\/)(claude-[a-z]+-[5-9]|gemini-(2\.5|[3-9]))/;

/**
 * The limit sent for an answer of so many tokens: reasoning models get room before it, also those
 * whose endpoint has shown that they reason (`isKnown`).
 */
export function completionLimit(
  model: string,
  maxTokens: number,
  effort: Effort = "none",
  isKnown = false,
): number {
  const reasons = isKnown || DIALECTS.some(({ models }) => models.test(model)) ||
    OTHERS_THAT_REASON.test(model) ||
    (effort !== "none" && /claude-/.test(model));
  return reasons ? maxTokens + REASONING_TOKENS : maxTokens;
}

function requestBody(
  model: string,
  request: ChatRequest,
  refused: readonly string[] = [],
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { tools, schema, sampling = {}, n } = request;
  const { temperature, topP, maxTokens, stop, seed, effort, extraBody } = sampling;
  const dialect = DIALECTS.find(({ models }) => models.test(model));
  const isNewer = refused.includes("max_tokens") ||
    (dialect !== undefined && !refused.includes("max_completion_tokens"));
  const room = maxTokens && (isNewer || dialect) ? maxTokens + REASONING_TOKENS : maxTokens;
  return {
    model,
    messages: withSoundCalls(request.messages).map(toParam),
    tools: tools?.length
      ? tools.map((tool) => ({ type: "function", function: { ...tool } }))
      : undefined,
    response_format: schema && { type: "json_schema", json_schema: { ...schema, strict: true } },
    n: n === 1 ? undefined : n,
    // Reasoning models refuse sampling parameters, and count their reasoning towards the limit.
    ...(isNewer ? { max_completion_tokens: room } : { max_tokens: room }),
    ...(!dialect && { temperature, top_p: topP, stop: stop?.length ? [...stop] : undefined }),
    seed,
    reasoning_effort: effort ?? (tools?.length ? dialect?.effortWithTools : undefined),
    ...extraBody,
  };
}

function toParam(message: Message): OpenAI.ChatCompletionMessageParam {
  const { role, content, toolCalls } = message;
  switch (role) {
    case "system":
      return { role, content: textOf(content) };
    case "user":
      return { role, content: typeof content === "string" ? content : content.map(toPart) };
    case "tool":
      return { role, content: textOf(content), tool_call_id: message.toolCallId ?? "" };
    case "assistant":
      return {
        role,
        content: textOf(content),
        tool_calls: toolCalls?.length
          ? toolCalls.map(({ id, name, arguments: args }) => ({
            id,
            type: "function",
            function: { name, arguments: args },
          }))
          : undefined,
      };
  }
}

function toPart(part: MessagePart): OpenAI.ChatCompletionContentPart {
  return part.kind === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:image/png;base64,${part.png.toBase64()}` } };
}

export function textOf(content: Message["content"]): string {
  return typeof content === "string"
    ? content
    : content.map((part) => part.kind === "text" ? part.text : "(picture)").join("\n");
}
