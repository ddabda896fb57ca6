/** The options of commands that play studies, and what of a study they choose. */

import { readFileSync } from "node:fs";
import { z } from "zod";
import { METHODS } from "../../core/agent/registry.ts";
import { UsageError } from "../../core/errors.ts";
import type { Study } from "../../lab/study.ts";
import { shortened, type StudyOptions, thinned } from "../../papers/study-options.ts";
import type { Shard } from "../../lab/shard.ts";
import type { Cap } from "../../lab/llm/budget.ts";
import type { PromptOverrides } from "../../core/llm/prompt.ts";
import { parseRoleMap, withParameters } from "../../core/llm/role-map.ts";
import { rememberKeys } from "../../core/llm/providers.ts";
import type { RoleMap } from "../../core/llm/roles.ts";
import { MEMORIES } from "../../core/memory/registry.ts";
import { checkName, didYouMean } from "../../core/text/did-you-mean.ts";
import type { Values } from "./command.ts";
import { JSON_OPTION, STORE_OPTION } from "./named-store.ts";
import { type Pack, packedChoices, replyMode } from "./packs.ts";

/** How much of a paper is played. */
export const SIZE_OPTIONS = {
  attempts: {
    value: "N",
    description: "play N trials of each condition",
    defaultDescription: "those of the preset",
    read: wholeNumber,
  },
  episodes: {
    value: "N",
    description: "play at most N episodes of each condition in each world",
    defaultDescription: "all",
    read: wholeNumber,
  },
  steps: {
    value: "N",
    description: "end each episode after N agent steps",
    defaultDescription: "those of the preset",
    read: wholeNumber,
  },
} as const;

/** The study as `--episodes` and `--steps` want it. */
export function smaller(
  study: Study,
  { episodes, steps }: { readonly episodes?: number; readonly steps?: number },
): Study {
  const fewer = episodes === undefined ? study : thinned(study, episodes);
  return steps === undefined ? fewer : shortened(fewer, steps);
}

export const RUN_OPTIONS = {
  models: {
    value: "id|map|file",
    description:
      "choose who answers: a model id, a role map's name (paper, today), its .json file, or JSON",
    defaultDescription: "offline, the stand-in",
  },
  embedder: {
    value: "name",
    description: "choose what compares texts, e.g. lexical or minilm",
    defaultDescription: "lexical",
  },
  param: {
    value: "[role.]name=value",
    description: "set a parameter of model calls, e.g. temperature=0",
    multiple: true,
  },
  prompts: { value: "file", description: "replace prompts by a JSON file of role → wording" },
  budget: {
    value: "dollars|tokens:N",
    description: "stop before a study spends more, e.g. 2.50",
    defaultDescription: "no limit",
    read: (_: string, text: string) => capOf(text),
  },
  replies: {
    ...{
      value: "mode|pack",
      default: "record",
      read: (_: string, text: string) => replyMode(text) ?? text,
    },
    description:
      "record: ask for missing replies; replay: only recorded ones; off: ask always; or a pack's path",
  },
  inFlight: {
    ...{ value: "N|auto", default: "auto" as number | "auto" },
    description: "keep at most N model calls waiting at a time",
    read: (option: string, text: string) => text === "auto" ? text : wholeAbove0(option, text),
  },
  concurrency: {
    value: "N",
    description: "play N episodes at a time",
    defaultDescription: "what models and machine allow",
    read: wholeAbove0,
  },
  shard: {
    ...{
      value: "k/n",
      read: (_: string, text: string) => shardOf(text),
      defaultDescription: "the whole",
    },
    description: "play the k-th of n parts into a store of its own; ./lab merge joins them",
  },
  retry: { description: "play failed episodes again" },
  fresh: { description: "discard recorded episodes of the study and play it again" },
  ...STORE_OPTION,
  ...JSON_OPTION,
} as const;

export type RunValues = Omit<Values<typeof RUN_OPTIONS>, "json">;

/**
 * What of a study the options choose; the pack of `--replies` fills in the rest.
 *
 * @throws {UsageError} for a role map, a parameter or prompts that cannot be read, and for an
 *   unknown role.
 */
export function studyChoices(
  { models, param = [], embedder, prompts }: Partial<RunValues>,
  pack?: Pack,
): StudyOptions {
  if (models === undefined && param.length > 0) {
    throw new UsageError("--param sets parameters of the models that --models names: add --models");
  }
  const packed = pack && packedChoices(pack);
  const chosen = models === undefined ? undefined : parseRoleMap(models);
  const map = chosen && withParameters(chosen, param);
  rememberKeys(map ?? {});
  const isInline = models?.trim().startsWith("{");
  const ready: RoleMap = isInline || models?.trim().endsWith(".json") ? {} : chosen ?? {};
  const place = `the role map ${isInline ? "in --models" : models}`;
  for (const key of Object.keys(map ?? {})) {
    if (Object.hasOwn(ready, key)) continue;
    checkRole(key, Object.hasOwn(chosen ?? {}, key) ? place : "--param");
  }
  return {
    models: map ?? packed?.models,
    embedder: embedder ?? packed?.embedder,
    promptOverrides: prompts === undefined ? packed?.promptOverrides : readPromptOverrides(prompts),
  };
}

/**
 * The most that a study may spend: dollars, or `tokens:N` for models without a price.
 * @throws {UsageError} for any other value.
 */
export function capOf(budget: string): Cap {
  const tokens = /^tokens:(.*)$/.exec(budget)?.[1];
  return tokens === undefined
    ? { dollars: positive("--budget", budget) }
    : { tokens: positive("--budget tokens:", tokens, Number.isInteger) };
}

/** A part of a study, as `--shard` names it. @throws {UsageError} */
function shardOf(text: string): Shard {
  const [, part = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part < 1 || part > count) {
    throw new UsageError(`--shard must be k/n with k from 1 to n, e.g. 1/4, not "${text}"`);
  }
  return { part, count };
}

function knownRoles(): string[] {
  const prompts = [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap((entry) =>
    entry.prompts
  );
  return [...new Set(prompts.map(({ role }) => role))];
}

/** @throws {UsageError} for an unknown role or family, which would have no effect. */
function checkRole(key: string, where: string): void {
  const roles = knownRoles();
  const familyOf = (role: string): string => role.split("/")[0] ?? "";
  const own = roles.filter((role) => familyOf(role) === familyOf(key));
  if (familyOf(key) === "python") return; // of a memory in another process
  if (key === "*" || roles.includes(key) || (key.endsWith("/*") && own.length > 0)) return;
  const choices = own.length > 0 ? own : [...new Set(roles.map((role) => `${familyOf(role)}/*`))];
  throw new UsageError(
    `no method or memory asks in the role "${key}" of ${where}${
      didYouMean(key, roles)
    }; there are ${choices.join(", ")}`,
  );
}

/** A JSON file of role → wording. Its slots are checked where they are filled. */
function readPromptOverrides(file: string): PromptOverrides {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const { message } = error as Error;
    throw new UsageError(
      `cannot read the prompts ${file}: ${message}; it must be a JSON object of role → text`,
      { cause: error },
    );
  }
  const promptOverrides = z.record(z.string(), z.string()).safeParse(content);
  if (!promptOverrides.success) {
    throw new UsageError(
      `the prompts ${file} must be a JSON object of role → text, e.g. {"ariadne/act": "… {observation} …"}`,
    );
  }
  for (const role of Object.keys(promptOverrides.data)) {
    checkName(`role for the prompts ${file}`, role, knownRoles());
  }
  return promptOverrides.data;
}

/** A positive number, as an option gives it. @throws {UsageError} */
export function positive(
  option: string,
  text: string,
  also: (value: number) => boolean = Number.isFinite,
): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && also(value)) return value;
  const whole = also === Number.isInteger ? "whole " : "";
  throw new UsageError(`${option} must be a positive ${whole}number, not "${text}"`);
}

/** A positive whole number, as an option gives it. @throws {UsageError} */
export function wholeAbove0(option: string, text: string): number {
  return positive(option, text, Number.isInteger);
}

/** A positive whole number that a study can hold. @throws {UsageError} */
function wholeNumber(option: string, text: string): number {
  const value = wholeAbove0(option, text);
  if (value <= MAX_SIZE) return value;
  throw new UsageError(`${option} must be a whole number from 1 to ${MAX_SIZE}, not "${text}"`);
}

const MAX_SIZE = 10_000;
