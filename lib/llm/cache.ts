/**
 * The record of replies before a model: what was answered once is never asked again.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { ModelError } from "../errors.ts";
import type { Clock } from "../platform.ts";
import type { Store } from "../store/open.ts";
import { getReply, type KeyedRequest, putReply, replyKey } from "../store/replies.ts";
import type { ChatModel, ChatReply, ChatRequest, Message } from "./chat-model.ts";
import { describeMiss } from "./nearest.ts";

/**
 * - `record`: answers from the record; asks what is not in it, and records the reply.
 * - `replay`: answers from the record only; what is not in it is a `cache-miss`.
 * - `off`: neither reads nor writes replies.
 */
export type CacheMode = "record" | "replay" | "off";

/** Calls under way, by key; the signal is that of the request which is really asked. */
export type PendingCalls = Map<string, { readonly reply: Promise<ChatReply>; readonly signal: AbortSignal | undefined }>;

/** What a cache needs to know. */
export interface CacheOptions {
  /** Holds the replies. */
  readonly store: Store;
  /** Dates the replies. */
  readonly clock: Clock;
  /** Whether the record is read and written. @default {"record"} */
  readonly mode?: CacheMode;
  /** Keyed as the model. @default the model's id */
  readonly identity?: string;
  /** In record mode: ask afresh each time, and let the record hold the latest reply. @default {false} */
  readonly pure?: boolean;
  /** Recorded, not keyed. */
  readonly endpoint: string;
  /** Recorded, not keyed. */
  readonly codeVersion: string;
  /** Calls under way, by key. Caches that share it share the calls: of equal requests at one time one is asked, the others wait for it. */
  readonly pending?: PendingCalls;
  /** Told of every answer; of a paid one in the very transaction that records the reply. */
  readonly onAnswer?: (kind: "paid" | "replayed", key: string, request: ChatRequest, reply: ChatReply) => void;
}

/**
 * A model behind a record. Replies that a content filter stopped or cut are handed on but not recorded.
 *
 * @throws {ModelError} from `chat`: `cache-miss` in replay mode; and whatever the model throws.
 */
export function withCache(model: ChatModel, options: CacheOptions): ChatModel {
  const { store, clock, mode = "record", identity = model.id, pure = false, endpoint, codeVersion, pending = new Map(), onAnswer } =
    options;

  function replayed(key: string, request: ChatRequest, reply: ChatReply): ChatReply {
    onAnswer?.("replayed", key, request, reply);
    return reply;
  }

  async function pay(key: string, keyed: KeyedRequest, request: ChatRequest): Promise<ChatReply> {
    const reply = await model.chat(request);
    store.transaction(() => {
      if (mode === "record" && !reply.choices.some((choice) => choice.finish === "filter")) {
        putReply(store, { key, request: keyed, reply, endpoint, codeVersion, at: clock.now() }, { replace: pure });
      }
      onAnswer?.("paid", key, request, reply);
    });
    return reply;
  }

  return {
    id: model.id,
    chat: async (request) => {
      const keyed = keyedRequest(identity, request);
      const key = replyKey(keyed);
      if (mode === "off" || (pure && mode === "record")) return await pay(key, keyed, request);
      for (;;) {
        const recorded = getReply(store, key);
        if (recorded !== undefined) return replayed(key, request, recorded as ChatReply);
        if (mode === "replay") throw new ModelError("cache-miss", describeMiss(store, keyed));
        const other = pending.get(key);
        if (other === undefined) {
          const reply = pay(key, keyed, request).finally(() => pending.delete(key));
          pending.set(key, { reply, signal: request.signal });
          return await reply;
        }
        try {
          return replayed(key, request, await untilAborted(other.reply, request.signal));
        } catch (error) {
          // Where the one who asks was stopped and this one was not, this one asks for itself.
          if (!other.signal?.aborted || request.signal?.aborted) throw error;
        }
      }
    },
  };
}

/** What of a request decides its reply: plain JSON, pictures by their SHA-256, absent parts by their defaults. */
export function keyedRequest(model: string, request: ChatRequest): KeyedRequest {
  return {
    model,
    role: request.role,
    messages: request.messages.map(keyedMessage),
    tools: request.tools ?? [],
    schema: request.schema ?? null,
    sampling: request.sampling ?? {},
    n: request.n ?? 1,
    sample: request.sample ?? {},
  };
}

function keyedMessage({ role, content, toolCalls, toolCallId }: Message): Record<string, unknown> {
  return {
    role,
    content: typeof content === "string"
      ? content
      : content.map((part) => part.kind === "text" ? { text: part.text } : { image: createHash("sha256").update(part.png).digest("hex") }),
    ...(toolCalls ? { toolCalls } : {}),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await promise;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
