/**
 * An HTTP server that speaks OpenAI's chat completions, or those of plain text, and misbehaves on
 * request.
 */

import assert from "node:assert/strict";
import { inspect } from "node:util";
import { ModelError } from "../../../lib/core/errors.ts";
import type { Clock } from "../../../lib/core/platform.ts";

/** The key that the tests' models hold. */
export const KEY = "sk-secret-0123456789";

/** The error of a call that fails: a ModelError of one line, which shows the key nowhere. */
export async function failureOf(call: Promise<unknown>): Promise<ModelError> {
  const error = await call.then(() => undefined, (error: unknown) => error);
  assert(error instanceof ModelError, `wanted a ModelError, got ${error}`);
  assert.doesNotMatch(error.message, /\n/);
  assert.ok(!inspect(error, { depth: 20 }).includes(KEY), "the key must not be shown");
  return error;
}

/** What a chat completion is asked with, as far as the tests look. */
export interface AskedBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly [field: string]: unknown;
  }[];
  readonly [field: string]: unknown;
}

/** One request as it came in. */
export interface Asked {
  readonly body: AskedBody;
  readonly authorization: string | null;
  /** Not enumerable, so that tests compare the rest. */
  readonly headers: Headers;
}

/** How a request is answered: a response, or never. */
export type Behaviour = (asked: Asked) => Response | Promise<Response> | "hang";

/** A running endpoint. */
export interface FakeEndpoint extends AsyncDisposable {
  /** With `/v1`. */
  readonly baseUrl: string;
  readonly asked: readonly Asked[];
  /** The next requests behave so, in order; the last one stays. */
  behave(...behaviours: Behaviour[]): void;
}

/** Starts an endpoint on a free port of the loopback. @param path all that it serves below `/v1` */
export function startFakeEndpoint(path = "/chat/completions"): FakeEndpoint {
  const asked: Asked[] = [];
  let queue: Behaviour[] = [() => completion("hello")];
  const stopping = new AbortController();

  const server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    signal: stopping.signal,
    onListen: () => {},
  }, async (request) => {
    if (new URL(request.url).pathname !== `/v1${path}`) {
      return Response.json({ error: { message: "no such path" } }, { status: 404 });
    }
    const seen = {
      body: await request.json() as AskedBody,
      authorization: request.headers.get("authorization"),
    };
    const now: Asked = Object.defineProperty(seen, "headers", { value: request.headers }) as Asked;
    asked.push(now);
    const behaviour = (queue.length > 1 ? queue.shift() : queue[0]) as Behaviour;
    const answer = await behaviour(now);
    if (answer !== "hang") return answer;
    await new Promise((resolve) => stopping.signal.addEventListener("abort", resolve));
    return new Response(null, { status: 500 });
  });

  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    asked,
    behave: (...behaviours) => {
      queue = behaviours;
    },
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await server.finished;
    },
  };
}

/** Takes connections, answers so much, and tears them down. */
export function startBreakingEndpoint(answer = ""): AsyncDisposable & { readonly baseUrl: string } {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  const done = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(answer ? 65536 : 64)); // what is left unread makes the end a reset
      if (answer) await connection.write(new TextEncoder().encode(answer));
      connection.close();
    }
  })();
  return {
    baseUrl: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}/v1`,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await done;
    },
  };
}

/** A completion with one choice, or whatever else `more` says. */
export function completion(text: string, more: Record<string, unknown> = {}): Response {
  return Response.json({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "fake-model-0001",
    choices: [choice(text)],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    ...more,
  });
}

/** A completion of plain text with one choice, or whatever else `more` says. */
export function plainCompletion(text: string, more: Record<string, unknown> = {}): Response {
  return Response.json({
    id: "cmpl-1",
    object: "text_completion",
    created: 1,
    model: "fake-model-0001",
    choices: [{ text, index: 0, logprobs: null, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    ...more,
  });
}

/** One choice of a completion. */
export function choice(
  text: string | null,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    index: 0,
    message: { role: "assistant", content: text },
    finish_reason: "stop",
    ...more,
  };
}

/** An error as OpenAI words it. */
export function failure(
  status: number,
  message: string,
  more: { readonly code?: string; readonly type?: string; readonly headers?: HeadersInit } = {},
): Response {
  const { code = null, type = "error", headers = {} } = more;
  return Response.json({ error: { message, code, type, param: null } }, { status, headers });
}

/** A failure as OpenRouter passes it on, with the provider's own words. */
export function passedOn(raw: string): Response {
  const error = { message: "Provider returned error", code: 400, metadata: { raw } };
  return Response.json({ error }, { status: 400 });
}

/** One tool to offer. */
export const TOOLS = [{
  name: "path",
  description: "A way",
  parameters: { type: "object", properties: { to: { type: "string" } } },
}];

/** A clock that stands still until somebody sleeps: then it jumps. */
export function fakeClock(start = 1_000_000): Clock & { readonly slept: number[] } {
  let now = start;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
      await Promise.resolve();
    },
  };
}

/** A failure by name: the answer, its kind and what is said of it. */
export type Failures = Record<string, readonly [() => Response, ModelError["kind"], RegExp]>;

/** What every API answers a request with that fails, in its own form. */
export function commonFailures(failure: (status: number, message: string) => Response): Failures {
  const headers = { "content-type": "application/json" };
  return {
    "401": [
      () => failure(401, `invalid x-api-key: ${KEY}`),
      "authentication",
      /401 invalid x-api-key: ….*check the key/,
    ],
    "403": [() => failure(403, "no access"), "authentication", /403/],
    "402": [() => failure(402, "pay first"), "quota", /fill up the account/],
    "429": [() => failure(429, "slow down"), "rate-limit", /429 slow down/],
    "500": [() => failure(500, "oops"), "server", /500/],
    "502 as HTML": [
      () => new Response("<html>\nbad gateway</html>", { status: 502 }),
      "server",
      /502/,
    ],
    "404": [
      () => failure(404, "model not found"),
      "no-endpoint",
      /that this endpoint serves|turned off by its maker/,
    ],
    "400": [() => failure(400, "bad parameter"), "bad-request", /400 bad parameter/],
    "400 context": [
      () => failure(400, "prompt is too long: 300000 tokens > 200000"),
      "context-length",
      /longer window/,
    ],
    "malformed JSON": [() => new Response('{"id": [', { headers }), "protocol", /malformed JSON/],
    "empty body": [() => new Response("", { headers }), "protocol", /./],
  };
}
