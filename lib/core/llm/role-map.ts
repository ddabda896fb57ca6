/** Role maps as users write them: the value of `--models`, and the parameters of `--param`. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { looksSecret } from "../text/secrets.ts";
import { didYouMean } from "../text/did-you-mean.ts";
import { jsonOf } from "../text/json.ts";
import { isLocal } from "./prices.ts";
import { asObject, bindingOf, type ModelBinding, ROLE_MAPS, type RoleMap } from "./roles.ts";
import {
  A_MODEL,
  bindingSchema,
  NO_MODEL,
  parameters,
  problemOf,
  roleKey,
  shownValue,
} from "./binding-fields.ts";

/**
 * Parses the value of `--models`: the name of a role map, a `.json` file or JSON text of one, or a
 * model's id for every role (llama.cpp on this machine repeats less).
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
 * Sampling of a small model behind llama.cpp, which else repeats itself up to the ceiling. A
 * `repeat_penalty` of 1.1 costs copied triplets their commas.
 */
const LLAMA_CPP = {
  extraBody: {
    repeat_penalty: 1.05,
    dry_multiplier: 2,
    dry_base: 2,
    dry_allowed_length: 6,
    dry_penalty_last_n: 256,
  },
};

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
 * Sets parameters in a role map, each `name=value` for every role, or `role.name=value` for one
 * role or family: `temperature=0`, `wese/explore.maxTokens=300`, `arigraph/*.effort=low`,
 * `extraBody={"top_k": 20}`. They replace the map's; a role's precedes its family's, and this one
 * that of every role; of two alike the later one holds.
 * @throws {UsageError} for an unknown parameter, an invalid value, or a role that the map does not
 * bind.
 */
export function withParameters(map: RoleMap, settings: readonly string[]): RoleMap {
  let result = map;
  const ordered = settings.map(readSetting).sort((a, b) => reach(a.key) - reach(b.key));
  for (const { key, name, value } of ordered) {
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
