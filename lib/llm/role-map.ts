/**
 * Role maps as users write them: the value of `--models`, and the parameters of `--param`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { EFFORTS } from "./chat-model.ts";
import { bindingOf, MAKERS, type ModelBinding, ROLE_MAPS, type RoleMap } from "./roles.ts";

const dollars = z.number().nonnegative();
const parameters = {
  temperature: z.number().nonnegative(),
  topP: z.number().positive().max(1),
  maxTokens: z.int().positive(),
  seed: z.int(),
  effort: z.enum(EFFORTS),
  extraBody: z.record(z.string(), z.unknown()),
  enforceForms: z.boolean(),
  images: z.boolean(),
  timeoutSeconds: z.number().positive().max(2_147_483), // timers count milliseconds in 31 bits
  concurrency: z.int().positive(),
  headers: z.record(z.string(), z.string()).refine(canBeSent, "the name or value of one of them is none that HTTP can send"),
};
/** The schema of a model's binding, where it is no plain id. */
export const bindingSchema = z.strictObject({
  model: z.string().min(1),
  ...z.strictObject({
    baseUrl: z.url(),
    keyEnv: z.string().regex(/^[A-Za-z_]\w*$/, "it must be the name of an environment variable, which holds the key"),
    provider: z.enum(MAKERS),
    style: z.enum(["chat", "completion", "responses"]),
    idempotencyKey: z.boolean(),
    price: z.strictObject({ prompt: dollars, cached: dollars, written: dollars.optional(), completion: dollars }),
    ...parameters,
  }).partial().shape,
}) satisfies z.ZodType<Exclude<ModelBinding, string>>;
const roleKey = /^(\*|[^/*\s]+\/(\*|[^*\s]+))$/;

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

function readRoleMap(file: string): RoleMap {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`cannot read the role map ${file}: ${(error as Error).message}; it must be a JSON object of role → model`, {
      cause: error,
    });
  }
  const wrong = (where: string, what: string): never => {
    throw new UsageError(
      `the role map ${file} is wrong at ${where || "its top"}: ${what}; ` +
        `a map looks like {"*": "gpt-4o", "wese/explore": {"model": "llama-2-7b-chat", "baseUrl": "http://localhost:8000/v1"}}`,
    );
  };
  const entries = z.record(z.string(), z.unknown()).safeParse(content);
  if (!entries.success || Array.isArray(content)) return wrong("", "it is no JSON object of role → model");
  if (Object.keys(entries.data).length === 0) return wrong("", "it binds no role");
  return Object.fromEntries(
    Object.entries(entries.data).map(([key, value]): [string, ModelBinding] => {
      if (!roleKey.test(key)) return wrong(key, 'a key is "*", "<family>/*" or "<family>/<role>"');
      if (typeof value === "string" && value !== "") return [key, value];
      if (typeof value !== "object" || value === null) return wrong(key, 'it must be a model\'s id or an object with a "model"');
      const read = bindingSchema.safeParse(value);
      if (read.success) return [key, read.data];
      const { where, what } = problemOf(read.error, Object.keys(bindingSchema.shape));
      return wrong([key, ...where].join("."), what);
    }),
  );
}

/**
 * Sets parameters of calls in a role map, each written `name=value` for every role, or `role.name=value` for one role or family:
 * `temperature=0`, `wese/explore.maxTokens=300`, `arigraph/*.effort=low`, `extraBody={"top_k": 20}`. Later ones replace earlier ones.
 *
 * @throws {UsageError} for an unknown parameter, with the known ones; for a value that it cannot take; for a role that the map does not bind.
 *
 * @example
 * ```ts
 * import { withParameters } from "labyrinth/llm";
 * import assert from "node:assert/strict";
 *
 * assert.deepEqual(withParameters({ "*": "gpt-4o" }, ["temperature=0"]), { "*": { model: "gpt-4o", temperature: 0 } });
 * assert.throws(() => withParameters({ "*": "gpt-4o" }, ["temprature=0"]), { message: /no parameter "temprature".*temperature, topP/ });
 * ```
 */
export function withParameters(map: RoleMap, settings: readonly string[]): RoleMap {
  let result = map;
  for (const setting of settings) {
    const { key, name, value } = readSetting(setting);
    if (key === undefined) {
      result = Object.fromEntries(Object.entries(result).map(([role, binding]) => [role, { ...asObject(binding), [name]: value }]));
    } else result = { ...result, [key]: { ...asObject(bindingOf(result, key)), [name]: value } };
  }
  return result;
}

function asObject(binding: ModelBinding): Exclude<ModelBinding, string> {
  return typeof binding === "string" ? { model: binding } : binding;
}

function readSetting(setting: string): { key?: string; name: string; value: unknown } {
  const [, left = "", text = ""] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
  const dot = left.lastIndexOf(".");
  const key = dot < 0 ? undefined : left.slice(0, dot);
  const name = left.slice(dot + 1);
  const shown = name === "headers" ? `${left}=…` : setting; // a header may be a key
  if (left === "" || (key !== undefined && !roleKey.test(key))) {
    throw new UsageError(`cannot read --param ${shown}: it is written temperature=0 or wese/explore.maxTokens=300`);
  }
  const schema = Object.hasOwn(parameters, name) ? parameters[name as keyof typeof parameters] : undefined;
  if (!schema) {
    throw new UsageError(
      `there is no parameter "${name}" for --param${didYouMean(name, Object.keys(parameters))}; there are ${
        Object.keys(parameters).join(", ")
      }`,
    );
  }
  const read = schema.safeParse(jsonOr(text));
  if (!read.success) throw new UsageError(`--param ${shown} is wrong: ${problemOf(read.error, []).what}`);
  return { key, name, value: read.data };
}

function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) !== undefined;
  } catch {
    return false;
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The first problem in words, with the fields there are where one is unknown. */
function problemOf({ issues: [issue] }: z.ZodError, known: readonly string[]): { where: readonly PropertyKey[]; what: string } {
  if (issue?.code !== "unrecognized_keys") return { where: issue?.path ?? [], what: issue?.message ?? "it does not fit" };
  return {
    where: issue.path,
    what: `there is no field "${issue.keys[0]}"${didYouMean(issue.keys[0] ?? "", known)}; the fields are ${known.join(", ")}`,
  };
}
