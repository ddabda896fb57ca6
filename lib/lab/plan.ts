/**
 * From a study to the rows of its episodes: resolving ids, opening games, and entering the plan
 * into the store.
 */

import type { EnvSpec } from "../core/env/environment.ts";
import type { Worlds } from "../core/env/worlds.ts";
import { StoreError, type WorldError } from "../core/errors.ts";
import type { ChatModel } from "../core/llm/chat-model.ts";
import { createSemaphore } from "../core/semaphore.ts";
import type { Provider } from "../core/llm/provider.ts";
import type { ModelsOptions } from "./llm/stack.ts";
import { backboneOf, recordedMap } from "../core/llm/roles.ts";
import type { Clock } from "../core/platform.ts";
import type { Embedder } from "../core/retrieval/embedder.ts";
import { canonicalJson } from "../core/text/canonical.ts";
import {
  deleteEpisode,
  type EpisodePlan,
  type EpisodeRecord,
  listEpisodes,
  putEpisode,
} from "./store/episodes.ts";
import { putStudy } from "./store/studies.ts";
import type { Store } from "./store/open.ts";
import { counted } from "../core/text/amounts.ts";
import {
  checkRoles,
  chooseMemory,
  chooseMethod,
  type MethodChoice,
  withSource,
} from "./choices.ts";
import { isOfOneGame } from "./failures.ts";
import {
  differences,
  episodeId,
  type Identity,
  identityOf,
  isDifferent,
  playerIdentity,
  withArtefact,
} from "./identity.ts";
import {
  checkStudy,
  conditionOf,
  type EpisodeChain,
  idOf,
  type PlannedEpisode,
  type Study,
} from "./study.ts";

/** The ports of a run: store, worlds, models, embedder and clock. */
export interface RunPorts {
  readonly store: Store;
  readonly worlds: Pick<Worlds, "open" | "specOf">;
  /** Creates an episode's model, which routes by role and meters its calls on the episode. */
  readonly models: (
    episode: { readonly id: string; readonly attempt: number } & Pick<ModelsOptions, "onEvent">,
  ) => ChatModel;
  /** Embeds texts; its id is part of every episode's identity. */
  readonly embedder: Embedder;
  /**
   * Providers that are asked before the registered ones what a model adds to an episode's identity.
   */
  readonly providers?: readonly Provider[];
  readonly clock: Clock;
}

/**
 * An episode of a study with its ids resolved and its game opened; only the artefact that it loads
 * is still open.
 */
export interface ResolvedEpisode {
  readonly chain: EpisodeChain;
  readonly ordinal: number;
  readonly episode: PlannedEpisode;
  readonly method: MethodChoice;
  /** The world's specification; of a refused game, only what the study names. */
  readonly spec: EnvSpec;
  /** Why the game cannot be played; absent where it can. */
  readonly refusal?: WorldError;
  readonly identity: Identity;
}

/**
 * Resolves the ids of a study, chain by chain, and opens each world once, to learn its version and
 * the content of its game. A broken game among others is kept with its refusal.
 *
 * @throws {UsageError} for a study that cannot be carried out; {@linkcode WorldError} for a world
 *   that cannot be opened, or for a broken game if the study has no other.
 */
export async function resolveStudy(
  study: Study,
  ports: Pick<RunPorts, "worlds" | "embedder" | "providers"> & {
    readonly onDelay?: (what: string) => void;
  },
): Promise<ResolvedEpisode[][]> {
  checkStudy(study);
  checkRoles(study);
  const games = new Map<string, Promise<Game>>();
  const hashes = new Map<unknown, Promise<string>>();
  const players = new Map<string, ReturnType<typeof playerOf>>(); // those of the same method, memory and options are one
  const keyOf = ({ world, params }: PlannedEpisode): string => canonicalJson([world, params]);
  const { size } = new Set(study.chains.flatMap(({ episodes }) => episodes.map(keyOf)));
  const opening = createSemaphore(OPENED_AT_ONCE);
  const absent = new Map<string, WorldError>(); // worlds that are not installed: none of their other games is opened
  const fatal = new AbortController(); // an error that concerns every game: no further one is opened

  function gameOf({ world, params = {} }: PlannedEpisode): Promise<Game> {
    return opening.run(async () => {
      fatal.signal.throwIfAborted();
      const why = absent.get(world);
      if (why) return refusedGame(world, params, why);
      try {
        return { spec: await specOf(ports.worlds, world, params) };
      } catch (error) {
        if (!isOfOneGame(error)) {
          fatal.abort(error);
          throw error;
        }
        if (error.kind === "unknown-world") absent.set(world, error);
        return refusedGame(world, params, error);
      }
    });
  }

  async function playerOf(
    episode: PlannedEpisode,
  ): Promise<{ readonly method: MethodChoice; readonly player: Identity }> {
    const bare = chooseMemory(episode, study);
    const method = await withSource(chooseMethod(episode, bare), episode.method, hashes);
    const memory = bare && await withSource(bare, episode.memory, hashes);
    const { embedder, providers } = ports;
    return {
      method,
      player: playerIdentity({ study, method, memory, embedder: embedder.id, providers }),
    };
  }

  async function resolve(
    chain: EpisodeChain,
    episode: PlannedEpisode,
    ordinal: number,
  ): Promise<ResolvedEpisode> {
    const { method: chosen, memory, options } = episode;
    const isNamed = typeof chosen === "string" && typeof memory !== "object";
    const { method, player } = isNamed
      ? await players.getOrInsertComputed(
        canonicalJson([chosen, memory, options]),
        () => playerOf(episode),
      )
      : await playerOf(episode);
    const game = await games.getOrInsertComputed(keyOf(episode), () => gameOf(episode));
    return {
      chain,
      ordinal,
      episode,
      method,
      ...game,
      identity: identityOf({ study, chain, ordinal, episode, spec: game.spec, player }),
    };
  }

  const delay = size < MANY_GAMES ? undefined : setTimeout(
    () => ports.onDelay?.(`the ${size} games of ${study.id} are opened, to learn what each is`),
    DELAY_MS,
  );
  const resolving = study.chains.map((chain) =>
    Promise.all(chain.episodes.map((episode, ordinal) => resolve(chain, episode, ordinal)))
  );
  const chains = await Promise.all(resolving).finally(() => clearTimeout(delay));
  const episodes = chains.flat();
  if (episodes[0]?.refusal && episodes.every(({ refusal }) => refusal)) throw episodes[0].refusal;
  return chains;
}

async function specOf(
  worlds: RunPorts["worlds"],
  world: string,
  params: EnvSpec["parameters"],
): Promise<EnvSpec> {
  if (worlds.specOf) return await worlds.specOf(world, params);
  const opened = await worlds.open(world, params);
  await opened.close();
  return opened.spec;
}

function refusedGame(world: string, params: EnvSpec["parameters"], refusal: WorldError): Game {
  return {
    spec: {
      id: world,
      parameters: params,
      version: "",
      sections: [],
      actions: [],
      fallback: "",
      identity: "",
    },
    refusal,
  };
}

type Game = Pick<ResolvedEpisode, "spec" | "refusal">;

/** Number of games from which on a delay is announced. */
const MANY_GAMES = 50;
const DELAY_MS = 2000;
/** Maximum number of worlds opened at once: each is a process, and a study may have hundreds. */
const OPENED_AT_ONCE = 8;

export function planOf(
  study: Study,
  resolved: ResolvedEpisode,
  artefact: string | undefined,
): EpisodePlan {
  const { chain, ordinal, episode, spec, refusal } = resolved;
  const identity = withArtefact(resolved.identity, artefact);
  return {
    id: episodeId({ study: study.id, chain: chain.id, ordinal }, identity),
    study: study.id,
    chain: chain.id,
    ordinal,
    identity,
    world: episode.world,
    worldParams: episode.params ?? {},
    game: refusal && spec.identity === "" ? undefined : spec.identity,
    label: episode.label,
    method: idOf(episode.method),
    memory: episode.memory === undefined ? "" : idOf(episode.memory),
    condition: conditionOf(episode),
    backbone: backboneOf(study.models),
    attempt: episode.attempt,
    seed: episode.seed,
    artefactIn: artefact,
  };
}

/**
 * Gives a refused game that an earlier run could open the identity of that run, so that its
 * recorded episodes are kept.
 */
export function withRecordedGames(
  store: Store,
  study: Study,
  chains: readonly (readonly ResolvedEpisode[])[],
): ResolvedEpisode[][] {
  const rows = new Map(
    listEpisodes(store, { study: study.id }).map((
      row,
    ) => [positionKey(row.chain, row.ordinal), row]),
  );
  return chains.map((chain) =>
    chain.map((resolved) => {
      const row = resolved.refusal && rows.get(positionKey(resolved.chain.id, resolved.ordinal));
      if (row?.game === undefined) return resolved;
      const { worldVersion, params, game } = row.identity;
      return {
        ...resolved,
        spec: { ...resolved.spec, identity: row.game },
        identity: { ...resolved.identity, worldVersion, params, game },
      };
    })
  );
}

/**
 * Enters a study and its episodes into the store. Episodes of the same identity are kept with their
 * results; episodes of a game that could not be opened are replaced once it can, and those of code
 * of the user's own that was edited, which the returned lines tell. Where `chains` are a part of the
 * study, the episodes of its other chains are left as they are.
 *
 * @throws {StoreError} `conflict` if the store holds recorded episodes of this study that have
 *   another identity or are no longer planned; with
 * `fresh` they are discarded instead.
 */
export function enterStudy(
  store: Store,
  study: Study,
  chains: readonly (readonly ResolvedEpisode[])[],
  options: { readonly now: number; readonly fresh?: boolean; readonly isPart?: boolean },
): string[] {
  const planned = new Map(
    chains.flat().map((resolved) => [positionKey(resolved.chain.id, resolved.ordinal), resolved]),
  );
  const edited = new Map<string, number>();
  store.transaction(() => {
    putStudy(store, { id: study.id, spec: describeStudy(study), createdAt: options.now });
    const ids = new Set(chains.map(([first]) => first?.chain.id));
    for (
      const row of listEpisodes(store, { study: study.id }).filter(({ chain }) =>
        !options.isPart || ids.has(chain)
      )
    ) {
      const resolved = planned.get(positionKey(row.chain, row.ordinal));
      const problem = resolved
        ? differences(row.identity, resolved.identity)
        : ["the study no longer plans it"];
      if (problem.length === 0) planned.delete(positionKey(row.chain, row.ordinal));
      else if (options.fresh || row.status === "planned" || row.game === undefined) {
        deleteEpisode(store, row.id);
      } else {
        const what = resolved && editedCode(row.identity, resolved);
        if (what === undefined) throw conflict(store, row, problem);
        if (row.status === "completed") edited.set(what, (edited.get(what) ?? 0) + 1);
        deleteEpisode(store, row.id);
      }
    }
    for (const resolved of planned.values()) {
      putEpisode(store, planOf(study, resolved, firstArtefact(resolved)));
    }
  });
  return [...edited].map(([what, n]) =>
    `${what} or what it uses was edited: ${counted(n, "recorded episode")} of ${study.id} ${
      n === 1 ? "is" : "are"
    } played anew`
  );
}

function editedCode(
  recorded: Identity,
  { identity, episode }: ResolvedEpisode,
): string | undefined {
  const own = (["memory", "method"] as const).filter((part) => {
    const [before, after] = [recorded[part], identity[part]] as Readonly<Record<string, unknown>>[];
    return typeof episode[part] === "object" && before?.id === after?.id;
  });
  const worldOf = ({ worldVersion }: Identity): string => String(worldVersion).replace(SOURCE, "");
  const isOwnWorld = SOURCE.test(String(identity.worldVersion)) &&
    worldOf(recorded) === worldOf(identity);
  const mayDiffer = [
    ...own,
    ...(own.length > 0 ? ["prompts"] : []),
    ...(isOwnWorld ? ["worldVersion", "game", "params"] : []),
  ];
  const differing = Object.keys({ ...recorded, ...identity }).filter((key) =>
    key !== "artefact" && isDifferent(recorded[key], identity[key])
  );
  if (differing.some((key) => !mayDiffer.includes(key))) return undefined;
  const part = own.find((one) => differing.includes(one));
  return part
    ? `the ${part} ${idOf(episode[part] ?? "")}`
    : differing.includes("prompts")
    ? "a prompt"
    : `the world ${episode.world}`;
}

/** How the version of a user-defined world ends. */
const SOURCE = /\+source [0-9a-f]+$/;

/**
 * The study as JSON-able data for the record: user-defined values by id, no secrets of its role
 * map, the prompt overrides under the key `book` of earlier records.
 */
export function describeStudy({ promptOverrides: book, ...study }: Study): unknown {
  return {
    ...study,
    models: recordedMap(study.models),
    book,
    embedder: study.embedder && idOf(study.embedder),
    chains: study.chains.map((chain) => ({
      ...chain,
      episodes: chain.episodes.map((episode) => ({
        ...episode,
        method: idOf(episode.method),
        memory: episode.memory && idOf(episode.memory),
      })),
    })),
  };
}

function firstArtefact({ chain, ordinal }: ResolvedEpisode): string | undefined {
  if (ordinal > 0) return `of ${chain.id}, ${ordinal - 1}`;
  return chain.after === undefined ? chain.artefact : `of ${chain.after}, last`;
}

/** The key of a position in a study: a chain and an ordinal in it. */
export function positionKey(chain: string, ordinal: number): string {
  return JSON.stringify([chain, ordinal]);
}

function conflict(store: Store, row: EpisodeRecord, problem: readonly string[]): StoreError {
  return new StoreError(
    "conflict",
    `the store ${store.path} holds episodes of study ${row.study} played otherwise (chain ${row.chain}: ${
      problem.join("; ")
    }): ` +
      CONFLICT_REMEDY,
  );
}

/**
 * What a notebook can do about a study that was changed under its episodes; the command line words
 * it by its options.
 */
export const CONFLICT_REMEDY =
  "give the study another id, or discard what is recorded with playStudy(study, { store, fresh: true })";
