/** AriGraph in NetHack: depth and score over skill calls, the graph over the levels, and a game as a strip of screens (Figure 13). */

import { countText, playerName, seedsText } from "../../../report/caption-text.ts";
import { type Figure, figureOf } from "../../../report/figure.ts";
import { bandsOf } from "../../../report/growth.ts";
import { bandLine, category, LINE_LEGEND, nominal, quantitative } from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { methodChannels } from "../../../report/styles.ts";
import type { Store } from "../../../lab/store/open.ts";
import { listTruths } from "../../../lab/store/turns.ts";
import { agentName, inAgentOrder, nethackTrials } from "../nethack.ts";

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
  const { color, strokeDash } = methodChannels("agent", agents, LINE_LEGEND);
  const x = quantitative("step", "skill calls");
  const panel = (measure: "deepest" | "score", title: string): object => {
    const y = quantitative(measure, title, { axis: WHOLE });
    const [low, high] = [`${measure}Least`, `${measure}Most`];
    const layer = bandLine({ x, y, low, high, color, strokeDash, lines: agents.length, interpolate: "step-after" });
    return { width: 300, height: 220, layer };
  };
  return figureOf({
    id: `arigraph-nethack-progress-${backbone}`,
    title: "Depth and score over skill calls",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `NetHack: deepest dungeon level reached (left) and the game's score (right) over the skill calls, model: ${playerName(backbone)}, ` +
      `${sample(all)}. Mean, band from the least to the most; a run that ended keeps its last values.`,
    rows,
    fields: [
      ...[["text", "agent"], ["integer", "step", "runs"]] as const,
      ["number", "deepest", "deepestLeast", "deepestMost", "score", "scoreLeast", "scoreMost"],
    ],
    hconcat: [panel("deepest", "deepest level reached"), panel("score", "score")],
  });
}

/** An axis without fractions: levels, points and triplets are whole. */
const WHOLE = { tickMinStep: 1 };

/** Draws the graph's triplets over the skill calls, a line a run (left), and when each level was first reached, a dot a run and their mean (right). */
export function nethackGrowthFigure({ store, study, backbone }: ReportInput): Figure | undefined {
  const all = nethackSteps(store, study).filter(({ triplets }) => triplets !== null);
  if (all.length === 0) return undefined;
  const rows = [...Map.groupBy(all, ({ episode }) => episode).values()].flatMap((run) =>
    run.map(({ seed, step, triplets, deepest: level }, index) => (
      { seed, step, triplets, level, arrival: level > (run[index - 1]?.deepest ?? 0) }
    ))
  );
  const seeds = [...new Set(rows.map(({ seed }) => seed))].sort((a, b) => Number(a) - Number(b));
  const { color, strokeDash } = methodChannels("seed", seeds, { ...LINE_LEGEND, title: "seed" });
  const y = quantitative("triplets", "triplets", { axis: WHOLE });
  const x = quantitative("step", "skill calls");
  const level = { field: "level", type: "ordinal", title: "level, when it was first reached", axis: { labelAngle: 0 } };
  const transform = [{ filter: "datum.arrival" }];
  const mark = { type: "point", filled: true, size: 45, opacity: 1 };
  // where no run left its first level there is no triplet to scale by
  const held = rows.some(({ arrival, triplets }) => arrival && triplets !== 0) ? y : { ...y, scale: { domain: [0, 1] } };
  const overCalls = [
    { mark: { type: "line", strokeWidth: 1.6 }, encoding: { x, y, color, strokeDash } },
    { transform, mark, encoding: { x, y, color } },
  ];
  const overLevels = [
    { mark: { type: "bar", color: "#dddddd" }, encoding: { x: level, y: { ...held, aggregate: "mean" } } },
    { mark, encoding: { x: level, y: held, color } },
  ];
  return figureOf({
    id: `arigraph-nethack-growth-${backbone}`,
    title: "The graph over the levels",
    subtitle: `model: ${playerName(backbone)}`,
    caption: `NetHack: growth of AriGraph's knowledge graph, model: ${playerName(backbone)}, ${sample(all)}. ` +
      "Left: current triplets after each skill call, dots where a level is reached for the first time. " +
      "Right: current triplets at that moment, a dot a run, bars: the mean of the runs that got there.",
    rows,
    fields: [["text", "seed"], ["integer", "step", "triplets", "level"], ["boolean", "arrival"]],
    hconcat: [{ width: 340, height: 220, layer: overCalls }, { width: 240, height: 220, transform, layer: overLevels }],
  });
}

/** "n = 3 runs an agent, seeds 1, 2, 3"; of one agent its name. */
function sample(rows: readonly NetHackStep[]): string {
  const agents = Map.groupBy(rows, ({ condition }) => condition);
  const counts = [...agents.values()].map((own) => Map.groupBy(own, ({ episode }) => episode).size);
  const [only, another] = [...agents.keys()];
  const whose = only === undefined || another !== undefined ? "an agent" : `of ${agentName(only)}`;
  return `n = ${countText(counts, "run")} ${whose}, ${seedsText(rows)}`;
}

/** A screen: a title that is unique in its strip, and the game's map, 21 lines of 79 characters. */
export interface DungeonScreen {
  readonly title: string;
  readonly map: readonly string[];
}

/** Kind of sign, its colour and its signs; the last kind holds all others. */
const KINDS: readonly (readonly [string, string, RegExp])[] = [
  ["hero", "#d55e00", /@/],
  ["wall", "#777777", /[-|]/],
  ["ground", "#bbbbbb", /[.#]/],
  ["stairs", "#0072b2", /[<>]/],
  ["door", "#8a5a00", /\+/],
  ["creature", "#cc0044", /[A-Za-z&;:~']/],
  ["thing", "#009e73", /./],
];
/** Size of a cell of the map in px. */
const CELL = { width: 6.1, height: 7.2 };

/** Draws the game that got deepest (of equal ones the one with the higher score), of Ariadne where it played; signs have the colour of their kind. */
export function dungeonStripFigure({ store, study, backbone, reader }: ReportInput): Figure | undefined {
  const done = reader.read({ trials: nethackTrials }, study).trials.filter(({ status }) => status === "completed");
  const ours = done.filter(({ condition }) => condition === "ariadne-room");
  const [best] = (ours.length > 0 ? ours : done).toSorted((a, b) => (b.levels ?? 0) - (a.levels ?? 0) || (b.score ?? 0) - (a.score ?? 0));
  const steps = nethackSteps(store, study);
  const screens = best ? nethackScreens(store, best.episode, steps) : [];
  if (!best || screens.length === 0) return undefined;
  const agent = agentName(best.condition);
  const calls = levelEnds(steps, best.episode).length - 1;
  const shown = calls < SCREENS ? "each call" : `the first and the last of the ${calls} calls`;
  return stripFigure(screens, {
    id: `arigraph-fig13-${backbone}`,
    title: "A run through NetHack",
    subtitle: `${agent}, seed ${best.seed}, model: ${playerName(backbone)}`,
    caption:
      `${agent} in NetHack, seed ${best.seed} (n = 1), model: ${
        playerName(backbone)
      } (after Figure 13): the game's map before ${shown} that reached a new level, ` +
      `and at the end: ${
        countText([screens.length], "screen")
      }, levels completed: ${best.levels}, score ${best.score}. Drawn from the game's own map.`,
  });
}

/** Screens of a strip: as many as a page holds with letters of 7 pt. */
const SCREENS = 3;

/** Returns the screens of a game before each new level and at its end; of more than three the first and the last two. */
export function nethackScreens(store: Store, episode: string, steps: readonly NetHackStep[]): DungeonScreen[] {
  const chosen = levelEnds(steps, episode);
  const shown = chosen.length > SCREENS ? [...chosen.slice(0, 1), ...chosen.slice(1 - SCREENS)] : chosen;
  const maps = new Map(listTruths(store, episode).map(({ step, truth }) => [step, truth["map"]]));
  return shown.flatMap(({ step, depth, score }) => {
    const map = maps.get(step);
    return Array.isArray(map) ? [{ title: `call ${step}, dungeon level ${depth}, score ${score}`, map: map.map(String) }] : [];
  });
}

/** The steps of a game before each new level, and its last one. */
function levelEnds(steps: readonly NetHackStep[], episode: string): NetHackStep[] {
  const run = steps.filter((step) => step.episode === episode);
  return run.filter((step, index) => index === run.length - 1 || (run[index + 1]?.deepest ?? 0) > step.deepest);
}

/** Draws screens one below the other. */
export function stripFigure(
  screens: readonly DungeonScreen[],
  options: { readonly id: string; readonly title: string; readonly subtitle: string; readonly caption: string },
): Figure {
  const rows = screens.flatMap((screen, place) =>
    screen.map.flatMap((line, y) =>
      [...line].flatMap((sign, x) => sign === " " ? [] : [{ screen: screen.title, place, x, y, sign, kind: kindOf(sign) }])
    )
  );
  const [wide, high] = [
    Math.max(...screens.flatMap(({ map }) => map.map((line) => line.length)), 1),
    Math.max(...screens.map(({ map }) => map.length), 1),
  ];
  const axis = (field: string, end: number, reverse?: true): Record<string, unknown> => (
    { field, type: "quantitative", axis: null, scale: { domain: [-0.5, end - 0.5], nice: false, zero: false, reverse } }
  );
  const legend = { orient: "bottom", symbolType: "circle" };
  return figureOf({
    ...options,
    isWide: "fixed",
    rows,
    fields: [["text", "screen"], ["integer", "place", "x", "y"], ["text", "sign", "kind"]],
    facet: nominal("screen", screens.map(({ title }) => title), {
      header: { labelFontSize: 8, labelAnchor: "start" },
    }),
    columns: 1,
    spacing: 8,
    spec: {
      width: wide * CELL.width,
      height: high * CELL.height,
      view: { fill: "#fbfbfb", stroke: "#dddddd" },
      mark: { type: "text", fontSize: 7.5, fontWeight: "bold", baseline: "middle" },
      encoding: {
        x: axis("x", wide),
        y: axis("y", high, true),
        text: { field: "sign", type: "nominal" },
        color: { ...category("kind", KINDS.map(([kind]) => kind), KINDS.map(([, colour]) => colour), { legend }), sort: undefined },
      },
    },
  });
}

function kindOf(sign: string): string {
  return KINDS.find(([, , signs]) => signs.test(sign))?.[0] ?? "thing";
}
