/**
 * What episodes were played under, and where that is not what a number of the paper was made under.
 */

import type { Store } from "./store/open.ts";

/** What a number of the paper was made under. */
export interface PaperSetting {
  /** Its limit of agent steps, or that it prints none. @default limits are not compared */
  readonly steps?: number | "none printed";
  /** What it was played on (`its own house`), and the labels of our games that are not the same. */
  readonly game?: { readonly paper: string; readonly unlike: RegExp };
}

/**
 * What an episode was played under: its limit of agent steps, where it has one, and the label of
 * its game.
 */
export interface Setting {
  /** Limit of agent steps; null where there is none. */
  readonly steps: number | null;
  /** Label of the game. */
  readonly game: string;
}

/** The setting of each episode of a study, by its id. */
export function settingsOf(store: Store, study: string): ReadonlyMap<string, Setting> {
  const rows = store.prepare(`select id, coalesce(label, world) as game,
    coalesce(json_extract(identity, '$.method.options.maxSteps'), json_extract(world_params, '$.stepLimit')) as steps
    from episodes where study = ?`).all(study);
  return new Map(
    rows.map((
      { id, game, steps },
    ) => [String(id), { game: String(game), steps: steps === null ? null : Number(steps) }]),
  );
}

/**
 * What differs between a number of the paper and the trials beside it: `60 steps, paper 150`,
 * `paper: its own house`.
 */
export function differencesFrom(
  { steps, game }: PaperSetting,
  settings: ReadonlyMap<string, Setting> | undefined,
  trials: readonly { readonly episode: string }[],
): string[] {
  const ours = trials.flatMap(({ episode }) => settings?.get(episode) ?? []);
  const limits = [...new Set(ours.flatMap((one) => one.steps ?? []))].sort((a, b) => a - b);
  const isOther = steps !== undefined && limits.some((limit) => limit !== steps);
  return [
    ...isOther
      ? [
        `${limits.join(" or ")} steps, paper ${
          steps === "none printed" ? "prints no limit" : steps
        }`,
      ]
      : [],
    ...game && ours.some((one) => game.unlike.test(one.game)) ? [`paper: ${game.paper}`] : [],
  ];
}
