/** Where and as whom a model is called: address, key, and the secrets that no record may hold. */

import { Buffer } from "node:buffer";
import querystring from "node:querystring";
import { ModelError } from "../errors.ts";
import { env as processEnv } from "../platform.ts";
import type { ChatRequest } from "./chat-model.ts";
import { type ErrorSource, NOT_CHARGED } from "./endpoint-errors.ts";
import type { Refusals } from "./refusals.ts";
import { HIDDEN, looksSecret, secretTexts, SHORTEST_SECRET } from "../text/secrets.ts";
import { listPrices } from "./prices.ts";
import { isSendable } from "./binding-fields.ts";
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
    throw noEndpoint(
      `${
        /[@?]/.test(given) || looksSecret(given) ? HIDDEN : `"${given}"`
      } is not the address of a model server: set ${address} to one like ${
        api.baseUrlEnv ? OWN_SERVER : api.baseUrl
      }`,
    );
  }
  // A user's own server seldom requires a key.
  const key = set ?? (given !== undefined && keyEnv === undefined ? "no-key-is-set" : undefined);
  if (key === undefined) {
    throw noEndpoint(
      `no key for ${model}: set ${keyEnv ?? api.keyEnv}` +
        (keyEnv || !api.baseUrlEnv
          ? ""
          : `, or ${api.baseUrlEnv} to a server of your own (${OWN_SERVER} for Ollama)`) +
        ", or play without a model: --models offline" +
        didYouMean(model, [...Object.keys(ROLE_MAPS), ...Object.keys(listPrices())]),
    );
  }
  if (!isSendable(key)) {
    throw noEndpoint(
      `the key in ${
        keyEnv ?? api.keyEnv
      } has a line break or another character that no header can have: set it again`,
    );
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

function noEndpoint(what: string): ModelError {
  return new ModelError("no-endpoint", what, { usage: NOT_CHARGED });
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
