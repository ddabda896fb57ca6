/**
 * From a study to rows: which episode stands where, and whether the store can hold it.
 *
 * @module
 */

import type { EnvSpec } from "../env/environment.ts";
import type { Worlds } from "../env/worlds.ts";
import { StoreError, type WorldError } from "../errors.ts";
import type { Provider } from "../llm/providers.ts";
import { backboneOf } from "../llm/roles.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { canonicalJson } from "../store/canonical.ts";
import { deleteEpisode, type EpisodePlan, type EpisodeRecord, listEpisodes, putEpisode } from "../store/episodes.ts";
import { putStudy } from "../store/studies.ts";
import type { Store } from "../store/open.ts";
import { chooseMemory, chooseMethod, type MethodChoice } from "./choices.ts";
import { isOfOneGame } from "./failures.ts";
import { differences, episodeId, type Identity, identityOf, withArtefact } from "./identity.ts";
import { checkStudy, conditionOf, idOf, type Lane, type PlannedEpisode, type Study } from "./study.ts";

/** One episode in its place, resolved but for the artefact that it will start from. */
export interface ResolvedEpisode {
  readonly lane: Lane;
  readonly ordinal: number;
  readonly episode: PlannedEpisode;
  readonly method: MethodChoice;
  /** Of a game that was refused, no more than what the study says of it. */
  readonly spec: EnvSpec;
  /** Why the game cannot be played, where it cannot. */
  readonly refusal?: WorldError;
  /** Without the artefact. */
  readonly identity: Identity;
}

/**
 * Resolves ids and opens each world once, to learn its version and the content of its game. A broken game among others keeps its place.
 *
 * @throws {UsageError} for a study that cannot be carried out, {@linkcode WorldError} for a world that cannot be opened, or for a broken game if
 * the study has no other.
 */
export async function resolveStudy(
  study: Study,
  ports: {
    readonly worlds: Pick<Worlds, "open">;
    readonly embedder: Embedder;
    readonly onDelay?: ((what: string) => void) | undefined;
    readonly providers?: readonly Provider[] | undefined;
  },
): Promise<ResolvedEpisode[][]> {
  checkStudy(study);
  const games = new Map<string, Promise<Game>>();
  const keyOf = ({ world, params }: PlannedEpisode): string => canonicalJson([world, params]);
  const { size } = new Set(study.lanes.flatMap(({ episodes }) => episodes.map(keyOf)));
  const inTurn = atMost(OPENED_AT_ONCE);
  const absent = new Map<string, WorldError>(); // worlds that are not installed: none of their other games is opened
  const fatal = new AbortController(); // what ends one ends all: none of those that still wait is opened

  function gameOf({ world, params = {} }: PlannedEpisode): Promise<Game> {
    return inTurn(async () => {
      fatal.signal.throwIfAborted();
      const why = absent.get(world);
      if (why) return refusedGame(world, params, why);
      try {
        const opened = await ports.worlds.open(world, params);
        await opened.close();
        return { spec: opened.spec };
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

  async function resolve(lane: Lane, episode: PlannedEpisode, ordinal: number): Promise<ResolvedEpisode> {
    const memory = chooseMemory(episode);
    const method = chooseMethod(episode, memory);
    const game = await games.getOrInsertComputed(keyOf(episode), () => gameOf(episode));
    const { embedder, providers = [] } = ports;
    const parts = { study, lane, ordinal, episode, spec: game.spec, method, embedder: embedder.id, providers };
    return { lane, ordinal, episode, method, ...game, identity: identityOf(memory ? { ...parts, memory } : parts) };
  }

  const told = `the ${size} games of ${study.id} are opened, to learn what each is`;
  const delay = size < MANY_GAMES ? undefined : setTimeout(() => ports.onDelay?.(told), PATIENCE);
  const resolving = study.lanes.map((lane) => Promise.all(lane.episodes.map((episode, ordinal) => resolve(lane, episode, ordinal))));
  const lanes = await Promise.all(resolving).finally(() => clearTimeout(delay));
  const episodes = lanes.flat();
  if (episodes[0]?.refusal && episodes.every(({ refusal }) => refusal)) throw episodes[0].refusal;
  return lanes;
}

/** What the study itself says of a game that its world refused to open. */
function refusedGame(world: string, params: EnvSpec["parameters"], refusal: WorldError): Game {
  return { spec: { id: world, parameters: params, version: "", sections: [], actions: [], fallback: "", identity: "" }, refusal };
}

type Game = Pick<ResolvedEpisode, "spec" | "refusal">;

/** With fewer games nobody waits for long. */
const MANY_GAMES = 50;
/** After so many ms the user is told what the waiting is for. */
const PATIENCE = 2000;

/** Worlds opened at once to learn what they are: each is a process of its own, and a study may have hundreds. */
const OPENED_AT_ONCE = 8;

/** Lets so many works go on at once, the others in order. */
function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

/** The row of a place. The artefact is known for the first of a lane, and for the others once the lane has got there. */
export function planOf(study: Study, resolved: ResolvedEpisode, artefact: string | undefined): EpisodePlan {
  const { lane, ordinal, episode, spec, refusal } = resolved;
  const identity = withArtefact(resolved.identity, artefact);
  return {
    id: episodeId({ study: study.id, lane: lane.id, ordinal }, identity),
    study: study.id,
    lane: lane.id,
    ordinal,
    identity,
    world: episode.world,
    worldParams: episode.params ?? {},
    ...(refusal && spec.identity === "" ? {} : { game: spec.identity }),
    ...(episode.label === undefined ? {} : { label: episode.label }),
    method: idOf(episode.method),
    memory: episode.memory === undefined ? "" : idOf(episode.memory),
    condition: conditionOf(episode),
    backbone: backboneOf(study.models),
    attempt: episode.attempt,
    seed: episode.seed,
    ...(artefact === undefined ? {} : { artefactIn: artefact }),
  };
}

/**
 * Gives a game that was refused now, but was opened in an earlier run, the identity that it had then: what was played of it stays on record.
 */
export function withRecordedGames(store: Store, study: Study, lanes: readonly (readonly ResolvedEpisode[])[]): ResolvedEpisode[][] {
  const rows = new Map(listEpisodes(store, { study: study.id }).map((row) => [positionKey(row.lane, row.ordinal), row]));
  return lanes.map((episodes) =>
    episodes.map((resolved) => {
      const row = resolved.refusal && rows.get(positionKey(resolved.lane.id, resolved.ordinal));
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
 * Enters a study and its episodes into the store. Those already there under the same identity stay, whatever has come of them; those of a game
 * that could not be opened make way once it can.
 *
 * @throws {StoreError} `conflict` if the store holds recorded episodes of this study under another identity, or in places that it no longer
 * plans; with `fresh` those are discarded instead.
 */
export function enterStudy(
  store: Store,
  study: Study,
  episodes: readonly (readonly ResolvedEpisode[])[],
  options: { readonly now: number; readonly fresh?: boolean },
): void {
  const planned = new Map(episodes.flat().map((resolved) => [positionKey(resolved.lane.id, resolved.ordinal), resolved]));
  store.transaction(() => {
    putStudy(store, { id: study.id, spec: describeStudy(study), createdAt: options.now });
    for (const row of listEpisodes(store, { study: study.id })) {
      const resolved = planned.get(positionKey(row.lane, row.ordinal));
      const problem = resolved ? differences(row.identity, resolved.identity) : ["the study no longer plans it"];
      if (problem.length === 0) planned.delete(positionKey(row.lane, row.ordinal));
      else if (options.fresh || row.status === "planned" || row.game === undefined) deleteEpisode(store, row.id);
      else throw conflict(store, row, problem);
    }
    for (const resolved of planned.values()) putEpisode(store, planOf(study, resolved, firstArtefact(resolved)));
  });
}

/** The study as JSON-able data for the record: user-defined values by id, the prompt overrides under the key `book` of earlier records. */
export function describeStudy({ promptOverrides: book, ...study }: Study): unknown {
  return {
    ...study,
    book,
    embedder: study.embedder && idOf(study.embedder),
    lanes: study.lanes.map((lane) => ({
      ...lane,
      episodes: lane.episodes.map((episode) => ({
        ...episode,
        method: idOf(episode.method),
        memory: episode.memory && idOf(episode.memory),
      })),
    })),
  };
}

/** What a lane's later episodes, and the first of one that waits for another lane, are entered with until their artefact is known. */
function firstArtefact({ lane, ordinal }: ResolvedEpisode): string | undefined {
  if (ordinal > 0) return `of ${lane.id}, ${ordinal - 1}`;
  return lane.after === undefined ? lane.artefact : `of ${lane.after}, last`;
}

/** A place of a study in one word: a lane and an ordinal in it. */
export function positionKey(lane: string, ordinal: number): string {
  return JSON.stringify([lane, ordinal]);
}

function conflict(store: Store, row: EpisodeRecord, problem: readonly string[]): StoreError {
  return new StoreError(
    "conflict",
    `the store ${store.path} holds episodes of study ${row.study} played otherwise (lane ${row.lane}: ${problem.join("; ")}): ` +
      "give the study another id, choose another --store, or discard them with --fresh",
  );
}
