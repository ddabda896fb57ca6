/**
 * The numbers that GraphMind prints in Tables 2, 3, 4, 7 and 8 and in Appendix C, and what is known to be amiss with some.
 *
 * @module
 */

import { paperTable } from "../../report/paper.ts";
import type { GraphMindMeasure } from "./measures.ts";

/** Which of the paper's tables. */
export type GraphMindTableName = "table2" | "table3" | "table4" | "table7" | "table8" | "steps";

/** A mean of the paper as printed. */
export interface PrintedMean {
  /** `PutNextTo` or `OpenDoor`. */
  readonly mission: string;
  /** `2x2`, … */
  readonly rooms: string;
  readonly condition: string;
  readonly measure: GraphMindMeasure;
  /** The paper's model. */
  readonly model: string;
  readonly printed: string;
  /** Standard error as printed, where there is one. */
  readonly se?: string;
}

/** The model of most of the paper's numbers. */
export const FLASH = "gemini-2.5-flash";
const MEMORY: Readonly<Record<string, string>> = { "KG": "kg", "w/o Memory": "none", "SM": "sm" };

/** What most tables leave unsaid. */
const SHARED = { mission: "PutNextTo", model: FLASH } as const;

/** How each table's file is read. */
const READERS: Readonly<Record<GraphMindTableName, () => PrintedMean[]>> = {
  table2: () =>
    paperTable("graphmind_table2_success").map(({ mission = "", rooms = "", metric, model = "", memory, mean = "", se }) => {
      return { mission, rooms, condition: conditionOf(memory), measure: measureOf(metric), model, printed: mean, se };
    }),
  table3: () =>
    paperTable("graphmind_table3_actor").map(({ rooms = "", metric, model = "", actor, mean = "", se }) => {
      return { ...SHARED, rooms, condition: actor === "bot" ? "kg" : "kg-llm-actor", measure: measureOf(metric), model, printed: mean, se };
    }),
  table4: () =>
    paperTable("graphmind_table4_scale").flatMap(({ rooms = "", memory, success_pct = "", success_se, avg_steps = "" }): PrintedMean[] => {
      const shared = { ...SHARED, rooms, condition: conditionOf(memory) };
      return [
        { ...shared, measure: "success", printed: success_pct, se: success_se },
        { ...shared, measure: "decisionsOfSuccesses", printed: avg_steps },
      ];
    }),
  table7: () =>
    paperTable("graphmind_table7_modality").map(({ observation, rooms = "", accuracy_pct = "", se }) => {
      return { ...SHARED, rooms, condition: observation === "text" ? "kg-text" : "kg", measure: "success", printed: accuracy_pct, se };
    }),
  table8: () =>
    paperTable("graphmind_table8_access").flatMap(({ rooms = "", metric, ...row }) => {
      const shared = { ...SHARED, rooms, measure: measureOf(metric) };
      return [
        { ...shared, condition: "kg", printed: row.dynamic_mean ?? "", se: row.dynamic_se },
        { ...shared, condition: "kg-static", printed: row.static_mean ?? "", se: row.static_se },
      ];
    }),
  steps: () =>
    paperTable("graphmind_appc_steps").map(({ rooms = "", memory, decision_steps = "" }) => {
      return { ...SHARED, rooms, condition: conditionOf(memory), measure: "decisions", printed: decision_steps };
    }),
};

const read = new Map<GraphMindTableName, readonly PrintedMean[]>();

/** The paper's numbers of a table, read once. */
export function printedMeans(table: GraphMindTableName): readonly PrintedMean[] {
  return read.getOrInsertComputed(table, () => READERS[table]());
}

/** What is known to be amiss with printed means: a table, which of its numbers, and the note. */
const NOTES: readonly (readonly [GraphMindTableName, Partial<PrintedMean>, string])[] = [
  ["table2", { printed: "87.7" }, "no mean of 30 trials: 26 of 30 are 86.7"],
  ...[["2x2", "4.50", "3.17"], ["3x3", "7.80", "6.00"]].flatMap(([rooms, flash, pro]) => {
    const cell = { rooms, mission: "PutNextTo", measure: "ged" } as const;
    return [
      ["table2", { ...cell, model: FLASH }, `Tables 3 and 8 print ${flash} for the same cell, and Figure 5's means give ${flash}`],
      ["table2", cell, `Table 3 prints ${pro} for the same cell`],
    ] as const;
  }),
  ["table8", { condition: "kg-static", rooms: "3x3", measure: "success" }, "implies 29 trials"],
  ["table4", { measure: "decisionsOfSuccesses" }, "read as the mean of successes: with 400 for failures SM's would be above 230.6"],
  ["steps", {}, "the mission is not named; PutNextTo is taken"],
];

/** What is known to be amiss with a printed mean; of several notes the first holds. */
export function noteOf(table: GraphMindTableName, mean: PrintedMean): string | undefined {
  return NOTES.find(([where, wanted]) =>
    where === table && Object.entries(wanted).every(([key, value]) => mean[key as keyof PrintedMean] === value)
  )
    ?.[2];
}

/** What is known of a printed standard error. */
export function errorNoteOf(table: GraphMindTableName, { measure }: PrintedMean): string | undefined {
  const notes: Partial<Record<GraphMindTableName, string>> = { table4: "printed", table7: "printed mostly", table8: "printed mostly" };
  return measure === "success" && notes[table] ? `${notes[table]} with n under the root` : undefined;
}

function conditionOf(memory = ""): string {
  return MEMORY[memory] ?? memory;
}

function measureOf(metric: string | undefined): GraphMindMeasure {
  return metric === "ged" ? "ged" : "success";
}
