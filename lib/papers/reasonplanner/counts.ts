/** What the paper has no table of: how ReasonPlanner plans (§4.2.1), and what each method asks of models. */

import { type Measure, wholeMeasure } from "../../report/estimate.ts";
import type { Exhibit, Line } from "../../report/exhibit.ts";
import type { AnsweredTokens } from "../../lab/store/costs.ts";
import { lookAheadConditions } from "./study.ts";
import { REASONPLANNER_METHODS, type ReasonPlannerTrial, reasonPlannerTrials, TABLE1_METHODS } from "./trials.ts";

type Trials = readonly ReasonPlannerTrial[];

/** A number of all episodes of a condition; it is `undefined` where there is nothing to divide by. */
function counted(name: string, digits: number, of: (trials: Trials) => number | undefined): Measure<ReasonPlannerTrial> {
  return wholeMeasure({ name, digits, of: (trials) => of(trials) ?? "nothing to divide by", noInterval: "a count" });
}

function sum(trials: Trials, of: (trial: ReasonPlannerTrial) => number | null): number {
  return trials.reduce((total, trial) => total + (of(trial) ?? 0), 0);
}

function events(trials: Trials, ...kinds: readonly string[]): number {
  return sum(trials, (trial) => kinds.reduce((total, kind) => total + (trial.events.get(kind) ?? 0), 0));
}

const QUERIES = ["query", "unanswered-query", "repeated-query"];
const EPISODES: Line<ReasonPlannerTrial> = { name: "episodes", measure: counted("episodes", 0, ({ length }) => length) };

function quotientColumn(
  name: string,
  digits: number,
  of: (trials: Trials) => readonly [part: number, whole: number],
): Line<ReasonPlannerTrial> {
  const quotient = (trials: Trials): number | undefined => {
    const [part, whole] = of(trials);
    return whole === 0 ? undefined : part / whole;
  };
  return { name, measure: counted(name, digits, quotient) };
}

function meanColumn(name: string, of: (trials: Trials) => number): Line<ReasonPlannerTrial> {
  return quotientColumn(name, 1, (trials) => [of(trials), trials.length]);
}

function shareColumn(name: string, kind: string, ...of: readonly string[]): Line<ReasonPlannerTrial> {
  return quotientColumn(name, 0, (trials) => [100 * events(trials, kind), events(trials, ...of)]);
}

function conditionRow(condition: string): Line<ReasonPlannerTrial> {
  return { name: REASONPLANNER_METHODS[condition] ?? condition, where: { condition } };
}

function planningExhibit(id: string, conditions: readonly string[]): Exhibit<ReasonPlannerTrial> {
  return {
    id,
    source: "§4.2.1",
    head: "condition",
    trial: "episode",
    title: (backbone) => `How ReasonPlanner plans (model: ${backbone})`,
    trials: reasonPlannerTrials,
    rows: ["training", ...conditions].map(conditionRow),
    columns: [
      EPISODES,
      meanColumn("score", (trials) => sum(trials, ({ score }) => score)),
      meanColumn("steps", (trials) => sum(trials, ({ steps }) => steps)),
      meanColumn("replans", (trials) => events(trials, "replan")),
      quotientColumn("steps a replan", 1, (trials) => [sum(trials, ({ steps }) => steps), events(trials, "replan")]),
      meanColumn("queries", (trials) => events(trials, ...QUERIES)),
      shareColumn("unanswered, %", "unanswered-query", ...QUERIES),
      shareColumn("repeated, %", "repeated-query", ...QUERIES),
      meanColumn("explorations", (trials) => events(trials, "exploration")),
      meanColumn("unread replies", (trials) => events(trials, "malformed-reply")),
      shareColumn("coreference, %", "coreference-changed", "coreference-asked"),
    ],
    caption: ({ backbone }) =>
      `Completed episodes; model: ${backbone}. Score 0 to 100, mean over tasks and variations. Steps, replans, queries and explorations: a mean ` +
      "episode. Steps a replan: commands carried out for each replan. Repeated: share of the queries that had been put for the same plan before. " +
      "Unanswered: share that found nothing. Coreference: share of the texts given to resolution that it changed; – where none is resolved. The paper " +
      "(§4.2.1): a look-ahead of 3 is too small, with 10 a trajectory deviates before it is through, more than 3 queries lead to repeated ones.",
  };
}

/** How ReasonPlanner plans with and without its world model. */
export const PLANNING: Exhibit = planningExhibit("reasonplanner-planning", ["reasonplanner-without-world-model", "reasonplanner"]);

/** How it plans in the study of look-aheads and query limits. */
export const LOOK_AHEAD_PLANNING: Exhibit = planningExhibit("reasonplanner-look-ahead", lookAheadConditions().map(({ name }) => name));

/** Roles of ReasonPlanner and its graph. */
const ROLES = ["actor", "answer", "critic", "extract", "predict-action", "predict-state", "query-entities", "reflect", "summarize"];

interface CostRow extends Line<ReasonPlannerTrial> {
  readonly role?: string;
}

interface CostColumn extends Line<ReasonPlannerTrial> {
  readonly digits: number;
  readonly key: "calls" | "prompt" | "cached" | "completion" | "reasoning" | "dollars";
}

/** Calls and tokens of a mean episode by condition, and of ReasonPlanner by role. */
export const COSTS: Exhibit<ReasonPlannerTrial, CostRow, Line<ReasonPlannerTrial> | CostColumn> = {
  id: "reasonplanner-costs",
  source: "costs",
  head: "condition",
  trial: "episode",
  title: (backbone) => `Calls and tokens of an episode (model: ${backbone})`,
  trials: reasonPlannerTrials,
  rows: [
    ...TABLE1_METHODS.map(conditionRow),
    ...ROLES.map((role) => ({ ...conditionRow("reasonplanner"), name: `– reasonplanner/${role}`, role: `reasonplanner/${role}` })),
    ...["reasonplanner-without-world-model", "training"].map(conditionRow),
  ],
  columns: [
    EPISODES,
    { name: "calls", key: "calls", digits: 1 },
    { name: "prompt tokens", key: "prompt", digits: 0 },
    { name: "of which cached", key: "cached", digits: 0, shown: "nonzero" },
    { name: "completion tokens", key: "completion", digits: 0 },
    { name: "of which reasoning", key: "reasoning", digits: 0, shown: "nonzero" },
    { name: "dollars", key: "dollars", digits: 3 },
  ],
  measure: ({ role }, column) => {
    if (!("key" in column)) return column.measure;
    const { name, key, digits } = column;
    return counted(name, digits, (trials) => meanTokens(trials, (tokens) => role === undefined || tokens.role === role, key));
  },
  caption: ({ backbone }) =>
    `Mean over the completed episodes of a condition; model: ${backbone}. Tokens by the o200k vocabulary, where the endpoint counts none of its own. ` +
    "Each request counts once, also where it was answered from the record. Dollars: as metered, – where a model has no price.",
};

/** The use of a mean episode; `undefined` for dollars where a model has no price. */
function meanTokens(trials: Trials, isOf: (tokens: AnsweredTokens) => boolean, key: CostColumn["key"]): number | undefined {
  const values = trials.flatMap(({ tokens }) => tokens.filter(isOf).map((row) => row[key]));
  const known = values.filter((value) => value !== null);
  return known.length < values.length ? undefined : known.reduce((total, value) => total + value, 0) / trials.length;
}
