/**
 * The port to language models: one role of one method speaks to one model.
 *
 * @module
 */

/** A piece of a message: text, or a PNG picture where the model sees pictures. */
export type MessagePart = { readonly kind: "text"; readonly text: string } | { readonly kind: "image"; readonly png: Uint8Array };

/** One message of a chat. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly MessagePart[];
  /** Of an assistant's message: the calls it made. */
  readonly toolCalls?: readonly ToolCall[];
  /** Of a tool's message: the call that it answers. */
  readonly toolCallId?: string;
}

/** A function that the model may call; `parameters` is a JSON Schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/** A call of a tool; `arguments` is the JSON text as the model wrote it (it may not parse). */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** How replies are drawn. */
export interface Sampling {
  /** ≥ 0; 0 is greedy. */
  readonly temperature?: number;
  /** (0, 1]. */
  readonly topP?: number;
  /** Upper bound of the completion, in tokens. */
  readonly maxTokens?: number;
  readonly stop?: readonly string[];
}

/**
 * Which draw this is, so that equal prompts at two steps, votes or attempts are two samples and the same one is answered from the record.
 */
export interface Sample {
  readonly attempt?: number;
  readonly pass?: number;
  readonly step?: number;
  readonly vote?: number;
  readonly reAsk?: number;
}

/** What is asked. */
export interface ChatRequest {
  /** Who asks, e.g. `arigraph/extract`: binds the model, keys the record, sums the cost. */
  readonly role: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolSpec[];
  /** A JSON Schema that the reply's text must satisfy, where the endpoint can enforce it. */
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> };
  readonly sampling?: Sampling;
  /** Choices wanted; 1 unless told. */
  readonly n?: number;
  readonly sample?: Sample;
  readonly signal?: AbortSignal;
}

/** One choice of a reply. */
export interface Choice {
  readonly text: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly finish: "stop" | "length" | "tools" | "filter";
}

/** Tokens of a call, as the endpoint counts them. */
export interface Usage {
  readonly prompt: number;
  /** Of the prompt's tokens: those read from the endpoint's cache. */
  readonly cached: number;
  readonly completion: number;
  /** Of the completion's tokens: those spent on reasoning. */
  readonly reasoning: number;
}

/** The answer. `model` is the id that answered, as the endpoint names it. */
export interface ChatReply {
  readonly model: string;
  readonly choices: readonly [Choice, ...Choice[]];
  readonly usage: Usage;
  /** How long the answering attempt took, without any waiting before it, in milliseconds. A replayed reply shows what it once took. */
  readonly latencyMs?: number;
}

/** A chat model. It throws `ModelError` when it gives no reply; it never returns an empty one in its place. */
export interface ChatModel {
  /** Shown on every artefact its numbers reach, e.g. `gpt-4o`, `offline`. */
  readonly id: string;
  chat(request: ChatRequest): Promise<ChatReply>;
}
