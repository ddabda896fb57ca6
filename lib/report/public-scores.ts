/**
 * Scores as two public benchmarks state them, computed from recorded episodes.
 *
 * TALES (Cui et al. 2025, arXiv 2504.14128; `benchmark.py` of microsoft/tale-suite): the score of a run is its highscore, the greatest score of any
 * step and at least 0, divided by the game's maximum; a model's score is the mean over games, and then over seeds, of a framework or of all.
 * BALROG (Paglieri et al. 2024, arXiv 2411.13543; `progress.py` of balrog-ai/BALROG): progression in NetHack is the greater of two shares, that of
 * the deepest dungeon level and that of the highest experience level, read from a table made of people's games.
 */

import { playerName } from "./caption-text.ts";
import { mean, sampleStandardDeviation } from "simple-statistics";
import progressions from "../../data/library/balrog-nethack.json" with { type: "json" };
import { type EpisodeRecord, listEpisodes } from "../lab/store/episodes.ts";
import type { Store } from "../lab/store/open.ts";
import { createStudyReader } from "./exhibit.ts";
import { withEmbedder } from "./exhibit-table.ts";
import { type Cell, incompleteCell, type Table } from "./table.ts";

/** First part of a world's id → its framework in TALES; the games of other worlds are not in TALES. */
const TALES_FRAMEWORKS: Readonly<Record<string, string>> = {
  textworld: "TextWorld",
  "textworld-express": "TextWorldExpress",
  alfworld: "ALFWorld",
  scienceworld: "ScienceWorld",
  jericho: "Jericho",
};

/** A run of one game. */
export interface TalesRun {
  /** Replicate: runs of one seed are averaged first. */
  readonly seed: string;
  /** Greatest score of any step divided by the game's maximum, in [0, 1]. */
  readonly score: number;
}

/** A score of TALES. */
export interface TalesScore {
  /** Mean over seeds of the mean over games, in [0, 1]. */
  readonly value: number;
  /** Sample standard deviation over seeds; absent for one seed. */
  readonly deviation?: number;
}

/**
 * Computes the score of TALES over the runs of a framework or of all frameworks. Each game weighs the same, whatever its framework.
 *
 * @throws {RangeError} if there is no run.
 *
 * @example
 * ```ts
 * import { talesScore } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * const runs = [{ seed: "1", score: 1 }, { seed: "1", score: 0 }, { seed: "2", score: 0.5 }, { seed: "2", score: 0.5 }];
 * assert.deepEqual(talesScore(runs), { value: 0.5, deviation: 0 });
 * ```
 */
export function talesScore(runs: readonly TalesRun[]): TalesScore {
  if (runs.length === 0) throw new RangeError("cannot compute the score of TALES: there is no run; play one");
  const seeds = [...Map.groupBy(runs, ({ seed }) => seed).values()].map((games) => mean(games.map(({ score }) => score)));
  return { value: mean(seeds), ...seeds.length > 1 ? { deviation: sampleStandardDeviation(seeds) } : {} };
}

/**
 * Reads BALROG's progression in NetHack off its table, in percent.
 *
 * @param depth the deepest dungeon level that was reached, from 1; beyond 50 the table has no more
 * @param experienceLevel the highest experience level that was reached, 1 … 30
 *
 * @example
 * ```ts
 * import { nethackProgression } from "labyrinth/report";
 * import assert from "node:assert/strict";
 *
 * assert.equal(nethackProgression(1, 1), 0);
 * assert.equal(nethackProgression(5, 8).toFixed(2), "7.45"); // the eighth experience level is worth more than the fifth dungeon level
 * ```
 */
export function nethackProgression(depth: number, experienceLevel: number): number {
  const reached = (table: readonly number[], level: number): number => table[Math.min(level, table.length) - 1] ?? 0;
  return 100 * Math.max(reached(progressions.depth, depth), reached(progressions.experienceLevel, experienceLevel));
}

/** Returns the greatest score of any step of each episode of a study, at least 0, in the world's own units. */
export function highscores(store: Pick<Store, "prepare">, study: string): Map<string, number> {
  const rows = store.prepare(`
    select t.episode, max(0, max(t.score)) as score from turns t join episodes e on e.id = t.episode where e.study = :study group by t.episode`)
    .all({ study });
  return new Map(rows.map(({ episode, score }) => [String(episode), Number(score)]));
}

/** Returns BALROG's progression, in percent, of each episode of NetHack in a study. */
export function nethackProgressions(store: Pick<Store, "prepare">, study: string): Map<string, number> {
  const rows = store.prepare(`
    select t.episode, json_extract(t.sections, '$.deepest') as depth, json_extract(t.sections, '$.stats') as stats
    from turns t join episodes e on e.id = t.episode where e.study = :study and e.world = 'nethack'`).all({ study });
  const found = new Map<string, number>();
  for (const { episode, depth, stats } of rows) {
    const level = Number(/Experience level (\d+)/.exec(String(stats))?.[1] ?? 1);
    found.set(String(episode), Math.max(found.get(String(episode)) ?? 0, nethackProgression(Number(depth), level)));
  }
  return found;
}

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
    `Scores as public benchmarks state them. Study ${study}, model: ${
      playerName(backbone)
    }. TALES: highscores divided by the games' maxima, ` +
    "means over games, then mean ± standard deviation over seeds. Progression: BALROG's, in percent. Neither benchmark's own games, prompts or limits.";
  return {
    id: `public-scores-${study}`,
    title: `Public scores (${playerName(backbone)})`,
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
