/** From a study to its episodes: resolving ids and opening games. */

import type { EnvSpec } from "../core/env/environment.ts";
import type { WorldError } from "../core/errors.ts";
import { backboneOf } from "../core/llm/roles.ts";
import { createSemaphore } from "../core/semaphore.ts";
import { canonicalJson } from "../core/text/canonical.ts";
import {
  checkRoles,
  chooseMemory,
  chooseMethod,
  type MethodChoice,
  withSource,
} from "./choices.ts";
import { isOfOneGame } from "./failures.ts";
import { episodeId, type Identity, identityOf, playerIdentity, withArtefact } from "./identity.ts";
import type { RunPorts } from "./run-options.ts";
import type { EpisodePlan } from "./store/episodes.ts";
import {
  checkStudy,
  conditionOf,
  type EpisodeChain,
  idOf,
  type PlannedEpisode,
  type Study,
} from "./study.ts";

/** An episode with its ids resolved and its game opened; the artefact that it loads is open. */
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
 * Resolves the ids of a study and opens each world once, for its version and the content of its
 * game. A broken game among others is kept with its refusal.
 * @throws {UsageError} for a study that cannot be carried out; {@linkcode WorldError} for a world
 * that cannot be opened, or if all games are broken.
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
