/** The closing word of a run that did not complete its study: what is missing, and why. */

import type { StudyResult } from "../../lab/runner.ts";
import type { EpisodeRecord } from "../../lab/store/episodes.ts";

/** One line on what is missing of a study and how to go on; `undefined` if nothing is. */
export function shortfall(
  { planned, completed, failed, paused, episodes }: StudyResult,
): string | undefined {
  if (completed === planned) return undefined;
  const why = (status: string, most: number): string => {
    const rows = episodes.filter((episode) => episode.status === status);
    const reasons = [
      ...new Set(
        rows.map(({ failureKind, failureMessage }) => `${failureKind}: ${failureMessage}`),
      ),
    ];
    return reasonsText(reasons, most);
  };
  return [
    `${completed} of ${planned} episodes are completed`,
    ...(paused > 0
      ? [`${paused} paused${why("paused", 1)}: run the same command again to resume`]
      : []),
    ...(failed > 0
      ? [`${failed} failed${why("failed", FAILURES_SHOWN)}: add --retry to play them again`]
      : []),
    ...(paused + failed + completed < planned
      ? [`${planned - paused - failed - completed} not begun${waitText(episodes)}`]
      : []),
  ].join("; ");
}

/** How many episodes are not begun because one before them in their chain failed. */
function waitText(episodes: StudyResult["episodes"]): string {
  const isBefore = (one: EpisodeRecord, { chain, ordinal }: EpisodeRecord): boolean =>
    one.chain === chain && one.ordinal < ordinal;
  const failed = episodes.filter(({ status }) => status === "failed");
  const waiting =
    episodes.filter((row) => row.status === "planned" && failed.some((one) => isBefore(one, row)))
      .length;
  return waiting > 0
    ? `, ${waiting} of them because they start from what a failed one was to leave`
    : "";
}

/** ` (first) (second) (and 3 more)`: reasons in brackets, at most so many of them. */
export function reasonsText(reasons: readonly string[], most: number): string {
  const shown = reasons.slice(0, most).map((reason) => ` (${reason})`).join("");
  return reasons.length > most ? `${shown} (and ${reasons.length - most} more)` : shown;
}

const FAILURES_SHOWN = 3;
