/**
 * The port to language models: one role of one method speaks to one model.
 *
 * @module
 */

/** A piece of a message: text, or a PNG picture where the model sees pictures. */
export type MessagePart = { readonly kind: "text"; readonly text: string } | { readonly kind: "image"; readonly png: Uint8Array };

/** One message of a chat. */
export interface Message {
  /** Who speaks: `system` instructs, `user` asks, `assistant` is the model itself, `tool` answers one of its calls. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Text, or pieces in order; only a user's message shows its pictures to the model. */
  readonly content: string | readonly MessagePart[];
  /** Of an assistant's message: the calls it made. */
  readonly toolCalls?: readonly ToolCall[];
  /** Of a tool's message: the call that it answers. */
  readonly toolCallId?: string;
}

/** A function that the model may call. */
export interface ToolSpec {
  /** Letters, digits, `_` and `-`, at most 64 of them (the rule of OpenAI's endpoints). */
  readonly name: string;
  /** What it does and when to call it, for the model to read. */
  readonly description: string;
  /** JSON Schema of its arguments: an object schema. */
  readonly parameters: Record<string, unknown>;
}

/** A call of a tool, as the model made it. */
export interface ToolCall {
  /** The endpoint's own; the message that answers the call names it as `toolCallId`. */
  readonly id: string;
  /** Of the tool; it need not be one that was offered. */
  readonly name: string;
  /** JSON text as the model wrote it: it may not parse. */
  readonly arguments: string;
}

/** How replies are drawn. */
export interface Sampling {
  /** ≥ 0; 0 is greedy. Reasoning models take none: it is not sent to them. */
  readonly temperature?: number;
  /** In (0, 1]: the share of probability that tokens are drawn from. Not sent to reasoning models. */
  readonly topP?: number;
  /** Upper bound of the completion, in tokens, ≥ 1; the thoughts of a reasoning model count in. */
  readonly maxTokens?: number;
  /** Texts at which the completion ends, without them; OpenAI takes at most 4. Not sent to reasoning models. */
  readonly stop?: readonly string[];
}

/**
 * Which draw this is, so that equal prompts at two steps, votes or attempts are two samples and the same one is answered from the record.
 */
export interface Sample {
  /** Attempt of the episode, from 1; the stack fills it in. */
  readonly attempt?: number;
  /** 0-based pass of the episode; absent in methods of one pass. */
  readonly pass?: number;
  /** Agent step, from 1. */
  readonly step?: number;
  /** Which of several votes on one question, from 0. */
  readonly vote?: number;
  /** Which repetition after a malformed reply, from 1; absent for the first asking. */
  readonly reAsk?: number;
}

/** What is asked. */
export interface ChatRequest {
  /** Who asks, e.g. `arigraph/extract`: binds the model, keys the record, sums the cost. */
  readonly role: string;
  /** The whole chat so far, oldest first; at least one. */
  readonly messages: readonly Message[];
  /** Functions that the model may call; none unless told. */
  readonly tools?: readonly ToolSpec[];
  /** A JSON Schema that the reply's text must satisfy, where the endpoint can enforce it. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  /** How the reply is drawn; the endpoint's own defaults where absent. */
  readonly sampling?: Sampling;
  /** Choices wanted, ≥ 1. @default {1} */
  readonly n?: number;
  /** Which draw this is; part of the key of the recorded reply. */
  readonly sample?: Sample;
  /** Ends the call, and any waiting before it, with its reason. Not keyed. */
  readonly signal?: AbortSignal;
}

/** One choice of a reply. */
export interface Choice {
  /** What the model says; empty where it only calls tools. */
  readonly text: string;
  /** In order; absent where it calls none. */
  readonly toolCalls?: readonly ToolCall[];
  /** Why it ended: `stop` by itself, `length` at `maxTokens` (cut), `tools` to call some, `filter` by the endpoint (cut or empty). */
  readonly finish: "stop" | "length" | "tools" | "filter";
}

/** Tokens of a call, as the endpoint counts them. */
export interface Usage {
  /** Tokens of all messages, ≥ 0. */
  readonly prompt: number;
  /** Of the prompt's tokens: those read from the endpoint's cache. */
  readonly cached: number;
  /** Tokens of all choices together, ≥ 0, reasoning included. */
  readonly completion: number;
  /** Of the completion's tokens: those spent on reasoning. */
  readonly reasoning: number;
}

/** The answer to a request. */
export interface ChatReply {
  /** The id that answered, as the endpoint names it: often a dated snapshot of the one asked, e.g. `gpt-4o-2024-08-06`. */
  readonly model: string;
  /** As many as the request wanted; at least one. */
  readonly choices: readonly [Choice, ...Choice[]];
  /** What the call took, as the endpoint counts. */
  readonly usage: Usage;
  /** How long the answering attempt took, without any waiting before it, in milliseconds. A replayed reply shows what it once took. */
  readonly latencyMs?: number;
}

/** A chat model. It throws `ModelError` when it gives no reply; it never returns an empty one in its place. */
export interface ChatModel {
  /** Shown on every artefact its numbers reach, e.g. `gpt-4o`, `offline`. */
  readonly id: string;
  /** Asks once. @throws {ModelError} if no reply comes; the reason of the request's signal, if that fires. */
  chat(request: ChatRequest): Promise<ChatReply>;
}
