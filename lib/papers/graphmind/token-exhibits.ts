/**
 * GraphMind's Tables 5 and 6, tokens a decision step by module, as exhibits.
 *
 * @module
 */

import { priceOf } from "../../llm/prices.ts";
import { type Measure, ratioMeasure } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import { paperTable } from "../../report/paper.ts";
import { FLASH } from "./paper.ts";
import { comparableTrials, COMPARED, GRAPHMIND_MODULES, type ModuleTokens } from "./tokens.ts";
import { type GraphMindTrial, graphmindTrials } from "./trials.ts";

/** How far tokens and dollars without interval may be away, as a part of the reported number. */
const TOLERANCE = 0.2;

/** The modules of the paper's tables. */
const MODULES = Object.entries(GRAPHMIND_MODULES).filter(([, name]) => name !== "Execute");

/** A module of the paper's tables, or a sum over all modules. */
type ModuleRow = Line<GraphMindTrial> & { readonly role?: string; readonly isMoney?: true };

/** A condition, counted with one vote or with all. */
interface VoteColumn extends Line<GraphMindTrial> {
  readonly condition: string;
  readonly isAll: boolean;
  /** Its column in the paper's files, and how the ledger calls it. */
  readonly csv: string;
  readonly title: string;
}

const COLUMNS: readonly VoteColumn[] = [
  { condition: "kg", csv: "kg", title: "KG", votes: ["one vote", "all votes"] },
  { condition: "sm", csv: "sm", title: "SM", votes: [""] },
  { condition: "kg-static", csv: "static_kg", title: "Static KG", votes: ["one vote", "all votes"] },
].flatMap(({ condition, csv, title, votes }) =>
  votes.map((vote): VoteColumn => ({
    name: [title, ...(vote === "" ? [] : [vote])].join(", "),
    group: "tokens",
    condition,
    csv,
    title,
    isAll: vote === "all votes",
    has: (trial) => trial.condition === condition && trial.isCompared,
  }))
);

type Side = "input" | "output";

/** What a module, or all of them, takes a decision step; in dollars at the price of the paper's model. */
function aStep(side: Side, { role, isMoney }: ModuleRow, { condition, isAll }: VoteColumn): Measure<GraphMindTrial> {
  const price = isMoney ? (priceOf(FLASH)?.[side === "input" ? "prompt" : "completion"] ?? NaN) / 1e6 : 1;
  const tokens = (row: ModuleTokens): number =>
    side === "input" ? isAll ? row.promptAll : row.prompt : isAll ? row.completionAll : row.completion;
  const asked = ({ modules }: GraphMindTrial): readonly ModuleTokens[] => modules.filter((row) => role === undefined || row.role === role);
  const ratio = ratioMeasure<GraphMindTrial>({
    name: isMoney ? "dollars" : "tokens",
    unit: isMoney ? "USD" : "tokens",
    range: [0, Infinity],
    better: "less",
    digits: isMoney ? 4 : 0,
    of: (trial) => asked(trial).reduce((sum, row) => sum + tokens(row), 0) * price,
    per: ({ decisions }) => decisions ?? 0,
  });
  return {
    ...ratio,
    how: () => "tokens ÷ steps",
    estimate: (trials) => {
      const counted = comparableTrials(trials).filter((trial) => trial.condition === condition);
      return counted.some((trial) => asked(trial).length > 0) ? ratio.estimate(counted) : "the condition asks no such module";
    },
    beside: ({ isCompared }) => isCompared,
  };
}

/** Table 5 (input) or 6 (output): a row a module, ours with one vote and with all, beside the paper's (one vote, five runs). */
function tokenExhibit(side: Side): Exhibit<GraphMindTrial, ModuleRow, VoteColumn> {
  const [number, file] = side === "input" ? [5, "graphmind_table5_input_tokens"] : [6, "graphmind_table6_output_tokens"];
  return {
    id: `graphmind-table${number}`,
    source: `Table ${number}`,
    head: "Module",
    trial: "trial",
    trials: graphmindTrials,
    title: (backbone) => `GraphMind, Table ${number}: ${side} tokens a decision step (${backbone})`,
    rows: [
      ...MODULES.map(([role, name]) => ({ name, role })),
      { name: "Total" },
      { name: "Total cost (USD)", isMoney: true },
    ],
    columns: COLUMNS,
    measure: (row, column) => aStep(side, row, column),
    paper: ({ name, isMoney, role }, { isAll, title, csv }) => {
      const printed = isAll ? "" : paperTable(file).find(({ module }) => module === name)?.[csv] ?? "";
      return {
        printed,
        backbone: FLASH,
        line: `${title}, paper`,
        row: `${title}: ${name}`,
        column: `${side} ${isMoney ? "dollars" : "tokens"} a step`,
        tolerance: TOLERANCE * Number(printed),
        note: role === "graphmind/verify-transition" || role === undefined ? "the paper counts one vote of five" : undefined,
      };
    },
    caption: ({ backbone, intervals }, trials) =>
      `Backbone ${backbone}; n: ${
        countsOf(trials)
      }, on the layouts and missions that all of them completed. Their tokens ÷ their decision steps; each ` +
      `request counted once; calls of tools count as the planner's. ${intervals} Dollars at the price of ${FLASH}. Offline tokens are counted with ` +
      `the o200k vocabulary, and offline answers hold no reasoning of a model. Paper: one vote of five, ${FLASH}, five runs.`,
  };
}

/** Of each condition the trials that are counted, and their decision steps. */
function countsOf(trials: readonly GraphMindTrial[]): string {
  const counted = comparableTrials(trials.filter(({ status }) => status === "completed"));
  return COMPARED.flatMap((condition) => {
    const mine = counted.filter((trial) => trial.condition === condition);
    const steps = mine.reduce((sum, { decisions }) => sum + (decisions ?? 0), 0);
    const name = COLUMNS.find((column) => column.condition === condition)?.title;
    return mine.length === 0 ? [] : [`${name} ${mine.length} trial${mine.length === 1 ? "" : "s"}, ${steps} steps`];
  }).join("; ");
}

/** Table 5. */
export const INPUT_TOKENS = tokenExhibit("input");
/** Table 6. */
export const OUTPUT_TOKENS = tokenExhibit("output");
