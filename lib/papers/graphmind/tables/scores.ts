/**
 * GraphMind, Tables 2, 3, 4, 7 and 8 and the decision steps of Appendix C: what the paper compares, ours beside the paper's.
 *
 * @module
 */

import { countText, seedsText } from "../../../report/counts.ts";
import { graphmindMean, type GraphMindMeasure } from "../measures.ts";
import { type GraphMindTrial, roomsOrder, trialsOf } from "../trials.ts";
import type { DataFrame } from "../../../report/frame.ts";
import type { Cell, Table } from "../../../report/table.ts";
import { FLOOR, type GraphMindTableName, type PaperNumber, SPECS, trialsIn } from "./paper.ts";

/** How a table is made. */
export interface GraphMindTableOptions {
  /** What answered for the models; stands in the title, the caption and the file name. */
  readonly backbone: string;
  /** Show the mean of the trials at hand where planned ones are missing. @default {false} */
  readonly allowIncomplete?: boolean;
}

const MEASURES: Readonly<Record<GraphMindMeasure, { readonly name: string; readonly digits: number }>> = {
  success: { name: "success, %", digits: 1 },
  ged: { name: "GED, observed map", digits: 2 },
  gedWhole: { name: "GED, whole map", digits: 2 },
  decisions: { name: "decision steps", digits: 1 },
  decisionsOfSuccesses: { name: "decision steps, successes", digits: 1 },
  steps: { name: "world steps, all trials", digits: 1 },
  stepsOfSuccesses: { name: "world steps, successes", digits: 1 },
};

/**
 * One of the paper's tables: a block of rows for each mission and size, in it ours (with 95 % interval), our standard errors, and the paper's by model.
 * A cell with planned trials missing is not a number unless `allowIncomplete`; sizes and conditions that were not planned are left out.
 *
 * @param trials the frame of `graphmindTrialsFrame`
 *
 * @example
 * ```ts
 * import { graphmindTable, graphmindTrialsFrame } from "labyrinth/papers/graphmind";
 * import { openStore } from "labyrinth/store";
 * import assert from "node:assert/strict";
 *
 * using store = openStore(":memory:");
 * const { columns, rows } = graphmindTable(graphmindTrialsFrame(store, "unplayed"), "table8", { backbone: "offline" });
 * assert.deepEqual(columns, ["PutNextTo", "Dynamic (tools)", "Static (in the prompt)"]);
 * assert.deepEqual(rows[0], ["2x2: success, %, paper, gemini-2.5-flash", "96.7 ± 3.3", "93.3 ± 4.8"]);
 * ```
 */
export function graphmindTable(trials: DataFrame, table: GraphMindTableName, options: GraphMindTableOptions): Table {
  const { backbone, allowIncomplete = false } = options;
  const spec = SPECS[table];
  const rows = trialsIn(table, trialsOf(trials));
  const numbers = spec.numbers();
  const planned = new Set(rows.map(({ condition }) => condition));
  const extra = [...Object.keys(FLOOR), ...(table === "table4" ? ["none"] : [])]; // which the paper does not have
  const conditions = Object.keys(spec.columns).filter((condition) => !extra.includes(condition) || planned.has(condition));
  const single = spec.missions.length === 1;

  const blocks = spec.missions.flatMap((mission) =>
    spec.sizes.flatMap((rooms) => {
      const here = rows.filter((row) => row.mission === mission && row.rooms === rooms);
      const name = single ? rooms : `${mission} ${rooms}`;
      return spec.measures.flatMap((measure) => [
        ...oursRows(here, { name, measure, conditions, backbone, allowIncomplete }),
        ...paperRows(numbers, { mission, rooms, measure, conditions, name }),
      ]);
    })
  );
  return {
    id: `graphmind-${table}-${backbone}`,
    title: `GraphMind, ${spec.title} (${backbone})`,
    caption: [`Backbone ${backbone}; ${sampleOf(rows, conditions)}.`, ...explained(blocks), ...(spec.note === "" ? [] : [spec.note])].join(
      " ",
    ),
    columns: [
      single ? spec.missions[0] ?? "" : "Mission and rooms",
      ...conditions.map((condition) => spec.columns[condition] ?? condition),
    ],
    rows: blocks,
  };
}

/** What the rows need to be told: a caption says nothing of what its table does not show. */
function explained(rows: readonly (readonly Cell[])[]): string[] {
  const labels = rows.map(([label]) => String(label));
  const isSuccess = (label: string): boolean => label.includes(MEASURES.success.name);
  const [ofSuccess, ofOthers] = [labels.some(isSuccess), !labels.every(isSuccess)];
  const errors = labels.filter((label) => label.endsWith(SE));
  const bootstrap = "with a seeded 95 % percentile bootstrap interval";
  const formulas = [
    ...(errors.some(isSuccess) ? ["√(p(1 − p)/(n − 1)), after the bar √(p(1 − p)/n)"] : []),
    ...(errors.every(isSuccess) ? [] : [`${ofSuccess ? "of other means " : ""}s/√n`]),
  ];
  const whole = labels.some((label) => label.includes(MEASURES.gedWhole.name));
  return [
    ofSuccess ? `Success with Wilson's 95 % interval${ofOthers ? `, other means ${bootstrap}` : ""}.` : `Means ${bootstrap}.`,
    ...(formulas.length > 0 ? [`SE: ${formulas.join("; ")}.`] : []),
    ...(labels.some((label) => label.includes(MEASURES.ged.name))
      ? [
        `GED: fewest edits from the graph that was built to the rooms, doors and things that were seen${
          whole ? ", and to the whole map" : ""
        }.`,
      ]
      : []),
  ];
}

/** How the labels of rows of standard errors end. */
const SE = ", SE";

interface Block {
  readonly name: string;
  readonly measure: GraphMindMeasure;
  readonly conditions: readonly string[];
}

function oursRows(
  trials: readonly GraphMindTrial[],
  { name, measure, conditions, backbone, allowIncomplete }: Block & Required<GraphMindTableOptions>,
): Cell[][] {
  const { name: called, digits } = MEASURES[measure];
  const means = conditions.map((condition) => {
    const cell = trials.filter((trial) => trial.condition === condition);
    const done = cell.filter(({ status }) => status === "completed");
    return { cell, done, mean: graphmindMean(done, measure) };
  });
  if (means.every(({ cell, done, mean }) => cell.length === 0 || (done.length > 0 && !mean))) return [];
  const isOpen = ({ cell, done }: (typeof means)[number]): boolean => done.length === 0 || (done.length < cell.length && !allowIncomplete);
  const value = means.map((one): Cell => {
    const { cell, done, mean } = one;
    if (cell.length === 0) return null;
    if (isOpen(one)) {
      const failed = cell.filter(({ status }) => status === "failed").length;
      return { incomplete: { done: done.length, failed, planned: cell.length } };
    }
    if (!mean) return null;
    const { value, low, high, n, episodes } = mean;
    return { value, digits, n, episodes, ...(low === undefined || high === undefined ? {} : { low, high }) };
  });
  const errors = means.map((one): Cell => {
    const se = isOpen(one) ? undefined : one.mean?.se;
    if (!se) return null;
    return measure === "success" ? `${se.unbiased.toFixed(digits)} | ${se.plain.toFixed(digits)}` : se.plain.toFixed(digits);
  });
  return [
    [`${name}: ${called}, ${backbone}`, ...value],
    ...(errors.some((error) => error !== null) ? [[`${name}: ${called}${SE}`, ...errors]] : []),
  ];
}

function paperRows(
  numbers: readonly PaperNumber[],
  { mission, rooms, measure, conditions, name }: Block & { readonly mission: string; readonly rooms: string },
): Cell[][] {
  const here = numbers.filter((number) => number.mission === mission && number.rooms === rooms && number.measure === measure);
  return [...new Set(here.map(({ model }) => model))].map((model) => [
    `${name}: ${MEASURES[measure].name}, paper, ${model}`,
    ...conditions.map((condition): Cell => {
      const number = here.find((one) => one.model === model && one.condition === condition);
      return number ? number.se ? `${number.printed} ± ${number.se}` : number.printed : null;
    }),
  ]);
}

function sampleOf(rows: readonly GraphMindTrial[], conditions: readonly string[]): string {
  const here = rows.filter((row) => conditions.includes(row.condition));
  if (here.length === 0) return "nothing of it was planned";
  const counts = [...Map.groupBy(here, ({ mission, rooms, condition }) => [mission, rooms, condition].join()).values()].map((cell) =>
    cell.filter(({ status }) => status === "completed").length
  );
  const layouts = [...new Set(here.map(({ layout }) => layout))].sort((a, b) => roomsOrder(a) - roomsOrder(b));
  const longest = Math.max(0, ...here.filter(({ condition }) => condition !== "oracle").map(({ decisions }) => decisions ?? 0));
  return `n = ${countText(counts, "trial")} a cell, ${countText([layouts.length], "layout")}, ${
    seedsText(here)
  }, the longest of ${longest} decisions`;
}
