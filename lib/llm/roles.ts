/**
 * Role maps: which model answers which role.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { ModelError, UsageError } from "../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import type { EndpointStyle } from "./openai-completion.ts";
import type { Price } from "./prices.ts";

/**
 * The endpoint of a model. By default it is that of `OPENAI_BASE_URL` with the key in `OPENAI_API_KEY`, and the price is that of
 * `data/prices.json`.
 */
export interface Endpoint {
  /** Address of an OpenAI-compatible API, e.g. `http://gpu-box:8000/v1`. */
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly keyEnv?: string;
  /** `completion` sends plain text instead of a chat. @default `completion` for OpenAI's models without chat (text-davinci-003), else `chat` */
  readonly style?: EndpointStyle;
  /** Price of the model. */
  readonly price?: Price;
}

/** The id of a model, alone or with its endpoint. */
export type ModelBinding = string | ({ readonly model: string } & Endpoint);

/** Role → model. Keys are roles (`wese/explore`), families (`wese/*`) or `*`; the most specific key is taken. */
export type RoleMap = Readonly<Record<string, ModelBinding>>;

/**
 * Creates a model that routes each request to the model of its role: that of the role itself, else of `<family>/*`, else of `*`. Each model is
 * opened once, at its first request. The router's id joins the ids of its models by `+`.
 *
 * @throws {ModelError} from `chat`: `unknown-role` if the map binds neither the role, nor its family, nor `*`.
 */
export function createRouter(map: RoleMap, resolve: (model: string, endpoint: Endpoint) => ChatModel): ChatModel {
  const resolved = new Map<ModelBinding, ChatModel>();
  return {
    id: backboneOf(map),
    // async, so that an unknown role rejects instead of throwing
    // deno-lint-ignore require-await
    chat: async (request) => {
      const binding = bindingOf(map, request.role);
      const { model, ...endpoint } = typeof binding === "string" ? { model: binding } : binding;
      return resolved.getOrInsertComputed(binding, () => resolve(model, endpoint)).chat(request);
    },
  };
}

/** Joins the ids of a map's models by `+`, sorted, each once: the label of the results. */
export function backboneOf(map: RoleMap): string {
  return [...new Set(Object.values(map).map(modelIdOf))].sort().join("+");
}

/** The id of the model that a binding names. */
export function modelIdOf(binding: ModelBinding): string {
  return typeof binding === "string" ? binding : binding.model;
}

/** Finds the model bound to a role. @throws {ModelError} `unknown-role` */
export function bindingOf(map: RoleMap, role: string): ModelBinding {
  const binding = map[keyOf(map, role) ?? ""];
  if (binding !== undefined) return binding;
  throw new ModelError(
    "unknown-role",
    `no model is bound to the role ${role}; the role map binds ${
      Object.keys(map).join(", ") || "nothing"
    }; add the role, or "*" for every other role`,
  );
}

/** The bindings of a map that one of the roles takes; all of them where none does. */
export function bindingsOf(map: RoleMap, roles: Iterable<string>): RoleMap {
  const taken = new Set(Array.from(roles, (role) => keyOf(map, role)));
  const kept = Object.entries(map).filter(([key]) => taken.has(key));
  return kept.length > 0 ? Object.fromEntries(kept) : map;
}

/** The most specific key of a map that binds a role. */
function keyOf(map: RoleMap, role: string): string | undefined {
  return [role, `${role.split("/")[0]}/*`, "*"].find((key) => Object.hasOwn(map, key));
}

const STRONG_2024 = "gpt-4-0125-preview";
const WEAK_2023 = "llama-2-7b-chat";
const GRAPH_2024 = "llama-3-70b-instruct";

/**
 * The named role maps.
 *
 * - `offline`: the rule-based backbone; it needs no key and no network.
 * - `offline-weak`: the same, with its weak setting where WESE has its weak model. A study of another paper has it in every role.
 * - `paper`: the models of the papers. Their makers have retired most of them: `data/prices.json` has the dates. The Llamas must be served by
 *   the user (vLLM, Ollama, llama.cpp): copy the map into a file and add a `baseUrl`. The map has no `*`, because no paper names a model for
 *   user-defined roles.
 * - `today`: models that OpenAI serves, a strong one, and a weak one where a paper has one. They are reasoning models without temperature.
 */
export const ROLE_MAPS: Readonly<Record<"offline" | "offline-weak" | "paper" | "today", RoleMap>> = {
  offline: { "*": "offline" },
  "offline-weak": { "*": "offline", "wese/*": "offline-weak", "wese/act": "offline" },
  paper: {
    ...families(["arigraph", "ariadne", "answer", "full-history", "summary", "rag", "reflexion", "simulacra"], STRONG_2024), // AriGraph §4
    "netplay/*": "gpt-4o", // AriGraph §4, NetHack
    "wese/*": WEAK_2023, // WESE §4: the weak agent explores and builds the graph …
    ...families(["act", "react", "cot", "sese"], "text-davinci-003"),
    "wese/act": "text-davinci-003", // … and the strong one acts on it
    ...families(["reasonplanner", "saycan", "react-reflexion"], "gpt-4-turbo"), // ReasonPlanner, Table 1
    "reasonplanner/extract": GRAPH_2024,
    "reasonplanner/coreference": GRAPH_2024,
    "reasonplanner/summarize": GRAPH_2024,
    "reasonplanner/query-entities": GRAPH_2024,
    "reasonplanner/answer": GRAPH_2024,
    "graphmind/*": { // GraphMind §4
      model: "gemini-2.5-flash",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai/",
      keyEnv: "GEMINI_API_KEY",
    },
  },
  today: { "*": "gpt-6-sol", "wese/*": "gpt-6-luna", "wese/act": "gpt-6-sol" },
};

/**
 * Parses the value of `--models`: the name of a role map, a `.json` file that holds one, or the id of one model for every role.
 *
 * @throws {UsageError} if the file cannot be read or is no role map.
 *
 * @example
 * ```ts
 * import { parseRoleMap, ROLE_MAPS } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * assert.equal(parseRoleMap("today"), ROLE_MAPS.today);
 * assert.deepEqual(parseRoleMap("gpt-4o"), { "*": "gpt-4o" });
 * assert.throws(() => parseRoleMap("no-such-file.json"), { name: "UsageError", message: /cannot read the role map/ });
 * ```
 */
export function parseRoleMap(nameOrFileOrModel: string): RoleMap {
  const wanted = nameOrFileOrModel.trim();
  if (wanted === "") {
    throw new UsageError(`--models wants a model's id, a .json file or one of ${Object.keys(ROLE_MAPS).join(", ")}, but it is empty`);
  }
  if (Object.hasOwn(ROLE_MAPS, wanted)) return ROLE_MAPS[wanted as keyof typeof ROLE_MAPS];
  return wanted.endsWith(".json") ? readRoleMap(wanted) : { "*": wanted };
}

const dollars = z.number().nonnegative();
const roleMapSchema = z.record(
  z.string(),
  z.union([
    z.string().min(1),
    z.strictObject({
      model: z.string().min(1),
      baseUrl: z.url().exactOptional(),
      keyEnv: z.string().min(1).exactOptional(),
      style: z.enum(["chat", "completion"]).exactOptional(),
      price: z.strictObject({ prompt: dollars, cached: dollars, completion: dollars }).exactOptional(),
    }),
  ], 'want a model\'s id, or an object with "model" and, if need be, "baseUrl", "keyEnv", "style" (chat or completion) and "price"'),
).superRefine((map, context) => {
  const keys = Object.keys(map);
  if (keys.length === 0) context.addIssue({ code: "custom", message: "it binds no role" });
  for (const key of keys.filter((key) => !/^(\*|[^/*\s]+\/(\*|[^*\s]+))$/.test(key))) {
    context.addIssue({ code: "custom", path: [key], message: 'a key is "*", "<family>/*" or "<family>/<role>"' });
  }
});

function readRoleMap(file: string): RoleMap {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`cannot read the role map ${file}: ${(error as Error).message}; it must be a JSON object of role → model`, {
      cause: error,
    });
  }
  const parsed = roleMapSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new UsageError(
    `the role map ${file} is wrong at ${issue?.path.join(".") || "its top"}: ${issue?.message}; ` +
      `a map looks like {"*": "gpt-4o", "wese/explore": {"model": "llama-2-7b-chat", "baseUrl": "http://localhost:8000/v1"}}`,
  );
}

function families<Name extends string>(names: readonly Name[], model: string): Record<`${Name}/*`, string> {
  return Object.fromEntries(names.map((name) => [`${name}/*`, model])) as Record<`${Name}/*`, string>;
}
