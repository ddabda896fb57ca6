/**
 * From a study to rows: which episode stands where, and whether the store can hold it.
 *
 * @module
 */

import type { EnvSpec } from "../env/environment.ts";
import type { Worlds } from "../env/worlds.ts";
import { StoreError } from "../errors.ts";
import { backboneOf } from "../llm/roles.ts";
import type { Embedder } from "../retrieval/embedder.ts";
import { canonicalJson } from "../store/canonical.ts";
import { deleteEpisode, type EpisodePlan, type EpisodeRecord, listEpisodes, putEpisode } from "../store/episodes.ts";
import { putStudy } from "../store/studies.ts";
import type { Store } from "../store/open.ts";
import { chooseMemory, chooseMethod, type MethodChoice } from "./choices.ts";
import { differences, episodeId, type Identity, identityOf, withArtefact } from "./identity.ts";
import { checkStudy, conditionOf, idOf, type Lane, type PlannedEpisode, type Study } from "./study.ts";

/** One episode in its place, resolved but for the artefact that it will start from. */
export interface Place {
  readonly lane: Lane;
  readonly ordinal: number;
  readonly episode: PlannedEpisode;
  readonly method: MethodChoice;
  readonly spec: EnvSpec;
  /** Without the artefact. */
  readonly identity: Identity;
}

/**
 * Resolves ids and opens each world once, to learn its version and the content of its game.
 *
 * @throws {UsageError} for a study that cannot be carried out, {@linkcode WorldError} for a world that cannot be opened.
 */
export async function placeStudy(
  study: Study,
  ports: { readonly worlds: Pick<Worlds, "open">; readonly embedder: Embedder },
): Promise<Place[][]> {
  checkStudy(study);
  const specs = new Map<string, Promise<EnvSpec>>();
  const inTurn = atMost(OPENED_AT_ONCE);

  function specOf({ world, params = {} }: PlannedEpisode): Promise<EnvSpec> {
    return inTurn(async () => {
      const opened = await ports.worlds.open(world, params);
      await opened.close();
      return opened.spec;
    });
  }

  async function place(lane: Lane, episode: PlannedEpisode, ordinal: number): Promise<Place> {
    const memory = chooseMemory(episode);
    const method = chooseMethod(episode, memory);
    const spec = await specs.getOrInsertComputed(canonicalJson([episode.world, episode.params]), () => specOf(episode));
    const parts = { study, lane, ordinal, episode, spec, method, embedder: ports.embedder.id };
    return { lane, ordinal, episode, method, spec, identity: identityOf(memory ? { ...parts, memory } : parts) };
  }

  return await Promise.all(study.lanes.map((lane) => Promise.all(lane.episodes.map((episode, ordinal) => place(lane, episode, ordinal)))));
}

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
export function planOf(study: Study, place: Place, artefact: string | undefined): EpisodePlan {
  const { lane, ordinal, episode, spec } = place;
  const identity = withArtefact(place.identity, artefact);
  return {
    id: episodeId({ study: study.id, lane: lane.id, ordinal }, identity),
    study: study.id,
    lane: lane.id,
    ordinal,
    identity,
    world: episode.world,
    worldParams: episode.params ?? {},
    game: spec.identity,
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
 * Enters a study and its episodes into the store. Those already there under the same identity stay, whatever has come of them.
 *
 * @throws {StoreError} `conflict` if the store holds recorded episodes of this study under another identity, or in places that it no longer
 * plans; with `fresh` those are discarded instead.
 */
export function enterStudy(
  store: Store,
  study: Study,
  places: readonly (readonly Place[])[],
  options: { readonly now: number; readonly fresh?: boolean },
): void {
  const planned = new Map(places.flat().map((place) => [placeKey(place.lane.id, place.ordinal), place]));
  store.transaction(() => {
    putStudy(store, { id: study.id, spec: describeStudy(study), createdAt: options.now });
    for (const row of listEpisodes(store, { study: study.id })) {
      const place = planned.get(placeKey(row.lane, row.ordinal));
      const problem = place ? differences(row.identity, place.identity) : ["the study no longer plans it"];
      if (problem.length === 0) planned.delete(placeKey(row.lane, row.ordinal));
      else if (options.fresh || row.status === "planned") deleteEpisode(store, row.id);
      else throw conflict(store, row, problem);
    }
    for (const place of planned.values()) putEpisode(store, planOf(study, place, firstArtefact(place)));
  });
}

/** The study as data, for the record: values of one's own by id. */
export function describeStudy(study: Study): unknown {
  return {
    ...study,
    ...(study.embedder === undefined ? {} : { embedder: idOf(study.embedder) }),
    lanes: study.lanes.map((lane) => ({
      ...lane,
      episodes: lane.episodes.map((episode) => ({
        ...episode,
        method: idOf(episode.method),
        ...(episode.memory === undefined ? {} : { memory: idOf(episode.memory) }),
      })),
    })),
  };
}

/** What a lane's later episodes, and the first of one that waits for another lane, are entered with until their artefact is known. */
function firstArtefact({ lane, ordinal }: Place): string | undefined {
  if (ordinal > 0) return `of ${lane.id}, ${ordinal - 1}`;
  return lane.after === undefined ? lane.artefact : `of ${lane.after}, last`;
}

function placeKey(lane: string, ordinal: number): string {
  return JSON.stringify([lane, ordinal]);
}

function conflict(store: Store, row: EpisodeRecord, problem: readonly string[]): StoreError {
  return new StoreError(
    "conflict",
    `the store ${store.path} holds episodes of study ${row.study} played otherwise (lane ${row.lane}: ${problem.join("; ")}): ` +
      "give the study another id, choose another --store, or discard them with --fresh",
  );
}
