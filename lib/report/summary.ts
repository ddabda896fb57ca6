/**
 * Scores by game and condition, with what is needed to trust them: how many episodes were planned, done and failed.
 *
 * @module
 */

import { bootstrapInterval, meanOfBest } from "../stats/intervals.ts";
import { countText, seedsText } from "./counts.ts";
import { type DataFrame, type EpisodeRow, rowsOf } from "./frame.ts";

/** One cell of a table of scores. */
export interface ScoreSummary {
  /** The game's label, else the world's id. */
  readonly game: string;
  /** Label of the row, e.g. `arigraph`. */
  readonly condition: string;
  /** Episodes of the cell, whatever has come of them; ≥ 1. */
  readonly planned: number;
  /** Completed ones among them. */
  readonly done: number;
  /** Failed ones among them; the rest is parked or still to be played. */
  readonly failed: number;
  /** Normalised scores of the completed episodes, by attempt. */
  readonly scores: readonly number[];
  /** Ids of the completed episodes, best first. */
  readonly episodes: readonly string[];
  /** Mean of all; NaN where none is done. */
  readonly mean: number;
  /** 95 % percentile bootstrap interval of the mean of all (seeded); absent below 2 episodes. */
  readonly interval?: { readonly low: number; readonly high: number };
  /** AriGraph's measure (§5): mean of the best 3; of fewer episodes the mean of all. */
  readonly bestOf3: number;
}

/**
 * Summarises an episodes frame; cells come in order of game and condition.
 */
export function summariseScores(episodes: DataFrame): ScoreSummary[] {
  const groups = Map.groupBy(rowsOf<EpisodeRow>(episodes), ({ game, condition }) => JSON.stringify([game, condition]));
  return [...groups.values()].map((rows) => {
    const [{ game, condition }] = rows as [EpisodeRow, ...EpisodeRow[]];
    const completed = rows.filter((row) => row.normalised !== null);
    const scores = completed.map((row) => row.normalised as number);
    return {
      game,
      condition,
      planned: rows.length,
      done: scores.length,
      failed: rows.filter((row) => row.status === "failed").length,
      scores,
      episodes: completed.toSorted((a, b) => (b.normalised ?? 0) - (a.normalised ?? 0)).flatMap(({ episode }) => episode ?? []),
      mean: scores.reduce((sum, score) => sum + score, 0) / scores.length,
      ...(scores.length > 1 ? { interval: bootstrapInterval(scores, { seed: 0 }) } : {}),
      bestOf3: meanOfBest(scores, 3),
    };
  }).sort((a, b) => a.game < b.game ? -1 : a.game > b.game ? 1 : a.condition < b.condition ? -1 : 1);
}

/**
 * How many episodes stand behind each of a figure's marks, and the seeds that they were drawn with.
 *
 * @param rows any rows of the episodes; equal ones count once
 * @param mark what a mark is, in one word
 */
export function sampleText(
  rows: readonly { readonly episode: string; readonly game: string; readonly condition: string; readonly seed?: string }[],
  mark: string,
): string {
  const groups = Map.groupBy(rows, ({ game, condition }) => JSON.stringify([game, condition]));
  const counts = [...groups.values()].map((group) => new Set(group.map(({ episode }) => episode)).size);
  return `n = ${countText(counts, "attempt")} a ${mark}, ${seedsText(rows, 8)}`;
}
