/**
 * The port to language models: a request with a role, messages and sampling in, a reply with its
 * choices and token usage out.
 */

/** A part of a message: text, or a PNG image for models that take images. */
export type MessagePart = { readonly kind: "text"; readonly text: string } | {
  readonly kind: "image";
  readonly png: Uint8Array;
};

/** One message of a chat. */
export interface Message {
  /**
   * The author: `system` instructs, `user` asks, `assistant` is the model, `tool` returns the
   * result of a tool call.
   */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Text, or parts in order; images reach the model only in a user message. */
  readonly content: string | readonly MessagePart[];
  /**
   * Where leading parts of the text that later requests repeat end, in characters, ascending; the
   * last two are marked for caches. Not part of the record's key.
   * @default none
   */
  readonly repeats?: readonly number[];
  /** The tool calls of an assistant message. */
  readonly toolCalls?: readonly ToolCall[];
  /** The id of the tool call that a tool message answers. */
  readonly toolCallId?: string;
}

/** A tool (function) that the model may call. */
export interface ToolSpec {
  /**
   * The tool's name: letters, digits, `_` and `-`, at most 64 characters (the rule of OpenAI's
   * endpoints).
   */
  readonly name: string;
  /** What the tool does and when to call it, for the model to read. */
  readonly description: string;
  /** JSON Schema of its arguments: an object schema. */
  readonly parameters: Record<string, unknown>;
}

/** A tool call as the model wrote it. */
export interface ToolCall {
  /** The endpoint's id of the call; the tool message that answers it carries it as `toolCallId`. */
  readonly id: string;
  /** Name of the tool; it need not be one that was offered. */
  readonly name: string;
  /** The arguments as JSON text; it may be malformed. */
  readonly arguments: string;
}

/** The efforts of reasoning models; not every model takes each of them. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;

/** How much a reasoning model reasons before it answers. */
export type Effort = (typeof EFFORTS)[number];

/** Sampling parameters. An absent one has the endpoint's default. */
export interface Sampling {
  /** Temperature, ≥ 0; 0 is greedy decoding. Not sent to reasoning models, which refuse it. */
  readonly temperature?: number;
  /**
   * Nucleus sampling: the probability mass that tokens are drawn from, in (0, 1]. Not sent to
   * reasoning models.
   */
  readonly topP?: number;
  /**
   * Maximum length of the answer in tokens, ≥ 1; a longer one is cut (`finish: "length"`).
   * Reasoning models get room for their reasoning besides.
   */
  readonly maxTokens?: number;
  /** Seed of the endpoint's sampling, an integer, where the endpoint takes one. */
  readonly seed?: number;
  /** How much a reasoning model reasons. @default that of the endpoint */
  readonly effort?: Effort;
  /**
   * Further fields of the request's body, as the endpoint documents them, e.g.
   * `{"chat_template_kwargs": {"enable_thinking": false}}`.
   */
  readonly extraBody?: Readonly<Record<string, unknown>>;
  /**
   * Stop sequences, which end the completion and are not part of it; OpenAI takes at most 4. Not
   * sent to reasoning models.
   */
  readonly stop?: readonly string[];
}

/** Where in an episode a question is asked. */
export interface RequestPlace {
  /** Index of the pass, from 0. These fields are absent where the request does not name them. */
  readonly pass?: number;
  /** Agent step, from 1. */
  readonly step?: number;
  /** Index among several votes on one question, from 0. */
  readonly vote?: number;
  /** Index of the repetition after a malformed reply, from 1; absent for the first request. */
  readonly reAsk?: number;
}

/**
 * The sample that a request draws: equal prompts with different samples are separate calls, those
 * with equal samples share a recorded reply.
 */
export interface Sample extends RequestPlace {
  /** Trial of the episode, from 1; `createModels` fills it in. */
  readonly attempt?: number;
  /**
   * Index among the choices of one request, from 0, each of which is recorded by itself;
   * `createModels` fills it in.
   */
  readonly choice?: number;
}

/** A request to a chat model. */
export interface ChatRequest {
  /**
   * The role that asks, e.g. `arigraph/extract`. It selects the model, is part of the record's key,
   * and groups costs.
   */
  readonly role: string;
  /** The whole chat, oldest message first; at least one message. */
  readonly messages: readonly Message[];
  /**
   * Tools that the model may call.
   * @default none
   */
  readonly tools?: readonly ToolSpec[];
  /** JSON Schema that the text of the reply must satisfy, where the endpoint can enforce it. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  /** Sampling parameters. @default those of the endpoint */
  readonly sampling?: Sampling;
  /** Number of choices, ≥ 1. @default {1} */
  readonly n?: number;
  /** The sample that is drawn; part of the record's key. */
  readonly sample?: Sample;
  /** Aborts the call, and any waiting before it, with its reason. Not part of the record's key. */
  readonly signal?: AbortSignal;
  /**
   * Sent as the header `Idempotency-Key`, by which an endpoint answers a repeated attempt once. Not
   * part of the record's key.
   */
  readonly idempotencyKey?: string;
  /**
   * What the layers of `createModels` know of one attempt: its row id, when it was sent, the tokens
   * left for a choice; `isSent` once the request is out, `missedForms` (answers that missed the
   * enforced form), `reasons` if the model has shown that it reasons. Not part of the record's key.
   */
  readonly ticket?: {
    attempt?: number;
    sentAt?: number;
    maxTokens?: number;
    isSent?: boolean;
    missedForms?: number;
    reasons?: boolean;
  };
}

/** One choice of a reply. */
export interface Choice {
  /** The text of the reply as written; empty where the model only calls tools. */
  readonly text: string;
  /**
   * What the model reasoned before it, where the endpoint shows that apart from the text; no reader
   * sees it. @default nothing
   */
  readonly thought?: string;
  /** The tool calls in order; absent where there are none. */
  readonly toolCalls?: readonly ToolCall[];
  /**
   * Why the completion ended: `stop` by itself, `length` at `maxTokens` (cut), `tools` to call
   * tools, `filter` by the endpoint (cut or empty).
   */
  readonly finish: "stop" | "length" | "tools" | "filter";
}

/** Token usage of a call, as the endpoint counts it. */
export interface Usage {
  /** Tokens of all messages, ≥ 0. */
  readonly prompt: number;
  /** Those of the prompt tokens that were read from the endpoint's cache. */
  readonly cached: number;
  /**
   * Those of the prompt tokens that the endpoint wrote to its cache, where it charges for that.
   * @default {0}
   */
  readonly written?: number;
  /** Tokens of all choices together, ≥ 0, reasoning included. */
  readonly completion: number;
  /** Those of the completion tokens that were spent on reasoning. */
  readonly reasoning: number;
}

/** The reply to a request. */
export interface ChatReply {
  /**
   * Id of the model as the endpoint reports it: often a dated snapshot of the requested one, e.g.
   * `gpt-4o-2024-08-06`.
   */
  readonly model: string;
  /** The choices, as many as the request asks for; at least one. */
  readonly choices: readonly [Choice, ...Choice[]];
  /** Token usage of the call. */
  readonly usage: Usage;
  /**
   * Time of the answering attempt at the endpoint, in milliseconds, without waiting. A replayed
   * reply carries that of the recorded one.
   */
  readonly latencyMs?: number;
  /**
   * Row id of the attempt that brought it (see `AttemptRow`), while it passes through the layers of
   * `createModels`. Not recorded.
   */
  readonly attempt?: number;
}

/**
 * A chat model. Where it has no reply it throws a `ModelError`; it never returns an empty reply
 * instead.
 */
export interface ChatModel {
  /** Id of the model, shown wherever its results are, e.g. `gpt-4o`, `offline`. */
  readonly id: string;
  /**
   * Sends one request.
   * @throws {ModelError} if there is no reply; the reason of the request's signal, if it is
   *   aborted.
   */
  chat(request: ChatRequest): Promise<ChatReply>;
}
