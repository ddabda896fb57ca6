/**
 * How an episode that was not played to its end is written down: `parked` where waiting or paying helps, else `failed`. Never as a score.
 *
 * @module
 */

import { BudgetError, ModelError, type ModelErrorKind, StoreError, UsageError, WorldError, type WorldErrorKind } from "../errors.ts";
import { asStoreError } from "../store/errors.ts";
import type { EpisodeEnd } from "../store/episodes.ts";

/** An end without a score. */
export type EpisodeFailure = Exclude<EpisodeEnd, { status: "completed" }>;

/** Refusals that pass, or that the user can lift: the episode is resumed by running the study again. */
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

/** Refusals that every other episode would meet as well: no further one is begun. */
const HALTING: ReadonlySet<string> = new Set([
  "no-endpoint",
  "authentication",
  "quota",
  "budget",
  "not-started",
  "disk",
  "interrupted",
]);

/** Refusals of one game that say nothing of the next; a world that is not installed leaves the study's other worlds to play. */
const OF_ONE_GAME: ReadonlySet<WorldErrorKind> = new Set(["bad-game", "worker-died", "unknown-world"]);

/** Losses of a world that opening it anew can make good. */
const REBUILDABLE: ReadonlySet<WorldErrorKind> = new Set(["worker-died", "unknown-session", "unreachable"]);

/**
 * The end that an error gives its episode; an error of the store or of the study itself is thrown on, because no episode can be
 * recorded under it.
 */
export function toFailure(error: unknown, options: { readonly interrupted: boolean; readonly store: string }): EpisodeFailure {
  const known = asStoreError(error, options.store);
  if (known instanceof StoreError || known instanceof UsageError) throw known;
  if (options.interrupted) {
    return { status: "parked", failureKind: "interrupted", failureMessage: "stopped before its end" };
  }
  const failureMessage = (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");
  if (error instanceof BudgetError) return { status: "parked", failureKind: "budget", failureMessage };
  if (error instanceof ModelError || error instanceof WorldError) {
    return { status: PARKING.has(error.kind) ? "parked" : "failed", failureKind: error.kind, failureMessage };
  }
  return { status: "failed", failureKind: "error", failureMessage };
}

/** Whether no further episode should be begun. */
export function haltsStudy(end: EpisodeFailure): boolean {
  return end.status === "parked" && HALTING.has(end.failureKind);
}

/** Whether a world refused this game alone, so that others of the study can be played. */
export function isOfOneGame(error: unknown): error is WorldError {
  return error instanceof WorldError && OF_ONE_GAME.has(error.kind);
}

/** Whether the episode may be played again from its record in a world opened anew. */
export function isRebuildable(error: unknown): boolean {
  return error instanceof WorldError && REBUILDABLE.has(error.kind);
}
