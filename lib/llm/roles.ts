/**
 * Which model answers which role, as data.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { ModelError, UsageError } from "../errors.ts";
import type { ChatModel } from "./chat-model.ts";
import type { EndpointStyle } from "./openai-completion.ts";

/**
 * Where a model is served, if not at `OPENAI_BASE_URL` under `OPENAI_API_KEY`, how it is spoken to, and what it costs, if not as in
 * `data/prices.json`.
 */
export interface Endpoint {
  /** An OpenAI-compatible address, e.g. `http://gpu-box:8000/v1`. */
  readonly baseUrl?: string;
  /** Name of the environment variable that holds the key. */
  readonly keyEnv?: string;
  /** `completion`: plain text in the place of chat. @default {"completion"} for OpenAI's models without chat (text-davinci-003), else `chat` */
  readonly style?: EndpointStyle;
  /** US dollars per 1,000,000 tokens. */
  readonly price?: { readonly prompt: number; readonly cached: number; readonly completion: number };
}

/** A model's id, alone or with its endpoint. */
export type ModelBinding = string | ({ readonly model: string } & Endpoint);

/** Role → model. Keys are roles (`wese/explore`), families (`wese/*`) or `*`; the most exact one counts. */
export type RoleMap = Readonly<Record<string, ModelBinding>>;

/**
 * A model that hands each request to the model bound to its role: the role itself, else `<family>/*`, else `*`. Every model is resolved
 * once, when it is first needed. Its id joins the ids of the map's models.
 *
 * @example A weak model explores, a strong one does the rest
 * ```ts
 * import { createRouter, scripted } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * const model = createRouter({ "*": "strong", "wese/explore": "weak" }, (id) => scripted([`I am ${id}`]));
 * const reply = await model.chat({ role: "wese/explore", messages: [{ role: "user", content: "Who are you?" }] });
 * assert.equal(reply.choices[0].text, "I am weak");
 * ```
 *
 * @throws {ModelError} from `chat`: `unknown-role` if the map binds neither the role, nor its family, nor `*`.
 */
export function createRouter(map: RoleMap, resolve: (model: string, endpoint: Endpoint) => ChatModel): ChatModel {
  const resolved = new Map<ModelBinding, ChatModel>();
  return {
    id: backboneOf(map),
    // async, so that a refusal is a rejection like any other
    // deno-lint-ignore require-await
    chat: async (request) => {
      const binding = bindingOf(map, request.role);
      const { model, ...endpoint } = typeof binding === "string" ? { model: binding } : binding;
      return resolved.getOrInsertComputed(binding, () => resolve(model, endpoint)).chat(request);
    },
  };
}

/** What every artefact shows of a map: its models, sorted, each once, joined by `+`. */
export function backboneOf(map: RoleMap): string {
  return [...new Set(Object.values(map).map(modelIdOf))].sort().join("+");
}

/** The id of the model that a binding names. */
export function modelIdOf(binding: ModelBinding): string {
  return typeof binding === "string" ? binding : binding.model;
}

/** The model bound to a role. @throws {ModelError} `unknown-role` */
export function bindingOf(map: RoleMap, role: string): ModelBinding {
  for (const key of [role, `${role.split("/")[0]}/*`, "*"]) {
    const binding = Object.hasOwn(map, key) ? map[key] : undefined;
    if (binding !== undefined) return binding;
  }
  throw new ModelError(
    "unknown-role",
    `no model is bound to the role ${role}; the role map binds ${
      Object.keys(map).join(", ") || "nothing"
    }; add the role, or "*" for every other role`,
  );
}

const STRONG_2024 = "gpt-4-0125-preview";
const WEAK_2023 = "llama-2-7b-chat";
const GRAPH_2024 = "llama-3-70b-instruct";

/**
 * The ready maps.
 *
 * - `offline`: the rule-based backbone; no key, no network.
 * - `offline-weak`: the same, with its weak setting where WESE has its weak model.
 * - `paper`: the models of the papers. Most are retired by their makers and answer no more; `data/prices.json` has the dates. The Llamas must
 *   be served by the user (vLLM, Ollama, llama.cpp): copy the map into a file and give them a `baseUrl`. It binds no `*`: no paper speaks for
 *   a role of one's own.
 * - `today`: models that OpenAI serves; a strong one and, where a paper has a weak one, a weak one. They reason, and take no temperature.
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
 * Reads what `--models` takes: the name of a ready map, a `.json` file with a map of one's own, or a model's id for every role.
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
