/**
 * A study is data: which episodes are played, in which lanes, by which models.
 *
 * @module
 */

import type { Method } from "../agent/method.ts";
import { UsageError } from "../errors.ts";
import type { Prompt, PromptOverrides } from "../llm/prompt.ts";
import type { RoleMap } from "../llm/roles.ts";
import type { MemoryFactory } from "../memory/memory.ts";
import type { Embedder } from "../retrieval/embedder.ts";

/** Options of a method or a memory, as data. */
export type Options = Readonly<Record<string, unknown>>;

/** A memory of one's own, not in the registry. Change `version` when its behaviour changes: with `id` it is its identity. */
export interface CustomMemory {
  /** Shown in tables, unless the episode has a condition. */
  readonly id: string;
  /** Any text; a new one for each change of behaviour. */
  readonly version: string;
  /** Makes one fresh memory. */
  readonly create: MemoryFactory;
  /** What it asks models, so that another wording is another identity. */
  readonly prompts?: readonly Prompt[];
}

/** A method of one's own, not in the registry. `memory` is the episode's, where it names one. */
export interface CustomMethod {
  /** Shown in tables, unless the episode has a condition. */
  readonly id: string;
  /** Any text; a new one for each change of behaviour. */
  readonly version: string;
  /** Makes the method for one episode. */
  readonly create: (memory?: MemoryFactory) => Method;
  /** What it asks models, so that another wording is another identity. */
  readonly prompts?: readonly Prompt[];
}

/** One episode as planned. */
export interface PlannedEpisode {
  /** Id of a world, e.g. `textworld/hunt`. */
  readonly world: string;
  /** Parameters of the world (its step limit among them); those left out take the world's defaults. */
  readonly params?: Options;
  /** Name of the game in tables, where it is not the world's id. */
  readonly label?: string;
  /** Id of a registered method, or one's own. */
  readonly method: string | CustomMethod;
  /** Id of a registered memory, or one's own; none for a method that takes none. */
  readonly memory?: string | CustomMemory;
  /** Options of the registered method and memory; a value of one's own has closed over its options. */
  readonly options?: { readonly method?: Options; readonly memory?: Options };
  /** Label of the row in tables; episodes of one condition are averaged. @default the memory's id, else the method's */
  readonly condition?: string;
  /** From 1; enters the key of every reply, so that two attempts are two samples. */
  readonly attempt: number;
  /** For everything random in the method. */
  readonly seed: number;
}

/** Episodes in order; each starts from the artefact that the one before it left. Lanes run side by side. */
export interface Lane {
  /** Unique in its study. */
  readonly id: string;
  /** Gold actions of each episode, by ordinal; `world`: those that each world itself knows. Only a lane that has them shows them to its method. */
  readonly gold?: readonly (readonly string[])[] | "world";
  /** Hash of the artefact that the first episode starts from. */
  readonly artefact?: string;
  /** Id of a lane before this one, in place of `artefact`: this one waits for it, and starts from what its last episode left. */
  readonly after?: string;
  /** In the order in which they are played. */
  readonly episodes: readonly PlannedEpisode[];
}

/** A study. */
export interface Study {
  /** Names its rows in the store. */
  readonly id: string;
  /** One line for people. */
  readonly title: string;
  /** Played side by side. */
  readonly lanes: readonly Lane[];
  /** Which model answers which role. */
  readonly models: RoleMap;
  /** A user's own wording by role. */
  readonly promptOverrides?: PromptOverrides;
  /** Name of an embedder, or one's own. @default {"lexical"} */
  readonly embedder?: string | Embedder;
  /** Settings of models within this process, such as the offline backbone; part of an episode's identity where its provider says so. */
  readonly knobs?: Readonly<Record<string, number>>;
  /** Whether the world's ground truth is recorded after each step. @default {false} */
  readonly truth?: boolean;
}

/** What a matrix is made of: every world is played under every condition in every attempt, each episode in a lane of its own. */
export interface Matrix {
  /** The columns of the table. */
  readonly worlds: readonly Pick<PlannedEpisode, "world" | "params" | "label">[];
  /** The rows of the table. */
  readonly conditions: readonly Pick<PlannedEpisode, "method" | "memory" | "options" | "condition">[];
  /** Number of attempts, from 1. */
  readonly attempts: number;
  /** Seed of each attempt. @default the attempt */
  readonly seed?: (attempt: number) => number;
}

/**
 * The lanes of a matrix: attempt by attempt, so that an interrupted study has whole rounds.
 *
 * @example
 * ```ts
 * import { matrixLanes } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const lanes = matrixLanes({
 *   worlds: [{ world: "textworld/hunt" }, { world: "textworld/cooking" }],
 *   conditions: [{ method: "ariadne", memory: "arigraph" }, { method: "random" }],
 *   attempts: 2,
 * });
 * assert.deepEqual(lanes.slice(0, 3).map((lane) => lane.id), ["textworld/hunt|arigraph|1", "textworld/hunt|random|1", "textworld/cooking|arigraph|1"]);
 * assert.equal(lanes.length, 8);
 * ```
 */
export function matrixLanes(matrix: Matrix): Lane[] {
  const { worlds, conditions, attempts, seed = (attempt) => attempt } = matrix;
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw new RangeError(`cannot plan a matrix: attempts must be an integer ≥ 1, current value is ${attempts}`);
  }
  return Array.from({ length: attempts }, (_, i) => i + 1).flatMap((attempt) =>
    worlds.flatMap((world) =>
      conditions.map((condition) => {
        const episode = { ...world, ...condition, attempt, seed: seed(attempt) };
        return { id: [world.label ?? world.world, conditionOf(episode), attempt].join("|"), episodes: [episode] };
      })
    )
  );
}

/** The label of an episode's row in tables. */
export function conditionOf(episode: Pick<PlannedEpisode, "method" | "memory" | "condition">): string {
  return episode.condition ?? idOf(episode.memory ?? episode.method);
}

/** The id of a registered or an own method or memory. */
export function idOf(choice: string | { readonly id: string }): string {
  return typeof choice === "string" ? choice : choice.id;
}

/**
 * Refuses a study that cannot be carried out as written.
 *
 * @throws {UsageError} if it has no episode, two lanes of one id, more gold paths than episodes, or a lane after one that is not before it.
 */
export function checkStudy(study: Study): void {
  const refuse = (problem: string): never => {
    throw new UsageError(`cannot run the study ${study.id}: ${problem}`);
  };
  if (!study.lanes.some((lane) => lane.episodes.length > 0)) refuse("it plans no episode; give a lane at least one");
  const seen = new Set<string>();
  for (const lane of study.lanes) {
    if (seen.has(lane.id)) refuse(`two lanes are called ${lane.id}; give each its own id`);
    if (lane.after !== undefined && !seen.has(lane.after)) {
      refuse(`lane ${lane.id} is to be played after ${lane.after}, which is no lane before it; put that one first`);
    }
    if (lane.after !== undefined && lane.artefact !== undefined) refuse(`lane ${lane.id} starts from two artefacts; leave one out`);
    seen.add(lane.id);
    if (typeof lane.gold === "object" && lane.gold.length !== lane.episodes.length) {
      refuse(`lane ${lane.id} has ${lane.gold.length} gold paths for ${lane.episodes.length} episodes; give one to each`);
    }
  }
}
