/**
 * Carries out a study: lanes side by side, the episodes of a lane in order.
 *
 * @module
 */

import { stepLimitOf } from "../env/step-limit.ts";
import { availableParallelism } from "node:os";
import type { Artefact } from "../memory/memory.ts";
import { interruptSignal } from "../platform.ts";
import { getArtefact } from "../store/artefacts.ts";
import {
  deleteEpisode,
  endEpisode,
  type EpisodeRecord,
  eraseRecord,
  findEpisode,
  listEpisodes,
  putEpisode,
  startEpisode,
} from "../store/episodes.ts";
import { lockForRun } from "../store/lock.ts";
import type { Store } from "../store/open.ts";
import { haltsStudy, toFailure } from "./failures.ts";
import { enterStudy, planOf, type ResolvedEpisode, resolveStudy, withRecordedGames } from "./plan.ts";
import { playEpisode } from "./play.ts";
import type { RunPorts } from "./ports.ts";
import { createTracker, type Progress } from "./progress.ts";
import type { Study } from "./study.ts";

/** How a study is run. */
export interface RunOptions {
  /** Lanes played side by side. @default the number of cores */
  readonly concurrency?: number;
  /** Ends the run at the next step; what was under way is resumed by the next run. @default the user's interrupt */
  readonly signal?: AbortSignal;
  /** Told what the user is kept waiting for. */
  readonly onDelay?: (what: string) => void;
  /** Told of each beginning, step and end. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether failed episodes are played again. @default {false} */
  readonly retry?: boolean;
  /** Whether recorded episodes of the study that were played otherwise are discarded. @default {false} */
  readonly fresh?: boolean;
  /** Whether replies are recorded: without a record an interrupted episode begins anew. @default {true} */
  readonly recorded?: boolean;
}

/** What has come of a study: all of its episodes add up to `planned`. */
export interface StudyResult {
  /** Its id. */
  readonly study: string;
  /** All episodes. */
  readonly planned: number;
  /** Those with a score. */
  readonly completed: number;
  /** Those that ended without one. */
  readonly failed: number;
  /** Those that wait to be resumed. */
  readonly parked: number;
  /** Each with what came of it, in order of lane and place. */
  readonly episodes: readonly EpisodeRecord[];
}

/**
 * Runs a study, or continues it. Completed episodes stay as they are; parked and killed ones are resumed; failed ones wait for `retry`.
 *
 * Resuming is replaying: the method starts over, its calls are answered from the record of replies, and each turn is compared with the
 * recorded one, until play goes on where it stopped. A failure of a world, a model or a budget ends its episode as `failed` or `parked` and
 * is never a score; one that every episode would meet (no endpoint, an empty budget) leaves the rest as planned. A broken game fails its own
 * episodes, and the others are played.
 *
 * @throws {StoreError} `locked` while another run writes to the store, `conflict` if the study was edited under its episodes, `disk` if the
 * disk is full; {@linkcode UsageError} for a study that cannot be carried out; {@linkcode WorldError} if a world cannot be opened at all, or
 * no game of the study.
 *
 * @example
 * ```ts
 * import { createLexicalEmbedder } from "labyrinth/retrieval";
 * import { matrixLanes, runStudy } from "labyrinth/lab";
 * import { openStore } from "labyrinth/store";
 * import { scripted } from "labyrinth/llm";
 * import { systemClock } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * const seen = { goal: "Win.", observation: "There is a lever.", sections: {}, frames: [], score: 0, maxScore: 1 };
 * const lever = {
 *   spec: { id: "lever", version: "1", parameters: {}, sections: [], actions: [], fallback: "pull", identity: "0".repeat(64) },
 *   reset: async () => seen,
 *   step: async () => ({ ...seen, score: 1, end: "won" as const }),
 *   validActions: async () => ["pull"],
 *   truth: async () => ({}),
 *   close: async () => {},
 * };
 * const study = {
 *   id: "mine",
 *   title: "A lever, pulled at random",
 *   models: { "*": "offline" },
 *   lanes: matrixLanes({ worlds: [{ world: "lever" }], conditions: [{ method: "random" }], attempts: 2 }),
 * };
 * using store = openStore(":memory:");
 * const { completed, failed } = await runStudy(study, {
 *   store,
 *   worlds: { open: async () => lever },
 *   models: () => scripted([]), // the method random asks none
 *   embedder: createLexicalEmbedder(),
 *   clock: systemClock,
 * });
 * assert.deepEqual([completed, failed], [2, 0]);
 * ```
 */
export async function runStudy(study: Study, ports: RunPorts, options: RunOptions = {}): Promise<StudyResult> {
  const { store, clock } = ports;
  const { signal: stop = interruptSignal() } = options;
  const { concurrency = availableParallelism(), fresh = false } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw new RangeError(`cannot run a study: concurrency must be an integer ≥ 1, current value is ${concurrency}`);
  }
  using _lock = lockForRun(store);
  const lanes = withRecordedGames(store, study, await resolveStudy(study, { ...ports, onDelay: options.onDelay }));
  enterStudy(store, study, lanes, { now: clock.now(), fresh });

  const fatal = new AbortController();
  const signal = AbortSignal.any([stop, fatal.signal]);
  const tracker = createTracker(store, study.id, clock, options.onProgress);
  const run: Run = { study, ports, options, signal, tracker, halted: false };
  const waiting = [...lanes];
  const errors: unknown[] = [];

  const running = new Set<Promise<unknown>>();
  const left = new Map<string, string | undefined>(); // lanes that are over → what their last episode left, if they got there

  async function work(): Promise<void> {
    while (!run.halted && !signal.aborted) {
      const at = waiting.findIndex(([first]) => first?.lane.after === undefined || left.has(first.lane.after));
      const [lane] = at < 0 ? [] : waiting.splice(at, 1);
      if (lane) await playLane(lane);
      else if (running.size > 0 && waiting.length > 0) await Promise.race(running).catch(() => {}); // its own worker tells of it
      else return;
    }
  }

  async function playLane(lane: readonly ResolvedEpisode[]): Promise<void> {
    const { after, artefact = after === undefined ? undefined : left.get(after), id = "" } = lane[0]?.lane ?? {};
    if (after !== undefined && artefact === undefined) return void left.set(id, undefined); // what it was to start from never came to be
    const playing = runLane(run, lane, artefact);
    running.add(playing);
    try {
      left.set(id, await playing);
    } finally {
      running.delete(playing);
    }
  }

  await Promise.all(Array.from({ length: concurrency }, () =>
    work().catch((error) => {
      errors.push(error);
      fatal.abort(error); // the other lanes stop at their next step
    })));
  if (errors.length > 0) throw errors[0];
  return resultOf(store, study.id);
}

/**
 * What has come of a study so far, read from the store.
 *
 * @example
 * ```ts
 * import { endEpisode, openStore, putEpisode, putStudy } from "labyrinth/store";
 * import { resultOf } from "labyrinth/lab";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const plan = { lane: "hunt|1", ordinal: 0, identity: {}, world: "textworld/hunt", worldParams: {}, attempt: 1, seed: 1 };
 * putStudy(store, { id: "mine", spec: {}, createdAt: 0 });
 * putEpisode(store, { id: "e1", study: "mine", ...plan, method: "ariadne", memory: "arigraph", condition: "arigraph", backbone: "offline" });
 * endEpisode(store, "e1", { status: "parked", failureKind: "quota", failureMessage: "the quota is used up" }, 0);
 * const { planned, completed, parked } = resultOf(store, "mine");
 * assert.deepEqual({ planned, completed, parked }, { planned: 1, completed: 0, parked: 1 });
 * ```
 */
export function resultOf(store: Store, study: string): StudyResult {
  const episodes = listEpisodes(store, { study });
  const count = (status: EpisodeRecord["status"]): number => episodes.filter((episode) => episode.status === status).length;
  return {
    study,
    planned: episodes.length,
    completed: count("completed"),
    failed: count("failed"),
    parked: count("parked"),
    episodes,
  };
}

interface Run {
  readonly study: Study;
  readonly ports: RunPorts;
  readonly options: RunOptions;
  readonly signal: AbortSignal;
  readonly tracker: ReturnType<typeof createTracker>;
  /** Set when no further episode should be begun. */
  halted: boolean;
}

/** Plays a lane; what its last episode left, `undefined` where it left nothing or the lane did not get there. */
async function runLane(run: Run, lane: readonly ResolvedEpisode[], from: string | undefined): Promise<string | undefined> {
  const { study, ports: { store }, options, signal } = run;
  let artefact = from;
  for (const resolved of lane) {
    if (run.halted || signal.aborted) return undefined;
    const row = enterEpisode(store, study, resolved, artefact);
    if (row.status === "failed" && !options.retry) return undefined;
    const done = row.status === "completed" ? row : await runEpisode(run, resolved, row);
    if (done?.status !== "completed") return undefined; // the next of the lane needs what this one was to leave
    artefact = done.artefactOut ?? artefact;
  }
  return artefact;
}

/** The row of a place under the artefact it starts from. What was recorded there from another artefact is stale, and discarded. */
function enterEpisode(store: Store, study: Study, resolved: ResolvedEpisode, artefact: string | undefined): EpisodeRecord {
  const plan = planOf(study, resolved, artefact);
  return store.transaction(() => {
    for (const row of listEpisodes(store, { study: study.id, lane: plan.lane })) {
      if (row.ordinal === plan.ordinal && row.id !== plan.id) deleteEpisode(store, row.id);
    }
    putEpisode(store, plan);
    return findEpisode(store, plan.id) as EpisodeRecord;
  });
}

async function runEpisode(run: Run, resolved: ResolvedEpisode, row: EpisodeRecord): Promise<EpisodeRecord | undefined> {
  const { study, ports, options, signal, tracker } = run;
  const { store, clock } = ports;
  // A course that was left once would be left again; and one whose replies were not recorded cannot be found again.
  if (row.failureKind === "diverged" || options.recorded === false) eraseRecord(store, row.id);
  startEpisode(store, row.id, clock.now());
  tracker.begin(row, limitOf(resolved));
  const end = resolved.refusal ? toFailure(resolved.refusal, { interrupted: false, store: store.path }) : await playEpisode(resolved, row, {
    ...ports,
    study,
    signal,
    onStep: (record) => tracker.step(row.id, record),
    ...(row.artefactIn === undefined ? {} : { artefact: getArtefact(store, row.artefactIn) as Artefact }),
  });
  endEpisode(store, row.id, end, clock.now());
  if (end.status !== "completed" && haltsStudy(end)) run.halted = true;
  const done = findEpisode(store, row.id);
  tracker.end(row.id);
  return done;
}

/** The most agent steps of an episode: the method's own limit where its options name one, else the world's. */
function limitOf({ episode, spec }: ResolvedEpisode): number | undefined {
  const own = episode.options?.method?.maxSteps;
  return typeof own === "number" ? own : stepLimitOf(spec);
}
