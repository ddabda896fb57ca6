/**
 * The meter of memories that are not ours: an OpenAI-compatible address on this machine, one for
 * each episode, behind which stand the models of the study with their record, budget and replay.
 */

import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { ChatModel, ChatReply, Sample } from "../core/llm/chat-model.ts";
import type { ForeignMeter, MemoryFactory, MemoryHost } from "../core/memory/memory.ts";
import { loadModule } from "../core/platform.ts";
import type { Embedder } from "../core/retrieval/embedder.ts";
import { canonicalJson, sha256 } from "../core/text/canonical.ts";
import { jsonOf } from "../core/text/json.ts";
import { chat, completionOf, embed, embeddings, requestOf } from "./foreign-openai.ts";

/** What is behind the address. */
export interface MeterPorts {
  /** The models of the episode, by role. */
  readonly model: ChatModel;
  /** The embedder of the study. */
  readonly embedder: Embedder;
  /** Stops what is asked. */
  readonly signal: AbortSignal;
}

const MAX_BODY_BYTES = 8 << 20;
const MAX_REASONS = 10;

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
  const ended = new AbortController(); // nobody reads what is asked any more
  const signal = AbortSignal.any([ports.signal, ended.signal]);
  const ends: (() => void)[] = [];
  const closing: (() => Promise<void>)[] = [];
  const host: MemoryHost = {
    onEnd: (end) => void ends.push(end),
    meter: async (role) => {
      const { meter, close } = await openMeter(role, { ...ports, signal });
      closing.push(close);
      return meter;
    },
  };
  return {
    around: (create) => (context) => create({ ...context, host }),
    end: async () => {
      for (const end of ends) end();
      ended.abort();
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
  let unsent = new Map<string, Promise<ChatReply>>();
  let failure: unknown;
  const refused = new Set<string>();
  const questions = new Set<Promise<unknown>>();
  let [waited, since] = [0, 0];

  async function timed<T>(question: Promise<T>): Promise<T> {
    if (questions.size === 0) since = performance.now();
    questions.add(question);
    try {
      return await question;
    } finally {
      if (questions.delete(question) && questions.size === 0) waited += performance.now() - since;
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (request.headers.authorization !== `Bearer ${key}`) {
      throw new Refusal(401, "the key is not that of this episode: take OPENAI_API_KEY as it is");
    }
    const path = (request.url ?? "").replace(/^\/v1/, "").replace(/\?.*$/, "");
    if (request.method === "GET" && path === "/models") {
      return { object: "list", data: [{ id: role, object: "model", created: 0, owned_by: "lab" }] };
    }
    if (request.method !== "POST") throw new Refusal(404, `there is no ${request.method} ${path}`);
    const body = jsonOf(await bodyOf(request));
    if (path === "/embeddings") {
      return await timed(embed(embedder, checked(embeddings, body)));
    }
    if (path !== "/chat/completions") {
      throw new Refusal(404, `there is no ${path}: there are /chat/completions and /embeddings`);
    }
    if (place === undefined) {
      throw new Refusal(409, "a memory may ask a model while it observes or recalls");
    }
    const wanted = checked(chat, body);
    const { stream: _, ...content } = wanted;
    const hash = sha256(canonicalJson(content));
    const gone = unsent;
    const reply = gone.get(hash) ?? chatOnce(wanted, hash, place);
    gone.delete(hash);
    response.once("close", () => { // a client that lost patience, which asks for the same reply again
      if (!response.writableFinished) gone.set(hash, reply);
    });
    return completionOf(await timed(reply), role, wanted.stream ?? false);
  }

  function chatOnce(wanted: z.output<typeof chat>, hash: string, at: Sample): Promise<ChatReply> {
    const vote = asked.get(hash) ?? 0;
    asked.set(hash, vote + 1);
    const sample = vote === 0 ? at : { ...at, vote }; // a question asked again is a new sample
    return model.chat({ ...requestOf(wanted), role, sample, signal });
  }

  const { createServer } = loadModule<typeof import("node:http")>("node:http");
  const server = createServer((request, response) => {
    answer(request, response).then(
      (value) => send(response, 200, value),
      (error) => {
        const status = error instanceof Refusal ? error.status : 422; // clients do not retry it
        const message = error instanceof Error ? error.message : String(error);
        if (!(error instanceof Refusal)) failure ??= error;
        else if (refused.size < MAX_REASONS) refused.add(message);
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
      at: (sample) => [place, asked, unsent] = [sample, new Map(), new Map()],
      failure: () => failure,
      refused: () => {
        const reasons = [...refused];
        refused.clear();
        return reasons;
      },
      waited: () => waited + (questions.size > 0 ? performance.now() - since : 0),
    },
    close: async () => {
      await Promise.allSettled(questions); // what they write is part of the episode
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
