/**
 * Models at OpenAI-compatible endpoints, by chat or plain-text completions: OpenAI, vLLM, Ollama, llama.cpp, gateways.
 *
 * @module
 */

import type OpenAI from "openai";
import type { ClientOptions } from "openai";
import { ModelError } from "../errors.ts";
import { env as processEnv, fetchOnce } from "../platform.ts";
import type { ChatModel, ChatRequest, Message, MessagePart } from "./chat-model.ts";
import { asChatCompletion, completionBody, promptOf, styleOf } from "./openai-completion.ts";
import { asModelError } from "./openai-errors.ts";
import { readReply } from "./openai-reply.ts";
import type { Endpoint } from "./roles.ts";

/** Options of a model at an OpenAI-compatible endpoint. */
export interface OpenAIOptions extends Pick<Endpoint, "baseUrl" | "keyEnv" | "style" | "timeoutSeconds" | "headers"> {
  /** Reads an environment variable; an empty one counts as unset. @default that of the process */
  readonly env?: (name: string) => string | undefined;
}

/**
 * Creates a model at an OpenAI-compatible endpoint. Each call is one attempt; `createModels` adds retries. Key and address are read at the
 * first call, so that a study can be replayed without them.
 *
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
  const { timeoutSeconds = 180, style = styleOf(model), headers } = options;
  const timeoutMs = 1000 * timeoutSeconds;
  let client: OpenAI | undefined;

  return {
    id: model,
    chat: async (asked) => {
      const { key, baseUrl } = credentials(model, options);
      const place = `${model} at ${baseUrl}`;
      const request = asked.tools?.length || schemaless.has(place) ? { ...asked, schema: undefined } : asked;
      client ??= await connect({ apiKey: key, baseURL: baseUrl, timeout: timeoutMs, defaultHeaders: headers });
      request.signal?.throwIfAborted();
      const { counted, send } = style === "completion" ? inPlainText(client, model, request) : inChat(client, model, request);
      let completion: unknown;
      try {
        completion = await send({ signal: request.signal });
      } catch (error) {
        request.signal?.throwIfAborted();
        const failure = await asModelError(error, { model, host: hostOf(baseUrl), key, timeoutMs });
        if (!request.schema || failure.kind !== "bad-request" || !NO_SCHEMA.test(failure.message)) throw failure;
        schemaless.add(place);
        throw new ModelError("bad-request", failure.message, { cause: error, retryAfterMs: 0 }); // without the schema it may pass
      }
      return await readReply(completion, counted, { model, host: hostOf(baseUrl) });
    },
  };
}

/** Checks that a model has a key and a valid address. Nothing is sent. @throws {ModelError} `no-endpoint` */
export function checkOpenAIModel(model: string, options: OpenAIOptions = {}): void {
  credentials(model, options);
}

/** Finds the host of an endpoint, without user name and password. */
export function openAIHost(options: OpenAIOptions = {}): string {
  return hostOf(options.baseUrl ?? (options.env ?? processEnv)("OPENAI_BASE_URL") ?? OPENAI);
}

/** How endpoints word it that they cannot enforce a JSON Schema. */
const NO_SCHEMA = /response_format|json_schema|structured output|schema|grammar/i;
/** The models that have refused a schema, with their endpoints: they are asked without from then on. */
const schemaless = new Set<string>();

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
  // A user's own server seldom requires a key.
  if (address !== undefined && keyEnv === undefined) return { key: "none", baseUrl: address };
  throw new ModelError(
    "no-endpoint",
    `no key for ${model}: set ${keyEnv ?? "OPENAI_API_KEY"}` +
      (keyEnv ? "" : ", or OPENAI_BASE_URL to a server of your own (http://localhost:11434/v1 for Ollama)") +
      ", or play without a model: --models offline",
  );
}

/** Loads the client at the first request: loading takes a quarter of a second. */
async function connect(options: ClientOptions): Promise<OpenAI> {
  const { default: Client } = await import("openai");
  return new Client({ ...options, maxRetries: 0, logLevel: "off", fetch: fetchOnce });
}

/** A prepared call: the request whose tokens are counted, and the function that sends it. */
interface Outgoing {
  readonly counted: ChatRequest;
  readonly send: (options: { readonly signal?: AbortSignal }) => Promise<unknown>;
}

function inChat(client: OpenAI, model: string, request: ChatRequest): Outgoing {
  const body = requestBody(model, request);
  return { counted: request, send: (options) => client.chat.completions.create(body, options) };
}

function inPlainText(client: OpenAI, model: string, request: ChatRequest): Outgoing {
  const prompt = promptOf(request, model);
  const body = completionBody(model, prompt, request);
  return {
    counted: { ...request, messages: [{ role: "user", content: prompt }] },
    send: async (options) => asChatCompletion(await client.completions.create(body, options)),
  };
}

/** Tokens that a reasoning model may spend before its answer; OpenAI's guide to reasoning advises at least as many. */
const REASONING_TOKENS = 25_000;

/** Models whose parameters differ from the others'; the first match is taken. */
const DIALECTS: readonly { readonly models: RegExp; readonly reasons: true; readonly effortWithTools?: "none" }[] = [
  // GPT-6 calls functions through chat completions only with reasoning switched off.
  { models: /(^|\/)gpt-([6-9]|1\d)\b(?!.*chat)/, reasons: true, effortWithTools: "none" },
  { models: /(^|\/)(o\d|gpt-5(?!.*chat))/, reasons: true },
];

/** The most tokens that a model may answer with where the answer itself has so many: a reasoning model reasons before it. */
export function completionLimit(model: string, maxTokens: number): number {
  return DIALECTS.some(({ models }) => models.test(model)) ? maxTokens + REASONING_TOKENS : maxTokens;
}

function requestBody(model: string, request: ChatRequest): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { tools, schema, sampling = {}, n } = request;
  const { temperature, topP, maxTokens, stop, seed, effort, extraBody } = sampling;
  const dialect = DIALECTS.find(({ models }) => models.test(model));
  return {
    model,
    messages: request.messages.map(toParam),
    tools: tools?.length ? tools.map((tool) => ({ type: "function", function: { ...tool } })) : undefined,
    response_format: schema && { type: "json_schema", json_schema: { ...schema, strict: true } },
    n: n === 1 ? undefined : n,
    // Reasoning models refuse sampling parameters, and count their reasoning towards the limit.
    ...(dialect?.reasons
      ? { max_completion_tokens: maxTokens && completionLimit(model, maxTokens) }
      : { max_tokens: maxTokens, temperature, top_p: topP, stop: stop?.length ? [...stop] : undefined }),
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
          ? toolCalls.map(({ id, name, arguments: args }) => ({ id, type: "function", function: { name, arguments: args } }))
          : undefined,
      };
  }
}

function toPart(part: MessagePart): OpenAI.ChatCompletionContentPart {
  return part.kind === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:image/png;base64,${part.png.toBase64()}` } };
}

/** The text of a message: the protocol takes images in user messages only. */
function textOf(content: Message["content"]): string {
  return typeof content === "string" ? content : content.map((part) => part.kind === "text" ? part.text : "(picture)").join("\n");
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
