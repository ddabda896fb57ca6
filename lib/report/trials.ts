/**
 * Episodes of several trials (Reflexion), a row a trial: AriGraph's Table 4 does not say which trial it reports, so that each has a row of its own.
 *
 * @module
 */

import type { PassRow } from "../store/episodes.ts";
import type { Store } from "../store/open.ts";
import { type DataFrame, EPISODE_COLUMNS, type EpisodeRow, frameOf, rowsOf, STEP_COLUMNS } from "./frame.ts";

/** Episode → how many trials it may have, and those that were played. Episodes of one pass are not in it. */
export type Trials = ReadonlyMap<string, { readonly planned: number; readonly passes: readonly PassRow[] }>;

/** The trials of a study's episodes. */
export function trialsOf(store: Store, study: string): Trials {
  const rows = store.prepare(`
    select id, passes, coalesce(json_extract(identity, '$.method.options.trials'), json_array_length(passes)) as planned from episodes
    where study = ? and (json_extract(identity, '$.method.options.trials') is not null or json_extract(passes, '$[0].kind') = 'trial')`)
    .all(study) as { id: string; passes: string | null; planned: number }[];
  return new Map(rows.map(({ id, passes, planned }) => [id, { planned, passes: passes === null ? [] : JSON.parse(passes) }]));
}

/** The label of a trial's row, from the condition's own. */
export function trialCondition(condition: string, trial: number): string {
  return `${condition}, trial ${trial}`;
}

/**
 * An episodes frame with a row a trial in place of one an episode. After a trial that won none is played: its score stands for the later ones,
 * too.
 */
export function episodesByTrial(episodes: DataFrame, trials: Trials): DataFrame {
  const rows = rowsOf<EpisodeRow>(episodes).flatMap((row): EpisodeRow[] => {
    const known = trials.get(row.episode);
    if (!known) return [row];
    return Array.from({ length: known.planned }, (_, i) => {
      const pass = known.passes[Math.min(i, known.passes.length - 1)];
      const played = pass ? { normalised: pass.score / pass.maxScore, steps: pass.steps, ended: pass.end ?? null } : {};
      return { ...row, ...played, condition: trialCondition(row.condition, i + 1) };
    });
  });
  return frameOf(rows as unknown as Record<string, unknown>[], EPISODE_COLUMNS);
}

/** A steps frame in which each trial is an episode of its own. */
export function stepsByTrial(steps: DataFrame, trials: Trials): DataFrame {
  if (trials.size === 0) return steps;
  const rows = rowsOf<{ readonly episode: string; readonly condition: string; readonly pass: number }>(steps).map((row) =>
    trials.has(row.episode)
      ? { ...row, episode: `${row.episode}/${row.pass}`, condition: trialCondition(row.condition, row.pass + 1) }
      : row
  );
  return frameOf(rows, STEP_COLUMNS);
}
