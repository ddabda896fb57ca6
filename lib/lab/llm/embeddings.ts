/**
 * Embeddings models at OpenAI-compatible endpoints, each text recorded, metered and replayed like a
 * call of a chat model.
 */

import { EMBEDDING_ROLE } from "../store/costs.ts";
import { Buffer } from "node:buffer";
import type OpenAI from "openai";
import { ModelError } from "../../core/errors.ts";
import type { ChatModel, ChatReply, ChatRequest, Choice } from "../../core/llm/chat-model.ts";
import { protocolFailure, withoutSecrets } from "../../core/llm/endpoint-errors.ts";
import { type Connection, connectionOf, hostAt } from "../../core/llm/endpoint-connection.ts";
import { connect, explain, OPENAI } from "../../core/llm/openai.ts";
import { markUnreported } from "../../core/llm/openai-reply.ts";
import type { Provider } from "../../core/llm/provider.ts";
import { usageIn } from "../../core/llm/usage.ts";
import { createModels, type ModelsOptions } from "./stack.ts";

export type Embeddings = (texts: readonly string[]) => Promise<Float32Array[]>;

export interface EmbeddingsOptions
  extends Omit<ModelsOptions, "map" | "providers" | "attempt" | "modelOptions"> {
  readonly signal?: AbortSignal;
}

/**
 * Opens an embeddings model with the layers of `createModels`. A recorded text is not sent again.
 * Texts asked for at about the same time are sent together; tokens are divided by their length.
 * @throws {ModelError} from the function, as from a chat model.
 */
export function createEmbeddings(
  model: string,
  { signal, ...options }: EmbeddingsOptions,
): Embeddings {
  const models = createModels({ ...options, map: { "*": model }, providers: [embeddingsProvider] });
  return async (texts) =>
    await Promise.all(texts.map(async (text) => {
      const messages = [{ role: "user" as const, content: text }];
      const reply = await models.chat({
        role: EMBEDDING_ROLE,
        messages,
        sampling: { maxTokens: 1 },
        signal,
      });
      return decode(reply.choices[0].text);
    }));
}

/**
 * The provider of embeddings models: each message of a request is one text, the choices of the
 * reply are the vectors in base64. Chat models of the same host have limits of their own.
 */
export const embeddingsProvider: Provider = {
  id: "openai-embeddings",
  serves: () => true,
  open: (model) => ({
    model: createEmbeddingsModel(model),
    host: `${hostAt(OPENAI, {})} (embeddings)`,
    batch: BATCH,
  }),
  check: (model) => void connectionOf(model, OPENAI, {}),
};

/** Most texts of one request: OpenAI takes 2,048, other servers fewer. */
const BATCH = 128;

function createEmbeddingsModel(model: string): ChatModel {
  return {
    id: model,
    chat: async ({ messages, signal, ticket = {} }: ChatRequest) => {
      ticket.isSent = false;
      try {
        const connection = connectionOf(model, OPENAI, {});
        const client = await connect(connection);
        signal?.throwIfAborted();
        ticket.isSent = true;
        return await embed(client, {
          model,
          connection,
          texts: messages.map(({ content }) => String(content)),
          signal,
        });
      } catch (error) {
        throw signal?.aborted ? signal.reason : error;
      }
    },
  };
}

interface Batch {
  readonly model: string;
  readonly connection: Connection;
  readonly texts: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Sends one request.
 * @throws {ModelError} if it fails, or the answer is not one vector of the same length for each
 *   text.
 */
async function embed(
  client: OpenAI,
  { model, connection, texts, signal }: Batch,
): Promise<ChatReply> {
  let answer: OpenAI.CreateEmbeddingResponse;
  try {
    // OpenAI refuses an empty text; compatible servers seldom know the other encoding.
    const input = texts.map((text) => text === "" ? " " : text);
    answer = await client.embeddings.create({ model, input, encoding_format: "float" }, { signal });
  } catch (error) {
    throw error instanceof ModelError ? error : await explain(error, connection);
  }
  const { data, usage } = answer;
  const items = Array.isArray(data) ? data : [];
  const vectors: (Float32Array | undefined)[] = texts.map(() => undefined);
  // Some servers number nothing, and write base64 whatever they are asked for.
  items.forEach((item, place) => vectors[item?.index ?? place] = vectorOf(item?.embedding));
  const size = vectors[0]?.length ?? 0;
  const isWhole = items.length === texts.length && vectors.length === texts.length;
  if (
    !isWhole || size === 0 ||
    !vectors.every((vector) => vector?.length === size && vector.every(Number.isFinite))
  ) {
    const wanted = `wanted are ${texts.length} vectors of one length, of finite numbers`;
    throw protocolFailure(
      "answered without the embeddings that were asked for",
      new Error(wanted),
      connection,
    );
  }
  const told = usageIn({ usage: { completion_tokens: 0, ...usage } });
  const used = told ?? { prompt: 0, cached: 0, completion: 0, reasoning: 0 };
  if (!told) markUnreported(used);
  const [first, ...others] = vectors.map((vector) => ({
    text: encode(vector ?? new Float32Array()),
    finish: "stop" as const,
  }));
  return {
    model: withoutSecrets(answer.model ?? model, connection),
    choices: [first as Choice, ...others],
    usage: used,
  };
}

/** A vector as a server writes it: numbers, or base64 of 32-bit floats. */
function vectorOf(written: unknown): Float32Array | undefined {
  if (Array.isArray(written)) {
    return written.every((value) => typeof value === "number")
      ? Float32Array.from(written)
      : undefined;
  }
  return typeof written === "string" && Buffer.from(written, "base64").length % 4 === 0
    ? decode(written)
    : undefined;
}

function encode(vector: Float32Array): string {
  return Buffer.from(vector.buffer).toString("base64");
}

function decode(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, "base64")); // a copy, because a buffer of Node's pool may lie at an odd offset
  return new Float32Array(bytes.buffer);
}
