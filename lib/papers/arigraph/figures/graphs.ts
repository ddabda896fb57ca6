/**
 * AriGraph's graph in pictures: its growth in the games and during random walks (Figures 5 and 6), a remembered graph, maps (after Figures 7 to 12).
 */

import { tripletsAfter } from "../../../lab/recorder.ts";
import { countText, playerName, sampleText } from "../../../report/caption-text.ts";
import { type Figure, figureOf } from "../../../report/figure.ts";
import { gameMapFigure, isGameTruth } from "../../../report/figures/game-map.ts";
import { memoryGraphFigure } from "../../../report/figures/memory-graph.ts";
import { stepRows } from "../../../report/frame.ts";
import { growthBy } from "../../../report/growth.ts";
import { bandLine, bandText, LINE_LEGEND, quantitative } from "../../../report/marks.ts";
import { methodChannels } from "../../../report/styles.ts";
import { conditionName, gameName, gameOrder } from "../../../report/textworld-names.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import type { Store } from "../../../lab/store/open.ts";
import { listStudies } from "../../../lab/store/studies.ts";
import { EXPERIMENT } from "../conditions.ts";
import { gameTrials } from "../games.ts";

/** Figure 5: the graph of AriGraph over the steps of each game, without those of its ablations. */
export function graphGrowthFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const own = new Set(
    reader.read({ trials: gameTrials }, study).trials.filter(({ condition }) => condition === "arigraph").map(({ episode }) => episode),
  );
  const steps = stepRows(store, study).filter(({ episode, triplets }) => own.has(episode) && triplets !== null);
  if (steps.length === 0) return undefined;
  const rows = growthBy(steps, ({ game }) => game).sort((a, b) => gameOrder(a.label) - gameOrder(b.label) || a.step - b.step)
    .map(({ label, episodes, ...numbers }) => ({ game: gameName(label), place: gameOrder(label), attempts: episodes, ...numbers }));
  return figureOf({
    id: `arigraph-fig5-${backbone}`,
    title: "Growth of the knowledge graph",
    subtitle: `model: ${playerName(backbone)}`,
    caption: `Growth of the AriGraph knowledge graph (after Figure 5), model: ${playerName(backbone)}, ${sampleText(steps, "game")}. ` +
      panelsText("attempts still running", new Set(rows.map(({ game }) => game)).size),
    rows,
    fields: [["text", "game"], ["integer", "place", "step", "attempts"], ...NUMBERS],
    hconcat: growthPanels("game", rows.map(({ game }) => game)),
  });
}

/** Figure 6: the graph during random walks, a line a backbone, of the study and of those of the same form with other backbones. */
export function randomWalkFigure({ store, study }: ReportInput): Figure | undefined {
  if (!isRandomWalk(store, study)) return undefined;
  const form = study.replace(/@.*$/s, "@");
  const steps = listStudies(store).filter((id) => id.startsWith(form)).flatMap((id) => stepRows(store, id));
  const rows = growthBy(steps, ({ backbone }) => backbone)
    .sort((a, b) => a.label < b.label ? -1 : a.label > b.label ? 1 : a.step - b.step)
    .map(({ label, episodes, ...numbers }) => ({ backbone: label, walks: episodes, ...numbers }));
  const backbones = [...new Set(rows.map(({ backbone }) => backbone))];
  const walks = backbones.map((backbone) => {
    const most = Math.max(...rows.filter((row) => row.backbone === backbone).map((row) => row.walks));
    return `${countText([most], "walk")} of ${playerName(backbone)}`;
  });
  return figureOf({
    id: `arigraph-fig6-${backbones.join("-")}`,
    title: "The graph during a random walk",
    subtitle: `model: ${backbones.map(playerName).join(", ")}`,
    caption: `AriGraph's knowledge graph during random walks in Cleaning (after Figure 6), by model: ${walks.join(", ")}. ` +
      `${panelsText("walks", backbones.length)} The paper prints no number of it (figure only).`,
    rows,
    fields: [["text", "backbone"], ["integer", "step", "walks"], ...NUMBERS],
    hconcat: growthPanels("backbone", backbones),
  });
}

const NUMBERS = [["number", "triplets", "least", "most", "updateRate"]] as const;

function panelsText(over: string, lines: number): string {
  return `Left: current triplets after each step, mean over the ${over}${bandText(lines, "band from the least to the most")}. ` +
    "Right: triplets replaced up to a step, divided by the steps taken.";
}

function isRandomWalk(store: Store, study: string): boolean {
  return store.prepare(`select 1 from episodes where study = ? and ${EXPERIMENT} = 'random-walk' limit 1`).get(study) !== undefined;
}

/** Two panels over the steps, a line a value of `field`: triplets, and triplets replaced so far per step taken. */
function growthPanels(field: string, values: readonly string[]): unknown[] {
  const names = [...new Set(values)];
  const { color, strokeDash } = methodChannels(field, names, LINE_LEGEND);
  const x = quantitative("step", "step", { axis: { tickMinStep: 1 } });
  const panel = { width: 340, height: 240 };
  const updates = { x, y: quantitative("updateRate", "triplets replaced a step"), color, strokeDash };
  return [
    {
      ...panel,
      layer: bandLine({ x, y: quantitative("triplets", "triplets"), low: "least", high: "most", color, strokeDash, lines: names.length }),
    },
    { ...panel, mark: { type: "line", strokeWidth: 1.6 }, encoding: updates },
  ];
}

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
    title: `${conditionName(trial.condition)} in ${gameName(trial.game)}, ` +
      `attempt ${trial.attempt} (seed ${trial.seed}), after step ${step}`,
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
