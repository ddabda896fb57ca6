/**
 * ReasonPlanner's Tables 1 and 2 and the numbers of §4.2.2 as exhibits.
 *
 * Where ours has no interval, it differs from a mean beyond 10 points, of tasks beyond 2, of the ratio beyond 0.3; p agrees if it lies below 0.001 as well.
 */

import type { CaptionFacts, Exhibit, Line, LineWhere, PaperNumber } from "../../report/exhibit.ts";
import type { PaperLedger } from "../../report/study-report.ts";
import {
  anovaOf,
  AVERAGE_DEVIATION,
  AVERAGE_MEAN,
  leadOf,
  ratioOf,
  TASK_DEVIATION,
  TASK_MEAN,
  taskScores,
  textMeasure,
} from "./measures.ts";
import {
  paperAverages,
  paperTasks,
  REASONPLANNER_METHODS,
  type ReasonPlannerTrial,
  reasonPlannerTrials,
  TABLE1_METHODS,
} from "./trials.ts";

const BACKBONE = "gpt-4-turbo";
/** How the paper's means are made, and how far ours may be away where it has no interval, in points. */
const PAPER_MEAN = { backbone: BACKBONE, tolerance: 10, measure: "mean over 3 variations" };

interface Row extends Line<ReasonPlannerTrial> {
  readonly average?: true;
  /** Column of the paper's file → as printed. */
  readonly printed?: Readonly<Record<string, string>>;
}

type ScoreColumn = LineWhere<ReasonPlannerTrial, "condition"> & { readonly deviation?: true };

/** The mean of a condition, and its standard deviation. */
function scoreColumns(condition: string): [ScoreColumn, ScoreColumn] {
  const name = REASONPLANNER_METHODS[condition] ?? condition;
  const own = { group: condition, rivals: condition === "oracle" ? null : undefined, where: { condition } };
  return [{ ...own, name, ledger: `${name}, mean` }, { ...own, name: "sd", ledger: `${name}, sd`, deviation: true }];
}

/** Every condition of Table 1's columns: the paper's, the floor and the ceiling. */
const CONDITIONS = [...TABLE1_METHODS, "random", "oracle"];

function averageRow(inAllTasks: boolean): Row {
  return {
    name: "average",
    ledger: "average of all 30 tasks",
    average: true,
    where: { inAllTasks },
    has: ({ condition }) => CONDITIONS.includes(condition),
    absent: "not all 30 tasks were played",
  };
}

/** The fields that the tables of scores share. */
const SCORES = { compete: "columns" as const, head: "task", trial: "variation", trials: reasonPlannerTrials };

/** The tasks of a table as rows. */
function taskRows(file: string, conditions: readonly string[]): Row[] {
  return paperTasks(file).map(({ name, id, length, printed }) => ({
    name: `${id} ${name} (${length})`,
    ledger: `${id} ${name}`,
    where: { task: name },
    has: ({ condition }) => conditions.includes(condition),
    printed,
  }));
}

/** How the captions of tables of scores begin. */
function scoresText({ n, backbone }: CaptionFacts): string {
  return `Score 0 to 100, mean and standard deviation over the first test variations of a task, ${n}; model: ${backbone}. `;
}

/** Table 1: a row a task and the averages; the paper averages all 30 tasks. */
const TABLE1: Exhibit<ReasonPlannerTrial, Row, ScoreColumn> = {
  ...SCORES,
  id: "reasonplanner-table1",
  source: "Table 1",
  title: (backbone) => `Table 1: scores in ScienceWorld (model: ${backbone})`,
  rows: [
    ...taskRows("reasonplanner_table1_scienceworld", CONDITIONS),
    { ...averageRow(true), printed: paperAverages() },
    averageRow(false),
  ],
  columns: CONDITIONS.flatMap((condition) => scoreColumns(condition).slice(0, TABLE1_METHODS.includes(condition) ? 2 : 1)),
  measure: ({ average }, { deviation }) => {
    if (average) return deviation ? AVERAGE_DEVIATION : AVERAGE_MEAN;
    return deviation ? TASK_DEVIATION : TASK_MEAN;
  },
  paper: ({ printed }, { where: { condition }, deviation }) => {
    const [mean, sd] = [printed?.[`${condition}_mean`], printed?.[`${condition}_sd`]];
    if (mean === undefined || sd === undefined) return undefined;
    if (deviation) return { backbone: BACKBONE, printed: sd, unjudged: "a standard deviation", hidden: "table" };
    return { ...PAPER_MEAN, printed: mean, shown: `${mean} ± ${sd}` };
  },
  caption: (facts, trials) => {
    const cells = [...Map.groupBy(trials, ({ task, condition }) => `${task}\n${condition}`).values()];
    const shown = cells.filter((cell) => facts.allowIncomplete || cell.every(({ status }) => status === "completed")).flat();
    return scoresText(facts) +
      "Paper: mean ± sd over 3 variations, GPT-4-Turbo, its limit of steps unsaid. Numbers as the paper prints them: ScienceWorld numbers 6-1 and 6-2 the other way round. " +
      "Averages: mean of the means, and the root of the mean variance, by which the paper's 24.0, 25.6, 27.2 and 21.5 come about. " +
      anovaText(shown);
  },
};

function anovaText(trials: readonly ReasonPlannerTrial[]): string {
  const anova = anovaOf(taskScores(trials));
  if (!anova) return "One-way ANOVA of the methods: not possible with these episodes.";
  const { f, degrees, p } = anova;
  const chance = p < 0.001 ? "p < 0.001" : `p = ${p.toFixed(3)}`;
  return `One-way ANOVA of the methods over the means of the tasks: F(${degrees.between}, ${degrees.within}) = ${f.toFixed(2)}, ` +
    `${chance}; the paper's own means give F(3, 116) = 16.88, p < 0.001.`;
}

/** Condition → its name in Table 2, and its column in the paper's file. */
const ABLATION = {
  "reasonplanner-without-world-model": ["RP", "without_wm"],
  "reasonplanner": ["RP + WM", "with_wm"],
} as const;

/** Table 2: ReasonPlanner without and with its world model. */
const TABLE2: Exhibit<ReasonPlannerTrial, Row, ScoreColumn & { readonly csv: string }> = {
  ...SCORES,
  id: "reasonplanner-table2",
  source: "Table 2",
  title: (backbone) => `Table 2: ReasonPlanner with and without its world model (model: ${backbone})`,
  rows: taskRows("reasonplanner_table2_ablation", Object.keys(ABLATION)),
  columns: Object.entries(ABLATION).flatMap(([condition, [name, csv]]) => {
    const [mean, deviation] = scoreColumns(condition);
    return [{ ...mean, name, ledger: REASONPLANNER_METHODS[condition], csv }, { ...deviation, csv }];
  }),
  measure: (_row, { deviation }) => deviation ? TASK_DEVIATION : TASK_MEAN,
  paper: (row, { csv, deviation }) => {
    const printed = row.printed?.[csv] ?? "";
    return deviation ? undefined : {
      ...PAPER_MEAN,
      printed,
      shown: Number(printed).toFixed(2),
      note: printed === "36.37" ? "its Table 1 has 36.67" : undefined,
    };
  },
  caption: (facts) =>
    scoresText(facts) +
    "Paper: means over 3 variations, GPT-4-Turbo. " +
    "The paper's 36.37 for chemistry-mix-paint-secondary-color stands as 36.67 in its Table 1.",
};

/** A number of the text. */
interface TextColumn extends Line<ReasonPlannerTrial> {
  readonly number: Omit<PaperNumber, "backbone">;
}

/** The numbers of §4.2.2 over all tasks. */
const TEXT: Exhibit<ReasonPlannerTrial, Line<ReasonPlannerTrial>, TextColumn> = {
  ...SCORES,
  id: "reasonplanner-text",
  source: "§4.2.2",
  rows: [{ name: "ReasonPlanner", has: ({ condition }) => TABLE1_METHODS.includes(condition) }],
  columns: [
    {
      name: "tasks with more than each baseline",
      measure: textMeasure("tasks", (cells) => leadOf(cells).more),
      number: { printed: "23", tolerance: 2, note: "in its Table 1 it has more in 21, and at least as much in 23" },
    },
    { name: "average ÷ the best baseline's", measure: textMeasure("ratio", ratioOf), number: { printed: "1.8", tolerance: 0.3 } },
    {
      name: "p of the one-way ANOVA (< 0.001)",
      measure: textMeasure("p", (cells) => anovaOf(cells)?.p ?? "not possible with these scores"),
      number: { printed: "0.001", bound: true, note: "its own means give F(3, 116) = 16.88, p < 0.001" },
    },
  ],
  paper: (_row, { number }) => ({ ...number, backbone: BACKBONE }),
};

/** Tables 1 and 2. */
export const REASONPLANNER_TABLES: readonly Exhibit[] = [TABLE1, TABLE2];

/** The ledger of the paper: 31 × 4 means with their standard deviations, 6 × 2 means of Table 2, 3 numbers of the text. */
export const REASONPLANNER_LEDGER: PaperLedger = {
  prefix: "reasonplanner-",
  title: "ReasonPlanner: the paper's numbers and ours",
  claims: { file: "reasonplanner_claims" },
  exhibits: [TABLE1, TABLE2, TEXT],
};
