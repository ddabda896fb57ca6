/** Plays one episode: from its start, or replays its record and goes on from there. */

import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Outcome, StepRecord } from "../core/agent/method.ts";
import type { Environment, MeasuredEnvironment } from "../core/env/environment.ts";
import { withoutTruth, withSafeText } from "../core/env/session.ts";
import { UsageError, WorldError } from "../core/errors.ts";
import { createAsker } from "../core/llm/asker.ts";
import type { Artefact } from "../core/memory/memory.ts";
import { isInterruption } from "../core/platform.ts";
import { putArtefact } from "./store/artefacts.ts";
import type { EpisodeEnd, EpisodeRecord } from "./store/episodes.ts";
import { listTurns } from "./store/turns.ts";
import { isRebuildable, toFailure } from "./failures.ts";
import { createMemoryHost } from "./foreign-meter.ts";
import type { ResolvedEpisode } from "./plan.ts";
import { createRecorder } from "./recorder.ts";
import type { RunPorts } from "./run-options.ts";
import type { Study } from "./study.ts";

export interface PlayOptions extends RunPorts {
  readonly study: Study;
  readonly artefact?: Artefact;
  readonly signal: AbortSignal;
  readonly onStep: (record: StepRecord) => void;
  readonly onError?: (error: unknown) => void;
}

/** How often a lost world is opened again, and the episode replayed, at most. */
const REBUILDS = 5;
/** Recorded steps for each rebuild after the first: a world that is lost more often is given up. */
const STEPS_PER_REBUILD = 10;

/**
 * Plays an episode and returns its end. Its turns are recorded; the caller records the end.
 *
 * @throws {StoreError} if the store cannot be written; every other error becomes a failed or paused
 *   end.
 */
export async function playEpisode(
  resolved: ResolvedEpisode,
  row: EpisodeRecord,
  options: PlayOptions,
): Promise<EpisodeEnd> {
  const { store, signal } = options;
  for (let rebuilt = 0;; rebuilt++) {
    try {
      return await attempt(resolved, row, options);
    } catch (error) {
      const isLost = isRebuildable(error) && !signal.aborted;
      if (
        isLost &&
        rebuilt <
          Math.min(REBUILDS, 1 + Math.floor(listTurns(store, row.id).length / STEPS_PER_REBUILD))
      ) continue;
      options.onError?.(error);
      return toFailure(error, {
        interrupted: signal.aborted || isInterruption(error),
        store: store.path,
      });
    }
  }
}

async function attempt(
  resolved: ResolvedEpisode,
  row: EpisodeRecord,
  options: PlayOptions,
): Promise<EpisodeEnd> {
  const { store, worlds, models, embedder, study, artefact, signal } = options;
  const { chain, ordinal, episode } = resolved;
  const opened: MeasuredEnvironment[] = [];
  let held = 0; // worlds that are open: an episode with one waits for no other, or episodes could wait for each other for ever
  const heard: unknown[] = [];
  const recorder = createRecorder({
    store,
    episode: row.id,
    heard,
    onStep: options.onStep,
    world: study.truth ? () => opened.at(-1) : undefined,
  });
  const embedding = await embedder.forEpisode?.(row.id, signal) ?? embedder;
  const model = models({ id: row.id, attempt: episode.attempt, onEvent: recorder.event });
  const host = createMemoryHost({ model, embedder: embedding, signal });
  const method = resolved.method.create(host.around);

  async function world(): Promise<Environment> {
    signal.throwIfAborted();
    const safe = withSafeText(
      await worlds.open(episode.world, episode.params, { queue: held === 0 }),
      heard,
    );
    held++;
    let closing: Promise<void> | undefined;
    const env: MeasuredEnvironment = {
      ...safe,
      close: () => closing ??= safe.close().finally(() => held--),
    };
    opened.push(env);
    if (env.spec.identity !== row.game) {
      throw new WorldError(
        "diverged",
        `the game of ${episode.world} has changed while the study ran: run the same command again`,
      );
    }
    return stoppable(withoutTruth(env), signal);
  }

  try {
    const gold = chain.gold === "world"
      ? await goldPathOf(resolved, options)
      : chain.gold?.[ordinal];
    const outcome = await method.run({
      world,
      ask: createAsker({
        model,
        sample: { attempt: episode.attempt, pass: 0 },
        signal,
        promptOverrides: study.promptOverrides,
      }),
      embedder: embedding,
      recorder,
      seed: episode.seed,
      signal,
      ...(gold ? { goldPath: gold } : {}), // a method without a gold path is not even shown the key
      ...(artefact ? { artefact } : {}),
    });
    recorder.flush();
    return endOf(outcome, method.id, (left) => store.write(() => putArtefact(store, left)));
  } finally {
    await Promise.allSettled([host.end(), ...opened.map((env) => env.close())]);
  }
}

/**
 * Asks a copy of the world, which no method sees, for its gold path.
 * @throws {UsageError} if it has none.
 */
async function goldPathOf(
  { episode }: ResolvedEpisode,
  { worlds, study }: PlayOptions,
): Promise<readonly string[]> {
  const env = withSafeText(await worlds.open(episode.world, episode.params), []);
  try {
    const path = z.array(z.string()).safeParse((await env.truth()).goldPath);
    if (path.success) return path.data;
    throw new UsageError(
      `cannot run the study ${study.id}: the world ${episode.world} has no gold path; give the chain its actions in gold`,
    );
  } finally {
    await env.close();
  }
}

function endOf(
  { passes, artefact }: Outcome,
  method: string,
  keep: (artefact: Artefact) => string,
): EpisodeEnd {
  if (passes.length === 0) {
    throw new TypeError(`the method ${method} gave no pass: its outcome must hold at least one`);
  }
  return { status: "completed", passes, artefactOut: artefact && keep(artefact) };
}

/**
 * Makes a world throw at its next call once the signal is aborted. Each step first yields to timers
 * and signals, or Ctrl-C would be handled at the end of the study.
 */
function stoppable(env: Environment, signal: AbortSignal): Environment {
  return {
    ...env,
    reset: async () => {
      signal.throwIfAborted();
      return await env.reset();
    },
    step: async (action) => {
      await setImmediate();
      signal.throwIfAborted();
      return await env.step(action);
    },
  };
}
