/**
 * Maps errors to the end of their episode: `paused` where waiting or paying helps, else `failed`. A
 * failure is never a score.
 */

import {
  BudgetError,
  MemoryError,
  ModelError,
  type ModelErrorKind,
  StoreError,
  UsageError,
  WorldError,
  type WorldErrorKind,
} from "../core/errors.ts";
import { safeText } from "../core/foreign-text.ts";
import { asStoreError } from "./store/errors.ts";
import type { EpisodeEnd } from "./store/episodes.ts";

export type EpisodeFailure = Exclude<EpisodeEnd, { status: "completed" }>;

/** Errors that pass, or that the user can remove: running the study again resumes the episode. */
const PARKING: ReadonlySet<ModelErrorKind | WorldErrorKind> = new Set([
  "no-endpoint",
  "authentication",
  "quota",
  "rate-limit",
  "server",
  "timeout",
  "cache-miss",
  "unreachable",
  "not-started",
  "too-many-sessions",
  "disk",
]);

/** Errors that every other episode would meet: no further one is started. */
const HALTING: ReadonlySet<string> = new Set([
  "no-endpoint",
  "authentication",
  "quota",
  "budget",
  "not-started",
  "disk",
  "interrupted",
]);

/**
 * Failures of the infrastructure after which an episode is played again at the end of the study.
 */
const TRANSIENT: ReadonlySet<string> = new Set<ModelErrorKind | WorldErrorKind>([
  "rate-limit",
  "server",
  "timeout",
  "protocol",
  "worker-died",
  "unknown-session",
  "unreachable",
  "too-many-sessions",
  "internal",
]);

/** Whether an episode ended by a failure of the infrastructure that a second try may not meet. */
export function isTransient(end: Pick<EpisodeFailure, "failureKind">): boolean {
  return TRANSIENT.has(end.failureKind);
}

/** Whether a failure is that of an endpoint which gave no answer. */
export function isUnanswered(kind: string | undefined): boolean {
  return kind === "no-endpoint" || kind === "server" || kind === "timeout";
}

/** Errors that concern one game only, or a world that is not installed. */
const OF_ONE_GAME: ReadonlySet<WorldErrorKind> = new Set([
  "bad-game",
  "worker-died",
  "unknown-world",
]);

/** Losses of a world after which it can be opened again. */
const REBUILDABLE: ReadonlySet<WorldErrorKind> = new Set([
  "worker-died",
  "unknown-session",
  "unreachable",
]);

/**
 * Maps an error to the end of its episode.
 * @throws {StoreError} and {@linkcode UsageError} as they are: they concern the whole run.
 */
export function toFailure(
  error: unknown,
  options: { readonly interrupted: boolean; readonly store: string },
): EpisodeFailure {
  const known = asStoreError(error, options.store);
  if (known instanceof StoreError || known instanceof UsageError) throw known;
  if (options.interrupted) {
    return {
      status: "paused",
      failureKind: "interrupted",
      failureMessage: "stopped before its end",
    };
  }
  const failureMessage = safeText(
    (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " "),
  );
  if (error instanceof BudgetError) {
    return { status: "paused", failureKind: "budget", failureMessage };
  }
  if (error instanceof ModelError || error instanceof WorldError) {
    return {
      status: PARKING.has(error.kind) ? "paused" : "failed",
      failureKind: error.kind,
      failureMessage,
    };
  }
  const failureKind = error instanceof MemoryError ? error.kind : "error";
  return { status: "failed", failureKind, failureMessage };
}

export function haltsStudy(end: EpisodeFailure): boolean {
  return end.status === "paused" && HALTING.has(end.failureKind);
}

/** Whether an error concerns one game only, so that the other games of the study can be played. */
export function isOfOneGame(error: unknown): error is WorldError {
  return error instanceof WorldError && OF_ONE_GAME.has(error.kind);
}

/** Whether the episode can be replayed from its record in a newly opened world. */
export function isRebuildable(error: unknown): boolean {
  return error instanceof WorldError && REBUILDABLE.has(error.kind);
}
