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

/** What is known to be amiss with a printed mean. */
export function noteOf(table: GraphMindTableName, { mission, rooms, condition, measure, model, printed }: PrintedMean): string | undefined {
  if (table === "table2" && printed === "87.7") return "no mean of 30 trials: 26 of 30 are 86.7";
  if (table === "table2" && mission === "PutNextTo" && measure === "ged") {
    if (model !== FLASH) return `Table 3 prints ${rooms === "2x2" ? "3.17" : "6.00"} for the same cell`;
    const other = rooms === "2x2" ? "4.50" : "7.80";
    return `Tables 3 and 8 print ${other} for the same cell, and Figure 5's means give ${other}`;
  }
  if (table === "table8" && condition === "kg-static" && rooms === "3x3" && measure === "success") return "implies 29 trials";
  if (table === "table4" && measure === "decisionsOfSuccesses") {
    return "read as the mean of successes: with 400 for failures SM's would be above 230.6";
  }
  return table === "steps" ? "the mission is not named; PutNextTo is taken" : undefined;
}

/** What is known of a printed standard error. */
export function errorNoteOf(table: GraphMindTableName, { measure }: PrintedMean): string | undefined {
  if (measure !== "success") return undefined;
  if (table === "table4") return "printed with n under the root";
  return table === "table7" || table === "table8" ? "printed mostly with n under the root" : undefined;
}

function conditionOf(memory = ""): string {
  return MEMORY[memory] ?? memory;
}

function measureOf(metric: string | undefined): GraphMindMeasure {
  return metric === "ged" ? "ged" : "success";
}
