/** Resolves the ids of a study to methods and memories. */

import type { Method } from "../core/agent/method.ts";
import { METHODS } from "../core/agent/registry.ts";
import { UsageError } from "../core/errors.ts";
import type { Prompt } from "../core/llm/prompt.ts";
import type { MemoryFactory } from "../core/memory/memory.ts";
import { limitRecall } from "../core/memory/recall-limit.ts";
import { MEMORIES, memoryOf } from "../core/memory/registry.ts";
import { checkName } from "../core/text/did-you-mean.ts";
import { checkOptions, entryOf } from "../core/text/registry.ts";
import { sourceHash } from "./source.ts";
import type { CustomMemory, CustomMethod, Options, PlannedEpisode, Study } from "./study.ts";

export interface Choice {
  /** Its part of an episode's identity: id and version, and the options of a registered one. */
  readonly identity: Readonly<Record<string, unknown>>;
  readonly prompts: readonly Prompt[];
}

export interface MemoryChoice extends Choice {
  readonly create: MemoryFactory;
}

export interface MethodChoice extends Choice {
  /** Creates it for one episode; `around` wraps the factory of its memory. */
  readonly create: (around?: (create: MemoryFactory) => MemoryFactory) => Method;
}

/**
 * Resolves the memory of an episode under the limit of its study; `undefined` if it names none.
 * @throws {UsageError} for an unknown id or option.
 */
export function chooseMemory(
  { memory, options = {} }: PlannedEpisode,
  { recallTokens }: Pick<Study, "recallTokens"> = {},
): MemoryChoice | undefined {
  if (memory === undefined) return undefined;
  const limited = (create: MemoryFactory): MemoryFactory =>
    recallTokens === undefined ? create : limitRecall(create, recallTokens);
  if (typeof memory !== "string") {
    return {
      identity: customIdentity(memory),
      prompts: memory.prompts ?? [],
      create: limited(memory.create),
    };
  }
  const entry = memoryOf(memory);
  const create = entry.create(options.memory ?? {});
  return {
    identity: {
      id: entry.id,
      version: entry.version,
      options: entry.options.parse(options.memory ?? {}),
    },
    prompts: entry.prompts,
    create: limited(create),
  };
}

function customIdentity({ id, version, options }: CustomMemory | CustomMethod): Choice["identity"] {
  return { id, version, options };
}

/** A choice with the hash of its source if it is user-defined without a version. */
export async function withSource<T extends Choice>(
  choice: T,
  chosen: string | CustomMemory | CustomMethod | undefined,
  hashes: Map<unknown, Promise<string>>,
): Promise<T> {
  if (chosen === undefined || typeof chosen === "string" || chosen.isVersioned) return choice;
  const source = await hashes.getOrInsertComputed(
    chosen.create,
    () => sourceHash([chosen.create], { closures: true }),
  );
  return { ...choice, identity: { ...choice.identity, source } };
}

/** Resolves the method of an episode. @throws {UsageError} for an unknown id or option. */
export function chooseMethod(
  { method, options = {} }: PlannedEpisode,
  memory?: MemoryChoice,
): MethodChoice {
  if (typeof method !== "string") {
    const create: MethodChoice["create"] = (around = (made) => made) =>
      method.create(memory && around(memory.create));
    return { identity: customIdentity(method), prompts: method.prompts ?? [], create };
  }
  const entry = entryOf("method", METHODS, method);
  if ((entry.takesMemory ?? false) !== (memory !== undefined)) {
    throw new UsageError(
      `the method ${method} ${
        entry.takesMemory ? "needs a memory: name one" : "takes no memory: name none"
      }`,
    );
  }
  const create: MethodChoice["create"] = (around = (made) => made) =>
    entry.create({ ...options.method, ...(memory ? { memory: around(memory.create) } : {}) });
  create(); // throws for a wrong option before anything is played
  return {
    identity: {
      id: method,
      version: entry.version,
      options: entry.options.parse(options.method ?? {}),
    },
    prompts: entry.prompts,
    create,
  };
}

/** The roles that an episode's method and memory declare under its options. */
export function rolesOf(episode: PlannedEpisode): string[] {
  return promptsOf(episode).map(({ role }) => role);
}

/** Lists the declared prompts that an episode's method and memory may ask under its options. */
export function promptsOf({ method, memory, options = {} }: PlannedEpisode): Prompt[] {
  const { prompts: ofMethod = [] } = typeof method === "string"
    ? entryOf("method", METHODS, method)
    : method;
  return [...ofMethod, ...(memory === undefined ? [] : askedBy(memory, options.memory))];
}

/**
 * @throws {UsageError} for worded prompts of a role in which nothing asks, if all roles are
 * declared.
 */
export function checkRoles({ promptOverrides = {}, chains }: Study): void {
  const chosen = chains.flatMap(({ episodes }) =>
    episodes.flatMap(({ method, memory }) => [method, memory])
  );
  const custom = chosen.filter((choice) => choice !== undefined && typeof choice !== "string");
  const known = [...Object.values(METHODS), ...Object.values(MEMORIES), ...custom].flatMap((
    { prompts = [] },
  ) => prompts.map(({ role }) => role));
  if (custom.some(({ prompts }) => !prompts)) return;
  for (const role of Object.keys(promptOverrides)) checkName("role", role, [...new Set(known)]);
}

function askedBy(
  memory: NonNullable<PlannedEpisode["memory"]>,
  options: Options = {},
): readonly Prompt[] {
  if (typeof memory !== "string") return memory.prompts ?? [];
  const entry = memoryOf(memory);
  return entry.asks?.(checkOptions(`the memory ${memory}`, entry.options, options)) ??
    entry.prompts;
}
