/**
 * GraphMind's figures of many trials: success by size, growth of the graph. Those of distances are in `edit-distance.ts`.
 *
 * @module
 */

import { countText, seedsText } from "../../../report/counts.ts";
import { exhibitRows } from "../../../report/exhibit-table.ts";
import { type Figure, PALETTE } from "../../../report/figure.ts";
import { frameOf, stepRows } from "../../../report/frame.ts";
import { growthBy } from "../../../report/growth.ts";
import { bandLine, intervalPoint } from "../../../report/marks.ts";
import type { ReportInput } from "../../../report/study-report.ts";
import { byRooms } from "../conditions.ts";
import { SUCCESS_TABLES } from "../exhibits.ts";
import { graphmindTrials } from "../trials.ts";

/** Success over the size of the map, a mark a condition, with Wilson's intervals; the paper's own numbers (Tables 2 and 4, Flash) as rings. */
export function successBySizeFigure({ reader, study, backbone }: ReportInput): Figure {
  const cells = SUCCESS_TABLES.flatMap((exhibit) => {
    const ofSuccess = { ...exhibit, rows: exhibit.rows.filter(({ key, isError }) => key === "success" && !isError) };
    return exhibitRows(ofSuccess, reader.read(exhibit, study), { allowIncomplete: true });
  });
  const frame = cells.map(({ row: { mission, rooms }, column, value, low, high, n, paper }) => {
    return { mission, rooms, condition: column.name, success: value, low, high, n, paper };
  });
  const shown = SUCCESS_TABLES.flatMap(({ columns }) => columns.map(({ name }) => name));
  const domain = ["KG", "SM", "w/o Memory", ...new Set(shown)].filter((name, at, all) =>
    all.indexOf(name) === at && frame.some(({ condition }) => condition === name)
  );
  const sizes = [...new Set(frame.toSorted(byRooms).map(({ rooms }) => rooms))];
  const seeds = seedsText(reader.read({ trials: graphmindTrials }, study).trials);
  const x = { field: "rooms", type: "ordinal", title: "rooms", sort: sizes, axis: { labelAngle: 0 }, scale: { padding: 0.4 } };
  const xOffset = { field: "condition", type: "nominal", sort: domain };
  const color = {
    field: "condition",
    type: "nominal",
    title: null,
    sort: domain,
    scale: { domain, range: domain.map((_, i) => PALETTE[i]) },
  };
  const y = { field: "success", type: "quantitative", title: "success, %", scale: { domain: [0, 100] } };
  const counts = frame.filter(({ n }) => n > 0).map(({ n }) => n);
  return {
    id: `graphmind-success-${backbone}`,
    caption: `Success by the size of the map, backbone ${backbone}, n = ${countText(counts, "trial")} a mark, ${seeds}, ` +
      `with Wilson's 95 % intervals. Rings: the paper's Tables 2 and 4 (Gemini 2.5 Flash; 30 and 36 trials).`,
    frame: frameOf(frame, {
      mission: "text",
      rooms: "text",
      condition: "text",
      success: "number",
      low: "number",
      high: "number",
      n: "integer",
      paper: "number",
    }),
    spec: {
      title: { text: "Success by size of the map", subtitle: `backbone: ${backbone}; rings: the paper, Gemini 2.5 Flash` },
      data: { name: "frame" },
      facet: { field: "mission", type: "nominal", title: null, sort: ["PutNextTo", "OpenDoor"] },
      columns: 2,
      spec: {
        width: 340,
        height: 200,
        layer: [
          ...intervalPoint({ x, xOffset, y, low: "low", high: "high", color }),
          {
            transform: [{ filter: "isValid(datum.paper)" }],
            mark: { type: "point", filled: false, size: 80, strokeWidth: 1.5 },
            encoding: { x, xOffset, y: { ...y, field: "paper" }, color },
          },
        ],
      },
    },
  };
}

/**
 * The triplets of the room graph (KG) over the decision steps, by size of the map: mean over the trials still running, band from the least to the most;
 * `undefined` where no trial of KG was played.
 */
export function graphmindGrowthFigure({ store, reader, study, backbone }: ReportInput): Figure | undefined {
  const { trials } = reader.read({ trials: graphmindTrials }, study);
  const played = new Map(
    trials.filter(({ condition, status }) => condition === "kg" && status === "completed").map((trial) => [trial.episode, trial]),
  );
  if (played.size === 0) return undefined;
  const steps = stepRows(store, study).filter(({ episode }) => played.has(episode));
  const growth = growthBy(steps, ({ episode }) => played.get(episode)?.rooms ?? "?")
    .map(({ label, episodes, ...numbers }) => ({ rooms: label, trials: episodes, ...numbers }))
    .sort((a, b) => byRooms(a, b) || a.step - b.step);
  const sizes = [...new Set(growth.map(({ rooms }) => rooms))];
  const x = { field: "step", type: "quantitative", title: "decision step", axis: { tickMinStep: 1 } };
  const y = { field: "triplets", type: "quantitative", title: "triplets" };
  const color = { field: "rooms", type: "nominal", title: "rooms", sort: sizes };
  return {
    id: `graphmind-growth-${backbone}`,
    caption:
      `Growth of the room graph, condition KG, backbone ${backbone}, n = ${countText([played.size], "trial")}, ${
        seedsText([...played.values()])
      }: standing triplets ` +
      `after each decision step, mean over the trials still running, band from the least to the most.`,
    frame: frameOf(growth, {
      rooms: "text",
      step: "integer",
      trials: "integer",
      triplets: "number",
      least: "number",
      most: "number",
      updateRate: "number",
    }),
    spec: {
      title: { text: "Growth of the room graph", subtitle: `backbone: ${backbone}` },
      width: 420,
      height: 240,
      data: { name: "frame" },
      layer: bandLine({ x, y, low: "least", high: "most", color }),
    },
  };
}
