/**
 * What models at all endpoints have in common: key and address, the fallback where a JSON Schema is
 * refused, and the errors of a call.
 */

import { Buffer } from "node:buffer";
import querystring from "node:querystring";
import { ModelError } from "../errors.ts";
import { env as processEnv } from "../platform.ts";
import type { ChatModel, ChatRequest } from "./chat-model.ts";
import {
  type ErrorSource,
  isMissedForm,
  NOT_CHARGED,
  REFUSED_FORM,
  withoutSecrets,
} from "./endpoint-errors.ts";
import { readReply } from "./openai-reply.ts";
import { hasBounds, type Refusals, refuse, withoutBounds } from "./refusals.ts";
import {
  HIDDEN,
  knownSecrets,
  looksSecret,
  secretTexts,
  SHORTEST_SECRET,
} from "../text/secrets.ts";
import { listPrices } from "./prices.ts";
import { isSendable } from "./role-map.ts";
import { type Endpoint, ROLE_MAPS } from "./roles.ts";
import { didYouMean } from "../text/did-you-mean.ts";

/** Options of a model at an endpoint. */
export interface EndpointOptions extends
  Pick<
    Endpoint,
    "baseUrl" | "keyEnv" | "timeoutSeconds" | "headers" | "extraBody" | "temperature" | "topP"
  > {
  /** Reads an environment variable; an empty one counts as unset. @default that of the process */
  readonly env?: (name: string) => string | undefined;
  /** Where it is noted what the endpoint refuses. @default a memory of this model's own */
  readonly refusals?: Refusals;
}

export interface Api {
  readonly baseUrl: string;
  readonly baseUrlEnv?: string;
  readonly keyEnv: string;
}

export interface Connection extends ErrorSource {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * What the model has refused there (see `Refusals`); only of the two limits of an answer the
   * client takes the other one itself. @default nothing
   */
  readonly refused?: readonly string[];
}

export interface Client {
  /**
   * Sends one request.
   * @returns a chat completion as OpenAI writes it, and the request whose tokens are counted if it
   *   names none
   */
  send(
    request: ChatRequest,
    connection: Connection,
  ): Promise<{ readonly completion: unknown; readonly counted: ChatRequest }>;
  explain(error: unknown, connection: Connection): Promise<ModelError>;
}

/**
 * Creates a model at an endpoint. Each call is one attempt. Key and address are read at the first
 * call. Where the endpoint refuses a parameter, the bounds of a schema or the schema, it is asked
 * without from then on; no schema is sent beside tools, because the calls are no answer, nor after
 * answers that missed it twice. Where it gives fewer choices than it is asked for, the error is
 * that of an endpoint that refuses several; `createModels` then asks for each by itself.
 */
export function createEndpointModel(
  model: string,
  api: Api,
  client: Client,
  options: EndpointOptions,
): ChatModel {
  const { refusals = new Map() } = options;
  return {
    id: model,
    chat: async (asked) => {
      const { ticket = {} } = asked;
      ticket.isSent = false;
      const connection = connectionOf(model, api, options);
      const place = `${model} at ${connection.baseUrl}`;
      const refused = [...refusals.get(place) ?? []];
      const request = permitted(asked, refused);
      request.signal?.throwIfAborted();
      let sent: Awaited<ReturnType<Client["send"]>>;
      try {
        sent = await client.send(request, { ...connection, refused });
      } catch (error) {
        request.signal?.throwIfAborted();
        if (error instanceof ModelError) throw error;
        const failure = await client.explain(error, connection);
        const { kind, message, cause, usage } = failure;
        if (isMissedForm(failure)) ticket.missedForms = (ticket.missedForms ?? 0) + 1;
        const what = kind === "bad-request"
          ? refusedIn(message, request, refused, options)
          : undefined;
        if (what === undefined) throw failure;
        refuse(refusals, place, what);
        throw new ModelError(kind, message, { cause, usage, retryAfterMs: 0 }); // without it may pass
      }
      const reply = await readReply(
        withoutEchoes(sent.completion, connection),
        sent.counted,
        connection,
      );
      if (reply.choices.length >= (request.n ?? 1)) return reply;
      const { usage, choices } = reply;
      const what =
        `${model} at ${connection.host}: gave ${choices.length} choices of the ${request.n} asked for`;
      throw new ModelError("bad-request", what, { usage });
    },
  };
}

/** Answers of one call that may miss the enforced form; then it is asked for in words alone. */
const MISSED_FORMS = 2;

function permitted(asked: ChatRequest, refused: readonly string[]): ChatRequest {
  const { tools, schema, ticket = {} } = asked;
  const isFree = tools?.length || refused.includes("schema") ||
    (ticket.missedForms ?? 0) >= MISSED_FORMS;
  const isSampled = !SAMPLED.some(([name]) => refused.includes(name));
  return {
    ...asked,
    schema: isFree || !schema
      ? undefined
      : refused.includes("bounds")
      ? withoutBounds(schema)
      : schema,
    sampling: isSampled
      ? asked.sampling
      : { ...asked.sampling, temperature: undefined, topP: undefined },
  };
}

function withoutEchoes(completion: unknown, { secrets }: Connection): unknown {
  const text = JSON.stringify(completion) ?? "";
  const all = [...secrets.filter((secret) => secret.length >= SHORTEST_SECRET), ...knownSecrets];
  const escaped = all.map((secret) => JSON.stringify(secret).slice(1, -1));
  return escaped.some((secret) => text.includes(secret))
    ? JSON.parse(withoutSecrets(text, { secrets: escaped }))
    : completion;
}

/**
 * What is left out where an endpoint refuses either, by the endpoint's name and ours; of the two
 * limits of an answer the other one is sent.
 */
const SAMPLED = [["temperature", "temperature"], ["top_p", "topP"]] as const;
const isLimit = (parameter: string): boolean => parameter.startsWith("max_");
const REFUSAL =
  /unsupported|not support|only the default|deprecated|not (permitted|allowed)|unrecognized|unknown (param|field|arg)/i;

/**
 * What an error refuses, unless it had been left out (`known`), or the user set it: then the error
 * is the answer.
 */
function refusedIn(
  message: string,
  { schema, sampling = {} }: ChatRequest,
  known: readonly string[],
  own: EndpointOptions,
): string | undefined {
  if (schema && (REFUSED_FORM.test(message) || /schema/i.test(message))) {
    return hasBounds(schema) ? "bounds" : "schema";
  }
  const [name = ""] = /max_(completion_)?tokens|temperature|top_p/.exec(message) ?? []; // before the one to take instead
  const isOurs = isLimit(name)
    ? sampling.maxTokens !== undefined && !known.some(isLimit)
    : SAMPLED.some(([, field]) => sampling[field] !== undefined) &&
      !SAMPLED.some(([, field]) => Object.hasOwn(own, field));
  return name && isOurs && REFUSAL.test(message) ? name : undefined;
}

/**
 * The address and the key that a user sets, without spaces around them, which a paste brings along.
 */
function givenBy(
  api: Api,
  { baseUrl, keyEnv, env = processEnv }: EndpointOptions,
): { readonly address?: string; readonly key?: string } {
  const given = baseUrl ?? (api.baseUrlEnv && env(api.baseUrlEnv));
  return {
    address: given?.trim() || undefined,
    key: env(keyEnv ?? api.keyEnv)?.trim() || undefined,
  };
}

export function hostAt(api: Api, options: EndpointOptions): string {
  return hostOf(givenBy(api, options).address ?? api.baseUrl);
}

function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : "no address"; // which may hold a key
}

/**
 * Finds key and address of a model. Nothing is sent.
 * @throws {ModelError} `no-endpoint` if a key is missing or none that can be sent, or the address
 *   is none.
 */
export function connectionOf(model: string, api: Api, options: EndpointOptions): Connection {
  const { keyEnv, timeoutSeconds = 180, headers } = options;
  const { address: given, key: set } = givenBy(api, options);
  const address = api.baseUrlEnv
    ? `${api.baseUrlEnv} (or "baseUrl" in the role map)`
    : `"baseUrl" in the role map`;
  if (given !== undefined && !(/^https?:\/\/[^/]/i.test(given) && URL.canParse(given))) {
    throw new ModelError(
      "no-endpoint",
      `${
        /[@?]/.test(given) || looksSecret(given) ? HIDDEN : `"${given}"`
      } is no address of a model server: set ${address} to one like ${
        api.baseUrlEnv ? OWN_SERVER : api.baseUrl
      }`,
      { usage: NOT_CHARGED },
    );
  }
  // A user's own server seldom requires a key.
  const key = set ?? (given !== undefined && keyEnv === undefined ? "no-key-is-set" : undefined);
  if (key === undefined) {
    throw new ModelError(
      "no-endpoint",
      `no key for ${model}: set ${keyEnv ?? api.keyEnv}` +
        (keyEnv || !api.baseUrlEnv
          ? ""
          : `, or ${api.baseUrlEnv} to a server of your own (${OWN_SERVER} for Ollama)`) +
        ", or play without a model: --models offline" +
        didYouMean(model, [...Object.keys(ROLE_MAPS), ...Object.keys(listPrices())]),
      { usage: NOT_CHARGED },
    );
  }
  if (!isSendable(key)) {
    const what = `the key in ${
      keyEnv ?? api.keyEnv
    } has a line break or another character that no header can have: set it anew`;
    throw new ModelError("no-endpoint", what, { usage: NOT_CHARGED });
  }
  const used = given ?? api.baseUrl;
  const secrets = secretsAt(api, options);
  return {
    model,
    host: hostOf(used),
    baseUrl: used,
    key,
    secrets,
    address,
    timeoutMs: 1000 * timeoutSeconds,
    headers,
  };
}

/**
 * What lets somebody in at an endpoint, as it is sent: the key, and what its address, headers and
 * further fields hold.
 */
export function secretsAt(api: Api, options: EndpointOptions): string[] {
  const { headers = {}, extraBody } = options;
  const { address = "", key = "" } = givenBy(api, options);
  // A header is sent without its outer spaces, and its value may be a scheme and a key ("Bearer
  // …"); a word without a digit is none.
  const inHeaders = Object.entries(headers).flatMap(([name, value]) =>
    HARMLESS.test(name) ? [] : [value, ...value.split(/\s+/).filter((part) => /\d/.test(part))]
  );
  const others = [...secretsIn(address), ...inHeaders, ...secretTexts(extraBody)].filter((secret) =>
    secret.length >= SHORTEST_SECRET
  );
  const keys = key.length >= SHORTEST_KEY ? [key] : [];
  // Who repeats a request may quote it, in an address or as JSON: there a quotation mark or
  // backslash of the secret is written otherwise.
  return [...keys, ...others].flatMap((
    secret,
  ) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]);
}

/**
 * Characters of the shortest key that lets somebody in: a server without keys is given some letter.
 */
const SHORTEST_KEY = 4;

/**
 * Headers and fields of a query that let nobody in: a version's date would be hidden in the names
 * of models.
 */
const HARMLESS = /version$|^(accept|content-type|user-agent|(http-)?referer|x-title)$/i;

/**
 * The values of an address that may let somebody in: a password, also as it is sent, and those of
 * its query.
 */
function secretsIn(baseUrl: string): string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { username, password, searchParams } = new URL(baseUrl);
  const [user, word] = [username, password].map((part) => querystring.unescape(part));
  const inQuery = [...searchParams].flatMap(([name, value]) => HARMLESS.test(name) ? [] : [value]);
  return [
    ...(password ? [password, `${word}`, Buffer.from(`${user}:${word}`).toString("base64")] : []),
    ...inQuery,
  ];
}

const OWN_SERVER = "http://localhost:11434/v1";
