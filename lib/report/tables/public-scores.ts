/** The table of a study's scores as public benchmarks state them: TALES by framework, and BALROG's progression in MiniHack and NetHack. */

import { mean } from "simple-statistics";
import { type EpisodeRecord, listEpisodes } from "../../store/episodes.ts";
import type { Store } from "../../store/open.ts";
import { createStudyReader } from "../exhibit.ts";
import { withEmbedder } from "../exhibit-table.ts";
import { highscores, nethackProgressions, TALES_FRAMEWORKS, talesScore } from "../public-scores.ts";
import { type Cell, incompleteCell, type Table } from "../table.ts";

/** A column: its head, the episodes that it is about, and the number made of their values. */
interface Column {
  readonly name: string;
  readonly has: (episode: EpisodeRecord) => boolean;
  readonly cell: (episodes: readonly EpisodeRecord[]) => Cell;
}

/**
 * Makes a table of a study with a row a condition: TALES's score of each framework and of all, mean ± standard deviation over seeds, then NetHack's own
 * score and BALROG's progression in percent, means over games: in MiniHack the share of tasks that were solved. Columns of worlds that the study does not play are left out.
 *
 * @example
 * ```ts
 * import { publicScoresTable } from "labyrinth/report";
 * import { openStore, putStudy } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * putStudy(store, { id: "sweep", spec: { lanes: [] }, createdAt: 0 });
 * assert.deepEqual(publicScoresTable(store, "sweep").columns, ["condition"]);
 * ```
 */
export function publicScoresTable(store: Store, study: string): Table {
  const episodes = listEpisodes(store, { study });
  const columns = [...talesColumns(store, study), ...balrogColumns(store, study)].filter(({ has }) => episodes.some(has));
  const { backbone, embedder } = createStudyReader(store).origin(study);
  const rows = [...Map.groupBy(episodes, ({ condition }) => condition)].map(([condition, own]): Cell[] => [
    condition,
    ...columns.map(({ has, cell }) => {
      const some = own.filter(has);
      return some.length === 0 ? null : incompleteCell(some) ?? cell(some);
    }),
  ]);
  const caption =
    `Scores as public benchmarks state them. Study ${study}, backbone ${backbone}. TALES: highscores divided by the games' maxima, ` +
    "means over games, then mean ± standard deviation over seeds. Progression: BALROG's, in percent. Neither benchmark's own games, prompts or limits.";
  return {
    id: `public-scores-${study}`,
    title: `Public scores (${backbone})`,
    caption: withEmbedder(caption, embedder),
    columns: ["condition", ...columns.map(({ name }) => name)],
    rows,
  };
}

function talesColumns(store: Store, study: string): Column[] {
  const high = highscores(store, study);
  const cell = (episodes: readonly EpisodeRecord[]): Cell => {
    const runs = episodes.map(({ id, seed, maxScore = 0 }) => ({
      seed: String(seed),
      score: maxScore > 0 ? (high.get(id) ?? 0) / maxScore : 0,
    }));
    const { value, deviation } = talesScore(runs);
    const shown = value.toFixed(2) + (deviation === undefined ? "" : ` ± ${deviation.toFixed(2)}`);
    return { value, shown, n: episodes.length, episodes: episodes.map(({ id }) => id) };
  };
  const frameworkOf = ({ world }: EpisodeRecord): string | undefined => TALES_FRAMEWORKS[world.split("/")[0] ?? ""];
  return [
    ...Object.values(TALES_FRAMEWORKS).map((name) => ({
      name,
      has: (episode: EpisodeRecord): boolean => frameworkOf(episode) === name,
      cell,
    })),
    { name: "TALES", has: (episode) => frameworkOf(episode) !== undefined, cell },
  ];
}

function balrogColumns(store: Store, study: string): Column[] {
  const progressions = nethackProgressions(store, study);
  const isOf = (id: string) => ({ world }: EpisodeRecord): boolean => world === id;
  const meanOf = (value: (episode: EpisodeRecord) => number) => (episodes: readonly EpisodeRecord[]): Cell => ({
    ...{ value: mean(episodes.map(value)), n: episodes.length, episodes: episodes.map(({ id }) => id) },
  });
  return [
    { name: "MiniHack progression, %", has: isOf("minihack"), cell: meanOf(({ score = 0 }) => 100 * score) },
    { name: "NetHack score", has: isOf("nethack"), cell: meanOf(({ score = 0 }) => score) },
    { name: "NetHack progression, %", has: isOf("nethack"), cell: meanOf(({ id }) => progressions.get(id) ?? 0) },
  ];
}
