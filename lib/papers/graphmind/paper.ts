/**
 * GraphMind, Tables 2, 3, 4, 7 and 8 and the decision steps of Appendix C: what each compares, and the paper's own numbers.
 *
 * @module
 */

import type { GraphMindMeasure } from "../measures.ts";
import type { GraphMindTrial } from "../trials.ts";
import { paperTable } from "../../../report/paper.ts";

/** Which of the paper's tables. */
export type GraphMindTableName = "table2" | "table3" | "table4" | "table7" | "table8" | "steps";

/** A number of the paper as printed. */
export interface PaperNumber {
  readonly mission: string;
  /** `2x2`, … */
  readonly rooms: string;
  readonly condition: string;
  readonly measure: GraphMindMeasure;
  /** Its model. */
  readonly model: string;
  /** Mean as printed. */
  readonly printed: string;
  /** Standard error as printed, where there is one. */
  readonly se?: string;
}

/** How a table is laid out. */
interface Spec {
  readonly title: string;
  readonly sizes: readonly string[];
  readonly missions: readonly string[];
  /** Condition of the study → head of its column, in order. */
  readonly columns: Readonly<Record<string, string>>;
  readonly measures: readonly GraphMindMeasure[];
  readonly numbers: () => PaperNumber[];
  readonly note: string;
  /** Under which condition a trial stands in the table, where not under its own. */
  readonly conditionOf?: (trial: GraphMindTrial) => string;
}

const FLASH = "gemini-2.5-flash";
const MAIN = { kg: "KG", none: "w/o Memory", sm: "SM" };
const MEMORY: Readonly<Record<string, string>> = { "KG": "kg", "w/o Memory": "none", "SM": "sm" };
/** Conditions that the paper does not have. */
export const FLOOR = { "random-dsl": "Random DSL", oracle: "Oracle" };

/** What each table compares. */
export const SPECS: Readonly<Record<GraphMindTableName, Spec>> = {
  table2: {
    title: "Table 2: success and graph edit distance",
    sizes: ["2x2", "3x3"],
    missions: ["PutNextTo", "OpenDoor"],
    columns: { ...MAIN, ...FLOOR },
    measures: ["success", "ged", "gedWhole"],
    numbers: () =>
      paperTable("graphmind_table2_success").map(({ mission = "", rooms = "", metric, model = "", memory = "", mean = "", se = "" }) => ({
        mission,
        rooms,
        condition: MEMORY[memory] ?? memory,
        measure: measureOf(metric),
        model,
        printed: mean,
        se,
      })),
    note:
      "The paper's 87.7 cannot be a mean of 30 trials; 26 of 30 are 86.7. Its GED means 4.97 and 8.43 (PutNextTo, Flash) stand as 4.50 and 7.80 in " +
      "Tables 3 and 8, which agree with its Figure 5.",
  },
  table3: {
    title: "Table 3: the actor, PutNextTo",
    sizes: ["2x2", "3x3"],
    missions: ["PutNextTo"],
    columns: { kg: "Bot", "kg-llm-actor": "LLM" },
    measures: ["success", "ged"],
    numbers: () =>
      paperTable("graphmind_table3_actor").map(({ rooms = "", metric, model = "", actor, mean = "", se = "" }) => ({
        mission: "PutNextTo",
        rooms,
        condition: actor === "bot" ? "kg" : "kg-llm-actor",
        measure: measureOf(metric),
        model,
        printed: mean,
        se,
      })),
    note: "",
  },
  table4: {
    title: "Table 4: larger maps, PutNextTo",
    sizes: ["4x4", "7x7"],
    missions: ["PutNextTo"],
    columns: { sm: "SM", kg: "KG", none: "w/o Memory", ...FLOOR },
    measures: ["success", "decisionsOfSuccesses", "stepsOfSuccesses", "ged", "gedWhole"],
    numbers: () =>
      paperTable("graphmind_table4_scale").flatMap(({ rooms = "", memory = "", success_pct = "", success_se = "", avg_steps = "" }) => {
        const shared = { mission: "PutNextTo", rooms, condition: MEMORY[memory] ?? memory, model: FLASH };
        return [
          { ...shared, measure: "success" as const, printed: success_pct, se: success_se },
          { ...shared, measure: "decisionsOfSuccesses" as const, printed: avg_steps },
        ];
      }),
    note:
      "The paper's steps, at most 400, are read as decision steps, and their mean as that of successes: with 400 for each failure SM's would be above 230.6.",
  },
  table7: {
    title: "Table 7: what is observed, PutNextTo, KG",
    sizes: ["2x2", "3x3"],
    missions: ["PutNextTo"],
    columns: { kg: "Image & Text", "kg-text": "Text" },
    measures: ["success", "ged"],
    numbers: () =>
      paperTable("graphmind_table7_modality").map(({ observation, rooms = "", accuracy_pct = "", se = "" }) => ({
        mission: "PutNextTo",
        rooms,
        condition: observation === "text" ? "kg-text" : "kg",
        measure: "success" as const,
        model: FLASH,
        printed: accuracy_pct,
        se,
      })),
    note: "The paper's standard errors here mostly divide by n.",
    conditionOf: ({ condition, image }) => condition === "kg" && !image ? "kg-text" : condition,
  },
  table8: {
    title: "Table 8: access to the graph, PutNextTo",
    sizes: ["2x2", "3x3"],
    missions: ["PutNextTo"],
    columns: { kg: "Dynamic (tools)", "kg-static": "Static (in the prompt)" },
    measures: ["success", "ged"],
    numbers: () =>
      paperTable("graphmind_table8_access").flatMap(({ rooms = "", metric, ...row }) =>
        ([["kg", "dynamic"], ["kg-static", "static"]] as const).map(([condition, access]) => ({
          mission: "PutNextTo",
          rooms,
          condition,
          measure: measureOf(metric),
          model: FLASH,
          printed: row[`${access}_mean`] ?? "",
          se: row[`${access}_se`] ?? "",
        }))
      ),
    note: "The paper's 58.6 for static access on 3 × 3 implies 29 trials.",
  },
  steps: {
    title: "Appendix C: decision steps, PutNextTo",
    sizes: ["2x2", "3x3"],
    missions: ["PutNextTo"],
    columns: MAIN,
    measures: ["decisions", "steps"],
    numbers: () =>
      paperTable("graphmind_appc_steps").map(({ rooms = "", memory = "", decision_steps = "" }) => ({
        mission: "PutNextTo",
        rooms,
        condition: MEMORY[memory] ?? memory,
        measure: "decisions" as const,
        model: FLASH,
        printed: decision_steps,
      })),
    note: "The paper does not name the mission; its means are whole thirtieths, so of one mission, here taken to be that of its ablations.",
  },
};

/** The paper's numbers of a table. */
export function graphmindNumbers(table: GraphMindTableName): PaperNumber[] {
  return SPECS[table].numbers();
}

/** The trials of a table, each under the condition that it stands for there. */
export function trialsIn(table: GraphMindTableName, trials: readonly GraphMindTrial[]): GraphMindTrial[] {
  const { conditionOf, sizes, missions } = SPECS[table];
  const here = trials.filter(({ mission, rooms }) => missions.includes(mission) && sizes.includes(rooms));
  return conditionOf ? here.map((trial) => ({ ...trial, condition: conditionOf(trial) })) : here;
}

function measureOf(metric: string | undefined): GraphMindMeasure {
  return metric === "ged" ? "ged" : "success";
}
