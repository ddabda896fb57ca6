/**
 * Any endpoint that speaks OpenAI's chat completions, or the plain-text ones before them: OpenAI itself, vLLM, Ollama, llama.cpp, gateways.
 *
 * @module
 */

import type OpenAI from "openai";
import { ModelError } from "../errors.ts";
import { env as processEnv } from "../platform.ts";
import type { ChatModel, ChatRequest, Message, MessagePart } from "./chat-model.ts";
import { asChatCompletion, completionBody, type EndpointStyle, promptOf, styleOf } from "./openai-completion.ts";
import { asModelError } from "./openai-errors.ts";
import { readReply } from "./openai-reply.ts";

/** How a model is reached. */
export interface OpenAIOptions {
  /** Address of the API, with its version: `http://localhost:11434/v1`. @default `OPENAI_BASE_URL`, else OpenAI's own */
  readonly baseUrl?: string;
  /** Name of the variable that holds the key. @default {"OPENAI_API_KEY"} */
  readonly keyEnv?: string;
  /** `completion` joins the messages into one plain text, for base and instruct models. @default as OpenAI's models of that name want it, else `chat` */
  readonly style?: EndpointStyle;
  /** For a whole answer, in milliseconds, > 0. @default {180_000} */
  readonly timeoutMs?: number;
  /** Reads an environment variable; an empty one counts as unset. @default the process's own */
  readonly env?: (name: string) => string | undefined;
}

/**
 * A model at an OpenAI-compatible endpoint. It makes one attempt a call (see `withRetries`). Key and address are looked for at the first
 * call,
 * so that a study can be replayed without them.
 *
 * @throws {ModelError} from `chat`, of every kind but `cache-miss`, `unknown-role` and `exhausted`.
 *
 * @example
 * ```ts
 * import { createOpenAIModel } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const model = createOpenAIModel("gpt-4o", { env: () => undefined });
 * assert.equal(model.id, "gpt-4o"); // nothing has been asked, and no key is needed yet
 * const call = model.chat({ role: "demo/greet", messages: [{ role: "user", content: "Hi" }] });
 * await assert.rejects(call, { name: "ModelError", kind: "no-endpoint", message: /set OPENAI_API_KEY/ });
 * ```
 */
export function createOpenAIModel(model: string, options: OpenAIOptions = {}): ChatModel {
  const { timeoutMs = 180_000, style = styleOf(model) } = options;
  let client: OpenAI | undefined;

  return {
    id: model,
    chat: async (request) => {
      const { key, baseUrl } = credentials(model, options);
      client ??= await connect(key, baseUrl, timeoutMs);
      request.signal?.throwIfAborted();
      const { asked, send } = style === "completion" ? inPlainText(client, model, request) : inChat(client, model, request);
      let completion: unknown;
      try {
        completion = await send(request.signal ? { signal: request.signal } : {});
      } catch (error) {
        request.signal?.throwIfAborted();
        throw await asModelError(error, { model, host: hostOf(baseUrl), key, timeoutMs });
      }
      return await readReply(completion, asked, { model, host: hostOf(baseUrl) });
    },
  };
}

/** Refuses a model that has no key or no address. Nothing is sent. @throws {ModelError} `no-endpoint` */
export function checkOpenAIModel(model: string, options: OpenAIOptions = {}): void {
  credentials(model, options);
}

/** The address that a model is reached at, without a user's name or password in it. */
export function openAIHost(options: OpenAIOptions = {}): string {
  return hostOf(options.baseUrl ?? (options.env ?? processEnv)("OPENAI_BASE_URL") ?? OPENAI);
}

const OPENAI = "https://api.openai.com/v1";

function credentials(model: string, { baseUrl, keyEnv, env = processEnv }: OpenAIOptions): { key: string; baseUrl: string } {
  const address = baseUrl ?? env("OPENAI_BASE_URL");
  const key = env(keyEnv ?? "OPENAI_API_KEY");
  if (address !== undefined && !/^https?:\/\/[^/]/i.test(address)) {
    throw new ModelError(
      "no-endpoint",
      `"${address}" is no address of a model server: set OPENAI_BASE_URL (or "baseUrl" in the role map) to one like http://localhost:11434/v1`,
    );
  }
  if (key !== undefined) return { key, baseUrl: address ?? OPENAI };
  // A server of one's own seldom wants a key.
  if (address !== undefined && keyEnv === undefined) return { key: "none", baseUrl: address };
  throw new ModelError(
    "no-endpoint",
    `no key for ${model}: set ${keyEnv ?? "OPENAI_API_KEY"}` +
      (keyEnv ? "" : ", or OPENAI_BASE_URL to a server of your own (http://localhost:11434/v1 for Ollama)") +
      ", or play without a model: --models offline",
  );
}

/** The client is loaded when it is first needed: it takes a quarter of a second, and offline nobody needs it. */
async function connect(apiKey: string, baseURL: string, timeout: number): Promise<OpenAI> {
  const { default: Client } = await import("openai");
  return new Client({ apiKey, baseURL, timeout, maxRetries: 0, logLevel: "off" });
}

/** A request on its way: as the tokens of its messages count, and sent. */
interface Outgoing {
  readonly asked: ChatRequest;
  readonly send: (options: { readonly signal?: AbortSignal }) => Promise<unknown>;
}

function inChat(client: OpenAI, model: string, request: ChatRequest): Outgoing {
  const body = requestBody(model, request);
  return { asked: request, send: (options) => client.chat.completions.create(body, options) };
}

function inPlainText(client: OpenAI, model: string, request: ChatRequest): Outgoing {
  const prompt = promptOf(request, model);
  const body = completionBody(model, prompt, request);
  return {
    asked: { ...request, messages: [{ role: "user", content: prompt }] },
    send: async (options) => asChatCompletion(await client.completions.create(body, options)),
  };
}

/** Where models take other parameters than most; the first line that fits counts. */
const DIALECTS: readonly { readonly models: RegExp; readonly reasons: true; readonly effortWithTools?: "none" }[] = [
  // GPT-6 calls functions through chat completions only with reasoning switched off.
  { models: /(^|\/)gpt-([6-9]|1\d)\b(?!.*chat)/, reasons: true, effortWithTools: "none" },
  { models: /(^|\/)(o\d|gpt-5(?!.*chat))/, reasons: true },
];

function requestBody(model: string, request: ChatRequest): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { tools, schema, sampling = {}, n } = request;
  const { temperature, topP, maxTokens, stop } = sampling;
  const dialect = DIALECTS.find(({ models }) => models.test(model));
  return {
    model,
    messages: request.messages.map(toParam),
    ...(tools?.length ? { tools: tools.map((tool) => ({ type: "function" as const, function: { ...tool } })) } : {}),
    ...(schema ? { response_format: { type: "json_schema" as const, json_schema: { ...schema, strict: true } } } : {}),
    ...(n === undefined || n === 1 ? {} : { n }),
    // Reasoning models refuse to be told how to sample, and count their thoughts into the limit.
    ...(dialect?.reasons ? { ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }) } : {
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(stop?.length ? { stop: [...stop] } : {}),
    }),
    ...(dialect?.effortWithTools && tools?.length ? { reasoning_effort: dialect.effortWithTools } : {}),
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
        ...(toolCalls?.length
          ? {
            tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
              id,
              type: "function" as const,
              function: { name, arguments: args },
            })),
          }
          : {}),
      };
  }
}

function toPart(part: MessagePart): OpenAI.ChatCompletionContentPart {
  return part.kind === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:image/png;base64,${part.png.toBase64()}` } };
}

/** Only a user's message shows pictures; elsewhere the protocol takes text alone. */
function textOf(content: Message["content"]): string {
  return typeof content === "string" ? content : content.map((part) => part.kind === "text" ? part.text : "(picture)").join("\n");
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
