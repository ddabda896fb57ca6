/** Playing a study with progress, and stopping it with Ctrl-C. */

import { setImmediate } from "node:timers/promises";
import { StoreError, UsageError } from "../../core/errors.ts";
import { playStudy, type PlayStudyOptions } from "../../lab/lab.ts";
import "../../offline/mod.ts"; // registers the stand-in
import { checkModels, type StudyModelsOptions } from "../../lab/models.ts";
import { CONFLICT_REMEDY } from "../../lab/enter.ts";
import type { RunOptions } from "../../lab/run-options.ts";
import type { StudyResult } from "../../lab/runner.ts";
import type { Shard } from "../../lab/shard.ts";
import type { Study } from "../../lab/study.ts";
import type { Cap } from "../../lab/llm/budget.ts";
import type { Store } from "../../lab/store/open.ts";
import { stopSignal } from "./options.ts";
import { replyMode } from "./packs.ts";
import { createProgressView } from "./progress.ts";
import type { RunValues } from "./run-options.ts";

export interface Played {
  readonly result: StudyResult;
  readonly interrupted?: Error;
}

/**
 * Plays the study with progress on standard error. Ctrl-C, SIGTERM and SIGHUP end it after the step
 * under way; a second one at once.
 *
 * @throws {DOMException} `AbortError`, where Ctrl-C came before the first episode began.
 */
export async function playWithProgress(
  study: Study,
  store: Store,
  values: RunValues & Pick<PlayStudyOptions, "worlds">,
): Promise<Played> {
  const { worlds } = values;
  using stop = stopSignal();
  const view = createProgressView();
  try {
    const result = await playStudy(study, {
      ...runOptions(values),
      ...(worlds && { worlds }),
      store,
      signal: stop.signal,
      onProgress: view.show,
      onCall: view.call,
      onDelay: view.delay,
      onNotice: view.delay,
    }).catch((error) => {
      if (!(error instanceof StoreError) || error.kind !== "conflict") throw error;
      const remedy =
        "give the study another id, choose another --store, or discard them with --fresh";
      throw new StoreError("conflict", error.message.replace(CONFLICT_REMEDY, remedy));
    });
    await setImmediate(); // a Ctrl-C of the last step is heard now
    return { result, interrupted: stop.signal.reason };
  } finally {
    view.end();
  }
}

function runOptions(
  { retry, fresh, replies, budget: cap, concurrency, inFlight, shard }: RunValues,
): RunOptions & Pick<StudyModelsOptions, "cacheMode" | "keepCalls" | "cap" | "inFlight"> {
  return {
    retry,
    fresh,
    cacheMode: replyMode(replies) ?? "replay",
    keepCalls: replyMode(replies) === undefined,
    shard,
    inFlight: shard && typeof inFlight === "number"
      ? Math.max(1, Math.floor(inFlight / shard.count))
      : inFlight,
    ...(cap && { cap: shard ? dividedCap(cap, shard) : cap }),
    ...(concurrency && { concurrency }),
  };
}

/** An equal part of the cap for each shard. */
function dividedCap({ dollars, tokens }: Cap, { count }: Shard): Cap {
  return {
    ...(dollars === undefined ? {} : { dollars: dollars / count }),
    ...(tokens === undefined ? {} : { tokens: Math.floor(tokens / count) }),
  };
}

/** The file of a shard's store; `undefined` of a whole study. */
export function shardFile(shard: Shard | undefined): string | undefined {
  return shard && `shard-${shard.part}-of-${shard.count}.sqlite`;
}

/** Why the models of a study cannot answer; `undefined` where they can. */
export function unanswered(study: Study, store: Store, values: RunValues): UsageError | undefined {
  try {
    checkModels(study, { ...runOptions(values), store });
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}
