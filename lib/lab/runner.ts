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
  putEpisode,
  startEpisode,
} from "./store/episodes.ts";
import { lockForRun } from "./store/lock.ts";
import type { Store } from "./store/open.ts";
import { orderAsPlanned } from "./store/studies.ts";
import { haltsStudy, isTransient, isUnanswered, toFailure } from "./failures.ts";
import { enterStudy, withRecordedGames } from "./enter.ts";
import { planOf, type ResolvedEpisode, resolveStudy } from "./plan.ts";
import { playEpisode } from "./play.ts";
import { countStatuses, createTracker, type EpisodeCounts } from "./progress.ts";
import type { RunOptions, RunPorts } from "./run-options.ts";
import { playAll } from "./schedule.ts";
import { chainsOfShard } from "./shard.ts";
import type { Study } from "./study.ts";

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
