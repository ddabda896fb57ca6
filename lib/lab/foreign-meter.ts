/**
 * The meter of memories that are not ours: an OpenAI-compatible address on this machine, one for
 * each episode, behind which stand the models of the study with their record, budget and replay.
 */

import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { ChatModel, ChatReply, ChatRequest, Sample } from "../core/llm/chat-model.ts";
import type { ForeignMeter, MemoryFactory, MemoryHost } from "../core/memory/memory.ts";
import { loadModule } from "../core/platform.ts";
import type { Embedder } from "../core/retrieval/embedder.ts";
import { canonicalJson, sha256 } from "../core/text/canonical.ts";
import { jsonOf } from "../core/text/json.ts";

/** What stands behind the address. */
export interface MeterPorts {
  /** The models of the episode, by role. */
  readonly model: ChatModel;
  /** The embedder of the study. */
  readonly embedder: Embedder;
  /** Stops what is asked. */
  readonly signal: AbortSignal;
}

const MAX_BODY_BYTES = 8 << 20;

const text = z.string();
const content = z.union([
  text,
  z.array(z.looseObject({ type: z.literal("text"), text })).transform((parts) =>
    parts.map((part) => part.text).join("\n")
  ),
]);
const tool = z.looseObject({
  function: z.looseObject({
    name: text,
    description: text.default(""),
    parameters: z.record(text, z.unknown()).default({ type: "object", properties: {} }),
  }),
});
const toolCall = z.looseObject({ id: text, function: z.object({ name: text, arguments: text }) });
const chat = z.looseObject({
  messages: z.array(z.looseObject({
    role: z.enum(["system", "developer", "user", "assistant", "tool"]),
    content: content.nullish(),
    tool_calls: z.array(toolCall).nullish(),
    tool_call_id: text.nullish(),
  })).min(1),
  tools: z.array(tool).nullish(),
  tool_choice: z.unknown().optional(),
  response_format: z.looseObject({
    type: text,
    json_schema: z.looseObject({ name: text, schema: z.record(text, z.unknown()).optional() })
      .optional(),
  }).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  seed: z.int().nullish(),
  stop: z.union([text, z.array(text)]).nullish(),
  n: z.int().min(1).max(16).nullish(),
  stream: z.boolean().nullish(),
});
const embeddings = z.looseObject({
  input: z.union([text, z.array(text).min(1)]),
  encoding_format: z.enum(["float", "base64"]).nullish(),
});

/** A refusal that the memory's client is sent. */
class Refusal extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/**
 * The host of an episode's memory: `around` gives it to the factory of a memory, `end` closes what
 * the episode has opened.
 */
export function createMemoryHost(ports: MeterPorts): {
  around(create: MemoryFactory): MemoryFactory;
  end(): Promise<void>;
} {
  const ends: (() => void)[] = [];
  const closing: (() => Promise<void>)[] = [];
  const host: MemoryHost = {
    onEnd: (end) => void ends.push(end),
    meter: async (role) => {
      const { meter, close } = await openMeter(role, ports);
      closing.push(close);
      return meter;
    },
  };
  return {
    around: (create) => (context) => create({ ...context, host }),
    end: async () => {
      for (const end of ends) end();
      await Promise.all(closing.map((close) => close()));
    },
  };
}

/** Opens an address for one memory, which asks in a role. */
async function openMeter(
  role: string,
  { model, embedder, signal }: MeterPorts,
): Promise<{ readonly meter: ForeignMeter; close(): Promise<void> }> {
  const key = `labyrinth-${randomBytes(16).toString("hex")}`;
  let place: Sample | undefined;
  let asked = new Map<string, number>();
  let failure: unknown;

  async function answer(request: IncomingMessage): Promise<unknown> {
    if (request.headers.authorization !== `Bearer ${key}`) {
      throw new Refusal(401, "the key is not that of this episode: take OPENAI_API_KEY as it is");
    }
    const path = (request.url ?? "").replace(/^\/v1/, "").replace(/\?.*$/, "");
    if (request.method === "GET" && path === "/models") {
      return { object: "list", data: [{ id: role, object: "model", created: 0, owned_by: "lab" }] };
    }
    if (request.method !== "POST") throw new Refusal(404, `there is no ${request.method} ${path}`);
    const body = jsonOf(await bodyOf(request));
    if (path === "/embeddings") return await embed(embedder, checked(embeddings, body));
    if (path !== "/chat/completions") {
      throw new Refusal(404, `there is no ${path}: there are /chat/completions and /embeddings`);
    }
    if (place === undefined) {
      throw new Refusal(409, "a memory may ask a model while it observes or recalls");
    }
    const wanted = checked(chat, body);
    const { stream: _, ...content } = wanted;
    const hash = sha256(canonicalJson(content));
    const vote = asked.get(hash) ?? 0;
    asked.set(hash, vote + 1);
    const sample = vote === 0 ? place : { ...place, vote }; // a question asked again is a new sample
    const reply = await model.chat({ ...requestOf(wanted), role, sample, signal });
    return completionOf(reply, role, wanted.stream ?? false);
  }

  const { createServer } = loadModule<typeof import("node:http")>("node:http");
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => send(response, 200, value),
      (error) => {
        const status = error instanceof Refusal ? error.status : 422; // clients do not retry it
        if (!(error instanceof Refusal)) failure ??= error;
        const message = error instanceof Error ? error.message : String(error);
        send(response, status, { error: { message, type: "labyrinth", code: null, param: null } });
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    meter: {
      variables: { OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: key },
      at: (sample) => [place, asked] = [sample, new Map()],
      failure: () => failure,
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @throws {Refusal} 400, with what is wrong in one line. */
function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, z.prettifyError(parsed.error).replaceAll(/\s+/g, " ").slice(0, 300));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += part.length;
      if (size > MAX_BODY_BYTES) break;
      parts.push(part);
    }
  } catch {
    throw new Refusal(400, "the request broke off");
  }
  if (size > MAX_BODY_BYTES) throw new Refusal(413, `a request may have ${MAX_BODY_BYTES} bytes`);
  return Buffer.concat(parts).toString("utf8");
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const isStream = typeof value === "string";
  response.writeHead(status, {
    "Content-Type": isStream ? "text/event-stream" : "application/json",
  });
  response.end(isStream ? value : JSON.stringify(value));
}

function requestOf(wanted: z.output<typeof chat>): Omit<ChatRequest, "role"> {
  const { response_format: format, stop, tools, n } = wanted;
  const schema = format?.json_schema;
  const isStrict = schema?.schema !== undefined && schema["strict"] === true;
  const sampling = {
    temperature: wanted.temperature ?? undefined,
    topP: wanted.top_p ?? undefined,
    maxTokens: wanted.max_completion_tokens ?? wanted.max_tokens ?? undefined,
    seed: wanted.seed ?? undefined,
    stop: typeof stop === "string" ? [stop] : stop ?? undefined,
    // As the package writes it, but for a strict schema, which the lab's models know themselves.
    extraBody: format && !isStrict && format.type !== "text"
      ? { response_format: format }
      : undefined,
  };
  return {
    messages: wanted.messages.map(({ role, content, tool_calls: calls, tool_call_id: id }) => ({
      role: role === "developer" ? "system" : role,
      content: content ?? "",
      ...(calls?.length && {
        toolCalls: calls.map(({ id, function: { name, arguments: given } }) => ({
          id,
          name,
          arguments: given,
        })),
      }),
      ...(typeof id === "string" && { toolCallId: id }),
    })),
    sampling: Object.fromEntries(
      Object.entries(sampling).filter(([, value]) => value !== undefined),
    ),
    ...(tools?.length && wanted.tool_choice !== "none" && {
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        parameters,
      })),
    }),
    ...(isStrict && schema.schema && { schema: { name: schema.name, schema: schema.schema } }),
    ...((n ?? 1) > 1 && { n: n ?? 1 }),
  };
}

const FINISH = { stop: "stop", length: "length", tools: "tool_calls", filter: "content_filter" };

/** A reply as a client of OpenAI expects it: an object, or the text of an event stream. */
function completionOf(
  { choices, usage, model }: ChatReply,
  role: string,
  isStream: boolean,
): object | string {
  const messages = choices.map(({ text, toolCalls }) => ({
    role: "assistant",
    content: text === "" && toolCalls?.length ? null : text,
    ...(toolCalls?.length && {
      tool_calls: toolCalls.map(({ id, name, arguments: given }, index) => ({
        ...(isStream && { index }),
        id,
        type: "function",
        function: { name, arguments: given },
      })),
    }),
  }));
  const body = {
    id: "labyrinth",
    object: isStream ? "chat.completion.chunk" : "chat.completion",
    created: 0,
    model: model === "" ? role : model,
    choices: messages.map((message, index) => ({
      index,
      [isStream ? "delta" : "message"]: message,
      finish_reason: FINISH[choices[index]?.finish ?? "stop"],
    })),
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
    },
  };
  return isStream ? `data: ${JSON.stringify(body)}\n\ndata: [DONE]\n\n` : body;
}

async function embed(
  embedder: Embedder,
  { input, encoding_format: form }: z.output<typeof embeddings>,
): Promise<unknown> {
  const vectors = await embedder.embed([input].flat());
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: form === "base64"
      ? Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64")
      : [...vector],
  }));
  const usage = { prompt_tokens: 0, total_tokens: 0 };
  return { object: "list", data, model: embedder.id, usage };
}
