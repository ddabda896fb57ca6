/** The fields of a role map's bindings, and what is wrong with a user's value. */

import { z } from "zod";
import { looksRandom, looksSecret } from "../text/secrets.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { EFFORTS } from "./chat-model.ts";
import { MAKERS, type ModelBinding } from "./roles.ts";

export const A_MODEL = "a model's id";

const NO_NAME =
  "it looks like a key: it must be the name of an environment variable, which holds the key";

export const NO_MODEL =
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
export const parameters = {
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

export const roleKey = /^(\*|[^/*\s]+\/(\*|[^*\s]+))$/;

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

export function problemOf(
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

export function shownValue(value: unknown): string {
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
