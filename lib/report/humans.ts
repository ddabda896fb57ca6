/**
 * People's own games, recorded by `./lab play`, beside a study of the same games (AriGraph, arXiv 2407.04363, §4: unfinished sessions are left out;
 * all players, and the best three).
 *
 * @module
 */

import { HUMAN } from "../lab/human.ts";
import type { Store } from "../store/open.ts";
import { type DataFrame, EPISODE_COLUMNS, type EpisodeRow, episodesFrame, frameOf, rowsOf, STEP_COLUMNS, stepsFrame } from "./frame.ts";

/** Frames of people's sessions, of the same columns as those of a study. */
export interface Sessions {
  readonly episodes: DataFrame;
  readonly steps: DataFrame;
}

/** The finished sessions in games of a study, by the content of the game, under the study's names for them. */
export function sessionsBeside(store: Store, study: string): Sessions {
  const games = new Map(
    (store.prepare("select distinct game, coalesce(label, world) as name from episodes where study = ? and game is not null").all(
      study,
    ) as {
      game: string;
      name: string;
    }[]).map(({ game, name }) => [game, name]),
  );
  const played = store.prepare("select id, game from episodes where study = ? and method = ?").all(HUMAN, HUMAN) as {
    id: string;
    game: string;
  }[];
  const names = new Map(played.flatMap(({ id, game }): [string, string][] => {
    const name = games.get(game);
    return name === undefined ? [] : [[id, name]];
  }));
  const named = <Row extends { readonly episode: string }>(frame: DataFrame): Row[] =>
    rowsOf<Row>(frame).filter(({ episode }) => names.has(episode)).map((row) => ({ ...row, game: names.get(row.episode) }));
  return {
    episodes: frameOf(named<EpisodeRow>(episodesFrame(store, HUMAN)) as unknown as Record<string, unknown>[], EPISODE_COLUMNS),
    steps: frameOf(named<{ readonly episode: string }>(stepsFrame(store, HUMAN)), STEP_COLUMNS),
  };
}
