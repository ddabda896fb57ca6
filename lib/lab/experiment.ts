/** An experiment: worlds, memories and factors in, a study out. */

import { UsageError } from "../core/errors.ts";
import { ROLE_MAPS } from "../core/llm/roles.ts";
import { checkKeys } from "../core/text/did-you-mean.ts";
import { casesOf, type ExperimentMemory, type Level } from "./experiment-cases.ts";
import {
  type CustomMethod,
  type EpisodeChain,
  type Factors,
  matrixChains,
  type Options,
  type PlannedEpisode,
  type Study,
} from "./study.ts";

/** A world of an experiment. */
export type ExperimentWorld = Pick<PlannedEpisode, "world" | "params" | "label" | "factors">;

/** What is to be compared. */
export interface ExperimentOptions
  extends
    Partial<Pick<Study, "models" | "embedder" | "modelOptions" | "promptOverrides" | "truth">> {
  /** Id of the study in the store. */
  readonly id: string;
  /** Title in one line. @default {id} */
  readonly title?: string;
  /**
   * Ids of worlds, or worlds with parameters, a label, and factors of their own (`{ rooms: 36 }`).
   */
  readonly worlds: readonly (string | ExperimentWorld)[];
  /** Parameters of all worlds. @default none */
  readonly params?: Options;
  /**
   * How many games of each world, which the world's parameter `seed` numbers from 0; or these
   * numbers.
   * @default the world's own game alone
   */
  readonly games?: number | readonly number[];
  /** Methods: ids of registered ones, or user-defined ones. @default {["ariadne"]} */
  readonly methods?: readonly (string | CustomMethod)[];
  /** The memories, each under every method that takes one. @default none */
  readonly memories?: readonly ExperimentMemory[];
  /**
   * Factor → levels; every combination is played. A factor is an option of a memory or a method.
   * `memory.`, `method.` or `world.` before its name says whose it is, which a parameter of a world
   * needs. What does not know a factor is played once, without it.
   * @default none
   */
  readonly factors?: Readonly<Record<string, readonly Level[]>>;
  /** Replicates of each game: seeds 1 … n of method and models, or these seeds. @default {1} */
  readonly seeds?: number | readonly number[];
  /** Limit of agent steps, for methods that have one (`maxSteps`). @default that of the method */
  readonly steps?: number;
}

const KNOWN = Object.keys(
  {
    id: true,
    title: true,
    worlds: true,
    params: true,
    games: true,
    methods: true,
    memories: true,
    factors: true,
    seeds: true,
    steps: true,
    models: true,
    embedder: true,
    modelOptions: true,
    promptOverrides: true,
    truth: true,
  } satisfies Record<keyof ExperimentOptions, true>,
);

/**
 * Makes the study of an experiment: every world, game, method, memory and combination of factors,
 * with so many replicates, each in a chain of its own. The factors are recorded with the episodes
 * and become columns of the frames.
 *
 * @throws {UsageError} for an option, memory, method or factor that is not known, with the nearest
 *   one that is.
 *
 * @example
 * ```ts
 * import { experiment } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * const sweep = experiment({ id: "sweep", worlds: ["textworld/hunt"], memories: ["arigraph", "rag"], factors: { k: [2, 5, 10], depth: [1, 3] }, seeds: 5 });
 * const conditions = new Set(sweep.chains.map(({ episodes: [episode] }) => episode?.condition));
 * assert.equal(conditions.size, 3 * 2 + 3); // RAG has no depth
 * assert.equal(sweep.chains.length, 9 * 5);
 * assert.deepEqual(sweep.chains[0]?.episodes[0]?.factors, { world: "textworld/hunt", method: "ariadne", memory: "arigraph", k: 2, depth: 1 });
 * ```
 */
export function experiment(options: ExperimentOptions): Study {
  checkKeys("experiment()", options, KNOWN);
  const {
    id,
    title = id,
    worlds,
    models = ROLE_MAPS.offline,
    seeds = 1,
    steps,
    games,
    params,
    ...rest
  } = options;
  const { methods = ["ariadne"], memories = [], factors = {}, ...study } = rest;
  if (!Array.isArray(worlds) || worlds.length === 0) {
    throw new UsageError(`the experiment ${id} names no world: give worlds at least one`);
  }
  for (const one of worlds) {
    if (typeof one === "object") {
      checkKeys("a world of experiment()", one, ["world", "params", "label", "factors"]);
    }
  }
  const cases = casesOf({ id, methods, memories, factors, steps });
  const places = distinct(
    worlds.flatMap((world) =>
      gamesOf(typeof world === "string" ? { world } : world, params, games)
    ),
  );
  const replicates = typeof seeds === "number"
    ? Array.from({ length: seeds }, (_, i) => i + 1)
    : seeds;
  const chains = cases.flatMap(({ episode, factors, params: own }) =>
    matrixChains({
      worlds: places.map(({ name: _, ...world }) => ({
        ...world,
        params: { ...world.params, ...own },
      })),
      conditions: [episode],
      attempts: replicates.length,
      seed: (attempt) => replicates[attempt - 1] ?? attempt,
    }).map((chain, at): EpisodeChain => {
      const own = { ...places[at % places.length]?.name, ...factors };
      return {
        ...chain,
        episodes: chain.episodes.map((episode) => ({ ...episode, factors: own })),
      };
    })
  );
  // replicate by replicate, so that an interrupted experiment has complete ones
  chains.sort((a, b) => (a.episodes[0]?.attempt ?? 0) - (b.episodes[0]?.attempt ?? 0));
  return { ...study, id, title, models, chains };
}

type Place = Pick<PlannedEpisode, "world" | "params" | "label"> & { readonly name: Factors };

function gamesOf(
  { world, label = world, factors, ...own }: ExperimentWorld,
  params: Options | undefined,
  games: number | readonly number[] | undefined,
): Place[] {
  const common = { ...params, ...own.params };
  if (games === undefined) {
    return [{ world, label, params: common, name: { world: label, ...factors } }];
  }
  const numbers = typeof games === "number"
    ? Array.from({ length: games }, (_, game) => game)
    : games;
  return numbers.map((seed) => ({
    world,
    label: `${label}, game ${seed}`,
    params: { ...common, seed },
    name: { world: label, ...factors, game: seed },
  }));
}

/** Places of one label get their parameters into it, so that each has chains of its own. */
function distinct(places: readonly Place[]): Place[] {
  const labels = Map.groupBy(places, ({ label }) => label);
  return places.map((place) => {
    if (labels.get(place.label)?.length === 1) return place;
    const own = Object.entries(place.params ?? {}).map(([name, value]) =>
      `${name} ${JSON.stringify(value)}`
    );
    const label = [place.label, ...own].join(", ");
    return { ...place, label, name: { ...place.name, world: label } };
  });
}
