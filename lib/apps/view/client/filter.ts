/** The filter of a study's episodes, as its address names it. */

import type { EpisodeLine } from "../studies.ts";
import { number, share } from "./kit.tsx";

/** The parts of a filter. */
export const FILTERS = ["condition", "game", "status", "score", "event"] as const;

/** What of the episodes is shown; all of them where it names nothing. */
export type Filter = Readonly<Partial<Record<typeof FILTERS[number], string>>>;

export const ALL: Filter = {};

/** Scores chosen as shares of the best one; any other choice is one score. */
export const SHARES: ReadonlyMap<string, (reached: number) => boolean> = new Map([
  ["full score", (reached) => reached === 1],
  ["part of the score", (reached) => reached > 0 && reached < 1],
  ["no score", (reached) => reached <= 0],
]);

/** Whether an episode is shown. */
export function passes(
  episode: EpisodeLine,
  { condition, game, status, score, event }: Filter,
): boolean {
  return (condition === undefined || episode.condition === condition) &&
    (game === undefined || episode.game === game) &&
    (status === undefined || episode.status === status) &&
    (score === undefined || reaches(episode, score)) &&
    (event === undefined || episode.events?.[event] !== undefined);
}

function reaches(episode: EpisodeLine, score: string): boolean {
  const [reached, isWanted] = [share(episode), SHARES.get(score)];
  return isWanted ? reached !== undefined && isWanted(reached) : scoreText(episode) === score;
}

/** `3 / 5`, `–` for none. */
export function scoreText({ score, maxScore }: EpisodeLine): string {
  return score === undefined ? "–" : `${number(score)} / ${number(maxScore)}`;
}

/** A filter, the episodes that it is for, and the function that changes it. */
export interface Filtering {
  readonly episodes: readonly EpisodeLine[];
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
}
