/**
 * Plays one episode, from its start or back to where its record stops and on.
 *
 * @module
 */

import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Outcome, StepRecord } from "../agent/method.ts";
import type { Environment, MeasuredEnvironment } from "../env/environment.ts";
import { withoutTruth } from "../env/session.ts";
import { UsageError, WorldError } from "../errors.ts";
import { createAsker } from "../llm/asker.ts";
import type { Artefact } from "../memory/memory.ts";
import { isInterruption } from "../platform.ts";
import { putArtefact } from "../store/artefacts.ts";
import type { EpisodeEnd, EpisodeRecord } from "../store/episodes.ts";
import { isRebuildable, toFailure } from "./failures.ts";
import type { ResolvedEpisode } from "./plan.ts";
import { createRecorder } from "./recorder.ts";
import type { RunPorts } from "./ports.ts";
import type { Study } from "./study.ts";

/** What an episode is played with. */
export interface PlayOptions extends RunPorts {
  readonly study: Study;
  readonly artefact?: Artefact;
  readonly signal: AbortSignal;
  readonly onStep: (record: StepRecord) => void;
}

/** Times that a world lost in mid-episode is opened anew, and the episode replayed from its record. */
const REBUILDS = 1;

/**
 * Plays an episode and says how it ended. Its turns are in the store when this returns; its row is the caller's to write.
 *
 * @throws {StoreError} if the store cannot be written; every other failure is an end.
 */
export async function playEpisode(resolved: ResolvedEpisode, row: EpisodeRecord, options: PlayOptions): Promise<EpisodeEnd> {
  for (let rebuilt = 0;; rebuilt++) {
    try {
      return await attempt(resolved, row, options);
    } catch (error) {
      if (isRebuildable(error) && rebuilt < REBUILDS && !options.signal.aborted) continue;
      return toFailure(error, { interrupted: options.signal.aborted || isInterruption(error), store: options.store.path });
    }
  }
}

async function attempt(resolved: ResolvedEpisode, row: EpisodeRecord, options: PlayOptions): Promise<EpisodeEnd> {
  const { store, worlds, models, embedder, study, artefact, signal, onStep } = options;
  const { lane, ordinal, episode } = resolved;
  const opened: MeasuredEnvironment[] = [];
  const recorder = createRecorder({ store, episode: row.id, onStep, ...(study.truth ? { world: () => opened.at(-1) } : {}) });
  const method = resolved.method.create();

  async function world(): Promise<Environment> {
    signal.throwIfAborted();
    const env = await worlds.open(episode.world, episode.params);
    opened.push(env);
    if (env.spec.identity !== row.game) {
      throw new WorldError("diverged", `the game of ${episode.world} has changed while the study ran: run the same command again`);
    }
    return stoppable(withoutTruth(env), signal);
  }

  try {
    const gold = lane.gold === "world" ? await goldPathOf(resolved, options) : lane.gold?.[ordinal];
    const outcome = await method.run({
      world,
      ask: createAsker({
        model: models({ id: row.id, attempt: episode.attempt }),
        sample: { attempt: episode.attempt, pass: 0 },
        signal,
        ...(study.promptOverrides ? { promptOverrides: study.promptOverrides } : {}),
      }),
      embedder,
      recorder,
      seed: episode.seed,
      signal,
      ...(gold ? { goldPath: gold } : {}),
      ...(artefact ? { artefact } : {}),
    });
    recorder.flush();
    return endOf(outcome, method.id, (left) => putArtefact(store, left));
  } finally {
    await Promise.allSettled(opened.map((env) => env.close()));
  }
}

/** What the world itself knows to lead to its goal, asked of a copy that no method sees. @throws {UsageError} if it knows none. */
async function goldPathOf({ episode }: ResolvedEpisode, { worlds, study }: PlayOptions): Promise<readonly string[]> {
  const env = await worlds.open(episode.world, episode.params);
  try {
    const path = z.array(z.string()).safeParse((await env.truth()).goldPath);
    if (path.success) return path.data;
    throw new UsageError(
      `cannot run the study ${study.id}: the world ${episode.world} knows no gold path; give the lane its actions in gold`,
    );
  } finally {
    await env.close();
  }
}

function endOf({ passes, artefact }: Outcome, method: string, keep: (artefact: Artefact) => string): EpisodeEnd {
  if (passes.length === 0) throw new TypeError(`the method ${method} gave no pass: its outcome must hold at least one`);
  return { status: "completed", passes, ...(artefact ? { artefactOut: keep(artefact) } : {}) };
}

/**
 * The same world, which refuses its next call once the signal has fired. Before each step timers and signals have their turn: where world and
 * model answer at once, nothing else would let them in, and Ctrl-C waited for the end of the study.
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
