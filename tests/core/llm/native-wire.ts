/**
 * The wire protocols of Anthropic, Google and OpenAI's Responses, as an endpoint of ours speaks
 * them.
 */

import type { Choice, Usage } from "../../../lib/core/llm/chat-model.ts";
import type { Maker } from "../../../lib/core/llm/roles.ts";
import type { AskedBody } from "./fake-endpoint.ts";

/** A reply before it is written in a protocol. */
export interface WireReply extends Partial<Choice> {
  readonly usage?: Usage;
}

/** The protocol of one maker. */
export interface Wire {
  readonly maker: Maker;
  readonly model: string;
  /** Below the base URL. */
  readonly path: string;
  readonly keyEnv: string;
  /** Where a request carries its key. */
  keyOf(headers: Headers): string | null;
  reply(reply: WireReply): Response;
  /** An error as the maker words it; `type` is its name for the kind. */
  failure(
    status: number,
    message: string,
    more?: { readonly type?: string; readonly headers?: HeadersInit },
  ): Response;
}

export const USAGE: Usage = { prompt: 100, cached: 64, completion: 40, reasoning: 30 };

const STOPS = {
  anthropic: { stop: "end_turn", length: "max_tokens", tools: "tool_use", filter: "refusal" },
  google: { stop: "STOP", length: "MAX_TOKENS", tools: "STOP", filter: "SAFETY" },
} as const;

const anthropic: Wire = {
  maker: "anthropic",
  model: "claude-sonnet-4-6",
  path: "/messages",
  keyEnv: "ANTHROPIC_API_KEY",
  keyOf: (headers) => headers.get("x-api-key"),
  reply: (
    {
      text = "",
      toolCalls = [],
      finish = "stop",
      usage: { prompt, cached, written = 0, completion, reasoning } = USAGE,
    },
  ) =>
    Response.json({
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-6-0001",
      content: [
        ...(reasoning > 0 ? [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }] : []),
        ...(text ? [{ type: "text", text }] : []),
        ...toolCalls.map(({ id, name, arguments: args }) => ({
          type: "tool_use",
          id,
          name,
          input: JSON.parse(args),
        })),
      ],
      stop_reason: STOPS.anthropic[finish],
      stop_sequence: null,
      usage: {
        input_tokens: prompt - cached - written,
        cache_creation_input_tokens: written,
        cache_read_input_tokens: cached,
        output_tokens: completion,
        output_tokens_details: { thinking_tokens: reasoning },
      },
    }),
  failure: (status, message, { type = "api_error", headers } = {}) =>
    Response.json({ type: "error", error: { type, message }, request_id: "req_1" }, {
      status,
      headers,
    }),
};

const google: Wire = {
  maker: "google",
  model: "gemini-2.5-flash",
  path: "/models/gemini-2.5-flash:generateContent",
  keyEnv: "GEMINI_API_KEY",
  keyOf: (headers) => headers.get("x-goog-api-key"),
  reply: (
    {
      text = "",
      toolCalls = [],
      finish = "stop",
      usage: { prompt, cached, completion, reasoning } = USAGE,
    },
  ) =>
    Response.json({
      candidates: [{
        content: {
          role: "model",
          parts: [
            ...(reasoning > 0 ? [{ text: "Hm.", thought: true }] : []),
            ...(text ? [{ text }] : []),
            ...toolCalls.map(({ id, name, arguments: args }) => ({
              functionCall: { id, name, args: JSON.parse(args) },
            })),
          ],
        },
        finishReason: STOPS.google[finish],
        index: 0,
      }],
      usageMetadata: {
        promptTokenCount: prompt,
        cachedContentTokenCount: cached,
        candidatesTokenCount: completion - reasoning,
        thoughtsTokenCount: reasoning,
        totalTokenCount: prompt + completion,
      },
      modelVersion: "gemini-2.5-flash-0001",
      responseId: "r1",
    }),
  failure: (status, message, { type = "INTERNAL", headers } = {}) =>
    Response.json({ error: { code: status, message, status: type } }, { status, headers }),
};

const openai: Wire = {
  maker: "openai",
  model: "gpt-6-sol",
  path: "/responses",
  keyEnv: "OPENAI_API_KEY",
  keyOf: (headers) => headers.get("authorization")?.replace("Bearer ", "") ?? null,
  reply: (
    {
      text = "",
      toolCalls = [],
      finish = "stop",
      usage: { prompt, cached, completion, reasoning } = USAGE,
    },
  ) =>
    Response.json({
      id: "resp_1",
      object: "response",
      created_at: 1,
      status: finish === "length" || finish === "filter" ? "incomplete" : "completed",
      incomplete_details: finish === "length"
        ? { reason: "max_output_tokens" }
        : finish === "filter"
        ? { reason: "content_filter" }
        : null,
      error: null,
      model: "gpt-6-sol-0001",
      output: [
        ...(reasoning > 0 ? [{ type: "reasoning", id: "rs_1", summary: [] }] : []),
        ...(text
          ? [{
            type: "message",
            id: "msg_1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          }]
          : []),
        ...toolCalls.map(({ id, name, arguments: args }) => ({
          type: "function_call",
          id: `fc_${id}`,
          call_id: id,
          name,
          arguments: args,
        })),
      ],
      usage: {
        input_tokens: prompt,
        input_tokens_details: { cached_tokens: cached },
        output_tokens: completion,
        output_tokens_details: { reasoning_tokens: reasoning },
        total_tokens: prompt + completion,
      },
    }),
  failure: (status, message, { type = "server_error", headers } = {}) =>
    Response.json({ error: { message, type, param: null, code: null } }, { status, headers }),
};

export const WIRES: readonly Wire[] = [anthropic, google, openai];

/** The wire of one maker. */
export function wireOf(maker: Maker): Wire {
  const wire = WIRES.find((wire) => wire.maker === maker);
  if (!wire) throw new Error(maker);
  return wire;
}

/** The body of the last request, as loose JSON. */
export function bodyOf(asked: readonly { readonly body: AskedBody }[]): Record<string, unknown> {
  return { ...asked.at(-1)?.body };
}
