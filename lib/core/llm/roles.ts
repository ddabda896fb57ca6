/** Role maps: which model answers which role. */

import roleMaps from "../../../data/library/role-maps.json" with { type: "json" };
import { ModelError } from "../errors.ts";
import type { ChatModel, Sampling } from "./chat-model.ts";
import type { EndpointStyle } from "./openai-completion.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { hideInAddress, hideSecrets } from "../text/secrets.ts";
import { isLocal, isOffline, type Price } from "./prices.ts";

/** A maker of models whose own API can be called. */
export type Maker = "anthropic" | "google" | "openai";

export const MAKERS: readonly Maker[] = ["anthropic", "google", "openai"];

/**
 * The endpoint of a model and the parameters of its calls. By default `claude-…` is called at
 * Anthropic's API (`ANTHROPIC_API_KEY`), `gemini-…` at Google's (`GEMINI_API_KEY`), any other model
 * at `OPENAI_BASE_URL` (`OPENAI_API_KEY`). The price is that of `data/prices.json`; parameters
 * given here replace the prompt's, except that the smaller `maxTokens` holds. Sampling parameters
 * are part of an episode's identity; address, key, headers, timeout and concurrency are not.
 */
export interface Endpoint extends Omit<Sampling, "stop"> {
  /** Address of the API with its version, e.g. `http://localhost:11434/v1`. */
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly keyEnv?: string;
  /**
   * The maker whose protocol the API speaks; `openai` for every compatible one.
   * @default by the model's id, `openai` if `baseUrl` is given
   */
  readonly provider?: Maker;
  /**
   * `completion` joins the messages into one plain text, for base and instruct models; `responses`
   * is OpenAI's newer API.
   * @default `completion` for OpenAI's models without chat (text-davinci-003), else `chat`
   */
  readonly style?: EndpointStyle;
  /** Price of the model. */
  readonly price?: Price;
  /** Timeout of a whole reply in seconds, > 0. @default {180} */
  readonly timeoutSeconds?: number;
  /**
   * Maximum number of requests in flight at the endpoint, ≥ 1; the first binding of an endpoint
   * decides.
   * @default {8}
   */
  readonly concurrency?: number;
  /**
   * Tokens for thoughts before the answer, ≥ 1, if they count towards it: added to each prompt's
   * ceiling and to `maxTokens`. Reasoning models of OpenAI, Anthropic and Google get 25,000 anyway.
   * Part of an episode's identity.
   * @default {0}
   */
  readonly thinkingTokens?: number;
  /**
   * Whether the endpoint enforces the form of JSON answers, where it can; `false` asks for the form
   * in words alone, as the papers do.
   * @default {true}
   */
  readonly enforceForms?: boolean;
  /**
   * Whether the model takes pictures; where none of GraphMind's does, its world gives none.
   * @default {true}, but for models on this machine
   */
  readonly images?: boolean;
  /**
   * Whether each attempt has a header `Idempotency-Key`, for gateways that take one; neither OpenAI
   * nor Anthropic documents it.
   * @default {false}
   */
  readonly idempotencyKey?: boolean;
  /** Further HTTP headers of each request; no record holds their values. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The id of a model, alone or with its endpoint. */
export type ModelBinding = string | ({ readonly model: string } & Endpoint);

/**
 * Role → model. Keys are roles (`wese/explore`), families (`wese/*`) or `*`; the most specific key
 * is taken.
 */
export type RoleMap = Readonly<Record<string, ModelBinding>>;

/**
 * Creates a model that routes each request to the model of its role, else of `<family>/*`, else of
 * `*`. Each model is opened once, at its first request. The router's id joins theirs by `+`.
 * @throws {ModelError} from `chat`: `unknown-role` if the map binds none of them.
 */
export function createRouter(
  map: RoleMap,
  resolve: (model: string, endpoint: Endpoint) => ChatModel,
): ChatModel {
  const resolved = new Map<ModelBinding, ChatModel>();
  return {
    id: backboneOf(map),
    // async, so that an unknown role rejects instead of throwing
    // deno-lint-ignore require-await
    chat: async (request) => {
      const binding = bindingOf(map, request.role);
      const { model, ...endpoint } = asObject(binding);
      return resolved.getOrInsertComputed(binding, () => resolve(model, endpoint)).chat(request);
    },
  };
}

/** Joins the ids of a map's models by `+`, sorted, each once: the label of the results. */
export function backboneOf(map: RoleMap): string {
  return [...new Set(Object.values(map).map(modelIdOf))].sort().join("+");
}

export function takesImages(binding: ModelBinding): boolean {
  const { model, images } = asObject(binding);
  return images ?? !(isOffline(model) || isLocal(model));
}

export function modelIdOf(binding: ModelBinding): string {
  return asObject(binding).model;
}

export function asObject(binding: ModelBinding): Exclude<ModelBinding, string> {
  return typeof binding === "string" ? { model: binding } : binding;
}

export function recordedMap(map: RoleMap): RoleMap {
  return Object.fromEntries(
    Object.entries(map).map(([role, binding]): [string, ModelBinding] => {
      if (typeof binding === "string") return [role, binding];
      const { model, baseUrl } = binding;
      return [role, {
        ...hideSecrets(binding),
        model,
        ...(baseUrl !== undefined && { baseUrl: hideInAddress(baseUrl) }),
      }];
    }),
  );
}

/**
 * The part of a binding that decides replies, JSON-able: the model's id, with its style and
 * sampling parameters where they are given. Keys in
 * `extraBody` decide none.
 */
export function bindingIdentity(binding: ModelBinding): string {
  if (typeof binding === "string") return binding;
  const { model, style, ...endpoint } = binding;
  const name = style === undefined ? model : `${model} (${style})`;
  const { enforceForms, thinkingTokens } = endpoint;
  const forms = {
    ...(enforceForms === false && { enforceForms }),
    ...(thinkingTokens !== undefined && { thinkingTokens }),
  };
  const deciding = JSON.stringify({ ...hideSecrets(samplingOf(endpoint)), ...forms });
  return deciding === "{}" ? name : `${name} ${deciding}`;
}

export function samplingOf(
  { temperature, topP, maxTokens, seed, effort, extraBody }: Endpoint,
): Sampling {
  const sampling = { temperature, topP, maxTokens, seed, effort, extraBody };
  return Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined));
}

export function bindingOf(map: RoleMap, role: string): ModelBinding {
  const binding = map[keyOf(map, role) ?? ""];
  if (binding !== undefined) return binding;
  throw new ModelError(
    "unknown-role",
    `no model is bound to the role ${role}${
      didYouMean(role, Object.keys(map))
    }; the role map binds ${
      Object.keys(map).join(", ") || "nothing"
    }; add the role, or "*" for every other role`,
  );
}

/**
 * The id of the model that answers a role, of the bindings in an episode's identity
 * (`bindingIdentity`); `undefined` where none is bound.
 */
export function boundModel(
  bindings: Readonly<Record<string, string>>,
  role: string,
): string | undefined {
  return bindings[keyOf(bindings, role) ?? ""]?.replace(
    / (?:\((?:chat|completion|responses)\))?(?: ?\{.*)?$/s,
    "",
  );
}

export function bindingsOf(map: RoleMap, roles: Iterable<string>): RoleMap {
  const taken = new Set(Array.from(roles, (role) => keyOf(map, role)));
  const kept = Object.entries(map).filter(([key]) => taken.has(key));
  return kept.length > 0 ? Object.fromEntries(kept) : map;
}

export function keyOf(map: RoleMap, role: string): string | undefined {
  return [role, `${role.split("/")[0]}/*`, "*"].find((key) => Object.hasOwn(map, key));
}

/**
 * The named role maps, in `data/library/role-maps.json`.
 *
 * - `offline`: the stand-in; no key, no network.
 * - `offline-weak`: the same, weakened where WESE has its weak model; in every role of other
 * papers.
 * - `paper`: the models of the papers (AriGraph §4, its NetHack under `netplay`; WESE §4;
 * ReasonPlanner's Table 1; GraphMind §4; A-MEM §4; Mem0 §2.1; MemGPT §3; HippoRAG 2; Zep; GraphRAG
 * has that of AriGraph's Table 2). Most are retired: `data/prices.json` has the dates. Llamas must
 * be served by the user: copy the map and add a `baseUrl`. It has no `*`.
 * - `today`: a strong model that OpenAI serves, and a weak one where a paper has one; both reason,
 * without temperature.
 */
export const ROLE_MAPS: Readonly<Record<"offline" | "offline-weak" | "paper" | "today", RoleMap>> =
  roleMaps;
