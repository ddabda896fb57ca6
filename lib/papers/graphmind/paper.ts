/** The numbers that GraphMind prints in Tables 2, 3, 4, 7 and 8 and in Appendix C, and what is known to be amiss with some. */

import { paperTable } from "../../report/paper.ts";
import type { GraphMindMeasure } from "./measures.ts";

/** A table of the paper. */
export type GraphMindTableName = "table2" | "table3" | "table4" | "table7" | "table8" | "steps";

/** A mean of the paper as printed, with its standard error where there is one. */
export interface PrintedMean extends Readonly<Record<"mission" | "rooms" | "condition" | "model" | "printed", string>> {
  readonly measure: GraphMindMeasure;
  readonly se?: string;
}

/** The model of most of the paper's numbers. */
export const FLASH = "gemini-2.5-flash";

/** Word of the paper's files → condition. */
const CONDITIONS: Readonly<Record<string, string>> = {
  ...{ "KG": "kg", "w/o Memory": "none", "SM": "sm" },
  ...{ "bot": "kg", "llm": "kg-llm-actor", "image+text": "kg", "text": "kg-text" },
};

/** The columns of a mean and of its standard error, and of which condition and measure it is, where the row does not say. */
interface MeanColumns extends Partial<Pick<PrintedMean, "condition" | "measure">> {
  readonly mean: string;
  readonly se?: string;
}

/** Each table's file in `data/papers/`, and its columns with means. */
const FILES: Readonly<Record<GraphMindTableName, readonly [file: string, ...means: MeanColumns[]]>> = {
  table2: ["graphmind_table2_success", { mean: "mean", se: "se" }],
  table3: ["graphmind_table3_actor", { mean: "mean", se: "se" }],
  table4: [
    "graphmind_table4_scale",
    { mean: "success_pct", se: "success_se" },
    { mean: "avg_steps", measure: "decisionsOfSuccesses" },
  ],
  table7: ["graphmind_table7_modality", { mean: "accuracy_pct", se: "se" }],
  table8: [
    "graphmind_table8_access",
    { mean: "dynamic_mean", se: "dynamic_se", condition: "kg" },
    { mean: "static_mean", se: "static_se", condition: "kg-static" },
  ],
  steps: ["graphmind_appc_steps", { mean: "decision_steps", measure: "decisions" }],
};

const read = new Map<GraphMindTableName, readonly PrintedMean[]>();

/** The paper's numbers of a table, read once. */
export function printedMeans(table: GraphMindTableName): readonly PrintedMean[] {
  return read.getOrInsertComputed(table, () => readMeans(...FILES[table]));
}

/** Reads the means of a file; most files leave out the mission and the model. */
function readMeans(file: string, ...means: readonly MeanColumns[]): PrintedMean[] {
  return paperTable(file).flatMap(({ mission = "PutNextTo", rooms = "", model = FLASH, metric, memory, actor, observation, ...row }) =>
    means.map(({ mean, se, condition, measure }) => ({
      ...{ mission, rooms, model },
      condition: condition ?? CONDITIONS[memory ?? actor ?? observation ?? ""] ?? "",
      measure: measure ?? (metric === "ged" ? "ged" : "success"),
      printed: row[mean] ?? "",
      se: row[se ?? ""],
    }))
  );
}

/** Known errors in printed means: a table, the numbers meant, and the note. */
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

/** The note on a known error in a printed mean, the first of several. */
export function noteOf(table: GraphMindTableName, mean: PrintedMean): string | undefined {
  const isMeant = (wanted: Partial<PrintedMean>): boolean =>
    Object.entries(wanted).every(([key, value]) => mean[key as keyof PrintedMean] === value);
  return NOTES.find(([where, wanted]) => where === table && isMeant(wanted))?.[2];
}

/** The note on a printed standard error. */
export function errorNoteOf(table: GraphMindTableName, { measure }: PrintedMean): string | undefined {
  const notes: Partial<Record<GraphMindTableName, string>> = { table4: "printed", table7: "printed mostly", table8: "printed mostly" };
  return measure === "success" && notes[table] ? `${notes[table]} with n under the root` : undefined;
}
