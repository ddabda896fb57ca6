/**
 * What the commands that play a study share: their options, the store, Ctrl-C, the progress, the
 * closing word.
 */

import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { METHODS } from "../../core/agent/registry.ts";
import { StoreError, UsageError } from "../../core/errors.ts";
import { playStudy, type PlayStudyOptions } from "../../lab/lab.ts";
import "../../offline/mod.ts"; // registers the offline backbone
import { checkModels, type StudyModelsOptions } from "../../lab/models.ts";
import { CONFLICT_REMEDY } from "../../lab/enter.ts";
import type { RunOptions } from "../../lab/run-options.ts";
import type { StudyResult } from "../../lab/runner.ts";
import { stopSignal } from "./options.ts";
import { shortened, type StudyOptions, thinned } from "../../papers/study-options.ts";
import type { Shard } from "../../lab/shard.ts";
import type { Study } from "../../lab/study.ts";
import type { Cap } from "../../lab/llm/budget.ts";
import type { PromptOverrides } from "../../core/llm/prompt.ts";
import { parseRoleMap, withParameters } from "../../core/llm/role-map.ts";
import { rememberKeys } from "../../core/llm/providers.ts";
import type { RoleMap } from "../../core/llm/roles.ts";
import { MEMORIES } from "../../core/memory/registry.ts";
import { checkName, didYouMean } from "../../core/text/did-you-mean.ts";
import type { Store } from "../../lab/store/open.ts";
import type { Values } from "./command.ts";
import { JSON_OPTION, STORE_OPTION } from "./named-store.ts";
import { type Pack, packedChoices, replyMode } from "./packs.ts";
import { createProgressView } from "./progress.ts";

/**
 * Which models play, and what they are asked: options of commands that play studies or report them.
 */
const MODEL_OPTIONS = {
  models: {
    value: "id|map|file",
    description:
      "who answers: a model's id, a role map's name (paper, today), its .json file, or one as JSON",
    defaultDescription: "offline, the stand-in",
  },
  embedder: {
    value: "name",
    description: "what compares texts, e.g. lexical or minilm",
    defaultDescription: "lexical",
  },
} as const;

/**
 * How much of a paper is played, in place of its form's: options of commands that play a paper or
 * report it.
 */
export const SIZE_OPTIONS = {
  attempts: {
    value: "N",
    description: "trials of each condition",
    defaultDescription: "the form's",
    read: wholeNumber,
  },
  episodes: {
    value: "N",
    description: "at most so many episodes of each condition in each world",
    defaultDescription: "all",
    read: wholeNumber,
  },
  steps: {
    value: "N",
    description: "at most so many agent steps in each episode",
    defaultDescription: "the form's",
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

/** Options of every command that plays a study. */
export const RUN_OPTIONS = {
  ...MODEL_OPTIONS,
  param: {
    value: "[role.]name=value",
    description: "a parameter of the models' calls, e.g. temperature=0",
    multiple: true,
  },
  prompts: {
    value: "file",
    description: "a JSON file of role → wording that replaces the prompts",
  },
  budget: {
    value: "dollars|tokens:N",
    description: "the most that a study may spend",
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
      "record: ask for what is not on record; replay: play from the record alone; off: ask always; or a pack to play from",
  },
  inFlight: {
    ...{ value: "N|auto", default: "auto" as number | "auto" },
    description: "calls at a time that wait for an answer",
    read: (option: string, text: string) => text === "auto" ? text : wholeAbove0(option, text),
  },
  concurrency: {
    value: "N",
    description: "episodes that are played at a time",
    defaultDescription: "as many as the models and the machine take",
    read: wholeAbove0,
  },
  shard: {
    ...{
      value: "k/n",
      read: (_: string, text: string) => shardOf(text),
      defaultDescription: "the whole",
    },
    description:
      "play the k-th of n parts, with an n-th of the budget, in a store of its own; ./lab merge joins them",
  },
  retry: { description: "play failed episodes again" },
  fresh: { description: "discard what the store holds of the study, and play it anew" },
  ...STORE_OPTION,
  ...JSON_OPTION,
} as const;

/** The values of `RUN_OPTIONS`. */
export type RunValues = Omit<Values<typeof RUN_OPTIONS>, "json">;

/**
 * What of a study the options choose; where they leave it open, what the pack of `--replies` was
 * played with.
 *
 * @throws {UsageError} for a role map, a parameter or a file of prompts that cannot be read, or
 *   names a role that there is not.
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
    if (!Object.hasOwn(ready, key)) {
      checkRole(key, Object.hasOwn(chosen ?? {}, key) ? place : "--param");
    }
  }
  return {
    models: map ?? packed?.models,
    embedder: embedder ?? packed?.embedder,
    promptOverrides: prompts === undefined ? packed?.promptOverrides : readPromptOverrides(prompts),
  };
}

/** What a command adds to the values of `RUN_OPTIONS`. */
type PlayValues = Pick<PlayStudyOptions, "worlds">;

/**
 * What a run came to, and the interruption where the user or a signal stopped it: then nothing else
 * is to begin.
 */
export interface Played {
  readonly result: StudyResult;
  readonly interrupted?: Error;
}

/**
 * Plays the study with progress on standard error. Ctrl-C, SIGTERM and SIGHUP end it after the step
 * under way; a second one at once.
 *
 * @throws {DOMException} `AbortError`, where Ctrl-C came before the first episode began.
 */
export async function playWithProgress(
  study: Study,
  store: Store,
  values: RunValues & PlayValues,
): Promise<Played> {
  const options = {
    ...runOptions(values),
    ...(values.worlds && { worlds: values.worlds }),
  };
  using stop = stopSignal();
  const view = createProgressView();
  try {
    const result = await playStudy(study, {
      ...options,
      store,
      signal: stop.signal,
      onProgress: view.show,
      onCall: view.call,
      onDelay: view.delay,
      onNotice: view.delay,
    }).catch((error) => {
      if (!(error instanceof StoreError) || error.kind !== "conflict") throw error;
      const remedy =
        "give the study another id, choose another --store, or discard them with --fresh";
      throw new StoreError("conflict", error.message.replace(CONFLICT_REMEDY, remedy));
    });
    await setImmediate(); // a Ctrl-C that came during the last step is heard now
    return { result, interrupted: stop.signal.reason };
  } finally {
    view.end();
  }
}

function runOptions(
  { retry, fresh, replies, budget: cap, concurrency, inFlight, shard }: RunValues,
): RunOptions & Pick<StudyModelsOptions, "cacheMode" | "keepCalls" | "cap" | "inFlight"> {
  return {
    retry,
    fresh,
    cacheMode: replyMode(replies) ?? "replay",
    keepCalls: replyMode(replies) === undefined,
    shard,
    inFlight: shard && typeof inFlight === "number"
      ? Math.max(1, Math.floor(inFlight / shard.count))
      : inFlight,
    ...(cap && { cap: shard ? dividedCap(cap, shard) : cap }),
    ...(concurrency && { concurrency }),
  };
}

/**
 * The most that a study may spend: dollars or, of models that have no price, `tokens:N`.
 * @throws {UsageError} for a value that none can have.
 */
export function capOf(budget: string): Cap {
  const tokens = /^tokens:(.*)$/.exec(budget)?.[1];
  return tokens === undefined
    ? { dollars: positive("--budget", budget) }
    : { tokens: positive("--budget tokens:", tokens, Number.isInteger) };
}

/**
 * What one shard may spend: an equal part, so that all together keep to the cap. What is left over
 * is there for a run of the merged store.
 */
function dividedCap({ dollars, tokens }: Cap, { count }: Shard): Cap {
  return {
    ...(dollars === undefined ? {} : { dollars: dollars / count }),
    ...(tokens === undefined ? {} : { tokens: Math.floor(tokens / count) }),
  };
}

/** A part of a study, as `--shard` names it. @throws {UsageError} */
function shardOf(text: string): Shard {
  const [, part = 0, count = 0] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (part < 1 || part > count) {
    throw new UsageError(`--shard wants k/n with k from 1 to n, e.g. 1/4, not "${text}"`);
  }
  return { part, count };
}

/** The file of a shard's store; `undefined` of a whole study. */
export function shardFile(shard: Shard | undefined): string | undefined {
  return shard && `shard-${shard.part}-of-${shard.count}.sqlite`;
}

/**
 * Why the models of a study could answer nothing, before it or another one is played; `undefined`
 * where they could.
 */
export function unanswered(study: Study, store: Store, values: RunValues): UsageError | undefined {
  const options = runOptions(values);
  try {
    checkModels(study, { ...options, store });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** The roles of all methods and memories. */
function knownRoles(): Set<string> {
  return new Set(
    [...Object.values(METHODS), ...Object.values(MEMORIES)].flatMap((entry) =>
      entry.prompts.map((prompt) => prompt.role)
    ),
  );
}

/**
 * @throws {UsageError} for a role or family that there is not, in a file or in `--param`: what is
 *   said of it would have no effect.
 */
function checkRole(key: string, where: string): void {
  const roles = [...knownRoles()];
  const familyOf = (role: string): string => role.split("/")[0] ?? "";
  const own = roles.filter((role) => familyOf(role) === familyOf(key));
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
    throw new UsageError(
      `cannot read the prompts ${file}: ${
        (error as Error).message
      }; it must be a JSON object of role → text`,
      {
        cause: error,
      },
    );
  }
  const promptOverrides = z.record(z.string(), z.string()).safeParse(content);
  if (!promptOverrides.success) {
    throw new UsageError(
      `the prompts ${file} must be a JSON object of role → text, e.g. {"ariadne/act": "… {observation} …"}`,
    );
  }
  for (const role of Object.keys(promptOverrides.data)) {
    checkName(`role for the prompts ${file}`, role, [...knownRoles()]);
  }
  return promptOverrides.data;
}

/** A number above 0, as an option gives it. @throws {UsageError} */
export function positive(
  option: string,
  text: string,
  also: (value: number) => boolean = Number.isFinite,
): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0) || !also(value)) {
    throw new UsageError(
      `${option} wants a ${also === Number.isInteger ? "whole " : ""}number above 0, not "${text}"`,
    );
  }
  return value;
}

/** A whole number above 0, as an option gives it. @throws {UsageError} */
export function wholeAbove0(option: string, text: string): number {
  return positive(option, text, Number.isInteger);
}

/**
 * A whole number above 0, and no more than a study can hold, as an option gives it.
 * @throws {UsageError}
 */
function wholeNumber(option: string, text: string): number {
  const value = positive(option, text, Number.isInteger);
  if (value > MOST) {
    throw new UsageError(`${option} wants a whole number from 1 to ${MOST}, not "${text}"`);
  }
  return value;
}

const MOST = 10_000;
