/** GraphMind's tokens as exhibits: a decision step by module (Tables 5 and 6), repeated by prompts, and of a trajectory (§5). */

import { priceOf } from "../../core/llm/prices.ts";
import { type Measure, ratioMeasure, wholeMeasure } from "../../report/estimate.ts";
import { type Exhibit, isIn, type Line, type LineWhere } from "../../report/exhibit.ts";
import { paperTable } from "../../report/paper.ts";
import { counted } from "../../core/text/amounts.ts";
import { GRAPHMIND_CONDITIONS, GRAPHMIND_TRIALS, type GraphMindTrial, paperText, SIZES } from "./trials.ts";
import { isCounted, layoutOf } from "./measures.ts";
import { FLASH } from "./paper.ts";
import { comparableTrials, COMPARED, GRAPHMIND_MODULES, type ModuleTokens } from "./tokens.ts";

/** How far tokens and dollars without interval may be away, as a part of the reported number. */
const TOLERANCE = 0.2;

/** The modules of the paper's tables. */
const MODULES = Object.entries(GRAPHMIND_MODULES).filter(([, name]) => name !== "Execute");

/** A module of the paper's tables, or a sum over all modules. */
type ModuleRow = Line<GraphMindTrial> & { readonly role?: string; readonly isMoney?: true; readonly part?: "cached" | "reasoning" };

/** A condition, counted with one vote or with all. */
interface VoteColumn extends LineWhere<GraphMindTrial, "condition"> {
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
    csv,
    title,
    isAll: vote === "all votes",
    where: { condition, isCompared: true },
  }))
);

type Side = "input" | "output";

/** Tokens of a module, or of all of them, a decision step; in dollars at the price of the paper's model. */
function aStep(side: Side, { role, isMoney, part }: ModuleRow, { where: { condition }, isAll }: VoteColumn): Measure<GraphMindTrial> {
  const price = isMoney ? (priceOf(FLASH)?.[side === "input" ? "prompt" : "completion"] ?? NaN) / 1e6 : 1;
  const kind = part ?? side;
  const tokens = (row: ModuleTokens): number => row[isAll ? `${kind}All` as const : kind];
  const asked = ({ modules }: GraphMindTrial): readonly ModuleTokens[] => modules.filter((row) => role === undefined || row.role === role);
  const ratio = ratioMeasure<GraphMindTrial>({
    name: isMoney ? "dollars" : "tokens",
    range: [0, Infinity],
    better: "less",
    digits: isMoney ? 4 : 0,
    of: (trial) => trial.isRepeat ? undefined : asked(trial).reduce((sum, row) => sum + tokens(row), 0) * price,
    per: ({ decisions }) => decisions ?? 0,
    clusterOf: layoutOf,
  });
  return {
    ...ratio,
    how: () => "tokens ÷ steps",
    estimate: (trials) => {
      const compared = comparableTrials(trials).filter((trial) => trial.condition === condition);
      return compared.some((trial) => asked(trial).length > 0) ? ratio.estimate(compared) : "the condition asks no such module";
    },
    beside: ({ isCompared }) => isCompared,
  };
}

/** Table 5 (input) or 6 (output): a row a module, ours with one vote and with all, beside the paper's (one vote, five runs). */
function tokenExhibit(side: Side): Exhibit<GraphMindTrial, ModuleRow, VoteColumn> {
  const [number, file] = side === "input" ? [5, "graphmind_table5_input_tokens"] : [6, "graphmind_table6_output_tokens"];
  const part = side === "input" ? "cached" : "reasoning";
  return {
    id: `graphmind-table${number}`,
    source: `Table ${number}`,
    head: "Module",
    ...GRAPHMIND_TRIALS,
    title: (backbone) => `GraphMind, Table ${number}: ${side} tokens a decision step (${backbone})`,
    rows: [
      ...MODULES.map(([role, name]) => ({ name, role })),
      { name: "Total" },
      { name: `Of which ${part}`, part, shown: "nonzero" },
      { name: "Total cost (USD)", isMoney: true },
    ],
    columns: COLUMNS,
    measure: (row, column) => aStep(side, row, column),
    paper: ({ name, isMoney, role }, { isAll, title, csv }) => {
      const printed = isAll ? "" : paperTable(file).find(({ module }) => module === name)?.[csv] ?? "";
      return {
        printed,
        backbone: FLASH,
        line: `${title}, paper, its model's tokens`,
        row: `${title}: ${name}`,
        column: `${side} ${isMoney ? "dollars" : "tokens"} a step`,
        tolerance: TOLERANCE * Number(printed),
        note: role === "graphmind/verify-transition" || role === undefined ? "the paper counts one vote of five" : undefined,
      };
    },
    caption: ({ backbone, intervals }, trials) =>
      `Model: ${backbone}; n: ${countsOf(trials)}, on the layouts and missions that all of them completed. ` +
      `Their tokens ÷ their decision steps; each request counted once; calls of tools count as the planner's. ${intervals} Dollars at the price of ${FLASH}. Tokens of the stand-in are counted with ` +
      `the o200k vocabulary, and offline answers hold no reasoning of a model. ` +
      paperText(trials, `Paper: one vote of five, ${FLASH}, five runs.`),
  };
}

/** The number of counted trials of each condition, and of their decision steps. */
function countsOf(trials: readonly GraphMindTrial[]): string {
  const compared = comparableTrials(trials.filter(({ status, isRepeat }) => status === "completed" && !isRepeat));
  return COMPARED.flatMap((condition) => {
    const mine = compared.filter((trial) => trial.condition === condition);
    const steps = mine.reduce((sum, { decisions }) => sum + (decisions ?? 0), 0);
    const name = COLUMNS.find(({ where }) => where.condition === condition)?.title;
    return mine.length === 0 ? [] : [`${name} ${counted(mine.length, "trial")}, ${steps} steps`];
  }).join("; ");
}

/** Table 5. */
export const INPUT_TOKENS = tokenExhibit("input");
/** Table 6. */
export const OUTPUT_TOKENS = tokenExhibit("output");

/** A module's share of repeated characters, or the mean of all modules weighed by their tokens. */
interface PrefixRow extends Line<GraphMindTrial> {
  readonly role?: string;
  readonly isAll: boolean;
}

/** How much of each prompt repeats the module's prompt before it: what a server with a prefix cache need not read again. */
export const PREFIX: Exhibit<GraphMindTrial, PrefixRow> = {
  id: "graphmind-prefix",
  source: "Appendix C",
  head: "Module",
  ...GRAPHMIND_TRIALS,
  title: (backbone) => `GraphMind: share of a prompt that repeats the one before it, % (${backbone})`,
  rows: [
    ...Object.entries(GRAPHMIND_MODULES).map(([role, name]): PrefixRow => ({ name, role, isAll: false, shown: "measured" })),
    { name: "All, one vote", isAll: false },
    { name: "All, with every vote", isAll: true },
  ],
  columns: Object.entries(GRAPHMIND_CONDITIONS).map(([condition, name]) => ({
    name,
    has: (trial) => trial.condition === condition && trial.modules.length > 0 && (trial.isCompared || !COMPARED.includes(condition)),
  })),
  measure: ({ role: wanted, isAll }) =>
    wholeMeasure({
      name: "share",
      digits: 1,
      counts: isCounted,
      of: (trials) => {
        const sum = <Row>(rows: readonly Row[], of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
        const [asked, repeated] = [trials.flatMap((trial) => trial.modules), trials.flatMap((trial) => trial.repeated())];
        const mine = repeated.filter(({ role }) => role === (wanted ?? role));
        if (mine.some(({ isRecorded }) => !isRecorded)) return "prompts of the condition are not on record";
        const shares = [...Map.groupBy(mine, ({ role }) => role)].map(([role, rows]) => ({
          tokens: sum(asked.filter((row) => row.role === role), (row) => isAll ? row.inputAll : row.input),
          share: sum(rows, (row) => isAll ? row.repeatedAll : row.repeated) / sum(rows, (row) => isAll ? row.lengthAll : row.length),
        }));
        if (shares.length === 0) return "the condition asks no such module";
        return 100 * sum(shares, ({ tokens, share }) => tokens * share) / sum(shares, ({ tokens }) => tokens);
      },
    }),
  caption: ({ backbone, n }) =>
    `Model: ${backbone}; ${n} a column, all requests. Characters of a prompt that are those of the same module's prompt before it in the trial, from ` +
    `the beginning on; the first of a trial repeats nothing. The sums weigh modules by their tokens.`,
};

/** Tokens of a whole trajectory, of KG and SM or of one by the other. */
const TRAJECTORY_COLUMNS = { "KG": ["kg"], "SM": ["sm"], "KG ÷ SM": ["kg", "sm"] } as const;

/** Tokens of a whole trajectory, KG against SM (§5: about 1.6 times as many), beside the paper's tokens a step times its steps. */
export const TRAJECTORY: Exhibit<GraphMindTrial, LineWhere<GraphMindTrial, "rooms"> & { readonly isAll: boolean }> = {
  id: "graphmind-trajectory",
  source: "§5",
  head: "Rooms",
  beside: "rows",
  ...GRAPHMIND_TRIALS,
  title: (backbone) => `GraphMind, §5: tokens of a trajectory, PutNextTo (${backbone})`,
  rows: SIZES.flatMap((rooms) =>
    ["one vote", "all votes"].map((votes) => ({
      name: `${rooms}, ${votes}`,
      group: rooms,
      isAll: votes === "all votes",
      where: { mission: "PutNextTo", rooms },
    }))
  ),
  columns: Object.entries(TRAJECTORY_COLUMNS).map(([name, [condition]]) => ({ name, where: { condition } })),
  measure: ({ isAll, where }, { name }) =>
    wholeMeasure({
      name: "tokens",
      beside: name === "KG ÷ SM" ? (trial) => isIn({ name, where: { ...where, condition: "sm" } }, trial) : undefined,
      digits: name === "KG ÷ SM" ? 2 : 0,
      counts: isCounted,
      of: (trials) => {
        const meanOf = (condition: string): number => {
          const mine = trials.filter((trial) => trial.condition === condition);
          const rows = mine.flatMap(({ modules }) => modules);
          return rows.reduce((sum, row) => sum + (isAll ? row.inputAll + row.outputAll : row.input + row.output), 0) / mine.length;
        };
        const [value = NaN, other = 1] = TRAJECTORY_COLUMNS[name as keyof typeof TRAJECTORY_COLUMNS].map(meanOf);
        return value / other > 0 ? value / other : "one of the two was not played";
      },
    }),
  paper: ({ where: { rooms }, isAll }, { name }) => {
    const [value, other = 1] = TRAJECTORY_COLUMNS[name as keyof typeof TRAJECTORY_COLUMNS].map((condition) =>
      paperTrajectory(condition, rooms)
    );
    if (isAll || !value) return undefined;
    return {
      printed: (value / other).toFixed(name === "KG ÷ SM" ? 2 : 0),
      backbone: FLASH,
      line: `${rooms}, paper, one vote`,
      hidden: "ledger",
    };
  },
  caption: ({ backbone, n }, trials) =>
    `Model: ${backbone}; ${n} a cell. Input and output tokens of the completed trials ÷ trials. ` +
    paperText(trials, `Paper: the sums of Tables 5 and 6 times the decision steps of Appendix C; its "about 1.6" is that of 3 × 3.`),
};

/** The paper's tokens a step times its steps; NaN for a size that it does not print. */
function paperTrajectory(condition: string, rooms: string): number {
  const steps = paperTable("graphmind_appc_steps").find((row) => row.rooms === rooms && row.memory?.toLowerCase() === condition)
    ?.decision_steps;
  const total = (name: string): number => Number(paperTable(name).find(({ module }) => module === "Total")?.[condition]);
  return Number(steps) * (total("graphmind_table5_input_tokens") + total("graphmind_table6_output_tokens"));
}
