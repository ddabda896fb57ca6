/**
 * AriGraph in NetHack: depth and score over skill calls, and how the graph grows over the levels.
 *
 * @module
 */

import { countText, seedsText } from "../../../report/counts.ts";
import { type Figure, figureOf } from "../../../report/figure.ts";
import { bandsOf } from "../../../report/growth.ts";
import { bandLine, LINE_LEGEND, nominal, quantitative } from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import type { Store } from "../../../store/open.ts";
import { agentName, inAgentOrder } from "../nethack.ts";

/** The state of a game after `step` skill calls (0 is the start): its own score (≥ 0), depths from 1, and current triplets, null without a graph. */
export type NetHackStep = Readonly<
  Record<"episode" | "condition" | "seed", string> & Record<"step" | "score" | "depth" | "deepest", number> & { triplets: number | null }
>;

/** Returns score, depth and graph after each skill call of each completed game, in order of condition, seed and step. */
export function nethackSteps(store: Store, study: string): NetHackStep[] {
  return store.prepare(`
    select t.episode, e.condition, cast(e.seed as text) as seed, t.step, t.score, cast(json_extract(t.sections, '$.depth') as integer) as depth,
      cast(json_extract(t.sections, '$.deepest') as integer) as deepest, t.graph_size as triplets
    from turns t join episodes e on e.id = t.episode
    where e.study = ? and e.world = 'nethack' and e.status = 'completed' order by e.condition, e.seed, t.episode, t.step`)
    .all(study) as unknown as NetHackStep[];
}

/** Draws the deepest level reached and the game's score over the skill calls: the mean over the seeds, with a band from the least to the most. */
export function nethackProgressFigure({ store, study, backbone }: ReportInput): Figure | undefined {
  const all = nethackSteps(store, study);
  if (all.length === 0) return undefined;
  const last = all.reduce((most, { step }) => Math.max(most, step), 0);
  const rows = inAgentOrder(all.map(({ condition }) => condition)).flatMap((condition) => {
    const runs = [...Map.groupBy(all.filter((one) => one.condition === condition), ({ episode }) => episode).values()];
    const scores = bandsOf(runs.map((run) => run.map(({ score }) => score)), last);
    return bandsOf(runs.map((run) => run.map(({ deepest }) => deepest)), last).map(({ step, n, mean, least, most }) => ({
      ...{ agent: agentName(condition), step, runs: n, deepest: mean, deepestLeast: least, deepestMost: most },
      ...{ score: scores[step]?.mean, scoreLeast: scores[step]?.least, scoreMost: scores[step]?.most },
    }));
  });
  const agents = [...new Set(rows.map(({ agent }) => agent))];
  // the domain is that of the widths: only then do all versions of Vega-Lite draw one legend of both
  const color = nominal("agent", agents, { scale: { domain: agents }, legend: LINE_LEGEND });
  // the first drawn are the widest, so that lines on one another all show
  const strokeWidth = nominal("agent", agents, { scale: { type: "ordinal", domain: agents, range: WIDTHS } });
  const x = quantitative("step", "skill calls");
  const panel = (measure: "deepest" | "score", title: string): object => {
    const y = quantitative(measure, title, { axis: WHOLE });
    const [low, high] = [`${measure}Least`, `${measure}Most`];
    const layer = bandLine({ x, y, low, high, color, strokeWidth, fillOpacity: 0.13, interpolate: "step-after" });
    return { width: 300, height: 220, layer };
  };
  return figureOf({
    id: `arigraph-nethack-progress-${backbone}`,
    title: "Depth and score over skill calls",
    subtitle: `backbone: ${backbone}`,
    caption: `NetHack: deepest dungeon level reached (left) and the game's score (right) over the skill calls, backbone ${backbone}, ` +
      `${sample(all)}. Mean, band from the least to the most; a run that ended keeps its last values.`,
    rows,
    fields: [
      ...[["text", "agent"], ["integer", "step", "runs"]] as const,
      ["number", "deepest", "deepestLeast", "deepestMost", "score", "scoreLeast", "scoreMost"],
    ],
    hconcat: [panel("deepest", "deepest level reached"), panel("score", "score")],
  });
}

/** Widths of the lines of agents, px. */
const WIDTHS = [4.5, 3.2, 2.2, 1.4];
/** An axis without fractions: levels, points and triplets are whole. */
const WHOLE = { tickMinStep: 1 };

/**
 * Draws the growth of the graph: current triplets over the skill calls, a line a run with a dot where a new level begins (left), and their number
 * when each level was first reached, every run as a dot and the mean over the runs that got there (right).
 */
export function nethackGrowthFigure({ store, study, backbone }: ReportInput): Figure | undefined {
  const all = nethackSteps(store, study).filter(({ triplets }) => triplets !== null);
  if (all.length === 0) return undefined;
  const rows = [...Map.groupBy(all, ({ episode }) => episode).values()].flatMap((run) =>
    run.map(({ seed, step, triplets, deepest: level }, index) => (
      { seed, step, triplets, level, arrival: level > (run[index - 1]?.deepest ?? 0) }
    ))
  );
  const seeds = [...new Set(rows.map(({ seed }) => seed))].sort((a, b) => Number(a) - Number(b));
  const color = { ...nominal("seed", seeds, { legend: LINE_LEGEND }), title: "seed" };
  const y = quantitative("triplets", "triplets", { axis: WHOLE });
  const x = quantitative("step", "skill calls");
  const level = { field: "level", type: "ordinal", title: "level, when it was first reached", axis: { labelAngle: 0 } };
  const transform = [{ filter: "datum.arrival" }];
  const mark = { type: "point", filled: true, size: 45, opacity: 1 };
  // where no run left its first level there is no triplet to scale by
  const held = rows.some(({ arrival, triplets }) => arrival && triplets !== 0) ? y : { ...y, scale: { domain: [0, 1] } };
  const overCalls = [
    { mark: { type: "line", strokeWidth: 2 }, encoding: { x, y, color } },
    { transform, mark, encoding: { x, y, color } },
  ];
  const overLevels = [
    { mark: { type: "bar", color: "#dddddd" }, encoding: { x: level, y: { ...held, aggregate: "mean" } } },
    { mark, encoding: { x: level, y: held, color } },
  ];
  return figureOf({
    id: `arigraph-nethack-growth-${backbone}`,
    title: "The graph over the levels",
    subtitle: `backbone: ${backbone}`,
    caption: `NetHack: growth of AriGraph's knowledge graph, backbone ${backbone}, ${sample(all)}. ` +
      "Left: current triplets after each skill call, dots where a level is reached for the first time. " +
      "Right: current triplets at that moment, a dot a run, bars: the mean of the runs that got there.",
    rows,
    fields: [["text", "seed"], ["integer", "step", "triplets", "level"], ["boolean", "arrival"]],
    hconcat: [{ width: 340, height: 220, layer: overCalls }, { width: 240, height: 220, transform, layer: overLevels }],
  });
}

/** "n = 3 runs an agent, seeds 1, 2, 3". */
function sample(rows: readonly NetHackStep[]): string {
  const counts = [...Map.groupBy(rows, ({ condition }) => condition).values()].map((own) =>
    Map.groupBy(own, ({ episode }) => episode).size
  );
  return `n = ${countText(counts, "run")} an agent, ${seedsText(rows)}`;
}
