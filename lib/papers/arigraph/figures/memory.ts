/**
 * Pictures of AriGraph's text games: a remembered graph, and the maps of the games (after Figures 7 to 12).
 *
 * @module
 */

import { tripletsAfter } from "../../../lab/recorder.ts";
import type { Figure } from "../../../report/figure.ts";
import { gameMapFigure, isGameTruth } from "../../../report/figures/game-map.ts";
import { memoryGraphFigure } from "../../../report/figures/memory-graph.ts";
import { conditionName, gameName, gameOrder } from "../../../report/names.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { EXPERIMENT } from "../conditions.ts";
import { gameTrials } from "../games.ts";

/** Draws the graph at the end of the first completed attempt of AriGraph, in the paper's first game; `undefined` where that graph is empty. */
export function memoryFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const [trial] = reader.read({ trials: gameTrials }, study).trials
    .filter(({ status, condition }) => status === "completed" && condition === "arigraph")
    .sort((a, b) => gameOrder(a.game) - gameOrder(b.game) || a.attempt - b.attempt);
  if (!trial) return undefined;
  const step = trial.steps ?? 0;
  const triplets = tripletsAfter(store, trial.episode, { pass: 0, step });
  if (triplets.length === 0) return undefined;
  return memoryGraphFigure(triplets, {
    id: `arigraph-memory-${backbone}`,
    title: `${conditionName(trial.condition)} in ${
      gameName(trial.game)
    }, attempt ${trial.attempt} (seed ${trial.seed}), after step ${step}`,
    backbone,
    places: triplets.filter(({ relation }) => relation === "has exit").map(({ subject }) => subject),
  });
}

/** Draws a map of each text game of the study as its first recorded episode found it. No model had a part in it, so that it names no backbone. */
export function gameMaps({ store, study }: ReportInput): Figure[] {
  const rows = store.prepare(`
    select name, truth from (
      select coalesce(label, world) as name, truth, row_number() over (partition by game order by attempt, id) as place
      from episodes join truths t on t.episode = id and t.pass = 0 and t.step = 0 where study = ? and ${EXPERIMENT} = 'games'
    ) where place = 1`).all(study) as { name: string; truth: string }[];
  return rows.sort((a, b) => gameOrder(a.name) - gameOrder(b.name) || (a.name < b.name ? -1 : 1)).flatMap(({ name, truth }) => {
    const state: unknown = JSON.parse(truth);
    const file = name.replace(/^textworld\//, "").replaceAll(/[^\w.-]+/g, "-");
    return isGameTruth(state) ? [gameMapFigure(state, { id: `arigraph-map-${file}`, title: gameName(name) })] : [];
  });
}
