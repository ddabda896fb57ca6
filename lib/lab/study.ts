/** Studies as data: the episodes to play, in which chains, with which models. */

import type { Method } from "../core/agent/method.ts";
import { UsageError } from "../core/errors.ts";
import type { Prompt, PromptOverrides } from "../core/llm/prompt.ts";
import type { RoleMap } from "../core/llm/roles.ts";
import type { MemoryFactory } from "../core/memory/memory.ts";
import type { Embedder } from "../core/retrieval/embedder.ts";
import type { EpisodePlan } from "./store/episodes.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";

/** Options of a method or a memory, as data. */
export type Options = Readonly<Record<string, unknown>>;

/** Factor → level, as data; null where the factor does not apply. */
export type Factors = Readonly<Record<string, string | number | boolean | null>>;

/**
 * What user-defined methods and memories have in common. Id, version, options, prompts and the
 * source of `create` with what it uses (not of imports) are part of an episode's identity: editing
 * a memory reruns its episodes.
 */
export interface CustomValue {
  /** Its id, shown in tables unless the episode names a condition. */
  readonly id: string;
  /** Any text; change it where the behaviour changes by code that it imports. @default none */
  readonly version?: string;
  /** What `create` was made with, as data. @default none */
  readonly options?: Options;
  /**
   * Whether its version alone stands for its behaviour, and its source does not: of a package that
   * keeps versions.
   * @default {false}
   */
  readonly isVersioned?: boolean;
  /** The prompts that it asks; their wording is part of the identity. */
  readonly prompts?: readonly Prompt[];
}

/** A user-defined memory. */
export interface CustomMemory extends CustomValue {
  /** Creates an empty memory. */
  readonly create: MemoryFactory;
}

/** A user-defined method. */
export interface CustomMethod extends CustomValue {
  /** Creates the method for one episode; `memory` is that of the episode, where it names one. */
  readonly create: (memory?: MemoryFactory) => Method;
}

/** One episode of a study. */
export interface PlannedEpisode extends Pick<EpisodePlan, "world" | "label" | "attempt" | "seed"> {
  /** Parameters of the world, such as its step limit. @default those of the world */
  readonly params?: Options;
  /** Id of a registered method, or a user-defined one. */
  readonly method: string | CustomMethod;
  /** Id of a registered memory, or a user-defined one; absent for a method without memory. */
  readonly memory?: string | CustomMemory;
  /** Options of a registered method and memory. */
  readonly options?: { readonly method?: Options; readonly memory?: Options };
  /**
   * Label of the row in tables; the episodes of a condition are averaged.
   * @default the memory's id, else the method's
   */
  readonly condition?: string;
  /** What an experiment varies, for columns of its tables; no part of the identity. */
  readonly factors?: Factors;
}

/** Episodes in order: each loads the artefact of the one before. Chains run in parallel. */
export interface EpisodeChain {
  /** Unique in its study. */
  readonly id: string;
  /**
   * Gold actions of each episode, by ordinal, shown to its method; `world` takes those that each
   * world reports.
   * @default none
   */
  readonly gold?: readonly (readonly string[])[] | "world";
  /** Hash of the artefact that the first episode loads. */
  readonly artefact?: string;
  /**
   * Id of an earlier chain, instead of `artefact`: this chain waits for it and loads the artefact of
   * its last episode.
   */
  readonly after?: string;
  /** The episodes in the order in which they are played. */
  readonly episodes: readonly PlannedEpisode[];
}

/** A study: everything that a run needs to know, as data. */
export interface Study {
  /** Id of the study in the store. */
  readonly id: string;
  /** Title in one line. */
  readonly title: string;
  /** The chains, which are played in parallel. */
  readonly chains: readonly EpisodeChain[];
  /** The model of each role. */
  readonly models: RoleMap;
  /** User-defined wordings of prompts, by role. */
  readonly promptOverrides?: PromptOverrides;
  /** Name of an embedder, or a user-defined one. @default {"lexical"} */
  readonly embedder?: string | Embedder;
  /**
   * Settings for models in this process, such as the stand-in; part of an episode's
   * identity where its provider says so.
   */
  readonly modelOptions?: Readonly<Record<string, number>>;
  /** Whether the world's ground truth is recorded after each step. @default {false} */
  readonly truth?: boolean;
  /**
   * Tokens (o200k) that a recollection may have, ≥ 1; of longer ones the oldest or last lines are
   * cut, with the event `cut-recollection`.
   * @default no limit
   */
  readonly recallTokens?: number;
}

/** A matrix of episodes: every world under every condition in every trial, each in its own chain. */
export interface Matrix {
  /** The columns of the table. */
  readonly worlds: readonly Pick<PlannedEpisode, "world" | "params" | "label">[];
  /** The rows of the table. */
  readonly conditions: readonly Pick<
    PlannedEpisode,
    "method" | "memory" | "options" | "condition"
  >[];
  /** Number of trials, ≥ 1. */
  readonly attempts: number;
  /** Seed of a trial. @default its index */
  readonly seed?: (attempt: number) => number;
}

/**
 * Makes the chains of a matrix, trial by trial, so that an interrupted study has complete trials.
 *
 * @example
 * ```ts
 * import { matrixChains } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const chains = matrixChains({
 *   worlds: [{ world: "textworld/hunt" }, { world: "textworld/cooking" }],
 *   conditions: [{ method: "ariadne", memory: "arigraph" }, { method: "random" }],
 *   attempts: 2,
 * });
 * assert.deepEqual(chains.slice(0, 3).map((chain) => chain.id), ["textworld/hunt|arigraph|1", "textworld/hunt|random|1", "textworld/cooking|arigraph|1"]);
 * assert.equal(chains.length, 8);
 * ```
 */
export function matrixChains(matrix: Matrix): EpisodeChain[] {
  checkKeys("matrixChains()", matrix, ["worlds", "conditions", "attempts", "seed"]);
  const { worlds, conditions, attempts, seed = (attempt) => attempt } = matrix;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw new RangeError(
      `cannot plan a matrix: attempts must be an integer ≥ 1, current value is ${attempts}`,
    );
  }
  return Array.from({ length: attempts }, (_, i) => i + 1).flatMap((attempt) =>
    worlds.flatMap((world) =>
      conditions.map((condition) => {
        const episode = { ...world, ...condition, attempt, seed: seed(attempt) };
        return {
          id: [world.label ?? world.world, conditionOf(episode), attempt].join("|"),
          episodes: [episode],
        };
      })
    )
  );
}

export function conditionOf(
  episode: Pick<PlannedEpisode, "method" | "memory" | "condition">,
): string {
  return episode.condition ?? idOf(episode.memory ?? episode.method);
}

/** The id of a choice; of a memory in another process, its file's name without folders. */
export function idOf(choice: string | { readonly id: string }): string {
  return typeof choice === "string"
    ? choice.replace(/^python:.*\//, "python:").replaceAll(/(?<=^mcp:.*)\S*\//g, "")
    : choice.id;
}

/** What a study may state: in a cell no type checker sees it. */
const STUDY_KEYS = [
  "id",
  "title",
  "chains",
  "models",
  "promptOverrides",
  "embedder",
  "modelOptions",
  "truth",
  "recallTokens",
] satisfies (keyof Study)[];
const LANE_KEYS = ["id", "gold", "artefact", "after", "episodes"] satisfies (keyof EpisodeChain)[];
const EPISODE_KEYS = [
  "world",
  "label",
  "attempt",
  "seed",
  "params",
  "method",
  "memory",
  "options",
  "condition",
  "factors",
] satisfies (keyof PlannedEpisode)[];

/**
 * Checks that a study can be carried out.
 * @throws {UsageError} for an unknown field, no episode, two chains of one id, a wrong number of
 * gold paths, or a chain after one that does not precede it.
 */
export function checkStudy(study: Study): void {
  checkKeys("a study", study, STUDY_KEYS);
  const refuse = (problem: string): never => {
    throw new UsageError(`cannot run the study ${study.id}: ${problem}`);
  };
  const { recallTokens = 1 } = study;
  if (!Number.isInteger(recallTokens) || recallTokens < 1) {
    refuse(`recallTokens must be a whole number above 0, not ${recallTokens}`);
  }
  if (!study.chains.some((chain) => chain.episodes.length > 0)) {
    refuse("it plans no episode; give a chain at least one");
  }
  const seen = new Set<string>();
  for (const chain of study.chains) {
    checkKeys("a chain", chain, LANE_KEYS);
    for (const episode of chain.episodes) {
      checkKeys("an episode", episode, EPISODE_KEYS);
      checkKeys("what an episode states as options", episode.options ?? {}, ["method", "memory"]);
    }
    if (seen.has(chain.id)) refuse(`two chains are called ${chain.id}; give each its own id`);
    if (chain.after !== undefined && !seen.has(chain.after)) {
      refuse(
        `chain ${chain.id} is to be played after ${chain.after}, which is no chain before it; put that one first`,
      );
    }
    if (chain.after !== undefined && chain.artefact !== undefined) {
      refuse(`chain ${chain.id} starts from two artefacts; leave one out`);
    }
    seen.add(chain.id);
    if (typeof chain.gold === "object" && chain.gold.length !== chain.episodes.length) {
      refuse(
        `chain ${chain.id} has ${chain.gold.length} gold paths for ${chain.episodes.length} episodes; give one to each`,
      );
    }
  }
}

/** The key of a position in a study: a chain and an ordinal in it. */
export function positionKey(chain: string, ordinal: number): string {
  return JSON.stringify([chain, ordinal]);
}
