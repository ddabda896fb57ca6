/**
 * GraphMind's figures of many trials: graph edit distance of successes and failures (Fig. 5), success by distance and by size, growth of the graph.
 */

import { countText, playerName, seedsText } from "../../../report/caption-text.ts";
import { exhibitRows } from "../../../report/exhibit-table.ts";
import { type Figure, figureOf } from "../../../report/figure.ts";
import { stepRows } from "../../../report/frame.ts";
import { growthBy } from "../../../report/growth.ts";
import {
  bandLine,
  bandText,
  barText,
  barWithPaper,
  type Channel,
  intervalPoint,
  LINE_LEGEND,
  nominal,
  quantitative,
} from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { methodChannels } from "../../../report/styles.ts";
import { byRooms, GRAPHMIND_CONDITIONS, type GraphMindTrial, graphmindTrials, paperText } from "../trials.ts";
import { inStudy, repeatsText, SUCCESS_TABLES } from "../exhibits.ts";
import { graphmindMean } from "../measures.ts";

/** The distance above which distances share a bin (Fig. 5). */
const CLIP = 20;

/** The name of that bin. */
const ABOVE = `> ${CLIP}`;

/** The bins of the figure of success by distance, with the largest distance of each. */
const BINS: Readonly<Record<string, number>> = { "0": 0, "1–5": 5, "6–10": 10, "11–20": 20, [ABOVE]: Infinity };

/** Figure 5: every trial with a graph as a mark over its distance to the observed truth, a panel a condition and size; `undefined` without one. */
export function gedFigure({ reader, study, backbone }: ReportInput): Figure | undefined {
  const { trials } = reader.read({ trials: graphmindTrials }, study);
  const orderOf = ({ condition }: GraphMindTrial): number => Object.keys(GRAPHMIND_CONDITIONS).indexOf(condition);
  const rows = trials.filter(({ mission, ged, isRepeat }) => mission === "PutNextTo" && ged !== null && !isRepeat)
    .sort((a, b) => orderOf(a) - orderOf(b) || byRooms(a, b) || Number(b.success) - Number(a.success));
  if (rows.length === 0) return undefined;
  const heights = new Map<string, number>();
  const marks = rows.map(({ episode, condition, rooms, success, ged }) => {
    const bin = (ged ?? 0) > CLIP ? ABOVE : `${ged}`;
    const panel = `${GRAPHMIND_CONDITIONS[condition] ?? condition}, ${rooms}`;
    const height = (heights.get(`${panel}/${bin}`) ?? 0) + 1;
    heights.set(`${panel}/${bin}`, height);
    return { episode, condition, rooms, panel, outcome: success ? "success" : "failure", ged, bin, height };
  });
  const outcome = (range: readonly unknown[]): Channel => (
    { field: "outcome", type: "nominal", title: null, scale: { domain: ["success", "failure"], range } }
  );
  const counted = (outcome: string): number => marks.filter((mark) => mark.outcome === outcome).length;
  // every other label: all of them run into each other
  const labels = `datum.value === "${ABOVE}" || datum.value % 2 === 0 && datum.value < ${CLIP} ? datum.value : ""`;
  const bins = [...Array.from({ length: CLIP + 1 }, (_, ged) => `${ged}`), ABOVE];
  const axis = { labelAngle: 0, grid: true, labelExpr: labels };
  return figureOf({
    id: `graphmind-fig5-${backbone}`,
    title: "Graph edit distance of successes and failures, PutNextTo",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `GED of successes and failures in PutNextTo (after Figure 5, which has KG alone), a panel a condition and size, model: ${
        playerName(backbone)
      }, ` +
      `n = ${marks.length} trials with a graph (${counted("success")} successes, ${counted("failure")} failures), ${seedsText(rows)}: ` +
      "fewest edits from the graph at the end to the rooms, doors and things that were seen; " +
      `above ${CLIP} together. SM and w/o Memory build no graph.`,
    rows: marks,
    fields: [["text", "episode", "condition", "rooms", "panel", "outcome"], ["integer", "ged"], ["text", "bin"], ["integer", "height"]],
    facet: nominal("panel", [...new Set(marks.map(({ panel }) => panel))]),
    columns: 2,
    spec: {
      width: 340,
      height: 90,
      mark: { type: "point", filled: true, size: 55, opacity: 0.9 },
      encoding: {
        x: { field: "bin", type: "ordinal", title: "graph edit distance", scale: { domain: bins }, axis },
        y: quantitative("height", "trials", { axis: { tickMinStep: 1 }, scale: { domain: [0, 1.15 * Math.max(...heights.values())] } }),
        color: outcome(["#0072b2", "#c00000"]),
        shape: outcome(["triangle-up", "cross"]),
      },
    },
  });
}

/** The success rate by the distance of the graph to the observed truth (§4.3), a panel a mission and a bar a condition; `undefined` without a graph. */
export function successByGedFigure({ reader, study, backbone }: ReportInput): Figure | undefined {
  const { trials } = reader.read({ trials: graphmindTrials }, study);
  const rows = trials.filter(({ ged, success, isRepeat }) => ged !== null && success !== null && !isRepeat);
  if (rows.length === 0) return undefined;
  const binOf = ({ ged }: GraphMindTrial): string => Object.keys(BINS).find((name) => (ged ?? 0) <= (BINS[name] ?? 0)) ?? "";
  const bars = [...Map.groupBy(rows, (trial) => JSON.stringify([trial.mission, trial.condition, binOf(trial)])).values()].flatMap(
    (some) => {
      const [one] = some as [GraphMindTrial, ...GraphMindTrial[]];
      const found = graphmindMean("success").estimate(some);
      if (typeof found === "string") return [];
      const { value: success, low, high, episodes: { length: n } } = found;
      const condition = GRAPHMIND_CONDITIONS[one.condition] ?? one.condition;
      const label = `${some.filter((trial) => trial.success).length}/${n}`;
      return [{ mission: one.mission, bin: binOf(one), condition, success, low, high, n, label }];
    },
  );
  const domain = Object.values(GRAPHMIND_CONDITIONS).filter((name) => bars.some(({ condition }) => condition === name));
  const x = { field: "bin", type: "ordinal", title: "graph edit distance", scale: { domain: Object.keys(BINS) }, axis: { labelAngle: 0 } };
  const xOffset = nominal("condition", domain);
  const y = quantitative("success", "success, %", { scale: { domain: [0, 118] }, axis: { values: [0, 25, 50, 75, 100] } });
  return figureOf({
    id: `graphmind-success-ged-${backbone}`,
    title: "Success by graph edit distance",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `Success by graph edit distance to the observed truth (§4.3), a panel a mission and a bar a condition, model: ${
        playerName(backbone)
      }, n = ` +
      `${countText(bars.map(({ n }) => n), "trial")} a bar, ${rows.length} in all, all sizes, ${seedsText(rows)}, ` +
      ["with Wilson's 95 % intervals. The paper: 98.1 % where the graph was highly accurate, 0 % above 20.", ...repeatsText(trials)].join(
        " ",
      ),
    rows: bars,
    fields: [...SUCCESS, ["text", "bin", "label"]],
    facet: nominal("mission", ["PutNextTo", "OpenDoor"]),
    columns: 1,
    spec: {
      width: 480,
      height: 200,
      layer: [
        ...barWithPaper({ x, xOffset, y, low: "low", high: "high", color: methodChannels("condition", domain).color }),
        barText("label", { x, xOffset, y: 101, upright: true }),
      ],
    },
  });
}

/** The columns that the two figures of success have in common. */
const SUCCESS = [["text", "mission", "condition"], ["number", "success", "low", "high"], ["integer", "n"]] as const;

/** Success over the size of the map, a mark a condition, with Wilson's intervals; the paper's own numbers (Tables 2 and 4, Flash) as rings. */
export function successBySizeFigure({ reader, study, backbone }: ReportInput): Figure {
  const { trials } = reader.read({ trials: graphmindTrials }, study);
  const frame = SUCCESS_TABLES.flatMap((exhibit) => {
    const ofSuccess = { ...inStudy(exhibit, trials), rows: exhibit.rows.filter(({ key, isError }) => key === "success" && !isError) };
    return exhibitRows(ofSuccess, reader.read(exhibit, study), { allowIncomplete: true });
  }).map(({ row: { where: { mission, rooms } }, column, value, low, high, n, paper }) => {
    return { mission, rooms, condition: column.name, success: value, low, high, n, paper };
  });
  const columns = SUCCESS_TABLES.flatMap((exhibit) => exhibit.columns.map(({ name }) => name));
  const domain = [...new Set(["KG", "SM", "w/o Memory", ...columns])].filter((name) => frame.some(({ condition }) => condition === name));
  const sizes = [...new Set(frame.toSorted(byRooms).map(({ rooms }) => rooms))];
  const hasPaper = frame.some(({ paper }) => paper !== null);
  const x = { field: "rooms", type: "ordinal", title: "rooms", sort: sizes, axis: { labelAngle: 0 }, scale: { padding: 0.4 } };
  const xOffset = nominal("condition", domain);
  const { color, shape } = methodChannels("condition", domain);
  const y = quantitative("success", "success, %", { scale: { domain: [0, 110] }, axis: { values: [0, 25, 50, 75, 100] } });
  const counts = frame.filter(({ n }) => n > 0).map(({ n }) => n);
  return figureOf({
    id: `graphmind-success-${backbone}`,
    title: "Success by size of the map",
    subtitle: `model: ${playerName(backbone)}${hasPaper ? "; rings: the paper, Gemini 2.5 Flash" : ""}`,
    caption: [
      `Success by the size of the map, model: ${playerName(backbone)}, n = ${countText(counts, "trial")} a mark, ${seedsText(trials)},`,
      "with Wilson's 95 % intervals.",
      ...repeatsText(trials),
      paperText(trials, "Rings: the paper's Tables 2 and 4 (Gemini 2.5 Flash; 30 and 36 trials)."),
    ].join(" "),
    rows: frame,
    fields: [...SUCCESS, ["text", "rooms"], ["number", "paper"]],
    facet: nominal("mission", ["PutNextTo", "OpenDoor"]),
    columns: 2,
    spec: {
      width: 340,
      height: 200,
      layer: [
        ...intervalPoint({ x, xOffset, y, low: "low", high: "high", color, shape }),
        {
          transform: [{ filter: "isValid(datum.paper)" }],
          mark: { type: "point", filled: false, size: 90, strokeWidth: 1.2 },
          encoding: { x, xOffset, y: { ...y, field: "paper" }, color, shape },
        },
      ],
    },
  });
}

/** The triplets of the room graph (KG) over the decision steps, by size of the map; `undefined` where no trial of KG was played. */
export function graphmindGrowthFigure({ store, reader, study, backbone }: ReportInput): Figure | undefined {
  const { trials } = reader.read({ trials: graphmindTrials }, study);
  const counted = trials.filter(({ condition, status, isRepeat }) => condition === "kg" && status === "completed" && !isRepeat);
  const played = new Map(counted.map((trial) => [trial.episode, trial]));
  if (played.size === 0) return undefined;
  const steps = stepRows(store, study).filter(({ episode }) => played.has(episode));
  const growth = growthBy(steps, ({ episode }) => played.get(episode)?.rooms ?? "?")
    .map(({ label, episodes, ...numbers }) => ({ rooms: label, trials: episodes, ...numbers }))
    .sort((a, b) => byRooms(a, b) || a.step - b.step);
  const x = quantitative("step", "decision step", { axis: { tickMinStep: 1 } });
  const sizes = [...new Set(growth.map(({ rooms }) => rooms))];
  const { color, strokeDash } = methodChannels("rooms", sizes, LINE_LEGEND);
  return figureOf({
    id: `graphmind-growth-${backbone}`,
    title: "Growth of the room graph",
    subtitle: `model: ${playerName(backbone)}`,
    caption:
      `Growth of the room graph, condition KG, model: ${playerName(backbone)}, n = ${countText([played.size], "trial")}, ${
        seedsText(counted)
      }: ` +
      "current triplets after each decision step, mean over the trials still running" +
      `${bandText(sizes.length, "band from the least to the most")}; a line a size, in rooms.`,
    rows: growth,
    fields: [["text", "rooms"], ["integer", "step", "trials"], ["number", "triplets", "least", "most", "updateRate"]],
    width: 420,
    height: 240,
    layer: bandLine({ x, y: quantitative("triplets", "triplets"), low: "least", high: "most", color, strokeDash, lines: sizes.length }),
  });
}
