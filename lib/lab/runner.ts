/** Runs a study: chains in parallel, the episodes of a chain in order. */

import { stepLimitOf } from "../core/env/step-limit.ts";
import { availableParallelism } from "node:os";
import type { Artefact } from "../core/memory/memory.ts";
import { interruptSignal } from "../core/platform.ts";
import { getArtefact } from "./store/artefacts.ts";
import { closeLeftAttempts } from "./store/attempts.ts";
import { dropBroken } from "./store/damage.ts";
import {
  deleteEpisode,
  endEpisode,
  type EpisodeRecord,
  episodesAt,
  eraseRecord,
  findEpisode,
  listEpisodes,
  listPositions,
  orderAsPlanned,
  putEpisode,
  startEpisode,
} from "./store/episodes.ts";
import { lockForRun } from "./store/lock.ts";
import type { Store } from "./store/open.ts";
import { haltsStudy, isTransient, isUnanswered, toFailure } from "./failures.ts";
import {
  enterStudy,
  planOf,
  type ResolvedEpisode,
  resolveStudy,
  type RunPorts,
  withRecordedGames,
} from "./plan.ts";
import { playEpisode } from "./play.ts";
import { countStatuses, createTracker, type EpisodeCounts, type Progress } from "./progress.ts";
import { chainsOfShard, type Shard } from "./shard.ts";
import type { Study } from "./study.ts";

/** Options of a run. */
export interface RunOptions {
  /**
   * Number of chains played in parallel, ≥ 1. @default one more than there are cores, since chains
   * wait for their worlds now and then; `playStudy` takes as many as keep the study's endpoints
   * busy
   */
  readonly concurrency?: number | ChainCount;
  /**
   * Stops the run at the next step; the next run resumes its episodes.
   * @default the user's interrupt
   */
  readonly signal?: AbortSignal;
  /** Called with the reason of a longer wait. */
  readonly onDelay?: (what: string) => void;
  /**
   * Called with one line that the user should see, e.g. on recorded episodes that are played anew
   * because a memory of the user's own was edited.
   */
  readonly onNotice?: (what: string) => void;
  /** Called with the error of each episode that failed. */
  readonly onFailure?: (episode: EpisodeRecord, error: unknown) => void;
  /** Called at each start, step and end of an episode. */
  readonly onProgress?: (progress: Progress) => void;
  /** Whether failed episodes are played again. @default {false} */
  readonly retry?: boolean;
  /** Whether recorded episodes of another identity are discarded. @default {false} */
  readonly fresh?: boolean;
  /**
   * Whether replies are recorded; without them an interrupted episode starts again.
   * @default {true}
   */
  readonly recorded?: boolean;
  /**
   * The part of the study that is played and entered; the store need not hold the other ones.
   * @default the whole study
   */
  readonly shard?: Shard;
  /**
   * How often episodes that failed by the infrastructure are played again at the end of the study,
   * ≥ 0.
   * @default {1}
   */
  readonly retryPasses?: number;
}

/** A number of chains that changes while a study is played. */
export interface ChainCount {
  /** The number now, ≥ 1. */
  now(): number;
  /**
   * Calls the listener whenever the number has grown, until the function that it returns is called.
   */
  onGrowth(listener: () => void): () => void;
}

/** The result of a study. */
export interface StudyResult extends EpisodeCounts {
  /** Id of the study. */
  readonly study: string;
  /** The episodes, by chain and ordinal. */
  readonly episodes: readonly EpisodeRecord[];
}

/**
 * Runs a study with the given ports, or continues it: see `playStudy`, which is this with the
 * worlds and models at hand.
 */
export async function runStudy(
  study: Study,
  ports: RunPorts,
  options: RunOptions = {},
): Promise<StudyResult> {
  const { store, clock } = ports;
  const { signal: stop = interruptSignal() } = options;
  const { concurrency = availableParallelism() + 1, fresh = false, retryPasses = 1 } = options;
  if (typeof concurrency === "number" && !(Number.isInteger(concurrency) && concurrency >= 1)) {
    throw new RangeError(
      `cannot run a study: concurrency must be an integer ≥ 1, current value is ${concurrency}`,
    );
  }
  using _lock = lockForRun(store);
  store.startAnew();
  closeLeftAttempts(store, clock.now());
  const part = options.shard
    ? { ...study, chains: chainsOfShard(study.chains, options.shard) }
    : study;
  if (part.chains.length === 0 && study.chains.length > 0) return resultOf(store, study.id);
  const chains = withRecordedGames(
    store,
    study,
    await resolveStudy(part, { ...ports, onDelay: options.onDelay }),
  );
  for (const line of dropBroken(store, study.id)) options.onNotice?.(line);
  for (
    const edit of enterStudy(store, study, chains, {
      now: clock.now(),
      fresh,
      isPart: options.shard !== undefined,
    })
  ) {
    options.onNotice?.(edit);
  }

  const fatal = new AbortController();
  const signal = AbortSignal.any([stop, fatal.signal]);
  const tracker = createTracker(store, study.id, clock, options.onProgress);
  const given = { study, ports, options, signal, signals: [], tracker };
  const run: Run = {
    ...given,
    again: new Set(),
    retrying: new Set(),
    failedInARow: 0,
    halted: false,
  };
  const left = new Map<string, string | undefined>(); // finished chains → the artefact of their last episode, if it was played

  async function playChain(chain: readonly ResolvedEpisode[]): Promise<void> {
    const { after, artefact = after === undefined ? undefined : left.get(after), id = "" } =
      chain[0]?.chain ?? {};
    const lacks = after !== undefined && artefact === undefined; // the artefact that it needs was not saved
    left.set(id, lacks ? undefined : await runChain(run, chain, artefact));
  }

  let waiting: readonly ResolvedEpisode[][] = stuckLast(store, study, chains);
  for (let pass = 0; pass <= retryPasses; pass++) {
    await playAll(waiting, playChain, {
      chains: typeof concurrency === "number"
        ? { now: () => concurrency, onGrowth: () => () => {} }
        : concurrency,
      isReady: ([first]) => first?.chain.after === undefined || left.has(first.chain.after),
      isOver: () => run.halted || signal.aborted,
      failed: (error) => fatal.abort(error), // stops the other chains at their next step
    });
    waiting = run.halted || signal.aborted || run.again.size === 0
      ? []
      : chainsToRetry(run, chains, left);
  }
  orderAsPlanned(store, study.id);
  return resultOf(store, study.id);
}

/**
 * Reads the result of a study so far.
 *
 * @example
 * ```ts
 * import { openStore, resultOf } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:"); // holds no study yet
 * assert.equal(resultOf(store, "mine").planned, 0);
 * ```
 */
export function resultOf(store: Store, study: string): StudyResult {
  const episodes = listEpisodes(store, { study });
  return { study, ...countStatuses(episodes.map(({ status }) => status)), episodes };
}

/**
 * Plays chains side by side, in order as they are ready.
 * @throws the first error of a chain, once all have ended
 */
async function playAll<EpisodeChain>(
  all: readonly EpisodeChain[],
  play: (chain: EpisodeChain) => Promise<void>,
  { chains, isReady, isOver, failed }: {
    readonly chains: ChainCount;
    readonly isReady: (chain: EpisodeChain) => boolean;
    readonly isOver: () => boolean;
    readonly failed: (error: unknown) => void;
  },
): Promise<void> {
  const waiting = [...all];
  const errors: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = 0;

  function start(): void {
    while (running < chains.now() && !isOver()) {
      const at = waiting.findIndex(isReady);
      const [chain] = at < 0 ? [] : waiting.splice(at, 1);
      if (chain === undefined) break;
      running++;
      void play(chain).catch((error) => {
        errors.push(error);
        failed(error);
      }).finally(() => {
        running--;
        start();
      });
    }
    if (running === 0) resolve();
  }

  const stop = chains.onGrowth(start);
  start();
  await promise.finally(stop);
  if (errors.length > 0) throw errors[0];
}

function chainsToRetry(
  run: Run,
  chains: readonly ResolvedEpisode[][],
  left: Map<string, string | undefined>,
): ResolvedEpisode[][] {
  run.retrying = run.again;
  run.again = new Set();
  const open = new Set<string>();
  for (const chain of chains) {
    const { id = "", after } = chain[0]?.chain ?? {};
    if (run.retrying.has(id) || (after !== undefined && open.has(after))) open.add(id);
  }
  for (const id of open) left.delete(id);
  return chains.filter((chain) => open.has(chain[0]?.chain.id ?? ""));
}

/**
 * The chains, last those that an endpoint stopped before: questions that it never answers must not
 * keep the others from their turn again and again.
 */
function stuckLast(
  store: Store,
  { id }: Study,
  chains: readonly ResolvedEpisode[][],
): ResolvedEpisode[][] {
  const paused = listPositions(store, id).filter(({ status, failureKind }) =>
    status === "paused" && isUnanswered(failureKind)
  );
  const stuck = new Set(paused.map(({ chain }) => chain));
  return chains.toSorted(([a], [b]) =>
    Number(stuck.has(a?.chain.id ?? "")) - Number(stuck.has(b?.chain.id ?? ""))
  );
}

interface Run {
  readonly study: Study;
  readonly ports: RunPorts;
  readonly options: RunOptions;
  readonly signal: AbortSignal;
  /**
   * Signals that fire with it, for episodes to come. Each listens to one of its own: the more
   * listeners a signal has, the longer it takes to add one.
   */
  readonly signals: AbortSignal[];
  readonly tracker: ReturnType<typeof createTracker>;
  /**
   * Chains whose episode ended in this run by a failure of the infrastructure that a second try may
   * not meet.
   */
  again: Set<string>;
  retrying: ReadonlySet<string>;
  failedInARow: number;
  halted: boolean;
}

/**
 * Plays a chain and returns the artefact of its last episode; `undefined` if there is none or the
 * chain was not finished.
 */
async function runChain(
  run: Run,
  chain: readonly ResolvedEpisode[],
  from: string | undefined,
): Promise<string | undefined> {
  const { study, ports: { store }, options, signal } = run;
  let artefact = from;
  for (const resolved of chain) {
    if (run.halted || signal.aborted) return undefined;
    const row = enterEpisode(store, study, resolved, artefact);
    if (row.status === "failed" && !options.retry && !run.retrying.has(resolved.chain.id)) {
      return undefined;
    }
    const done = row.status === "completed" ? row : await runEpisode(run, resolved, row);
    if (done?.status !== "completed") return undefined; // the next episode needs the artefact of this one
    artefact = done.artefactOut ?? artefact;
  }
  return artefact;
}

/**
 * Enters an episode with the artefact that it loads. A row that was recorded with another artefact
 * is stale and is deleted.
 */
function enterEpisode(
  store: Store,
  study: Study,
  resolved: ResolvedEpisode,
  artefact: string | undefined,
): EpisodeRecord {
  const plan = planOf(study, resolved, artefact);
  return store.write(() => {
    for (const id of episodesAt(store, plan)) if (id !== plan.id) deleteEpisode(store, id);
    const entered = findEpisode(store, plan.id);
    if (entered) return entered;
    putEpisode(store, plan);
    return findEpisode(store, plan.id) as EpisodeRecord;
  });
}

async function runEpisode(
  run: Run,
  resolved: ResolvedEpisode,
  row: EpisodeRecord,
): Promise<EpisodeRecord | undefined> {
  const { study, ports, options, tracker } = run;
  const { store, clock } = ports;
  const signal = run.signals.pop() ?? AbortSignal.any([run.signal]);
  // An episode that diverged would diverge again, and without recorded replies none can be
  // replayed.
  if (row.failureKind === "diverged" || options.recorded === false) eraseRecord(store, row.id);
  store.write(() => startEpisode(store, row.id, clock.now()));
  tracker.begin(row, limitOf(resolved));
  let failure: unknown = resolved.refusal;
  const end = resolved.refusal
    ? toFailure(resolved.refusal, { interrupted: false, store: store.path })
    : await playEpisode(resolved, row, {
      ...ports,
      study,
      signal,
      onError: (error) => failure = error,
      onStep: (record) => tracker.step(row.id, record),
      artefact: row.artefactIn === undefined
        ? undefined
        : getArtefact(store, row.artefactIn) as Artefact,
    });
  const reportEnd = store.write(() => {
    endEpisode(store, row.id, end, clock.now());
    return tracker.end(row.id);
  });
  await store.settled({ durable: true });
  run.signals.push(signal);
  if (end.status === "failed") options.onFailure?.(row, failure);
  if (end.status !== "completed" && haltsStudy(end)) run.halted = true;
  if (end.status !== "completed" && isTransient(end)) {
    run.again.add(resolved.chain.id);
    if (++run.failedInARow >= FAILED_IN_A_ROW) run.halted = true;
  } else run.failedInARow = 0;
  return reportEnd();
}

/**
 * Episodes ended by the infrastructure, one after the other, after which no further one is started:
 * something else than chance is at work.
 */
const FAILED_IN_A_ROW = 20;

function limitOf({ episode, spec }: ResolvedEpisode): number | undefined {
  const own = episode.options?.method?.maxSteps;
  const stated = stepLimitOf(spec);
  return typeof own === "number" ? Math.min(own, stated ?? Infinity) : stated;
}
