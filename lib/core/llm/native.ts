/**
 * Models at the native APIs of their makers: Anthropic's Messages, Google's Gemini API and OpenAI's
 * Responses.
 */

import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from "@ai-sdk/provider";
import { ModelError, UsageError } from "../errors.ts";
import { jsonOf } from "../text/json.ts";
import type { ChatModel, ChatRequest } from "./chat-model.ts";
import {
  connectionFailure,
  fetchJson,
  httpFailure,
  NOT_CHARGED,
  protocolFailure,
  timeoutFailure,
} from "./endpoint-errors.ts";
import { createEndpointModel } from "./endpoint-model.ts";
import type { Api, Client, Connection, EndpointOptions } from "./endpoint-connection.ts";
import { isObject } from "../text/canonical.ts";
import type { Fields } from "./event-stream.ts";
import { nativePrompt } from "./native-prompt.ts";
import type { Maker } from "./roles.ts";
import { usageIn } from "./usage.ts";
import { completionLimit, OPENAI, REASONING_TOKENS } from "./openai.ts";

export const NATIVE_APIS: Readonly<Record<Maker, Api>> = {
  anthropic: { baseUrl: "https://api.anthropic.com/v1", keyEnv: "ANTHROPIC_API_KEY" },
  google: { baseUrl: "https://generativelanguage.googleapis.com/v1beta", keyEnv: "GEMINI_API_KEY" },
  openai: OPENAI,
};

/**
 * Creates a model at the native API of its maker. Each call is one attempt for one choice.
 * @throws {ModelError} from `chat`, as of a model at an OpenAI-compatible endpoint.
 */
export function createNativeModel(
  maker: Maker,
  model: string,
  options: EndpointOptions = {},
): ChatModel {
  return createEndpointModel(model, NATIVE_APIS[maker], {
    send: async (request, connection) => {
      const { signal } = request;
      const client = await open(maker, model, connection, amending(model, request, withoutUsage));
      signal?.throwIfAborted();
      if (request.ticket) request.ticket.isSent = true;
      const timeout = AbortSignal.timeout(connection.timeoutMs);
      const result = await client.doGenerate({
        ...callOptions(maker, model, request),
        abortSignal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return { completion: asChatCompletion(result), counted: request };
    },
    explain,
  }, options);
}

/**
 * The body of a request as it would be sent; nothing is sent.
 * @throws {UsageError} for more tokens than the model answers with.
 */
export async function nativeBody(
  maker: Maker,
  model: string,
  request: ChatRequest,
): Promise<unknown> {
  let body: unknown;
  const keep: typeof fetch = (_, init) => {
    body = init?.body;
    return Promise.reject(new Error("nothing is sent"));
  };
  const client = await open(
    maker,
    model,
    { key: "none", baseUrl: NATIVE_APIS[maker].baseUrl },
    amending(model, request, keep),
  );
  await client.doGenerate(callOptions(maker, model, request)).then(undefined, (error) => {
    if (error instanceof ModelError) throw new UsageError(error.message, { cause: error });
  });
  return body;
}

async function open(
  maker: Maker,
  model: string,
  connection: Pick<Connection, "key" | "baseUrl" | "headers">,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const settings = {
    apiKey: connection.key,
    baseURL: connection.baseUrl,
    headers: { ...connection.headers },
    fetch,
  };
  switch (maker) {
    case "anthropic":
      return (await import("@ai-sdk/anthropic")).createAnthropic(settings)(model);
    case "google":
      return (await import("@ai-sdk/google")).createGoogle(settings)(model);
    case "openai":
      return (await import("@ai-sdk/openai")).createOpenAI(settings).responses(model);
  }
}

function callOptions(
  maker: Maker,
  model: string,
  { messages, tools, schema, sampling = {} }: ChatRequest,
): LanguageModelV4CallOptions {
  const { temperature, topP, maxTokens, seed, effort, stop } = sampling;
  return {
    prompt: nativePrompt(messages, { marksParts: maker === "anthropic" }),
    tools: tools?.map(({ parameters, ...tool }) => ({
      type: "function",
      ...tool,
      inputSchema: parameters,
    })),
    responseFormat: schema && { type: "json", ...schema },
    maxOutputTokens: maxTokens && completionLimit(model, maxTokens, effort),
    temperature,
    topP,
    seed,
    stopSequences: stop && [...stop],
    reasoning: effort,
    // OpenAI keeps replies for 30 days unless it is told not to, and writes summaries of reasoning
    // for verified organisations alone.
    providerOptions: { openai: { store: false, reasoningSummary: null } },
  };
}

/**
 * Sends the client's requests with the further fields in the body. Tokens reserved for reasoning
 * (Claude before 4.6) lie within the ceiling that a budget counts; there are none after a tool
 * call, since the API would demand the earlier reasoning. If the client's ceiling is below
 * `maxTokens`, nothing is sent.
 */
function amending(
  model: string,
  { messages, sampling = {} }: ChatRequest,
  send: typeof fetch,
): typeof fetch {
  const { maxTokens = 0, effort, extraBody = {} } = sampling;
  const mayReason = !messages.some(({ toolCalls }) => toolCalls?.length);
  return (url, init) => {
    const body: Fields = JSON.parse(String(init?.body));
    const { thinking, max_tokens: most } = body as {
      thinking?: { budget_tokens?: number };
      max_tokens?: number;
    };
    if (most !== undefined && most < maxTokens) {
      const what = `maxTokens ${maxTokens} is more than ${model} answers with: set at most ${most}`;
      throw new ModelError("bad-request", what, { usage: NOT_CHARGED });
    }
    const ceiling = most && maxTokens > 0
      ? Math.min(most, completionLimit(model, maxTokens, effort))
      : most;
    const budget = Math.min(
      thinking?.budget_tokens ?? 0,
      REASONING_TOKENS,
      (ceiling ?? 0) - maxTokens,
    );
    const reserve = mayReason && budget >= 1024
      ? { ...thinking, budget_tokens: budget }
      : undefined; // the API takes no fewer
    const amended = {
      ...body,
      max_tokens: ceiling,
      ...(thinking?.budget_tokens !== undefined && { thinking: reserve }),
    };
    return send(url, { ...init, body: JSON.stringify(merged(amended, extraBody)) });
  };
}

/**
 * Sends a request, and sets the usage of the answer aside as `reported`: a client refuses a whole
 * answer whose usage it does not understand.
 */
async function withoutUsage(...request: Parameters<typeof fetchJson>): Promise<Response> {
  const response = await fetchJson(...request);
  const text = await response.clone().text().catch(() => ""); // the client meets the break
  const answer = jsonOf(text) as
    | { readonly usage?: unknown; readonly usageMetadata?: unknown }
    | null
    | undefined;
  const reported = answer?.usage ?? answer?.usageMetadata;
  const plain = {
    reported,
    ...answer,
    usage: { input_tokens: 0, output_tokens: 0 },
    usageMetadata: undefined,
  };
  return reported === undefined ? response : new Response(JSON.stringify(plain), response);
}

function merged(body: Fields, extra: Fields): Fields {
  const set = Object.entries(extra).map(([name, value]) => {
    const old = body[name];
    return [name, isObject(old) && isObject(value) ? { ...old, ...value } : value];
  });
  return { ...body, ...Object.fromEntries(set) };
}

interface NativeAnswer {
  readonly modelVersion?: string;
  readonly output?: readonly { readonly content?: readonly { readonly refusal?: string }[] }[];
  readonly reported?: unknown;
}

function asChatCompletion(
  { content, finishReason, response }: LanguageModelV4GenerateResult,
): unknown {
  const text = content.map((part) => part.type === "text" ? part.text : "").join("");
  const calls = content.flatMap((part) =>
    part.type === "tool-call"
      ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: part.input } }]
      : []
  );
  const thought = content.map((part) => part.type === "reasoning" ? part.text : "").join("\n");
  const { unified } = finishReason;
  const isNothing = text === "" && calls.length === 0 &&
    (unified === "other" || unified === "error");
  const { modelVersion, output: items = [], reported } = (response?.body ?? {}) as NativeAnswer;
  const refusal = items.flatMap((item) => item.content ?? []).find((part) => part.refusal)?.refusal;
  return {
    model: response?.modelId ?? modelVersion,
    choices: isNothing ? [] : [{
      finish_reason: unified === "content-filter" ? "content_filter" : unified,
      message: { content: text, reasoning_content: thought, refusal, tool_calls: calls },
    }],
    reported,
  };
}

const explain: Client["explain"] = async (error, connection) => {
  const { APICallError, JSONParseError, TypeValidationError } = await import("@ai-sdk/provider");
  const refused = httpFailure(error, connection);
  if (refused) return refused;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return timeoutFailure(error, connection);
  }
  if (!APICallError.isInstance(error)) {
    return error instanceof TypeError
      ? connectionFailure(error, connection)
      : protocolFailure("gave no readable answer", error, connection);
  }
  const { statusCode, cause } = error;
  if (statusCode === undefined) return connectionFailure(error, connection);
  const usage = usageIn(error.responseBody);
  if (JSONParseError.isInstance(cause)) {
    return protocolFailure("answered with malformed JSON", cause, connection, usage);
  }
  const { error: failed } = (TypeValidationError.isInstance(cause) ? cause.value ?? {} : {}) as {
    readonly error?: { message?: unknown } | null;
  };
  if (typeof failed?.message === "string") {
    return protocolFailure("answered with an error", new Error(failed.message), connection, usage);
  }
  const what = TypeValidationError.isInstance(cause)
    ? "answered something that its API does not know"
    : "cut its answer short";
  return protocolFailure(what, cause ?? error, connection, usage);
};
