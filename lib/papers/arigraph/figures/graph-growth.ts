/**
 * AriGraph's Figures 5 and 6: growth and update rate of the knowledge graph, in the games and during random walks.
 *
 * @module
 */

import { listStudies } from "../../../store/studies.ts";
import type { Store } from "../../../store/open.ts";
import type { Figure } from "../../../report/figure.ts";
import { frameOf, stepRows } from "../../../report/frame.ts";
import { growthBy } from "../../../report/growth.ts";
import { bandLine } from "../../../report/marks.ts";
import { gameName, gameOrder } from "../../../report/names.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { sampleText } from "../../../report/counts.ts";
import { EXPERIMENT } from "../experiments.ts";
import { gameTrials } from "../games.ts";

const NUMBERS = { triplets: "number", least: "number", most: "number", updateRate: "number" } as const;

/** Figure 5: the graph of AriGraph over the steps of each game, without those of its ablations. */
export function graphGrowthFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const own = new Set(
    reader.read({ trials: gameTrials }, study).trials.filter(({ condition }) => condition === "arigraph").map(({ episode }) => episode),
  );
  const steps = stepRows(store, study).filter(({ episode, triplets }) => own.has(episode) && triplets !== null);
  if (steps.length === 0) return undefined;
  const rows = growthBy(steps, ({ game }) => game).sort((a, b) => gameOrder(a.label) - gameOrder(b.label) || a.step - b.step)
    .map(({ label, episodes, ...numbers }) => ({ game: gameName(label), place: gameOrder(label), attempts: episodes, ...numbers }));
  return {
    id: `arigraph-fig5-${backbone}`,
    caption: `Growth of the AriGraph knowledge graph (after Figure 5), backbone ${backbone}, ${sampleText(steps, "game")}. ` +
      `Left: current triplets after each step, mean over the attempts still running, band from the least to the most. ${RIGHT}`,
    frame: frameOf(rows, { game: "text", place: "integer", step: "integer", attempts: "integer", ...NUMBERS }),
    spec: growthSpec("Growth of the knowledge graph", backbone, { field: "game", sort: [...new Set(rows.map(({ game }) => game))] }),
  };
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
  const walks = backbones.map((backbone) =>
    `${backbone} ${Math.max(...rows.filter((row) => row.backbone === backbone).map((row) => row.walks))}`
  );
  return {
    id: `arigraph-fig6-${backbones.join("-")}`,
    caption: `AriGraph's knowledge graph during random walks in Cleaning (after Figure 6), by backbone; walks: ${walks.join(", ")}. ` +
      `Left: current triplets after each step, mean over the walks, band from the least to the most. ${RIGHT} ` +
      `The paper prints no number of it (figure only).`,
    frame: frameOf(rows, { backbone: "text", step: "integer", walks: "integer", ...NUMBERS }),
    spec: growthSpec("The graph during a random walk", backbones.join(", "), { field: "backbone", sort: backbones }),
  };
}

const RIGHT = "Right: triplets replaced up to a step, divided by the steps taken.";

function isRandomWalk(store: Store, study: string): boolean {
  return store.prepare(`select 1 from episodes where study = ? and ${EXPERIMENT} = 'random-walk' limit 1`).get(study) !== undefined;
}

/** Two panels over the steps, a line a value of `field`: triplets, and triplets replaced so far per step taken. */
function growthSpec(
  title: string,
  backbone: string,
  { field, sort }: { readonly field: string; readonly sort: readonly string[] },
): Figure["spec"] {
  const color = { field, type: "nominal", sort, title: null, legend: { symbolOpacity: 1, symbolType: "stroke" } };
  const x = { field: "step", type: "quantitative", title: "step", axis: { tickMinStep: 1 } };
  const y = { field: "triplets", type: "quantitative", title: "triplets" };
  const panel = { width: 340, height: 240 };
  return {
    title: { text: title, subtitle: `backbone: ${backbone}` },
    data: { name: "frame" },
    hconcat: [
      { ...panel, layer: bandLine({ x, y, low: "least", high: "most", color }) },
      {
        ...panel,
        mark: { type: "line", strokeWidth: 2 },
        encoding: { x, y: { field: "updateRate", type: "quantitative", title: "triplets replaced a step" }, color },
      },
    ],
  };
}
