/**
 * AriGraph, Table 4: normalised scores in the seven TextWorld games, ours beside the paper's.
 *
 * @module
 */

import { countText, seedsText } from "../../../report/counts.ts";
import { type DataFrame, type EpisodeRow, rowsOf } from "../../../report/frame.ts";
import { HUMAN } from "../../../lab/human.ts";
import { conditionName, conditionOrder, gameName, gameOrder, paperRow, TEXTWORLD_GAMES } from "../../../report/names.ts";
import { paperTable } from "../../../report/paper.ts";
import { type ScoreSummary, summariseScores } from "../../../report/summary.ts";
import type { Cell, Table } from "../../../report/table.ts";

/** How the table is made. */
export interface ScoresTableOptions {
  /** What answered for the models; stands in the title, the caption and the file name. */
  readonly backbone: string;
  /** Show the mean of the episodes at hand where planned ones are missing. @default {false} */
  readonly allowIncomplete?: boolean;
}

/**
 * A row a condition and measure (mean of the best 3, mean of all with its interval, the paper's), a column a game.
 * A cell with planned episodes missing is not a number unless `allowIncomplete`.
 *
 * @param episodes the frame of `episodesFrame`
 *
 * @example
 * ```ts
 * import { frameOf } from "labyrinth/report";
 * import { textWorldScoresTable } from "labyrinth/papers/arigraph";
 * import assert from "node:assert/strict";
 *
 * const types = { episode: "text", game: "text", condition: "text", attempt: "integer", seed: "text", status: "text", normalised: "number" } as const;
 * const row = { game: "textworld/hunt", condition: "arigraph", status: "completed" };
 * const episodes = frameOf([
 *   { ...row, episode: "e1", attempt: 1, seed: "1", normalised: 0.5 },
 *   { ...row, episode: "e2", attempt: 2, seed: "2", normalised: 1 },
 * ], types);
 * const { columns, rows } = textWorldScoresTable(episodes, { backbone: "offline" });
 * assert.deepEqual(columns, ["Method", "Treasure Hunt"]);
 * assert.deepEqual(rows[0], ["AriGraph, offline: best 2 of 2", { value: 0.75, n: 2, episodes: ["e2", "e1"] }]);
 * ```
 */
export function textWorldScoresTable(episodes: DataFrame, options: ScoresTableOptions): Table {
  const { backbone, allowIncomplete = false } = options;
  const cells = summariseScores(episodes);
  const games = [...new Set(cells.map((cell) => cell.game))].sort((a, b) => gameOrder(a) - gameOrder(b) || (a < b ? -1 : 1));
  const conditions = [...new Set(cells.map((cell) => cell.condition))]
    .sort((a, b) => conditionOrder(a) - conditionOrder(b) || (a < b ? -1 : 1));
  const reported = paperTable("arigraph_table4_textworld");

  const row = (label: string, condition: string, show: (cell: ScoreSummary) => Cell): Cell[] => [
    label,
    ...games.map((game) => {
      const cell = cells.find((candidate) => candidate.game === game && candidate.condition === condition);
      if (!cell) return null;
      const { done, failed, planned } = cell;
      return done === 0 || (done < planned && !allowIncomplete) ? { incomplete: { done, failed, planned } } : show(cell);
    }),
  ];

  const rows = conditions.flatMap((condition) => {
    const most = Math.max(...cells.filter((cell) => cell.condition === condition).map((cell) => cell.planned));
    const ours = condition === HUMAN ? `${conditionName(condition)}, recorded here` : `${conditionName(condition)}, ${backbone}`;
    const paper = (all: boolean): Cell[][] => {
      const name = paperRow(condition, { all });
      const line = reported.find(({ method }) => method === name);
      const measure = condition === HUMAN ? "paper" : "paper (gpt-4): best 3 of 5";
      return line ? [[`${name}, ${measure}`, ...games.map((game) => paperCell(line, game))]] : [];
    };
    return [
      row(`${ours}: best ${Math.min(3, most)} of ${most}`, condition, (cell) => ({
        value: cell.bestOf3,
        n: cell.done,
        episodes: cell.episodes,
      })),
      row(`${ours}: all`, condition, (cell) => ({ value: cell.mean, n: cell.done, ...cell.interval, episodes: cell.episodes })),
      ...paper(false),
      ...paper(true),
    ];
  });

  const played = rowsOf<EpisodeRow>(episodes).filter(({ condition }) => condition !== HUMAN);
  const counts = cells.filter(({ condition }) => condition !== HUMAN).map((cell) => cell.done);
  return {
    id: `arigraph-table4-${backbone}`,
    title: `AriGraph, Table 4: normalised scores in TextWorld (${backbone})`,
    caption: `Backbone ${backbone}; n = ${countText(counts, "attempt")} a cell, ${seedsText(played, 8)}. ` +
      `"best k of n" is the mean of the best attempts, after the paper's measure (best 3 of 5); "all" is the mean of all attempts with a seeded 95 % percentile ` +
      `bootstrap interval. ` +
      `Paper: gpt-4-0125-preview, best 3 of 5.` +
      (conditions.some((condition) => condition.startsWith("reflexion"))
        ? " It does not say which trial of Reflexion it shows; it stands beside the second."
        : "") +
      (conditions.includes(HUMAN) ? " Human: finished sessions recorded with ./lab play." : ""),
    columns: ["Method", ...games.map(gameName)],
    rows,
  };
}

function paperCell(paper: Readonly<Record<string, string>>, game: string): Cell {
  const column = TEXTWORLD_GAMES.find(({ ids }) => ids.includes(game))?.column;
  const text = column && paper[column];
  return text ? { value: Number(text) } : null;
}
