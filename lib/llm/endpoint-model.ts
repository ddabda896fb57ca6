/** What models at all endpoints have in common: key and address, the fallback where a JSON Schema is refused, and the errors of a call. */

import { Buffer } from "node:buffer";
import querystring from "node:querystring";
import { ModelError } from "../errors.ts";
import { env as processEnv } from "../platform.ts";
import type { ChatModel, ChatRequest } from "./chat-model.ts";
import { type ErrorSource, NOT_CHARGED, withoutSecrets } from "./endpoint-errors.ts";
import { readReply } from "./openai-reply.ts";
import { secretTexts } from "../store/secrets.ts";
import { listPrices } from "./prices.ts";
import { type Endpoint, ROLE_MAPS } from "./roles.ts";
import { didYouMean } from "../text/did-you-mean.ts";

/** Options of a model at an endpoint. */
export interface EndpointOptions extends Pick<Endpoint, "baseUrl" | "keyEnv" | "timeoutSeconds" | "headers" | "extraBody"> {
  /** Reads an environment variable; an empty one counts as unset. @default that of the process */
  readonly env?: (name: string) => string | undefined;
}

/** Where an API is served by its maker, and how users set another address and the key. */
export interface Api {
  readonly baseUrl: string;
  /** Environment variable of the address; absent where only the role map sets it. */
  readonly baseUrlEnv?: string;
  readonly keyEnv: string;
}

/** An endpoint with the key, as a call is sent to it. */
export interface Connection extends ErrorSource {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client of an API. */
export interface Client {
  /** Sends one request. @returns a chat completion as OpenAI writes it, and the request whose tokens are counted if it names none */
  send(request: ChatRequest, connection: Connection): Promise<{ readonly completion: unknown; readonly counted: ChatRequest }>;
  /** Maps what `send` threw. */
  explain(error: unknown, connection: Connection): Promise<ModelError>;
}

/**
 * Creates a model at an endpoint. Each call is one attempt. Key and address are read at the first call. Where the endpoint refuses a schema,
 * it is asked without from then on; no schema is sent beside tools, because the calls are no answer. Where it gives fewer choices than it is
 * asked for, the error is that of an endpoint that refuses several; `createModels` then asks for each by itself.
 */
export function createEndpointModel(model: string, api: Api, client: Client, options: EndpointOptions): ChatModel {
  return {
    id: model,
    chat: async (asked) => {
      if (asked.ticket) asked.ticket.isSent = false;
      const connection = connectionOf(model, api, options);
      const place = `${model} at ${connection.baseUrl}`;
      const request = asked.tools?.length || schemaless.has(place) ? { ...asked, schema: undefined } : asked;
      request.signal?.throwIfAborted();
      let sent: Awaited<ReturnType<Client["send"]>>;
      try {
        sent = await client.send(request, connection);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof ModelError) throw error;
        const failure = await client.explain(error, connection);
        if (failure.kind !== "bad-request" || !request.schema || !NO_SCHEMA.test(failure.message)) throw failure;
        schemaless.add(place);
        throw again(failure); // without it may pass
      }
      const reply = await readReply(withoutEchoes(sent.completion, connection), sent.counted, connection);
      if (reply.choices.length >= (request.n ?? 1)) return reply;
      const { usage, choices } = reply;
      const what = `${model} at ${connection.host}: gave ${choices.length} choices of the ${request.n} asked for`;
      throw new ModelError("bad-request", what, { usage });
    },
  };
}

/** What an endpoint answered, without secrets that it echoes. */
function withoutEchoes(completion: unknown, { secrets }: Connection): unknown {
  const text = JSON.stringify(completion) ?? "";
  const escaped = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).map((secret) => JSON.stringify(secret).slice(1, -1));
  return escaped.some((secret) => text.includes(secret)) ? JSON.parse(withoutSecrets(text, { secrets: escaped })) : completion;
}

/** The failure of a request that is to be sent again at once, in another form. */
function again({ kind, message, cause, ...more }: ModelError): ModelError {
  return new ModelError(kind, message, { ...more, cause, retryAfterMs: 0 });
}

/** How endpoints word it that they cannot enforce a JSON Schema. */
const NO_SCHEMA = /response_format|json_schema|structured output|schema|grammar|output_config|response_?mime_?type/i;
/** The models that have refused a schema, with their endpoints: they are asked without from then on. */
const schemaless = new Set<string>();

/** Finds the host of an endpoint, without user name and password. */
export function hostAt(api: Api, { baseUrl, env = processEnv }: EndpointOptions): string {
  return hostOf(baseUrl ?? (api.baseUrlEnv && env(api.baseUrlEnv)) ?? api.baseUrl);
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** Finds key and address of a model. Nothing is sent. @throws {ModelError} `no-endpoint` if a key is missing or the address is none. */
export function connectionOf(model: string, api: Api, options: EndpointOptions): Connection {
  const { baseUrl, keyEnv, env = processEnv, timeoutSeconds = 180, headers, extraBody } = options;
  const given = baseUrl ?? (api.baseUrlEnv && env(api.baseUrlEnv));
  const address = api.baseUrlEnv ? `${api.baseUrlEnv} (or "baseUrl" in the role map)` : `"baseUrl" in the role map`;
  if (given !== undefined && !/^https?:\/\/[^/]/i.test(given)) {
    throw new ModelError(
      "no-endpoint",
      `"${withoutSecrets(given, { secrets: secretsIn(given) })}" is no address of a model server: set ${address} to one like ${
        api.baseUrlEnv ? OWN_SERVER : api.baseUrl
      }`,
      { usage: NOT_CHARGED },
    );
  }
  // A user's own server seldom requires a key.
  const key = env(keyEnv ?? api.keyEnv) ?? (given !== undefined && keyEnv === undefined ? "no-key-is-set" : undefined);
  if (key === undefined) {
    throw new ModelError(
      "no-endpoint",
      `no key for ${model}: set ${keyEnv ?? api.keyEnv}` +
        (keyEnv || !api.baseUrlEnv ? "" : `, or ${api.baseUrlEnv} to a server of your own (${OWN_SERVER} for Ollama)`) +
        ", or play without a model: --models offline" + didYouMean(model, [...Object.keys(ROLE_MAPS), ...Object.keys(listPrices())]),
      { usage: NOT_CHARGED },
    );
  }
  const used = given ?? api.baseUrl;
  // A header is sent without its outer spaces, and its value may be a scheme and a key: "Bearer …".
  const inHeaders = Object.values(headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)]);
  const others = [...secretsIn(used), ...inHeaders, ...secretTexts(extraBody)].filter((secret) => secret.length >= SHORTEST_SECRET);
  const secrets = [key, key.trim() || key, ...others].flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  return { model, host: hostOf(used), baseUrl: used, key, secrets, address, timeoutMs: 1000 * timeoutSeconds, headers };
}

/** The values of an address that may let somebody in: a password, also as it is sent, and those of its query. */
function secretsIn(baseUrl: string): string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { username, password, searchParams } = new URL(baseUrl);
  const [user, word] = [username, password].map((part) => querystring.unescape(part));
  return [...(password ? [password, `${word}`, Buffer.from(`${user}:${word}`).toString("base64")] : []), ...searchParams.values()];
}

/** Characters of the shortest value that is taken for a secret, but for a key: shorter ones (`true`, `ollama`) stand in many texts. */
const SHORTEST_SECRET = 10;

const OWN_SERVER = "http://localhost:11434/v1";
