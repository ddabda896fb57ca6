import { UsageError } from "../errors.ts";
import type { ChatModel, ChatRequest } from "./chat-model.ts";
import { localServerProvider } from "./local-server.ts";
import { knownSecrets, SHORTEST_SECRET } from "../text/secrets.ts";
import { connectionOf, hostAt, secretsAt } from "./endpoint-connection.ts";
import { createNativeModel, NATIVE_APIS, nativeBody } from "./native.ts";
import { createOpenAIModel, OPENAI, openaiBody } from "./openai.ts";
import { styleOf } from "./openai-completion.ts";
import { isOffline } from "./prices.ts";
import type { Provider, ProviderContext } from "./provider.ts";
import { type Endpoint, type Maker, type RoleMap, samplingOf } from "./roles.ts";

function nativeProvider(maker: Maker): Provider {
  return {
    id: maker === "openai" ? "openai-responses" : maker,
    serves: (model, endpoint) => !isOffline(model) && nativeMaker(model, endpoint) === maker,
    open: (model, endpoint, { refusals }) => ({
      model: createNativeModel(maker, model, { ...endpoint, refusals }),
      host: hostAt(NATIVE_APIS[maker], endpoint),
      price: endpoint.price,
    }),
    check: (model, endpoint) => {
      if (maker !== "openai" && endpoint.style !== undefined) {
        throw new UsageError(
          `the style ${endpoint.style} of ${model} belongs to OpenAI's APIs: leave it out for the provider ${maker}`,
        );
      }
      checkTemperature(maker, model, endpoint);
      connectionOf(model, NATIVE_APIS[maker], endpoint);
    },
    ignores: (model, endpoint) =>
      withoutEffect(endpoint, (request) => nativeBody(maker, model, request)),
  };
}

export function rememberKeys(map: RoleMap): void {
  const endpoints = [{}, ...Object.values(map).filter((binding) => typeof binding !== "string")];
  const secrets = endpoints.flatMap((endpoint) =>
    Object.values(NATIVE_APIS).flatMap((api) => secretsAt(api, endpoint))
  );
  for (const secret of secrets) if (secret.length >= SHORTEST_SECRET) knownSecrets.add(secret);
}

/** The highest temperature that each maker's API takes. */
const HIGHEST: Readonly<Record<Maker, number>> = { anthropic: 1, google: 2, openai: 2 };

/**
 * @throws {UsageError} for a temperature that an API refuses, or that its client would lower
 *   without a word.
 */
function checkTemperature(maker: Maker, model: string, { temperature = 0 }: Endpoint): void {
  if (temperature <= HIGHEST[maker]) return;
  throw new UsageError(
    `the temperature ${temperature} of ${model} is too high: the provider ${maker} takes 0 to ${
      HIGHEST[maker]
    }`,
  );
}

const MAKER_BY_PREFIX: Readonly<Record<string, Maker>> = { claude: "anthropic", gemini: "google" };

/**
 * The maker at whose native API a model is called; none for chat completions and plain-text
 * completions of OpenAI's kind.
 */
function nativeMaker(
  model: string,
  { provider, baseUrl, style }: Endpoint = {},
): Maker | undefined {
  const isPlain = baseUrl === undefined && style === undefined;
  const maker = provider ?? (isPlain ? MAKER_BY_PREFIX[model.split("-")[0] ?? ""] : undefined) ??
    "openai";
  return maker === "openai" && style !== "responses" ? undefined : maker;
}

const openaiProvider: Provider = {
  id: "openai",
  serves: (model) => !isOffline(model),
  open: (model, endpoint, { refusals }) => ({
    model: createOpenAIModel(model, { ...endpoint, refusals }),
    host: hostAt(OPENAI, endpoint),
    drawsChoices: true,
    // A model replies differently to plain text than to chat.
    identity: (endpoint.style ?? styleOf(model)) === "completion"
      ? `${model} in plain text`
      : undefined,
    price: endpoint.price,
  }),
  check: (model, endpoint) => {
    if (hostAt(OPENAI, endpoint) === "api.openai.com") checkTemperature("openai", model, endpoint);
    connectionOf(model, OPENAI, endpoint);
  },
  ignores: (model, endpoint) =>
    withoutEffect(endpoint, (request) => openaiBody(model, request, endpoint.style)),
};

async function withoutEffect(
  endpoint: Endpoint,
  bodyOf: (request: ChatRequest) => unknown,
): Promise<string[]> {
  const sampling: Readonly<Record<string, unknown>> = { ...samplingOf(endpoint) };
  const bodyWith = async (given: object): Promise<string> =>
    JSON.stringify(
      await bodyOf({ role: "", messages: [{ role: "user", content: "?" }], sampling: given }),
    );
  const whole = await bodyWith(sampling);
  const ignored: string[] = [];
  for (const name of Object.keys(sampling)) {
    if (await bodyWith({ ...sampling, [name]: undefined }) === whole) ignored.push(name);
  }
  return ignored;
}

/**
 * Wraps one model of this process as a provider, for notebooks and tests.
 *
 * @example
 * ```ts
 * import { localProvider, scripted } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const provider = localProvider(scripted(["hello"], { id: "mine" }));
 * assert.equal(provider.serves("mine"), true);
 * assert.equal(provider.serves("gpt-4o"), false);
 * ```
 */
export function localProvider(model: ChatModel): Provider {
  return { id: model.id, serves: (id) => id === model.id, open: () => ({ model }) };
}

let registered: readonly Provider[] = [
  localServerProvider,
  nativeProvider("anthropic"),
  nativeProvider("google"),
  nativeProvider("openai"),
  openaiProvider,
];

/**
 * Registers a provider for the whole process, before those already registered; it replaces one of
 * the same id.
 *
 * @example
 * ```ts
 * import { createModels, localProvider, openStore, registerProvider, scripted } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * registerProvider(localProvider(scripted(["hello"], { id: "mine" })));
 * using store = openStore(":memory:");
 * const models = createModels({ map: { "*": "mine" }, store, codeVersion: "0" });
 * const reply = await models.chat({ role: "demo/greet", messages: [{ role: "user", content: "Hi" }] });
 * assert.equal(reply.choices[0].text, "hello");
 * ```
 */
export function registerProvider(provider: Provider): void {
  registered = [provider, ...registered.filter(({ id }) => id !== provider.id)];
}

/**
 * Collects what the providers of these models add to an episode's identity; a model without
 * provider adds nothing.
 */
export function providerIdentity(
  models: readonly string[],
  context: Pick<ProviderContext, "modelOptions">,
  providers: readonly Provider[] = [],
): Record<string, unknown> {
  const all = [...providers, ...registered];
  const asked = Map.groupBy(models, (model) => all.find((provider) => provider.serves(model)));
  return Object.assign(
    {},
    ...[...asked].map(([provider, own]) => provider?.identity?.(context, own)),
  );
}

export function providerOf(
  model: string,
  endpoint: Endpoint,
  providers: readonly Provider[] = [],
): Provider {
  const all = [...providers, ...registered];
  const provider = all.find((provider) => provider.serves(model, endpoint));
  if (provider) return provider;
  const remedy = isOffline(model)
    ? `import "labyrinth/offline"`
    : "pass one that does as an option";
  throw new UsageError(
    `no provider serves the model ${model}: there are ${
      all.map(({ id }) => id).join(", ")
    }; ${remedy}`,
  );
}
