/** Conditions held against one another on the same games and seeds. */

import { playerName } from "../caption-text.ts";
import { comparePaired, episodesNeeded, holm, type PairedTest } from "../../core/stats/paired.ts";
import { scoreRange } from "../../lab/score-range.ts";
import { OF_EQUAL_VALUES } from "../estimate.ts";
import { type DataFrame, type EpisodeRow, rowsOf } from "../frame.ts";
import { conditionName, gameName, gameOrder } from "../textworld-names.ts";
import { type Cell, numberCell, pCell, type Table } from "../table.ts";
import { checkKeys } from "../../core/text/did-you-mean.ts";

/** The reference against one other condition, in one game or in all. */
export interface Comparison {
  /** The game's label or world id; `all` for the pairs of all games together. */
  readonly game: string;
  readonly against: string;
  /** Pairs of completed episodes with the same game and seed. */
  readonly pairs: number;
  readonly planned: number;
  /** Reference − other, in normalised score; absent below 2 pairs. */
  readonly test?: PairedTest;
  /** Holm's p-value among all comparisons that have one. */
  readonly adjusted?: number;
  /** Pairs that a test would need to find this d_z with a chance of 80 % at 5 %; absent where the difference is 0 or does not vary. */
  readonly needed?: number;
}

/** Compares a reference condition with every other, game by game and over all (game, seed) pairs, with Holm's correction over the whole family. */
export function compareConditions(episodes: DataFrame, options: { readonly reference?: string } = {}): Comparison[] {
  const { reference = "arigraph" } = options;
  const rows = rowsOf<EpisodeRow>(episodes);
  const mine = new Map(rows.filter(({ condition }) => condition === reference).map((row) => [caseOf(row), row]));
  const games = [...new Set(rows.map(({ game }) => game))].sort((a, b) => gameOrder(a) - gameOrder(b) || (a < b ? -1 : 1));
  const others = [...new Set(rows.map(({ condition }) => condition))].filter((condition) => condition !== reference).sort();

  const found = others.flatMap((against) => {
    const pairs = rows.filter(({ condition }) => condition === against).flatMap((theirs) => {
      const ours = mine.get(caseOf(theirs));
      return ours ? [{ world: theirs.game, ours: ours.normalised, theirs: theirs.normalised }] : [];
    });
    const played = games.filter((game) => pairs.some((pair) => pair.world === game));
    const parts = played.length > 1 ? [...played, "all"] : played;
    return parts.map((game) => compare(game, against, pairs.filter((pair) => game === "all" || pair.world === game)));
  });
  const adjusted = holm(found.map(({ test }) => test?.p));
  return found.map((comparison, i) => ({ ...comparison, adjusted: adjusted[i] }));
}

interface Pair {
  /** Where `rangeOf` does not know it, as a game of one's own, there is no interval of equal differences. */
  readonly world: string;
  readonly ours: number | null;
  readonly theirs: number | null;
}

function compare(game: string, against: string, planned: readonly Pair[]): Comparison {
  const done = planned.filter(({ ours, theirs }) => ours !== null && theirs !== null);
  const counted = { game, against, pairs: done.length, planned: planned.length };
  if (done.length < 2) return counted;
  const range = scoreRange(done.map(({ world }) => ({ world })));
  const test = comparePaired(done.map(({ ours }) => ours as number), done.map(({ theirs }) => theirs as number), { range });
  // below a hundredth of a standard deviation the count would run to a hundred thousand pairs: there is nothing to find
  const needed = test.dz !== undefined && Math.abs(test.dz) >= 0.01 ? episodesNeeded({ effect: test.dz }) : undefined;
  return { ...counted, test, needed };
}

/** The same game played with the same seed, at the same attempt. */
function caseOf({ game, seed, attempt }: EpisodeRow): string {
  return JSON.stringify([game, seed, attempt]);
}

/**
 * The comparisons as a table.
 *
 * @param options `backbone` is shown; `allowIncomplete` compares the pairs at hand where planned ones are missing
 *
 * @example
 * ```ts
 * import { comparisonsTable, episodesFrame, openStore } from "labyrinth";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * assert.deepEqual(comparisonsTable(episodesFrame(store, "unplayed"), { backbone: "offline" }).rows, []);
 * ```
 */
export function comparisonsTable(
  episodes: DataFrame,
  options: { readonly backbone: string; readonly reference?: string; readonly allowIncomplete?: boolean },
): Table {
  checkKeys("comparisonsTable()", options, ["backbone", "reference", "allowIncomplete"]);
  const { backbone, reference = "arigraph", allowIncomplete = false } = options;
  const comparisons = compareConditions(episodes, { reference });
  return {
    id: `${reference}-paired-${backbone}`,
    title: `${conditionName(reference)} against the other methods, the same games and seeds (${playerName(backbone)})`,
    caption:
      `Model: ${playerName(backbone)}. Normalised score of ${
        conditionName(reference)
      } minus that of the other, over pairs with the same game and ` +
      `seed, with Student's 95 % interval; beside it the seeded 95 % percentile bootstrap.${OF_EQUAL_VALUES} d_z: the difference in standard deviations of the differences; ` +
      `g_av: Hedges' g, in average standard deviations of the two. p: paired t test, two-sided; Holm: corrected for all tests of this table. ` +
      `"Pairs needed" would find this d_z with a chance of 80 % at 5 %. "All games" takes every pair as one case: it speaks of these games.`,
    columns: ["Against", "Game", "Pairs", "Difference", "Bootstrap", "d_z", "g_av", "p", "Holm", "Pairs needed"],
    rows: comparisons.map((comparison) => [
      conditionName(comparison.against),
      comparison.game === "all" ? "All games" : gameName(comparison.game),
      `${comparison.pairs}`,
      ...numbers(comparison, allowIncomplete),
    ]),
  };
}

function numbers({ pairs, planned, test, adjusted, needed }: Comparison, allowIncomplete: boolean): Cell[] {
  const nothing: Cell[] = [null, null, null, null, null, null];
  if (pairs < planned && !allowIncomplete) return [{ incomplete: { done: pairs, failed: 0, planned } }, ...nothing];
  if (!test) return [null, ...nothing];
  return [
    { value: test.mean, ...test.t, n: pairs },
    { value: test.mean, ...test.bootstrap, n: pairs },
    numberCell(test.dz),
    numberCell(test.gav),
    pCell(test.p),
    pCell(adjusted),
    needed === undefined ? null : `${needed}`,
  ];
}
