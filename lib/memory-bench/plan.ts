/**
 * The studies of a benchmark: one for each world, memory and reader, so that a choice of worlds goes on with what another has played; and one for each
 * stage of a step that is given to the perfect reader.
 */

import { UsageError } from "../errors.ts";
import { rolesOf } from "../lab/choices.ts";
import { experiment } from "../lab/experiment.ts";
import { type CustomMemory, idOf, type Study } from "../lab/study.ts";
import { parseRoleMap } from "../llm/role-map.ts";
import { backboneOf, type RoleMap } from "../llm/roles.ts";
import { MEMORIES } from "../memory/registry.ts";
import { hashOf } from "../store/canonical.ts";
import { checkKeys, checkName } from "../text/did-you-mean.ts";
import { type BenchWorld, gameOf, playsIn, PROTOCOL, PROTOCOL_HASH, PUBLISHED_SEEDS, type SeedRanges } from "./protocol.ts";

/** What a benchmark plays; what is left out is that of the form. */
export interface BenchOptions {
  /** Ids of registered memories, or user-defined ones. @default those of the form, else every registered memory */
  readonly memories?: readonly (string | CustomMemory)[];
  /** The one reader or live model in place of those of the form, by role. */
  readonly models?: RoleMap;
  /** Names of worlds of the protocol. @default those of the form, else all */
  readonly worlds?: readonly string[];
  /** Games of each world in each range, 1 to 10. @default that of the form */
  readonly games?: number;
  /** The short form: three memories, one reader, hunts. @default {false} */
  readonly quick?: boolean;
  /** Held-back seeds, in place of the published ones: two ranges. */
  readonly heldBack?: SeedRanges;
}

/** A study of a benchmark, as one of its readers takes it. */
export interface BenchStudy {
  /** Id of the study in the store. */
  readonly id: string;
  /** Id of its memory. */
  readonly memory: string;
  /** The model that answers, as tables name it. */
  readonly reader: string;
  /** The last stage that the perfect reader is given; absent in the play that is measured. */
  readonly stage?: string;
}

/** What a benchmark measures, as its card and its result file state it. */
export interface Bench {
  /** Which form it is, or was chosen from. */
  readonly form: "quick" | "full";
  /** The seeds that are played, by range. */
  readonly seeds: SeedRanges;
  /** Whether the seeds are none of the published ones. */
  readonly isHeldBack: boolean;
  /** In the order of the protocol. */
  readonly worlds: readonly BenchWorld[];
  /** Ids. */
  readonly memories: readonly string[];
  /** The readers or the live model, as tables name them. */
  readonly readers: readonly string[];
  /** The study of a memory in which the perfect reader has every stage is common to all readers, and stands here once for each. */
  readonly studies: readonly BenchStudy[];
  /** Number of episodes. */
  readonly planned: number;
}

/** A benchmark that can be played. */
export interface BenchPlan extends Bench {
  /** The studies to play, each once. */
  readonly plays: readonly Study[];
}

/**
 * Plans a benchmark, as data. Nothing is played.
 *
 * @throws {UsageError} for a memory or world that there is not, two memories of one id, an id that is no name, or more games than the protocol has seeds.
 *
 * @example
 * ```ts
 * import { planBench } from "labyrinth/memory-bench";
 * import assert from "node:assert/strict";
 *
 * const { studies, plays } = planBench({ quick: true, memories: ["rag"] });
 * assert.deepEqual(studies.map(({ stage }) => stage), [undefined, "planning", "acting"]); // RAG asks no model
 * assert.equal(plays[0]?.lanes.length, 2 * 3); // ranges, games
 * ```
 */
export function planBench(options: BenchOptions = {}): BenchPlan {
  checkKeys("planBench()", options, ["memories", "models", "worlds", "games", "quick", "heldBack"]);
  const form = options.quick ? "quick" : "full";
  const defaults = PROTOCOL.forms[form];
  const { games = defaults.games, heldBack } = options;
  const memories = options.memories ?? defaults.memories ?? Object.keys(MEMORIES);
  checkChoices(memories, games);
  const names = PROTOCOL.worlds.map(({ name }) => name);
  const asked = options.worlds ?? defaults.worlds ?? names;
  for (const name of asked) checkName("world", name, names);
  const worlds = PROTOCOL.worlds.filter(({ name }) => asked.includes(name));
  const seeds = Object.fromEntries(Object.entries(heldBack ?? PUBLISHED_SEEDS).map(([name, all]) => [name, all.slice(0, games)]));
  const maps = options.models ? [options.models] : (defaults.readers ?? PROTOCOL.readers).map((reader) => parseRoleMap(reader));
  const found = memories.flatMap((memory) =>
    maps.flatMap((models) =>
      worlds.filter((world) => playsIn(idOf(memory), world)).flatMap((world) => studiesOf(memory, models, { form, world, seeds }))
    )
  );
  const plays = [...new Map(found.map(({ study }) => [study.id, study])).values()];
  return {
    form,
    seeds,
    isHeldBack: heldBack !== undefined,
    worlds,
    memories: memories.map(idOf),
    readers: maps.map(backboneOf),
    studies: found.map(({ study: { id }, ...told }) => ({ id, ...told })),
    planned: plays.reduce((sum, { lanes }) => sum + lanes.length, 0),
    plays,
  };
}

function checkChoices(memories: readonly (string | CustomMemory)[], games: number): void {
  for (const memory of memories) if (typeof memory === "string") checkName("memory", memory, Object.keys(MEMORIES));
  const twice = memories.map(idOf).find((id, at, all) => all.indexOf(id) < at || (typeof memories[at] !== "string" && id in MEMORIES));
  if (twice !== undefined) throw new UsageError(`two memories are called "${twice}": give yours an id of its own`);
  const odd = memories.map(idOf).find((id) => !/^[\w.-]{1,64}$/.test(id));
  if (odd !== undefined) {
    throw new UsageError(`a memory cannot be called ${JSON.stringify(odd)}: use up to 64 letters, digits, dots and hyphens`);
  }
  const { perRange } = PROTOCOL.seeds;
  if (!Number.isInteger(games) || games < 1 || games > perRange) {
    throw new UsageError(`the protocol has ${perRange} games of each world in a range: ask for 1 to ${perRange}, not ${games}`);
  }
}

interface Found extends Omit<BenchStudy, "id"> {
  readonly study: Study;
}

/** The play of a memory with a reader in a world; and where the loss of its stages is measured, one play more a stage. */
function studiesOf(
  memory: string | CustomMemory,
  models: RoleMap,
  { form, world, seeds }: Pick<Bench, "form" | "seeds"> & { readonly world: BenchWorld },
): Found[] {
  const reader = backboneOf(models);
  const id = `memory-bench-${form}-${hashOf([PROTOCOL_HASH, [world], seeds]).slice(0, 8)}-${idOf(memory)}`;
  const study = (models: RoleMap, ranges: SeedRanges, stage?: string): Found => ({
    ...{ memory: idOf(memory), reader, stage },
    study: {
      id: `${id}${stage === undefined ? "" : `-${stage.replaceAll(" ", "-")}`}@${backboneOf(models)}`,
      title: `${PROTOCOL.id}: ${idOf(memory)}`,
      models,
      embedder: PROTOCOL.embedder,
      truth: stage === undefined,
      recallTokens: PROTOCOL.recallTokens,
      lanes: lanesOf(world, memory, ranges),
    },
  });
  const main = study(models, seeds);
  const { world: measured, range } = PROTOCOL.attribution;
  if (world.name !== measured || reader === PROTOCOL.perfectReader) return [main];
  const first = Object.entries(seeds).filter(([name], at) => name === range || (at === 0 && !(range in seeds)));
  const ladder = stagesOf(main.study);
  const perfect = (upTo: number): RoleMap =>
    upTo === ladder.length - 1 ? { "*": PROTOCOL.perfectReader } : {
      ...models,
      ...Object.fromEntries(ladder.slice(0, upTo + 1).flatMap(({ roles }) => roles.map((role) => [role, PROTOCOL.perfectReader]))),
    };
  return [main, ...ladder.map(({ name }, at) => study(perfect(at), Object.fromEntries(first), name))];
}

/** The episodes of a memory in a world, a lane each. */
function lanesOf(world: BenchWorld, memory: string | CustomMemory, ranges: SeedRanges): Study["lanes"] {
  const { lanes } = experiment({
    id: "lanes",
    worlds: Object.entries(ranges).flatMap(([range, seeds]) =>
      seeds.map((seed) => ({
        world: world.world,
        label: `${world.title}, game ${seed}`,
        params: gameOf(world, seed),
        factors: { world: world.name, range, game: seed },
      }))
    ),
    methods: [world.method ?? PROTOCOL.method],
    memories: [memory],
    steps: world.steps,
  });
  const options = world.memoryOptions?.[idOf(memory)];
  return options === undefined || typeof memory !== "string" ? lanes : lanes.map((lane) => ({
    ...lane,
    episodes: lane.episodes.map((episode) => ({ ...episode, options: { ...episode.options, memory: options } })),
  }));
}

/** The stages that a study has with their roles, in the order of a step. A role belongs to the first stage that names it. */
function stagesOf({ lanes }: Study): { readonly name: string; readonly roles: readonly string[] }[] {
  const roles = [...new Set(lanes.flatMap(({ episodes }) => episodes).flatMap(rolesOf))];
  const stageOf = (role: string): string | undefined => PROTOCOL.stages.find((stage) => new RegExp(stage.roles).test(role))?.name;
  return PROTOCOL.stages.map(({ name }) => ({ name, roles: roles.filter((role) => stageOf(role) === name) }))
    .filter((stage) => stage.roles.length > 0);
}
