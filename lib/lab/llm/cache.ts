/**
 * The record of replies in front of a model: a request that has been answered is not sent again.
 */

import { ModelError } from "../../core/errors.ts";
import { type Clock, unlessAborted } from "../../core/platform.ts";
import { putPicture } from "../store/artefacts.ts";
import { sha256 } from "../../core/text/canonical.ts";
import type { Store } from "../store/open.ts";
import { getReply, type KeyedRequest, putReply, replyKey } from "../store/replies.ts";
import { hideSecrets } from "../../core/text/secrets.ts";
import type { ChatModel, ChatReply, ChatRequest, Message } from "../../core/llm/chat-model.ts";
import { describeMiss } from "./nearest.ts";

/**
 * How the record of replies is used. `record` answers from it, and otherwise asks the model and
 * records the reply; `replay` answers from it, and otherwise throws a `cache-miss`; `off` neither
 * reads nor writes replies.
 */
export type CacheMode = "record" | "replay" | "off";

/** Calls in flight by key, each with the signal of the request that was sent. */
export type PendingCalls = Map<
  string,
  { readonly reply: Promise<ChatReply>; readonly signal: AbortSignal | undefined }
>;

export interface CacheOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Whether the record is read and written. @default {"record"} */
  readonly mode?: CacheMode;
  /** The model in the key. @default the model's id */
  readonly identity?: string;
  /**
   * Whether each request is computed again in record mode, and the record holds the latest reply.
   * @default {false}
   */
  readonly pure?: boolean;
  /** Host of the model; recorded, not part of the key. */
  readonly endpoint: string;
  /** Version of the code; recorded, not part of the key. */
  readonly codeVersion: string;
  /** Calls in flight: caches that share it send one of several equal requests. */
  readonly pending?: PendingCalls;
  /** Called with every reply; with a paid one in the transaction that records it. */
  readonly onAnswer?: (
    kind: "paid" | "replayed",
    key: string,
    request: ChatRequest,
    reply: ChatReply,
    how: AnswerSource,
  ) => void;
}

/** The attempt that brought a reply from an endpoint, and whether the reply is on record. */
export interface AnswerSource {
  readonly attempt?: number;
  readonly recorded: boolean;
}

/**
 * Puts the record of replies in front of a model. Replies that a content filter stopped are
 * returned but not recorded.
 * @throws {ModelError} from `chat`: `cache-miss` in replay mode.
 */
export function withCache(model: ChatModel, options: CacheOptions): ChatModel {
  const {
    store,
    clock,
    mode = "record",
    identity = model.id,
    pure = false,
    endpoint,
    codeVersion,
    pending = new Map(),
    onAnswer,
  } = options;

  function replayed(
    key: string,
    request: ChatRequest,
    reply: ChatReply,
    recorded: boolean,
  ): ChatReply {
    onAnswer?.("replayed", key, request, reply, { recorded });
    return reply;
  }

  async function pay(key: string, keyed: KeyedRequest, request: ChatRequest): Promise<ChatReply> {
    const { attempt, ...reply } = await model.chat(request);
    store.write(() => {
      const recorded = mode === "record" &&
        !reply.choices.some((choice) => choice.finish === "filter");
      if (recorded) {
        for (const png of picturesIn(request)) putPicture(store, png);
        putReply(store, { key, request: keyed, reply, endpoint, codeVersion, at: clock.now() }, {
          replace: pure,
        });
      }
      onAnswer?.("paid", key, request, reply, { attempt, recorded });
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
        if (recorded !== undefined) return replayed(key, request, recorded as ChatReply, true);
        if (mode === "replay") throw new ModelError("cache-miss", describeMiss(store, keyed));
        const other = pending.get(key);
        if (other === undefined) {
          const reply = pay(key, keyed, request).finally(() => pending.delete(key));
          pending.set(key, { reply, signal: request.signal });
          return await reply;
        }
        try {
          return replayed(key, request, await unlessAborted(other.reply, request.signal), false);
        } catch (error) {
          // The shared call was aborted by its own signal, this request was not: it sends its own
          // call.
          if (!other.signal?.aborted || request.signal?.aborted) throw error;
        }
      }
    },
  };
}

/**
 * Reduces a request to what decides its reply: plain JSON, images by their SHA-256, absent parts by
 * their defaults, keys in `extraBody` hidden.
 */
export function keyedRequest(model: string, request: ChatRequest): KeyedRequest {
  return {
    model,
    role: request.role,
    messages: request.messages.map(keyedMessage),
    tools: request.tools ?? [],
    schema: request.schema ?? null,
    sampling: hideSecrets(request.sampling ?? {}),
    n: request.n ?? 1,
    sample: request.sample ?? {},
  };
}

function picturesIn({ messages }: ChatRequest): Uint8Array[] {
  return messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content.flatMap((part) => part.kind === "image" ? [part.png] : [])
  );
}

function keyedMessage({ role, content, toolCalls, toolCallId }: Message): Record<string, unknown> {
  return {
    role,
    content: typeof content === "string"
      ? content
      : content.map((part) =>
        part.kind === "text" ? { text: part.text } : { image: sha256(part.png) }
      ),
    toolCalls,
    toolCallId,
  };
}
