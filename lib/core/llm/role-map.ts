/** Role maps as users write them: the value of `--models`, and the parameters of `--param`. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { looksRandom, looksSecret } from "../text/secrets.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { jsonOf } from "../text/json.ts";
import { EFFORTS } from "./chat-model.ts";
import { isLocal } from "./prices.ts";
import { bindingOf, MAKERS, type ModelBinding, ROLE_MAPS, type RoleMap } from "./roles.ts";

const A_MODEL = "a model's id";
const NO_NAME =
  "it looks like a key: it must be the name of an environment variable, which holds the key";
const NO_MODEL =
  "this is no model's id but looks like a key, which belongs into an environment variable";
const dollars = z.number().nonnegative().describe("a number of dollars ≥ 0");
const price = z.strictObject({
  prompt: dollars,
  cached: dollars,
  written: dollars.optional(),
  completion: dollars,
  picture: dollars.optional(),
});
/**
 * Names of an answer's ceiling at the APIs, and of the number of choices, at any depth
 * (`generationConfig`, `options`).
 */
const LIMIT =
  /^(max_?(completion|output|new)?_?tokens(_to_sample)?|n_predict|num_predict|candidate_?count|best_of)$/i;
const FREE = /^(properties|reasoning|thinking)$/;
/** What a request says itself, and price and budget go by. */
const OUR_FIELDS = /^(model|messages|prompt|input|contents|n|stream)$/;
const oneOf = <const T extends readonly string[]>(values: T) =>
  z.enum(values).describe(`one of ${values.join(", ")}`);
/**
 * The parameters of `--param`. What describes a schema, here and below, is told to a user whose
 * value does not fit it.
 */
const parameters = {
  temperature: z.number().nonnegative().describe("a number ≥ 0"),
  topP: z.number().positive().max(1).describe("a number > 0 and ≤ 1"),
  maxTokens: z.int().positive().describe("a whole number of tokens ≥ 1"),
  thinkingTokens: z.int().positive().describe("a whole number of tokens ≥ 1"),
  seed: z.int().describe("a whole number from -9007199254740991 to 9007199254740991"),
  effort: oneOf(EFFORTS),
  extraBody: z.record(z.string(), z.unknown()).superRefine((body, problems) => {
    const name = ourField(body);
    if (name) {
      problems.addIssue({
        code: "custom",
        message: `its field "${name}" is not free: ${
          /tok|predict/i.test(name) ? "set maxTokens" : "each request sets it"
        }`,
      });
    }
  }).describe('a JSON object, such as {"top_k": 20}'),
  enforceForms: z.boolean().describe("true or false"),
  images: z.boolean().describe("true or false"),
  // Timers count milliseconds in 31 bits.
  timeoutSeconds: z.number().positive().max(2_147_483).describe(
    "a number of seconds > 0 and ≤ 2147483",
  ),
  concurrency: z.int().positive().describe("a whole number of requests ≥ 1"),
  headers: z.record(z.string(), z.string()).refine(
    canBeSent,
    "the name or value of one of them is none that HTTP can send",
  )
    .describe('a JSON object of name → text, such as {"x-team": "lab"}'),
};
function ourField(body: object): string | undefined {
  let found = Object.keys(body).find((name) => OUR_FIELDS.test(name));
  JSON.stringify(body, (name, value) => {
    if (LIMIT.test(name)) found ??= name;
    return FREE.test(name) ? undefined : value;
  });
  return found;
}

const options = {
  baseUrl: z.url({ protocol: /^https?$/ }).describe("an address like http://localhost:8000/v1"),
  keyEnv: z.string().regex(/^[A-Za-z_]\w*$/).refine(
    (name) => !looksSecret(name) && !looksRandom(name),
    NO_NAME,
  )
    .describe("the name of an environment variable, which holds the key"),
  provider: oneOf(MAKERS),
  style: oneOf(["chat", "completion", "responses"]),
  idempotencyKey: z.boolean().describe("true or false"),
  price: price.describe(
    'dollars per million tokens, such as {"prompt": 1, "cached": 0.1, "completion": 4}',
  ),
  ...parameters,
};

export const bindingSchema = z.strictObject({
  model: z.string().regex(/\S/).refine((id) => !looksSecret(id), NO_MODEL).describe(A_MODEL),
  ...z.strictObject(options).partial().shape,
}) satisfies z.ZodType<Exclude<ModelBinding, string>>;
const roleKey = /^(\*|[^/*\s]+\/(\*|[^*\s]+))$/;

/**
 * Parses the value of `--models`: the name of a role map, a `.json` file that holds one, one as
 * JSON, or the id of one model for every role, which llama.cpp on this machine is asked with
 * `repeat_penalty` 1.1.
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
    throw new UsageError(
      `--models wants a model's id, a .json file or one of ${
        Object.keys(ROLE_MAPS).join(", ")
      }, but it is empty`,
    );
  }
  if (Object.hasOwn(ROLE_MAPS, wanted)) return ROLE_MAPS[wanted as keyof typeof ROLE_MAPS];
  if (looksSecret(wanted)) throw new UsageError(`--models wants a model's id: ${NO_MODEL}`);
  const isInline = wanted.startsWith("{");
  return isInline || wanted.endsWith(".json")
    ? readRoleMap(isInline ? "in --models" : wanted, isInline ? wanted : undefined)
    : { "*": isLocal(wanted) ? { model: wanted, ...LLAMA_CPP } : wanted };
}

/**
 * What a small model behind llama.cpp is asked with, unless the user says otherwise: without it, it
 * repeats itself up to the ceiling.
 */
const LLAMA_CPP = { extraBody: { repeat_penalty: 1.1 } };

function readRoleMap(place: string, text?: string): RoleMap {
  let content: unknown;
  try {
    content = JSON.parse(text ?? readFileSync(place, "utf8"));
  } catch (error) {
    const why = (error as Error).message.replace(/, (\.{3})?".*/s, ""); // the message quotes the text, in which a key may stand
    throw new UsageError(
      `cannot read the role map ${place}: ${why}; it must be a JSON object of role → model`,
    );
  }
  return checkRoleMap(content, place);
}

/**
 * Checks a role map, field by field.
 *
 * @param place where it stands, for the message
 * @throws {UsageError} that names the field and what it takes.
 */
export function checkRoleMap(content: unknown, place: string): RoleMap {
  const wrong = (where: string, what: string): never => {
    throw new UsageError(
      `the role map ${place} is wrong at ${where || "its top"}: ${what}; ` +
        `a map looks like {"*": "gpt-4o", "wese/explore": {"model": "llama-2-7b-chat", "baseUrl": "http://localhost:8000/v1"}}`,
    );
  };
  const entries = z.record(z.string(), z.unknown()).safeParse(content);
  if (!entries.success || Array.isArray(content)) {
    return wrong("", "it is no JSON object of role → model");
  }
  if (Object.keys(entries.data).length === 0) return wrong("", "it binds no role");
  return Object.fromEntries(
    Object.entries(entries.data).map(([key, value]): [string, ModelBinding] => {
      if (!roleKey.test(key)) {
        return wrong(JSON.stringify(key), 'a key is "*", "<family>/*" or "<family>/<role>"');
      }
      if (typeof value === "string" && value.trim() !== "") {
        return looksSecret(value) ? wrong(key, NO_MODEL) : [key, value];
      }
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return wrong(
          key,
          `it must be ${A_MODEL} or an object with a "model", not ${shownValue(value)}`,
        );
      }
      const read = bindingSchema.safeParse(value);
      if (read.success) return [key, read.data];
      const { where, what } = problemOf(read.error, value);
      return wrong([key, ...where].join("."), what);
    }),
  );
}

/**
 * Sets parameters of calls in a role map, each written `name=value` for every role, or
 * `role.name=value` for one role or family:
 * `temperature=0`, `wese/explore.maxTokens=300`, `arigraph/*.effort=low`, `extraBody={"top_k":
 * 20}`. They replace what the map says, of a family in each of its roles; among themselves that of
 * a role replaces that of its family and this one that of every role, and the later one of two
 * alike.
 *
 * @throws {UsageError} for an unknown parameter, with the known ones; for a value that it cannot
 *   take; for a role that the map does not bind.
 */
export function withParameters(map: RoleMap, settings: readonly string[]): RoleMap {
  let result = map;
  for (
    const { key, name, value } of settings.map(readSetting).sort((a, b) =>
      reach(a.key) - reach(b.key)
    )
  ) {
    const held = Object.keys(result).filter((role) =>
      key === "*" || role === key || (key.endsWith("/*") && role.startsWith(key.slice(0, -1)))
    );
    const isFamilyOfItsOwn = key !== "*" && !held.includes(key) &&
      (held.length === 0 || Object.hasOwn(result, "*"));
    for (const role of isFamilyOfItsOwn ? [...held, key] : held) {
      result = { ...result, [role]: { ...asObject(bindingOf(result, role)), [name]: value } };
    }
  }
  return result;
}

function reach(key: string): number {
  return key === "*" ? 0 : key.endsWith("/*") ? 1 : 2;
}

function asObject(binding: ModelBinding): Exclude<ModelBinding, string> {
  return typeof binding === "string" ? { model: binding } : binding;
}

function readSetting(setting: string): { key: string; name: string; value: unknown } {
  const [, left = "", text = ""] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
  const dot = left.lastIndexOf(".");
  const key = dot < 0 ? "*" : left.slice(0, dot);
  const name = left.slice(dot + 1);
  const mayHoldKey = /header|body|auth|["{]/i.test(setting) || [setting, text].some(looksSecret);
  const shown = name === "headers" || name === "extraBody"
    ? `${left}=…`
    : mayHoldKey
    ? "…"
    : setting;
  if (left === "" || !roleKey.test(key)) {
    throw new UsageError(
      `cannot read --param ${shown}: it is written temperature=0 or wese/explore.maxTokens=300`,
    );
  }
  const schema = Object.hasOwn(parameters, name)
    ? parameters[name as keyof typeof parameters]
    : undefined;
  if (!schema) {
    throw new UsageError(
      `there is no parameter "${/^\w*/.exec(name)?.[0]}" for --param${
        didYouMean(name, Object.keys(parameters))
      }; there are ${Object.keys(parameters).join(", ")}`,
    );
  }
  const value = jsonOf(text, text);
  const read = z.strictObject({ [name]: schema }).safeParse({ [name]: value });
  if (!read.success) {
    throw new UsageError(
      `--param ${shown} is wrong: ${problemOf(read.error, { [name]: value }).what}`,
    );
  }
  return { key, name, value: read.data[name] };
}

/**
 * Whether HTTP sends a text as the value of a header: with any other character a request fails
 * before it is sent, though `Headers` takes some.
 */
export function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value.trim());
}

function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  try {
    return new Headers(headers) !== undefined && Object.values(headers).every(isSendable);
  } catch {
    return false;
  }
}

function problemOf(
  { issues }: z.ZodError,
  binding: object,
): { where: readonly PropertyKey[]; what: string } {
  const [issue] = issues as [z.core.$ZodIssue];
  const [name = "", part] = issue.path;
  if (issue.code === "unrecognized_keys") {
    const [fields, [key = ""]] = [
      Object.keys(name === "price" ? price.shape : bindingSchema.shape),
      issue.keys,
    ];
    return {
      where: issue.path,
      what: `there is no field "${key}"${didYouMean(key, fields)}; the fields are ${
        fields.join(", ")
      }`,
    };
  }
  if (issue.code === "custom") return { where: issue.path, what: issue.message };
  const schema = name === "price" && part !== undefined
    ? dollars
    : { ...bindingSchema.shape, ...options }[name as keyof typeof options];
  const given = issue.path.reduce<unknown>(
    (within, key) => (within as Readonly<Record<PropertyKey, unknown>>)[key],
    binding,
  );
  const nearest = issue.code === "invalid_value" && typeof given === "string"
    ? didYouMean(given, issue.values.map(String))
    : "";
  const mayBeKey = /^(headers|extraBody|keyEnv|baseUrl)$/.test(String(name)) &&
    /string|number/.test(typeof given);
  const shown = mayBeKey ? "what is there" : shownValue(given);
  return { where: issue.path, what: `it must be ${schema.description}, not ${shown}${nearest}` };
}

function shownValue(value: unknown): string {
  if (value === undefined) return "left out";
  if (typeof value === "string") {
    return value.length > 20 || looksSecret(value) ? "what is there" : JSON.stringify(value);
  }
  return Array.isArray(value)
    ? "a list"
    : typeof value === "object" && value !== null
    ? "an object"
    : String(value);
}
