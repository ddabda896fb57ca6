/** What an experiment compares: each method and memory under each combination of factors. */

import { METHODS } from "../core/agent/registry.ts";
import { UsageError } from "../core/errors.ts";
import { memoryOf } from "../core/memory/registry.ts";
import { didYouMean } from "../core/text/did-you-mean.ts";
import { entryOf, optionNames } from "../core/text/registry.ts";
import {
  type CustomMemory,
  type CustomMethod,
  type Factors,
  idOf,
  type Options,
  type PlannedEpisode,
} from "./study.ts";

/** The value of a factor. */
export type Level = string | number | boolean;

/**
 * The id of a registered memory, a user-defined one, or a function of the levels that makes one.
 */
export type ExperimentMemory =
  | string
  | CustomMemory
  | ((levels: Readonly<Record<string, Level>>) => CustomMemory);

/** A method and a memory under one combination of levels. */
export interface Case {
  readonly episode: Pick<PlannedEpisode, "method" | "memory" | "options" | "condition">;
  readonly factors: Factors;
  readonly params: Options;
}

interface Compared {
  readonly id: string;
  readonly methods: readonly (string | CustomMethod)[];
  readonly memories: readonly ExperimentMemory[];
  readonly factors: Readonly<Record<string, readonly Level[]>>;
  readonly steps?: number;
}

/**
 * The cases, each with its condition.
 * @throws {UsageError} for a factor that nothing has.
 */
export function casesOf({ id, methods, memories, factors, steps }: Compared): Case[] {
  const names = Object.keys(factors);
  const used = new Set<string>();
  const levels = combinations(factors);
  const cases = methods.flatMap((method) =>
    memoriesUnder(method, memories).flatMap((memory) =>
      unique(levels.map((level) => caseOf({ method, memory, steps, names }, level, used)))
    )
  );
  const lost = names.find((name) => !used.has(name));
  if (lost !== undefined) throw unknownFactor({ id, methods, memories }, lost);
  return named(cases, methods.length > 1);
}

interface CaseParts {
  readonly method: string | CustomMethod;
  readonly memory?: ExperimentMemory;
  readonly steps?: number;
  readonly names: readonly string[];
}

/** What is played under one combination of levels; factors that apply are added to `used`. */
function caseOf(
  { method, memory, steps, names }: CaseParts,
  level: Readonly<Record<string, Level>>,
  used: Set<string>,
): Case {
  const known = { method: optionsOfMethod(method), memory: optionsOfMemory(memory) };
  const options: Record<Owner, Record<string, Level>> = { memory: {}, method: {}, world: {} };
  const factors: Record<string, Level | null> = { method: idOf(method), memory: null };
  for (const name of names) {
    const { owner, option } = ownerOf(name, known, typeof memory === "function");
    const value = level[name];
    factors[name] = owner === undefined || value === undefined ? null : value;
    if (owner === undefined || value === undefined) continue;
    used.add(name);
    options[owner][option] = value;
  }
  const made = typeof memory === "function"
    ? { options: options.memory, ...memory(options.memory) }
    : memory;
  const limit = steps !== undefined && known.method.includes("maxSteps") ? { maxSteps: steps } : {};
  return {
    episode: {
      method,
      ...(made === undefined ? {} : { memory: made }),
      options: {
        method: { ...limit, ...options.method },
        ...(typeof made === "string" ? { memory: options.memory } : {}),
      },
    },
    factors: { ...factors, memory: made === undefined ? null : idOf(made) },
    params: options.world,
  };
}

type Owner = "memory" | "method" | "world";

function ownerOf(
  factor: string,
  known: Readonly<Record<"memory" | "method", readonly string[]>>,
  isMade: boolean,
): { readonly owner?: Owner; readonly option: string } {
  const [, asked, option = factor] = factor.match(/^(memory|method|world)\.(.+)$/) ?? [];
  const owners: readonly Owner[] = asked === undefined ? ["memory", "method"] : [asked as Owner];
  const owner = owners.find((one) => one === "world" || known[one].includes(option)) ??
    (isMade && owners.includes("memory") ? "memory" : undefined);
  return { owner, option };
}

function optionsOfMethod(method: string | CustomMethod): string[] {
  return typeof method === "string" ? optionNames(entryOf("method", METHODS, method).options) : [];
}

function optionsOfMemory(memory: ExperimentMemory | undefined): string[] {
  return typeof memory === "string" ? optionNames(memoryOf(memory).options) : [];
}

function memoriesUnder(
  method: string | CustomMethod,
  memories: readonly ExperimentMemory[],
): readonly (ExperimentMemory | undefined)[] {
  const takes = typeof method !== "string" ||
    (entryOf("method", METHODS, method).takesMemory ?? false);
  return takes && memories.length > 0 ? memories : [undefined];
}

function combinations(
  factors: Readonly<Record<string, readonly Level[]>>,
): Record<string, Level>[] {
  return Object.entries(factors).reduce<Record<string, Level>[]>((all, [name, levels]) => {
    if (!Array.isArray(levels) || levels.length === 0) {
      throw new UsageError(`the factor ${name} has no level: give it at least one, as a list`);
    }
    return all.flatMap((before) => levels.map((level) => ({ ...before, [name]: level })));
  }, [{}]);
}

function unique(cases: readonly Case[]): Case[] {
  return [
    ...new Map(cases.map((one) => [JSON.stringify(Object.entries(one.factors)), one])).values(),
  ];
}

/** Names each case's condition: memory or method, then factors. */
function named(cases: readonly Case[], withMethod: boolean): Case[] {
  const conditions = new Set<string>();
  return cases.map((one) => {
    const { method, memory, ...varied } = one.factors;
    const who = memory === null ? `${method}` : withMethod ? `${method} + ${memory}` : `${memory}`;
    const condition = [
      who,
      ...Object.entries(varied).flatMap(([name, level]) =>
        level === null ? [] : [`${name} ${level}`]
      ),
    ].join(", ");
    if (conditions.has(condition)) {
      throw new UsageError(
        `two rows of the experiment are called "${condition}": give each memory and method its own id`,
      );
    }
    conditions.add(condition);
    return { ...one, episode: { ...one.episode, condition } };
  });
}

function unknownFactor(
  { id, methods, memories }: Pick<Compared, "id" | "methods" | "memories">,
  factor: string,
): UsageError {
  const known = [
    ...new Set([...memories.flatMap(optionsOfMemory), ...methods.flatMap(optionsOfMethod)]),
  ].sort();
  const plain = factor.replace(/^(?:memory|method|world)\./, "");
  return new UsageError(
    `the factor ${factor} of the experiment ${id} is no option of its memories and methods${
      didYouMean(plain, known)
    }; ` +
      `they have ${known.join(", ") || "none"}; a parameter of a world is written world.${plain}`,
  );
}
